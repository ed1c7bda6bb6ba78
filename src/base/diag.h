// base/diag.h - how a layer reports what it finds.
//
// One mechanism serves a parse failure and two hundred findings of `hoist check`. Reading goes on
// after an error where the structure permits; nothing is fixed silently. Every function here takes
// a NULL diag and then does nothing.
//
//     hoist_frame frame;
//     hoist_diag_push(diag, &frame, "reading queue", queue->name, HOIST_STR("queues"));
//     ...
//     hoist_report(diag, &rules[BUDA_007], hoist_loc_pos(pos), "t is %lld, expected 1 or more", t);
//     hoist_diag_pop(diag, &frame);
#ifndef HOIST_SRC_BASE_DIAG_H
#define HOIST_SRC_BASE_DIAG_H

#include "hoist/base.h"

// A frame of the caller, on the caller's stack. Rendered only when something is reported.
typedef struct hoist_frame {
    const char *doing; // "reading queue"; NULL: the frame only adds to the object path
    hoist_str name;    // what it is done to; may be empty
    hoist_str path;    // segment added to the object path; may be empty
    int64_t item;      // index added after it; -1: none
    const struct hoist_frame *below; // borrowed: the caller's frame
} hoist_frame;

// Messages are cut at 2 KiB, names in them at 512 bytes (HOIST_STR_ARGS), names in paths and
// contexts at 256 bytes, with three dots: a long name
// times many findings must not fill the memory.
//
// `doing` + name gives the context line "while reading queue 'q0'"; `path` (may hold slashes) is
// joined to the object path. All three are borrowed until the pop.
void hoist_diag_push(hoist_diag *diag, hoist_frame *frame, const char *doing, hoist_str name,
                     hoist_str path);
// Adds an item of a list to the object path: "tensors/3", or "3" where `list` is empty.
void hoist_diag_push_item(hoist_diag *diag, hoist_frame *frame, const char *list, uint32_t index);
void hoist_diag_pop(hoist_diag *diag, const hoist_frame *frame);

// Names the file that later findings are in. `file` and `member` are copied. HOIST_NO_MEMORY is
// remembered in the diag (hoist_diag_incomplete).
void hoist_diag_source(hoist_diag *diag, hoist_str file, hoist_str member);
// A file, or a member of one.
typedef struct hoist_source {
    hoist_str file;
    hoist_str member;     // empty: none
    uint32_t record_size; // bytes of its records, which are the objects of findings in it; 0: none
} hoist_source;

// The sources that hoist_loc.source counts from 1 on; findings with such a place are in them, and
// the place that they keep counts nothing. Borrowed until the next call; count 0: none.
void hoist_diag_sources(hoist_diag *diag, const hoist_source *sources, size_t count);
// hoist_diag_source() of a file for the time of one public call, which leaves with what this gives:
// so no finding of a later call, which may know no file, names that one.
hoist_source hoist_diag_enter(hoist_diag *diag, hoist_str file);
void hoist_diag_leave(hoist_diag *diag, hoist_source before);
// What hoist_diag_source set last, to go back to it; empty for NULL. Borrowed from the diag.
hoist_str hoist_diag_file(const hoist_diag *diag);
hoist_str hoist_diag_member(const hoist_diag *diag);

// Adds a finding at `loc`, with the severity of `rule`; NULL: that fact is not reported.
void hoist_report(hoist_diag *diag, const hoist_rule *rule, hoist_loc loc, const char *format, ...)
    HOIST_PRINTF(4, 5);
void hoist_vreport(hoist_diag *diag, const hoist_rule *rule, hoist_loc loc, const char *format,
                   va_list args) HOIST_PRINTF(4, 0);
// The same as a warning, whatever the severity of `rule`: for what a lenient reader lets pass.
void hoist_warn(hoist_diag *diag, const hoist_rule *rule, hoist_loc loc, const char *format, ...)
    HOIST_PRINTF(4, 5);
// Adds a finding and returns `status`: for `return hoist_fail(...)`.
hoist_status hoist_fail(hoist_diag *diag, hoist_status status, const hoist_rule *rule,
                        hoist_loc loc, const char *format, ...) HOIST_PRINTF(5, 6);

// Adds a copy of a finding that another collector has, its severity as the rule has it here; file,
// member, object and context are the finding's.
void hoist_diag_add(hoist_diag *diag, const hoist_finding *finding);

// An empty collector for a part of what `diag` collects: with its options, in the same file and
// frames, which it borrows. `diag` may be NULL. Free with hoist_diag_destroy. HOIST_OK,
// HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_diag_create_like(hoist_allocator alloc, const hoist_diag *diag,
                                                    hoist_diag **out_diag);
// Adds all findings of `other`, and counts those that it did not keep. The context of each is
// `word` and `name` then; NULL: its own. Either diag may be NULL.
void hoist_diag_add_all(hoist_diag *diag, const hoist_diag *other, const char *word,
                        const char *name);

// Places.
static inline hoist_loc hoist_loc_none(void)
{
    return (hoist_loc){.kind = HOIST_LOC_NONE};
}
static inline hoist_loc hoist_loc_pos(hoist_pos pos)
{
    return (hoist_loc){.kind = pos.line ? HOIST_LOC_TEXT : HOIST_LOC_NONE, .pos = pos};
}
static inline hoist_loc hoist_loc_byte(uint64_t offset)
{
    return (hoist_loc){.kind = HOIST_LOC_BYTE, .offset = offset};
}

// Below 0, 0 or above 0, as qsort expects it; places of one list of sources.
int hoist_loc_order(hoist_loc a, hoist_loc b);

// Notes that what is read refers to bytes up to `size`, more than there are: of several the most
// counts; of members of a file none. A reader that finds the end in the middle of something notes
// one byte more than there are.
void hoist_diag_lacks(hoist_diag *diag, uint64_t size); // `diag` may be NULL
// The most that was noted, and from now on nothing. 0: nothing was.
uint64_t hoist_diag_take_lack(hoist_diag *diag);

#endif // HOIST_SRC_BASE_DIAG_H
