"""From the notebooks to what is handed out: editions for a class, a site to read."""
