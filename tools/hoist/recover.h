// What the sources of `hoist recover` share.
#ifndef HOIST_TOOLS_RECOVER_H
#define HOIST_TOOLS_RECOVER_H

#include "base/arena.h"
#include "base/map.h"
#include "os/folder_output.h"
#include "tool.h"

typedef enum recover_kind {
    RECOVER_FOLDER = 0, // a .npy file of each array
    RECOVER_NPZ,
    RECOVER_SAFETENSORS,
} recover_kind;

typedef struct recover {
    tool *t;
    tool_input input;
    const char *path;  // that is written to; NULL: nothing is
    recover_kind kind; // of it
    const char *model; // path of the TFLite model that was written; NULL: none was
    hoist_folder_output folder;
    hoist_array_set *set; // owned: arrays of one file; NULL: none yet
    hoist_arena arena;    // names of files
    hoist_map files;      // their names
    hoist_document doc;
    bool begun;          // the document
    bool in_missing;     // its list "missing" is open, else "arrays"
    hoist_status layers; // the result of sending them
    uint64_t gaps;       // between them
    uint64_t arrays;
    uint64_t bytes;
    uint64_t missing;
} recover;

void recover_init(recover *r, tool *t);
void recover_deinit(recover *r);
// Writes an array into the folder, `*out_file` being the name of its file there, or keeps it for
// the one file (NULL). HOIST_OK and others as of writing.
HOIST_NODISCARD hoist_status recover_write(recover *r, const hoist_recovered *array,
                                           const char **out_file);
// Behind the last array: completes the folder, or writes the one file.
HOIST_NODISCARD hoist_status recover_end(recover *r);

#endif // HOIST_TOOLS_RECOVER_H
