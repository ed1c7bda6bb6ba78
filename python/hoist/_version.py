"""The version of the package, which is that of the C headers: HOIST_VERSION_TEXT."""
VERSION = "0.1.0"
