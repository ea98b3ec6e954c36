"""A folder of submissions becomes marks, a page about the class and one a student.

`submissions` finds who handed in what; `sandbox` runs one child for each of them, in
which `worker` reads the files (`reading`) and judges the answers with the ordinary
checks; `table` and `page` write. README.md is the instructor's page.
"""
