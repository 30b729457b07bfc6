"""The Web API, a module a family of methods."""
