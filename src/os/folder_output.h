// os/folder_output.h - a folder of files that appears when all of them are written.
//
// A folder that is absent is built under a temporary name next to it (os/temporary.h) and renamed:
// it is there with all its files or not at all. In one that exists the files are built in a
// temporary folder and moved to their places in the end; what else is there stays. Moving them is
// no single step: meanwhile the folder has an entry HOIST_FOLDER_INCOMPLETE. It outlives only a
// process that is killed (SIGKILL, a loss of power) or cannot go on in that moment, and the next
// output to the same folder first moves what is missing.
//
// Nothing is synchronised with the device, as by tar(1): there may be 100,000 files. Several
// processes may write the same folder, the last one wins, with all its files.
#ifndef HOIST_SRC_OS_FOLDER_OUTPUT_H
#define HOIST_SRC_OS_FOLDER_OUTPUT_H

#include "base/arena.h"
#include "os/folder.h"

typedef struct hoist_folder_output {
    hoist_temporary temporary; // that is filled
    int target;                // owned: the folder that was there; -1: none
    bool replace;
    hoist_allocator alloc;
    hoist_arena arena; // of the paths
    hoist_str *paths;  // owned: of the files
    size_t count;
    size_t capacity;
    char name[NAME_MAX + 1]; // of a folder that was absent
} hoist_folder_output;

// An output that has not begun: it can be asked and dropped.
void hoist_folder_output_init(hoist_folder_output *out, hoist_allocator alloc);
// Begins the folder `path`; the one above must be there. `replace`: files that are there are
// replaced, else refused. `list` may be NULL. HOIST_OK, HOIST_NOT_FOUND or HOIST_IO, and reports
// why.
HOIST_NODISCARD hoist_status hoist_folder_output_begin(hoist_folder_output *out, const char *path,
                                                       bool replace, hoist_temporaries *list,
                                                       hoist_diag *diag);
static inline bool hoist_folder_output_begun(const hoist_folder_output *out)
{
    return out->temporary.parent >= 0;
}
// Adds the file `path`, with what hoist_folder_write() would report; also HOIST_NO_MEMORY. Of
// `options` head and executable count.
HOIST_NODISCARD hoist_status hoist_folder_output_write(hoist_folder_output *out, hoist_str path,
                                                       hoist_bytes bytes,
                                                       const hoist_folder_write_options *options,
                                                       hoist_diag *diag);
// Gives the folder its name, or the files their places. HOIST_OK, or the reason why it cannot, and
// unless it says that the folder is incomplete nothing has changed.
HOIST_NODISCARD hoist_status hoist_folder_output_finish(hoist_folder_output *out, hoist_diag *diag);
// Removes what is not finished, and frees.
void hoist_folder_output_drop(hoist_folder_output *out);

#endif // HOIST_SRC_OS_FOLDER_OUTPUT_H
