// formats/darwinn/package_parts.h - a package as the files of a folder, and back.
//
// Each container is a frame (formats/folder_parts.h) and, below it, its members, which may be
// containers themselves:
//
//     custom_options.bin                              the map of an operator
//     packages/0/package.bin                          a package
//     packages/0/executables/0/executable.bin         an executable
//     packages/0/executables/0/parameters.bin         bytes
//     packages/0/executables/0/chunks/0.bin           bytes
//     packages/0/chips/0/package.bin                  a package of a bundle, and so on
//
// What cannot be read, or shares its bytes, is a frame without members.
#ifndef HOIST_SRC_FORMATS_DARWINN_PACKAGE_PARTS_H
#define HOIST_SRC_FORMATS_DARWINN_PACKAGE_PARTS_H

#include "codec/hash.h"
#include "formats/darwinn/module.h"
#include "formats/folder_parts.h"

#define DWN_MANIFEST_NAME "hoist-edgetpu.json"

typedef enum dwn_level {
    DWN_LEVEL_BYTES = 0,  // no container
    DWN_LEVEL_EXECUTABLE, // members: its parameters, then its chunks
    DWN_LEVEL_CHIP,       // a package of a bundle; members: its executables
    DWN_LEVEL_PACKAGE,    // members: its executables, then its chips
    DWN_LEVEL_CUSTOM,     // custom_options; members: packages
    DWN_LEVEL_COUNT,
} dwn_level;

// The digest of a chunk in the manifest. package_unpack.c
void dwn_digest_text(const uint8_t digest[HOIST_HASH_MAX_SIZE],
                     char out_text[2 * HOIST_HASH_MAX_SIZE + 1]);

// Names of the files of frames, by level; that of BYTES is empty.
extern const char *const dwn_level_files[DWN_LEVEL_COUNT];

typedef struct dwn_frame {
    dwn_level level;
    hoist_bytes bytes;
    // The members; all arrays are in the arena and have `count` items.
    hoist_bytes *members; // slices of `bytes`; data NULL: absent
    dwn_level *levels;
    hoist_str *paths; // of files below that of the frame: "chunks/0.bin"; of containers their
                      // folder: "executables/0/"
    size_t count;
    void *rows;                  // arena; of EXECUTABLE, CHIP and PACKAGE; NULL: cannot be read
    dwn_multi_executable *multi; // arena; of CHIP and PACKAGE; NULL: cannot be read
} dwn_frame;

// HOIST_OK, also when it cannot be read; HOIST_NO_MEMORY. package_frame.c
HOIST_NODISCARD hoist_status dwn_frame_read(dwn_level level, hoist_bytes bytes, hoist_arena *arena,
                                            dwn_frame *out_frame);
// Appends the container with `members` in place of its own, and pages as in released files where a
// size has changed. HOIST_OK; HOIST_UNSUPPORTED with a finding, FOLD-004; HOIST_LIMIT,
// HOIST_NO_MEMORY. package_frame_write.c
HOIST_NODISCARD hoist_status dwn_frame_write(dwn_frame *frame, const hoist_bytes *members,
                                             hoist_arena *arena, hoist_diag *diag,
                                             hoist_buffer *out);

// Appends zeros up to the next page of what begins at `start` in `out`. package_frame_write.c
void dwn_fill_page(hoist_buffer *out, size_t start);

// Appends the container anew, with the changes that were made to its rows; statuses as above.
// package_frame_write.c
HOIST_NODISCARD hoist_status dwn_frame_write_rows(dwn_frame *frame, hoist_arena *arena,
                                                  hoist_diag *diag, hoist_buffer *out);
// The executable with the hints that its instructions call for, in the arena: itself where it has
// them. HOIST_OK; HOIST_INVALID with a finding: FOLD-006; statuses of dwn_frame_write_rows().
// package_hints.c
HOIST_NODISCARD hoist_status dwn_frame_make_hints(hoist_bytes executable, hoist_arena *arena,
                                                  hoist_diag *diag, hoist_bytes *out_bytes);

#endif // HOIST_SRC_FORMATS_DARWINN_PACKAGE_PARTS_H
