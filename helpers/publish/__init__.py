"""From the notebooks to what is handed out.

`lesson` reads a notebook as sections and tasks, `pace` its minutes; `refresh` stores
outputs. `editions` and `handout` make the zips, `pages` and `exam` what is printed,
`questions` and `course` what other systems take, `site` the pages; `prose` and
`mathml` make HTML of Markdown.
"""
