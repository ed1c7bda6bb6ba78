// formats/folder_parts.h - what packing models from folders shares: parts by their paths, and
// frames. A frame is a container in which the bytes of its members are zero; with other members of
// the same sizes it is a container again, whatever else is in it.
#ifndef HOIST_SRC_FORMATS_FOLDER_PARTS_H
#define HOIST_SRC_FORMATS_FOLDER_PARTS_H

#include "hoist/formats.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "base/diag.h"
#include "base/map.h"

typedef enum hoist_folder_rule {
#define FOLD_RULE(number, ...) FOLD_##number,
#include "formats/folder_rules.inc"
    FOLD_RULE_COUNT,
} hoist_folder_rule;
extern const hoist_rule_set hoist_folder_rules;
#define hoist_folder_rule_row(rule) (&hoist_folder_rules.rules[rule])

// The parts of a folder.
typedef struct hoist_parts {
    const hoist_part *items; // borrowed, as the paths and bytes are
    size_t count;
    hoist_map names; // path to index
    bool *taken;     // owned; by part
    hoist_diag *diag;
} hoist_parts;

// Two parts of one path are FOLD-003. HOIST_OK, HOIST_INVALID, HOIST_NO_MEMORY; hoist_parts_deinit
// after all of them.
HOIST_NODISCARD hoist_status hoist_parts_init(hoist_parts *parts, const hoist_part *items,
                                              size_t count, hoist_allocator alloc,
                                              hoist_diag *diag);
void hoist_parts_deinit(hoist_parts *parts, hoist_allocator alloc);
// The part with that path, which has a place then; NULL: there is none.
const hoist_part *hoist_parts_take(hoist_parts *parts, hoist_str path);
// Checks that all of them have a place: HOIST_OK, or HOIST_INVALID and FOLD-002.
HOIST_NODISCARD hoist_status hoist_parts_check_rest(const hoist_parts *parts);

// Appends `bytes` with zeros where `members`, which are slices of it, lie.
void hoist_frame_cut(hoist_bytes bytes, const hoist_bytes *members, size_t count,
                     hoist_buffer *out);
// Appends `frame` with other members in the places of its own, `places`. False when one has
// another size; then nothing was appended.
bool hoist_frame_fill(hoist_bytes frame, const hoist_bytes *places, const hoist_bytes *members,
                      size_t count, hoist_buffer *out);
// Whether the bytes of slices of `bytes` are no more than it has: honest members share none.
bool hoist_frame_is_split(hoist_bytes bytes, const hoist_bytes *members, size_t count);
// Whether slices of `a` have the places in it that others have in `b`.
bool hoist_frame_same_places(hoist_bytes a, const hoist_bytes *in_a, hoist_bytes b,
                             const hoist_bytes *in_b, size_t count);
// Whether slices have the same bytes.
bool hoist_frame_same_bytes(const hoist_bytes *a, const hoist_bytes *b, size_t count);

// Whether bytes stand for a member that a frame has not: there are some, and all are zero.
bool hoist_frame_is_hole(hoist_bytes bytes);

// Hands the buffer's bytes to the arena, which has the same allocator. HOIST_OK, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_buffer_keep(hoist_buffer *buffer, hoist_arena *arena,
                                               hoist_bytes *out_bytes);

#endif // HOIST_SRC_FORMATS_FOLDER_PARTS_H
