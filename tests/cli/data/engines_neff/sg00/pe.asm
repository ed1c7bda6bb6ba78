# Nothing to do.
