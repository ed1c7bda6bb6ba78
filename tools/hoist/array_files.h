// Files of numbers that the command line names: .npy, or elements without a gap.
#ifndef HOIST_TOOLS_ARRAY_FILES_H
#define HOIST_TOOLS_ARRAY_FILES_H

#include "tool.h"

typedef struct array_file {
    hoist_file_view file; // owned
    hoist_array array;    // borrows from `file` or owns; of what is no .npy its dtype and bytes
    bool is_npy;
    bool is_text;  // rows of numbers
    bool is_image; // the array is that of hoist_image_read()
} array_file;

// Findings go to the input's diag, as of `path`. `dense`: the type of what is no .npy file; by its
// first bytes, or by its name, for a damaged .npy file is no file of dense elements. Images are
// read where `takes_images`, and files that are texts by their names hold rows of numbers. A file
// of another known kind (base/magic.h) is refused, HOIST_INVALID. `raw:` before the path makes
// elements of any file's bytes.
HOIST_NODISCARD hoist_status array_file_read(tool *t, const tool_input *input, const char *path,
                                             hoist_dtype dense, bool takes_images,
                                             array_file *out_file);
void array_file_deinit(array_file *file, hoist_allocator alloc);

// Whether a file is a text of numbers, by the ending of its name: .txt, .csv or .tsv. array_text.c
bool array_text_is(const char *path);
// Reads rows of as many numbers each as elements of `dtype`, an integer, else of float32: the array
// has no shape. HOIST_OK; HOIST_INVALID, which is complained about; HOIST_LIMIT, HOIST_CANCELLED,
// HOIST_NO_MEMORY. Free with hoist_array_deinit.
HOIST_NODISCARD hoist_status array_text_read(tool *t, const char *path, hoist_bytes bytes,
                                             hoist_dtype dtype, hoist_array *out_array);

// Those of an option that may be given more than once.
typedef struct array_files {
    hoist_allocator alloc;
    array_file *items; // owned
    char **names;      // owned: of each
    size_t count;      // of items that have been added
    size_t room;       // as many as the option is given
} array_files;

// Space for as many as `option` is given; false: memory ran out.
HOIST_NODISCARD bool array_files_init(array_files *files, const tool *t, tool_option_id option);
void array_files_deinit(array_files *files);
// Appends the file `path` as `name`; without a path, an array without bytes.
HOIST_NODISCARD tool_exit array_files_add(array_files *files, tool *t, const tool_input *input,
                                          hoist_str name, const char *path);

#endif // HOIST_TOOLS_ARRAY_FILES_H
