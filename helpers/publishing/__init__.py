"""From the notebooks to what is handed out.

`lesson` reads a notebook as sections and tasks, `pace` its minutes; `refresh` and
`cover` store outputs. `editions`, `handout`, `answers` and `notes` make the zips;
`site`, `prose` and `mathml` make the pages.
"""
