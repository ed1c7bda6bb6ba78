// os/own_folder.h - where this code itself is installed.
#ifndef HOIST_SRC_OS_OWN_FOLDER_H
#define HOIST_SRC_OS_OWN_FOLDER_H

#include "hoist/base.h"

// The folder of the file that this code is in: of the shared library, or of the command, without
// links. False: it is not known, or takes more than `size` bytes with its NUL.
bool hoist_own_folder(char *out_folder, size_t size);

#endif // HOIST_SRC_OS_OWN_FOLDER_H
