// Files of numbers that the command line names: .npy, or elements without a gap.
#ifndef HOIST_TOOLS_ARRAY_FILES_H
#define HOIST_TOOLS_ARRAY_FILES_H

#include "tool.h"

typedef struct array_file {
    hoist_mut_bytes file; // owned
    hoist_array array;    // borrows from `file` or owns; of what is no .npy its dtype and bytes
    bool is_npy;
} array_file;

// Findings go to the input's diag, as of `path`. `dense`: the type of what is no .npy file; by its
// first bytes, or by its name, for a damaged .npy file is no file of dense elements. A file of
// another known kind (base/magic.h) is refused, HOIST_INVALID, unless `raw:` is before the path.
HOIST_NODISCARD hoist_status array_file_read(tool *t, const tool_input *input, const char *path,
                                             hoist_dtype dense, array_file *out_file);
void array_file_deinit(array_file *file, hoist_allocator alloc);

// Those of an option that may be given more than once.
typedef struct array_files {
    hoist_allocator alloc;
    array_file *items; // owned
    char **names;      // owned: of each
    size_t count;
    size_t room;
} array_files;

// Space for as many as `option` is given; false: memory ran out.
HOIST_NODISCARD bool array_files_init(array_files *files, const tool *t, tool_option_id option);
void array_files_deinit(array_files *files);
// Appends the file `path` as `name`; without a path, an array without bytes.
HOIST_NODISCARD tool_exit array_files_add(array_files *files, tool *t, const tool_input *input,
                                          hoist_str name, const char *path);

#endif // HOIST_TOOLS_ARRAY_FILES_H
