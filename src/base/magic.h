// base/magic.h - files of other kinds by their first bytes: for messages that name what was found,
// and against files that would be read as elements by mistake.
#ifndef HOIST_SRC_BASE_MAGIC_H
#define HOIST_SRC_BASE_MAGIC_H

#include "hoist/base.h"

// What a file with these first bytes is, with its article: "a PNG image"; static. NULL: unknown.
// Only signatures of three bytes or more count, so that elements seldom look like one.
const char *hoist_magic_find(hoist_bytes head);

#endif // HOIST_SRC_BASE_MAGIC_H
