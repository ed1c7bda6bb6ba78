// formats/darwinn/recover_work.h - the walk that makes layers of the groups of a program: what the
// sources of recovery share beyond operations and blocks.
#ifndef HOIST_SRC_FORMATS_DARWINN_RECOVER_WORK_H
#define HOIST_SRC_FORMATS_DARWINN_RECOVER_WORK_H

#include "formats/darwinn/recover_block.h"

// Flow -------------------------------------------------------------------------------------------

enum { DWN_LOOK_BACK = 128 }; // values that may be read again; bounds time

// What layers read: an input of the model, or the output of a layer.
typedef struct dwn_value {
    dwn_extent extent;
    uint8_t zero;
    uint32_t source; // as dwn_recovered.inputs
    bool has_base;
    int32_t base;      // where its first part is written
    dwn_copies copies; // before anything else was made
    bool has_place;
    int32_t place; // where it was moved to after that, or `base`
    int32_t from;  // and from where, or `base`
    int64_t pitch; // words from one pixel to the next there
} dwn_value;

// Rows and columns of a strip of a layer, as its tiles count them.
typedef struct dwn_strip {
    uint32_t along[2];
    const struct dwn_strip *before; // scratch; NULL: it is the first
} dwn_strip;

// A transfer of an input of the model from the host.
typedef struct dwn_receipt {
    dwn_words at;   // of the descriptor
    uint32_t input; // DWN_NONE: nothing says which
} dwn_receipt;

// Numbers that tiles store around a value.
typedef struct dwn_around {
    bool has_zero;  // its zero point
    bool has_other; // another one
} dwn_around;

// What is known of a layer of the list beyond what the list says.
typedef struct dwn_made {
    uint32_t group;         // its first
    uint64_t needed;        // outputs of all its strips, as dwn_group.produced; 0: it has no strips
    uint64_t produced;      // so far
    uint32_t strips;        // so far
    const dwn_strip *strip; // the last one; NULL: its tiles do not show its rows and columns
    bool is_read;           // the padding, by addresses
    bool is_agreed;         // other tiles agree with it
    dwn_around around;      // what tiles store around what they read
    bool is_sure;           // which value it reads, by addresses
    uint64_t other;         // else what it needed, at the least, if it read another one
    dwn_supply supply;      // of all its operations
    bool has_reader;        // a layer reads its output
    bool is_unordered;      // nothing says in which order it joins what it reads
    bool is_sized;          // its extents follow from one of them
    bool has_channels;      // its channels follow from one of them, or from the model's output
    bool is_selected;       // selections made it, each of which has its own parameters
    uint32_t doubts;        // bits of dwn_doubt
} dwn_made;

// What of a layer may be wrong, since no second reading of the instructions agrees.
typedef enum dwn_doubt {
#define DWN_DOUBT(doubt, reason) DWN_DOUBT_##doubt,
#include "formats/darwinn/recover_doubts.inc"
    DWN_DOUBT_COUNT,
} dwn_doubt;

typedef struct dwn_walk {
    hoist_arena *arena;   // of the result
    hoist_arena *scratch; // what only the walk needs: it may be many times the result
    const dwn_executable *executable;
    dwn_operations operations;
    uint32_t *owners; // of operations: layers; DWN_NONE: none
    dwn_sources sources;
    uint64_t *sent; // bytes of each output of the model that the program transfers
    // Scratch: of models with several inputs, in the order of the program.
    const dwn_receipt *receipts;
    uint32_t receipt_count;
    dwn_value *values;   // inputs of the model, then one of each layer
    uint32_t zeros[256]; // how many have each zero point
    uint32_t input_count;
    uint32_t current; // value that was made last
    dwn_recovered *layers;
    dwn_made *made;
    uint32_t layer_count;
    uint32_t layer_most; // that the lists have space for, where they may grow
    bool has_layout, has_moved;
    int32_t layout_base;     // where the first layout of the input is written
    uint32_t layout;         // and the group that does; only with `has_layout`
    int32_t moved_base;      // where data were moved to after the layer before
    uint32_t moved;          // the group that moved them; only with `has_moved`
    bool is_brief;           // weights are not needed
    bool is_untraced;        // words are not followed: all that tiles have is unknown
    bool is_undoubted;       // layers are not compared with words, and outputs not with layers
    bool is_blind;           // something unknown came before that may have changed values
    const char *stopped;     // why nothing more is recovered; NULL: it is
    struct dwn_trace *trace; // scratch; NULL: nothing was followed so far. recover_trace.h
    struct dwn_selection *selection; // scratch: the last one; NULL: there is none so far
    const char **unmade;             // scratch: why no layer makes an output; NULL: one does
    struct dwn_ordered **ordered;    // scratch: what an output is by its bytes; NULL: unknown
    dwn_gap *unclear;                // scratch: instructions that no known program has so
    uint32_t unclear_count;
    bool has_misfit; // words that are followed are sent where as many are not taken, before
    uint32_t misfit; // this operation
} dwn_walk;

static inline uint32_t dwn_value_count(const dwn_walk *w)
{
    return w->input_count + w->layer_count;
}

// What a layer reads, as the index of a value.
static inline uint32_t dwn_value_of(const dwn_walk *w, uint32_t source)
{
    return source & DWN_MODEL_INPUT ? source - DWN_MODEL_INPUT : w->input_count + source;
}

static inline uint32_t dwn_group_index(const dwn_walk *w, const dwn_group *group)
{
    return (uint32_t)(group - w->operations.groups);
}

// Ends the recovery, and says why: the reason of the gap. No failure.
static inline hoist_status dwn_stop(dwn_walk *w, const char *why)
{
    w->stopped = why;
    return HOIST_OK;
}

// The operation that represents a group.
static inline const dwn_operation *dwn_widest_of(const dwn_walk *w, const dwn_group *group)
{
    return &w->operations.items[group->widest];
}

// The value that a group with parameters reads, and how (16.6, rules 1, 2 and 4); DWN_NONE: none
// fits. The geometry has its padding. recover_flow.c
uint32_t dwn_find_input(const dwn_walk *w, const dwn_group *group, dwn_geometry *out_geometry);
// Notes when the program receives which input of the model: by its transfers. HOIST_OK,
// HOIST_NO_MEMORY. recover_received.c
HOIST_NODISCARD hoist_status dwn_set_receipts(dwn_walk *w, const dwn_program_run *run);
// The input that the host sends between the operation before a group and the one after another; the
// only one that it sends there but for those of `done`, else DWN_NONE.
typedef struct dwn_period {
    uint32_t first, last; // groups
    uint32_t done;        // bits of inputs
} dwn_period;
uint32_t dwn_received(const dwn_walk *w, const dwn_period *during);
// Whether an operation moves what comes from the host, and waits for it: what was written before
// where it reads is not what it reads. recover_shares.c
bool dwn_lays_out(const dwn_operation *op);
// A word of a tile, at a time: so many operations, writes of the mesh and copies into memory have
// come before. recover_writers.c
typedef struct dwn_spot {
    uint32_t operation, fills, copies_in;
    uint32_t tile;
    int64_t address;
} dwn_spot;
dwn_spot dwn_spot_before(const dwn_operations *all, uint32_t operation, uint32_t tile,
                         int64_t address);
// That of the first word of a copy.
dwn_spot dwn_spot_copied(const dwn_copy *copy, uint32_t tile);
// The copy right before an operation that brings a tile what `op` has in place of weights; NULL:
// there is none.
const dwn_copy *dwn_copy_for(const dwn_operations *all, const dwn_operation *op, uint32_t tile,
                             uint32_t operation);
// The value whose layer wrote a word last; DWN_NONE: it is unknown, or comes from the host.
uint32_t dwn_writer_of(const dwn_walk *w, const dwn_spot *spot);
// Whether a value is another one, or a part of it, or of its parts.
bool dwn_is_part(const dwn_walk *w, uint32_t part, uint32_t value);
// Whether what was written last at a place is of that value.
typedef enum dwn_written {
    DWN_WRITTEN_UNKNOWN = 0, // or it comes from the host
    DWN_WRITTEN_SO,
    DWN_WRITTEN_NOT_SO,
} dwn_written;
dwn_written dwn_has_word(const dwn_walk *w, const dwn_spot *spot, uint32_t value);
// The same of an address where a group reads: of the first tile of its first part.
dwn_written dwn_is_written(const dwn_walk *w, const dwn_group *group, int64_t address,
                           uint32_t value);
// Whether addresses say that it is that value, which was found.
bool dwn_is_read_there(const dwn_walk *w, const dwn_group *group, uint32_t value,
                       const dwn_geometry *geometry);
// Notes what was copied since the current value was made, before a group is made a layer of.
void dwn_note_copies(dwn_walk *w, const dwn_group *group);
// The most recent value of that zero point and extents, the current one first; an extent of 0 is
// not looked at. DWN_NONE: none.
uint32_t dwn_find_value(const dwn_walk *w, uint8_t zero, dwn_extent extent);
// Where the first tile of a group begins to read: in the memory that a copy was made from, where it
// has something else than weights in their place. False: that is unknown. recover_spots.c
bool dwn_spot_of(const dwn_walk *w, const dwn_group *group, dwn_spot *out_spot);
// The value of which a word is there; DWN_NONE: it is unknown. HOIST_OK, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status dwn_value_at(dwn_walk *w, const dwn_spot *spot, uint32_t *out_value);
// The value that was written last so many words after where the first tile of a group begins to
// read, and where it is copied from for it while the group runs; DWN_NONE: that is unknown.
// recover_writers.c
uint32_t dwn_written_at(const dwn_walk *w, const dwn_group *group, int64_t after);
uint32_t dwn_written_copied(const dwn_walk *w, const dwn_group *group);
// Doubts what the last layer reads where a word that its group begins to read is not known to be of
// that: after a selection there are words that are of no value as it is, so that what is left is
// not what is read. HOIST_OK, HOIST_NO_MEMORY. recover_spots.c
HOIST_NODISCARD hoist_status dwn_doubt_unseen(dwn_walk *w, const dwn_group *group);
// The value of that zero point that is where a group begins to read; where that is unknown the most
// recent one, which is sure if it is the only one. HOIST_OK, HOIST_NO_MEMORY.
typedef struct dwn_seen {
    uint32_t value; // DWN_NONE: none
    bool is_sure;
} dwn_seen;
HOIST_NODISCARD hoist_status dwn_find_read(dwn_walk *w, const dwn_group *group, uint8_t zero,
                                           dwn_seen *out_seen);
// The value whose every word a group reads once, by zero point and size; of several the last that
// is where the group reads, then the last. Where it is known what was written there last it is
// that, if it fits. Sure: that, an address says so, or an input of the model is the only one that
// fits. DWN_NONE: none.
uint32_t dwn_find_mapped(const dwn_walk *w, const dwn_group *group, bool *out_is_sure);
// The values that a group reads together, the oldest first (rule 3): at most `most` of them into
// `out_values`; 0: none fit.
uint32_t dwn_find_joined(const dwn_walk *w, const dwn_group *group, uint32_t most,
                         uint32_t *out_values);
// The operands of an addition, in the order of its factors (rule 5): those that were written last
// where it reads, as far as that is known. False: none fit.
typedef struct dwn_operands {
    uint32_t values[2];
    uint32_t heuristics;
    bool is_sure; // no others fit, or addresses say that it is these
} dwn_operands;
bool dwn_find_operands(const dwn_walk *w, const dwn_group *group, const int32_t factors[2],
                       dwn_operands *out_operands);
// The factors of a multiplication: what was written last where it reads, and where is copied from
// while it runs; where that is unknown, by zero points and addresses. False: none fit.
// recover_joins.c
bool dwn_find_factors(const dwn_walk *w, const dwn_group *group, dwn_operands *out_operands);
// Whether tiles have made less than a layer's output: there are strips to come (16.2).
bool dwn_is_short(const dwn_made *made);
// The layer that a group goes on with (16.2, strips); DWN_NONE: none.
uint32_t dwn_find_strip(const dwn_walk *w, const dwn_group *group);
// The padding that follows from a strip of a layer: a strip inside the image shows less than there
// is, one at its border all.
void dwn_read_strip(dwn_walk *w, const dwn_group *group, uint32_t layer);

// Notes that an operation moves the current value, where it does. recover_joins.c
void dwn_note_move(dwn_walk *w, const dwn_operation *op);
// Makes a layer of values that a group with parameters reads as one, which becomes the current
// value; not joined: there are none such. HOIST_OK, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status dwn_join_in_place(dwn_walk *w, const dwn_group *group,
                                               bool *out_is_joined);

// Whether the words that all tiles of a group with windows read are those of a value, where it,
// windows, strides and padding say: of a value that was found or, where none was or nothing says
// that it is this, of the one that is there. Then the geometry has the padding, and `*value` may be
// another. HOIST_OK, HOIST_NO_MEMORY. recover_windows.c
HOIST_NODISCARD hoist_status dwn_trace_window(dwn_walk *w, const dwn_group *group, uint32_t *value,
                                              dwn_geometry *geometry);
// Whether a word that a tile of a group reads is known to be another one than a value's that the
// geometry says. HOIST_OK, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status dwn_words_differ(dwn_walk *w, const dwn_group *group, uint32_t value,
                                              dwn_geometry *geometry, bool *out_differ);
// What is known of the words that an addition reads, of two values in the order of their factors:
// whether one is another word than that of the operand; and whether all are these.
// recover_addends.c
typedef struct dwn_added {
    bool differ, are_proven;
} dwn_added;
HOIST_NODISCARD hoist_status dwn_see_addends(dwn_walk *w, const dwn_group *group,
                                             const uint32_t values[2], dwn_extent output,
                                             dwn_added *out_added);
// Makes a layer of values whose rows lie after each other in what a group reads, which becomes the
// current value: DWN_NONE, they are none such. HOIST_OK, HOIST_NO_MEMORY. recover_rows.c
HOIST_NODISCARD hoist_status dwn_join_rows(dwn_walk *w, const dwn_group *group,
                                           uint32_t *out_value);
// Whether the words that a group reads, tile after tile, are all of those values, one after the
// other and each from its first word to its last. HOIST_OK, HOIST_NO_MEMORY. recover_rows.c
HOIST_NODISCARD hoist_status dwn_reads_all(dwn_walk *w, const dwn_group *group,
                                           const uint32_t *values, uint32_t count, bool *out_is_so);
// Makes layers of channels that lie next to each other in each pixel that a group reads, of several
// values or some of those of one, or finds them among those that there are; and how the group reads
// them. DWN_NONE: they are none such. HOIST_OK, HOIST_NO_MEMORY. recover_channels.c
HOIST_NODISCARD hoist_status dwn_join_channels(dwn_walk *w, const dwn_group *group,
                                               uint32_t *out_value, dwn_geometry *out_geometry);
// The value that joins the channels of these already; DWN_NONE: there is none.
uint32_t dwn_joined_before(const dwn_walk *w, const uint32_t *values, uint32_t count);
// Channels of a value, one after the other: all of them, or some.
typedef struct dwn_run {
    uint32_t value, first, count;
} dwn_run;
// The value that a slice is cut from; of another one itself. recover_slices.c
uint32_t dwn_cut_from(const dwn_walk *w, uint32_t value);
// Whether it is all of its value.
bool dwn_run_is_whole(const dwn_walk *w, const dwn_run *run);
// Makes layers that give the channels of runs, one run after the other, or finds those that do: a
// slice of each run that is not all of its value, and, of several runs, one that joins them. All
// have the same rows, columns and zero point, and at most DWN_MAX_EXTENT channels. The value is the
// current one then. HOIST_OK, HOIST_NO_MEMORY. recover_slices.c
typedef struct dwn_use {
    uint32_t group; // before which they belong
    bool is_output; // the value is to make an output of the model: it makes no other
} dwn_use;
HOIST_NODISCARD hoist_status dwn_join_runs(dwn_walk *w, const dwn_run *runs, uint32_t count,
                                           dwn_use use, uint32_t *out_value);
// Makes a layer of each output of the model that is copied out of the tiles and consists of values
// whose rows lie after each other: of those with `whys`, which become NULL. HOIST_OK,
// HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status dwn_join_outputs(dwn_walk *w, const char **whys);

// Notes the strip that a group is of a layer with windows. HOIST_OK, HOIST_NO_MEMORY.
// recover_seam.c
HOIST_NODISCARD hoist_status dwn_note_strip(dwn_walk *w, const dwn_group *group, uint32_t layer);
// Sets the extents of the current value, and of those that it was made of, where those of the list
// do not follow from the input through the padding that was read, and those that its strips have
// together do: there is padding of its own around the input.
void dwn_settle_strips(dwn_walk *w);
// Whether the strips of a layer lie in rows and columns that cover its output, the last ones, too.
bool dwn_strips_cover(const dwn_made *made, dwn_extent output);

// Padding around a value -------------------------------------------------------------------------

typedef struct dwn_padded {
    dwn_extent extent;  // with the padding
    uint32_t before[2]; // rows and columns of it, on top and left
    int32_t base;       // where each tile has its part
} dwn_padded;
// Whether a group moves a value, and the tiles store its zero point all around it and nothing else
// before the next operation; with no stores it is as large as the value. Memory is the arena's;
// false where that is out. recover_pad.c
bool dwn_padded_value(const dwn_operations *all, const dwn_group *group, const dwn_value *value,
                      hoist_arena *arena, dwn_padded *out_padded);
// What tiles store between a group that moved a value and one that reads it.
dwn_around dwn_around_of(const dwn_operations *all, const dwn_group *moved, const dwn_group *group,
                         uint8_t zero);
// Whether windows read the value that a group moved, with its zero point stored around it, on all
// tiles; how, with the padding.
bool dwn_padded_window(const dwn_operations *all, const dwn_group *moved, const dwn_group *group,
                       const dwn_value *value, dwn_geometry *out_geometry);

// Readings ---------------------------------------------------------------------------------------

// What is read of a layer's padding before it is in the list.
typedef struct dwn_readings {
    bool is_agreed; // tiles beside the first agree with it
    dwn_around around;
} dwn_readings;
// Those of a group that reads a value; `is_after_pad`: a PAD. recover_readings.c
dwn_readings dwn_readings_of(const dwn_walk *w, const dwn_group *group,
                             const dwn_geometry *geometry, uint32_t value, bool is_after_pad);
// Notes them of the last layer, with what its geometry says of itself.
void dwn_note_readings(dwn_walk *w, const dwn_group *group, const dwn_geometry *geometry,
                       const dwn_readings *readings);
// Adds what is stored around what a strip of a layer reads.
void dwn_note_around(const dwn_walk *w, const dwn_group *group, dwn_made *made);

// Doubts -----------------------------------------------------------------------------------------

// Compares what layers say with other readings, when all of them and the outputs are there.
// recover_doubts.c
void dwn_doubt_layers(dwn_walk *w);
// A gap for each doubt to `gaps`; their number, at most DWN_DOUBT_COUNT for each layer.
uint32_t dwn_list_doubts(const dwn_walk *w, dwn_gap *gaps);

// Sets the instructions of both programs that are other than those of known programs in what no
// layer is made of, and transfers of the main one, whose run it is, that are not those of the file.
// HOIST_OK, HOIST_LIMIT, HOIST_NO_MEMORY. recover_unclear.c
HOIST_NODISCARD hoist_status dwn_list_unclear(dwn_walk *w, const dwn_roles *roles,
                                              const dwn_program_run *run);

// Outputs ----------------------------------------------------------------------------------------

// The zero point of an input or output of the model. recover_list.c
uint8_t dwn_layer_zero(const dwn_layer *layer);
// Sets the outputs of all drains and `sent`, by the transfers of the program. recover_sent.c
void dwn_set_drains(dwn_walk *w, const dwn_program_run *run);
// Sets the values of all drains, when layers have their operations. HOIST_OK, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status dwn_see_outputs(dwn_walk *w);
// Whether what goes to an output is of these values, or of their parts: all of it that is known.
dwn_written dwn_is_sent(dwn_walk *w, uint32_t output, const uint32_t *values, uint32_t count);
// Whether the pixels that go to an output have the channels of values, in that order: the first and
// the last pixel that each tile sends. HOIST_OK, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status dwn_are_sent_so(dwn_walk *w, uint32_t output, const uint32_t *values,
                                             uint32_t count, dwn_written *out_written);
// Finds the layers that make the outputs of the model. HOIST_OK, HOIST_NO_MEMORY.
// recover_outputs.c
HOIST_NODISCARD hoist_status dwn_make_outputs(dwn_walk *w);
// A gap for each output that none makes to `gaps`; their number.
uint32_t dwn_list_outputs(const dwn_walk *w, dwn_gap *gaps);

// The list ---------------------------------------------------------------------------------------

// Space for so many more layers and their values. HOIST_OK, HOIST_NO_MEMORY. recover_list.c
HOIST_NODISCARD hoist_status dwn_reserve_layers(dwn_walk *w, uint32_t more);
// Takes the layers from that one on out of the list: none of them has operations.
void dwn_drop_layers(dwn_walk *w, uint32_t first);
// The operations of a group belong to that layer. recover_list.c
void dwn_own(dwn_walk *w, const dwn_group *group, uint32_t layer);
// Takes a block into the layer's pieces. False: out of memory.
bool dwn_take_block(dwn_walk *w, const dwn_piece *piece, dwn_recovered *layer);
// A layer with what every operation says, not yet in the list.
dwn_recovered dwn_draft_layer(const dwn_operation *op, dwn_layer_kind kind);
// Puts a layer that reads `values` at the end of the list; its output is the current value.
// HOIST_OK, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status dwn_add_layer(dwn_walk *w, const dwn_group *group, dwn_recovered layer,
                                           const uint32_t *values, uint32_t count);
// Puts a layer that joins others at the end of the list, without operations; its output is the
// current value, at no address. It belongs before a group.
typedef struct dwn_join {
    const uint32_t *inputs; // arena; as dwn_recovered.inputs
    uint32_t count;
    dwn_extent extent;
    bool is_in_rows;
} dwn_join;
void dwn_add_join(dwn_walk *w, const dwn_join *join, uint32_t group);
// Where something is not proven of the last layer.
void dwn_doubt_last(dwn_walk *w, bool is_so, dwn_doubt what);
// What the tiles have to make of the last layer: each pixel so many times.
void dwn_set_needed(dwn_walk *w, const dwn_group *group, uint64_t times);

#endif // HOIST_SRC_FORMATS_DARWINN_RECOVER_WORK_H
