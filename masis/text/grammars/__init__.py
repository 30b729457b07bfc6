"""Small grammars, each written down once for every pattern that reads it."""
