// formats/buda/op_view.h - an op as its rules look at it: attributes with their defaults, formats
// and tiles of the inputs, all where the file has them or not.
//
// Facts: buda-netlist reference sections 1.5 to 1.8.
#ifndef HOIST_SRC_FORMATS_BUDA_OP_VIEW_H
#define HOIST_SRC_FORMATS_BUDA_OP_VIEW_H

#include <stdarg.h>

#include "formats/buda/check.h"

// Rules look at no more inputs than this; an op with more is refused (rule 61; a core has 24).
#define BUDA_MAX_INPUTS 64

typedef struct buda_op_view {
    const buda_check *check;
    const buda_net_op *node;
    const buda_net_graph *graph;
    const buda_op *op;
    hoist_op_family family;
    size_t input_count; // at most BUDA_MAX_INPUTS
    // Formats as written; BUDA_DF_NONE when absent or unknown, and then no rule checks them.
    buda_df out_df;
    buda_df intermed_df;
    buda_df acc_df;
    // Attributes with their defaults (0 and false).
    int64_t m_k;
    int64_t u_kt;
    bool bias;
    bool identity;
    bool accumulate;
    bool requant;
    bool dequant;
    bool l1_acc;
    bool integer_input; // an input is Int8, UInt8, Int32 or UInt16
    bool gradient;
} buda_op_view;

// The bit of a family in a set of families: BUDA_FAMILY(MATMUL) | BUDA_FAMILY(REDUCE).
#define BUDA_FAMILY(name) HOIST_FAMILY_BIT(HOIST_FAMILY_##name)

// A rule of ops, for the families of its bit set (0: all).
typedef struct buda_op_check {
    uint32_t families;
    void (*run)(const buda_op_view *view);
} buda_op_check;

// The op `node` of the net as its rules see it. Names nothing of its own: valid while the check is.
buda_op_view buda_op_view_of(const buda_check *check, const buda_net_graph *graph,
                             const buda_net_op *node);
// Runs each check whose families hold the op's.
void buda_op_checks_run(const buda_op_check *checks, size_t count, const buda_op_view *view);
// The same for every op of the file, with the diag's frames on the op.
// Ends early with the module's deadline.
void buda_op_checks_run_all(const buda_op_check *checks, size_t count, const buda_check *check);
// True on the first of the copies that a list of devices makes of a graph: rules check each op of
// the file once.
bool buda_net_graph_is_first(const buda_net *net, size_t graph);

// The last attribute `which` (later entries win); NULL when absent.
const buda_attribute *buda_attr_find(const buda_attributes *attributes, hoist_attr which);
// Its value, or `absent`.
int64_t buda_attr_int(const buda_attributes *attributes, hoist_attr which, int64_t absent);
double buda_attr_float(const buda_attributes *attributes, hoist_attr which);
bool buda_attr_bool(const buda_attributes *attributes, hoist_attr which);
// True when the attribute is there and written `word`.
bool buda_attr_is(const buda_attributes *attributes, hoist_attr which, const char *word);
// Location of the value, or `otherwise` when the attribute is absent.
hoist_pos buda_attr_pos(const buda_attributes *attributes, hoist_attr which, hoist_pos otherwise);

// The keys of one input number; NULL when it has none.
const buda_input_keys *buda_input_keys_find(const buda_input_keys *keys, size_t input);
// Place of the name of input `i`, else of the list, else of the op's name.
hoist_pos buda_input_pos(const buda_op *op, size_t i);
// Format of input `i` as in_df says; BUDA_DF_NONE beyond the list.
buda_df buda_input_df(const buda_op *op, size_t i);
// Place of that format, else of the list, else of the op's name.
hoist_pos buda_input_df_pos(const buda_op *op, size_t i);
// tile_dim of the source of input `i`, and the same as the op sees it: transposed by the input's
// transposes. False when the source is unknown.
bool buda_source_tile(const buda_op_view *view, size_t i, buda_pair *out_tile);
bool buda_input_tile(const buda_op_view *view, size_t i, buda_pair *out_tile);
// Number of `transpose` in a list; the first one's place through `out_pos` (may be NULL).
size_t buda_tms_transposes(const buda_tms *tms, hoist_pos *out_pos);
// True when the list has a TM of this kind.
bool buda_tms_has(const buda_tms *tms, buda_tm_kind kind);

// `at` when the file has it, else the place of the op's name.
hoist_pos buda_op_pos(const buda_op *op, hoist_pos at);
// The name of a format for messages; "an unknown format" for BUDA_DF_NONE.
const char *buda_df_name(buda_df df);
// Int8, UInt8, Int32, UInt16.
bool buda_df_is_integer(buda_df df);
// 'A', 'B' or 0.
char buda_df_family(buda_df df);
// Bits of an element of a block float; 0 for other formats.
int buda_df_bfp_bits(buda_df df);
// True when `df` is one of the `count` formats of `set`.
bool buda_df_in(buda_df df, const buda_df *set, size_t count);
static inline bool buda_tile_is(buda_pair tile, int64_t h, int64_t w)
{
    return tile.r == h && tile.c == w;
}
static inline bool buda_pairs_equal(buda_pair a, buda_pair b)
{
    return a.r == b.r && a.c == b.c;
}

// The subject of a finding: "op 'x'".
typedef struct buda_named {
    const char *kind;
    const buda_name *name;
} buda_named;
// Reports "KIND 'x' TEXT" at `at`, or at the name where the file does not have that.
void buda_report_named(const buda_check *check, buda_rule rule, hoist_pos at, buda_named subject,
                       const char *format, va_list args) HOIST_PRINTF(5, 0);
// The same for the op of the view: "op 'x' TEXT".
void buda_report_op(const buda_op_view *view, buda_rule rule, hoist_pos at, const char *format, ...)
    HOIST_PRINTF(4, 5);

// quantization, requantization or dequantization.
bool buda_op_is_quantization(hoist_op op);
// Tiles that DEST holds for `acc_df` on the check's architecture (rule 37).
int64_t buda_dest_tiles(const buda_check *check, buda_df acc_df);
// True when a*b of positive numbers is over `limit`.
bool buda_exceeds(int64_t a, int64_t b, int64_t limit);

// The parts of buda_check_ops, one file each.
void buda_check_op_attributes(const buda_op_view *view);
void buda_check_op_kind(const buda_op_view *view);
void buda_check_op_formats(const buda_op_view *view);
void buda_check_op_integers(const buda_op_view *view);
void buda_check_op_tiles(const buda_op_view *view);
void buda_check_op_outputs(const buda_op_view *view);
// Rule 46b for the settings of executes. HOIST_OK or HOIST_NO_MEMORY. check_output.c
hoist_status buda_check_gradient_settings(const buda_check *check);
// Rule 42 for queues: 32x32 tiles and no port lists on grayskull. check_tile.c
void buda_check_grayskull_queues(const buda_check *check);

#endif // HOIST_SRC_FORMATS_BUDA_OP_VIEW_H
