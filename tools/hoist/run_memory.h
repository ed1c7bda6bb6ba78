// The parts of --dump-memory and --load-memory: which queues of a program have images of a device's
// memory (docs/formats/buda-memory.md), and in which files.
#ifndef HOIST_TOOLS_RUN_MEMORY_H
#define HOIST_TOOLS_RUN_MEMORY_H

#include "exchange/queue_image.h"
#include "os/folder.h"
#include "program/program.h"
#include "run.h"

// A queue or ram of tiles.
typedef struct run_memory_queue {
    hoist_ref fifo; // of the program; the number of its port
    hoist_queue_image image;
    hoist_queue_image_size size;
    const char *reason; // it has no images: why, static; NULL: it has
    bool is_alias;      // it has none: its bytes are those of another ram
    bool has_aliases;   // through which its slots are written, too
    size_t first;       // of its images, one for each buffer of the grid
    size_t count;
} run_memory_queue;

// A file below the folder of the option.
typedef struct run_memory_image {
    size_t queue;
    const char *file;   // arena: NAME/SPACE.ADDRESS.bin
    hoist_bytes loaded; // borrowed from `files`
    bool is_loaded;
} run_memory_image;

struct run_memory {
    run_memory_queue *queues; // arena
    size_t queue_count;
    run_memory_image *images; // arena
    size_t image_count;
    hoist_folder_output dump;
};

// Lists queues and images in r->memory, unless that is done. TOOL_OK; TOOL_UNSUPPORTED: there is no
// image, which is complained about, with `option`; TOOL_LIMIT.
tool_exit run_list_memory(run *r, const char *option);
// From here on findings are about the file; NULL: about the one that runs.
void run_memory_source(const run *r, const char *file);

#endif // HOIST_TOOLS_RUN_MEMORY_H
