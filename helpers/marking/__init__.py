"""A folder of submissions into marks, and a page about what the class believes."""
