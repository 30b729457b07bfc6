"""One file a step, newest last; each was written or read by hand."""
