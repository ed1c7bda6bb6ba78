// os/library.h - shared libraries that are loaded while they are used.
#ifndef HOIST_SRC_OS_LIBRARY_H
#define HOIST_SRC_OS_LIBRARY_H

// Loads the library `name`, looked for where the system has its libraries unless it holds a '/'.
// NULL: it, or what it needs, is not there; `*out_reason` is then a part of a sentence, good until
// the next call in this thread. Close with hoist_library_close().
void *hoist_library_open(const char *name, const char **out_reason);
// The address of a function or an object of the library; NULL: it has none of that name.
void *hoist_library_find(void *library, const char *symbol);
void hoist_library_close(void *library); // NULL is allowed

#endif // HOIST_SRC_OS_LIBRARY_H
