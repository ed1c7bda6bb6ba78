// formats/part_name.h - names of members of containers that become files of a folder.
#ifndef HOIST_SRC_FORMATS_PART_NAME_H
#define HOIST_SRC_FORMATS_PART_NAME_H

#include "hoist/base.h"

// Why a member's name cannot be a path below a folder, as the end of a sentence: "is absolute";
// NULL: it can.
const char *hoist_part_unsafe(hoist_str name);

#endif // HOIST_SRC_FORMATS_PART_NAME_H
