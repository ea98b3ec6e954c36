"""From the notebooks to what is handed out.

`lesson` reads a notebook as sections and tasks, `pace` counts its minutes and
`fairness` what its choices look like; `question_cells` puts the questions into it and
`refresh` its outputs. `editions` makes the zips, `pages` and `exam` what is printed,
`questions` and `course` what other systems take, `site` the pages; `prose` and
`mathml` make HTML of Markdown.
"""
