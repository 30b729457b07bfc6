"""Reports of `masis eval`: what is kept while it runs, and the pages that people look at."""
