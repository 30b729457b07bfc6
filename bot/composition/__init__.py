"""Build the real parts of the application, a module a subject; the application loads each on first use."""
