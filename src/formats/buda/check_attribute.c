// formats/buda/check_attribute.c - rules of an op's attributes: they fit the op, and name inputs
// that it has.
//
// Facts: buda-netlist reference sections 1.6, 5.3 (rules 41 and 47) and 5.7 (rules 85 and 92).
#include "base/checked.h"
#include "base/span.h"
#include "formats/buda/op_view.h"

// Rule 85: attributes.

// Unknown types and unknown attributes have been reported by the reader.
static void check_attribute_fit(const buda_op_view *view)
{
    const buda_attributes *attributes = &view->op->attributes;
    for (size_t i = 0; i < attributes->count && view->op->op != HOIST_OP_NONE; i++) {
        const buda_attribute *attribute = &attributes->items[i];
        if (attribute->attr != HOIST_ATTR_NONE && !hoist_attr_fits(attribute->attr, view->op->op)) {
            buda_report_op(view, BUDA_085, attribute->key_pos,
                           "has attribute '%.*s', which its type '%.*s' does not take",
                           HOIST_STR_ARGS(attribute->key), HOIST_STR_ARGS(view->op->type.text));
        }
    }
}

// `z` is the group size of a reduction over z, or of a matmul that accumulates. hoist_attr_fits()
// knows families only, and z needs a second attribute as well.
static void check_z_fit(const buda_op_view *view)
{
    const buda_attributes *attributes = &view->op->attributes;
    const buda_attribute *z = buda_attr_find(attributes, HOIST_ATTR_Z);
    if (!z) {
        return;
    }
    if (view->family == HOIST_FAMILY_REDUCE && !buda_attr_is(attributes, HOIST_ATTR_DIM, "z")) {
        buda_report_op(view, BUDA_085, z->pos, "has attribute 'z', which needs dim: z");
    }
    if (view->family == HOIST_FAMILY_MATMUL && !view->accumulate) {
        buda_report_op(view, BUDA_085, z->pos, "has attribute 'z', which needs accumulate: true");
    }
}

// The vendor's parser looks at relu_mode only where relu_en precedes it: the order of the file
// matters, hence the walk.
static void check_relu_mode(const buda_op_view *view)
{
    const buda_attributes *attributes = &view->op->attributes;
    bool enabled = false;
    for (size_t i = 0; i < attributes->count; i++) {
        const buda_attribute *attribute = &attributes->items[i];
        if (attribute->attr == HOIST_ATTR_RELU_EN) {
            enabled = attribute->boolean;
        } else if (attribute->attr == HOIST_ATTR_RELU_MODE && enabled &&
                   hoist_str_equal_c(attribute->text, "none")) {
            buda_report_op(view, BUDA_085, attribute->pos,
                           "has relu_en: true with relu_mode 'none', expected min or max");
        }
    }
}

// Two families take the attribute with the value 0 only: column `zero_families` of the attribute's
// row.
static void check_min_buffer_input(const buda_op_view *view)
{
    const buda_attribute *input =
        buda_attr_find(&view->op->attributes, HOIST_ATTR_MIN_BUFFER_INPUT);
    const hoist_attr_def *def = hoist_attr_get(HOIST_ATTR_MIN_BUFFER_INPUT);
    if (input && input->integer != 0 && (def->zero_families & HOIST_FAMILY_BIT(view->family))) {
        buda_report_op(view, BUDA_085, input->pos,
                       "has min_buffer_input 1, expected 0 for its type");
    }
}

// One count of non-zero strips for each core of the grid (section 1.6).
static void check_nz_strips(const buda_op_view *view)
{
    const buda_attribute *strips = buda_attr_find(&view->op->attributes, HOIST_ATTR_NUM_NZ_STRIPS);
    const buda_pair grid = view->op->grid_size;
    if (!strips || !buda_has(grid.pos)) {
        return;
    }
    // A negative grid becomes a huge product and is unequal to any count.
    uint64_t cores = 0;
    const bool overflow = hoist_ckd_mul(&cores, (uint64_t)grid.r, (uint64_t)grid.c);
    if (overflow || strips->ints.count != cores) {
        buda_report_op(
            view, BUDA_085, strips->pos,
            "has %zu %s of num_nz_strips, expected one per core of its grid [%lld, %lld]",
            strips->ints.count, hoist_plural(strips->ints.count, "item", "items"),
            (long long)grid.r, (long long)grid.c);
    }
}

// Rule 92: kernel_broadcast names inputs, each once.

// One entry of kernel_broadcast, kernel_broadcast_per_t or single_tile.
typedef struct broadcast_entry {
    int64_t input; // -1: the key is not input_<N>
    int64_t tiles;
    hoist_pos pos;
} broadcast_entry;

// The lists have different members in the model: a map of inputs, or a list of numbers
// (single_tile).
static size_t broadcast_count(const buda_attribute *attribute)
{
    switch (attribute->attr) {
    case HOIST_ATTR_KERNEL_BROADCAST:
    case HOIST_ATTR_KERNEL_BROADCAST_PER_T:
        return attribute->inputs.count;
    case HOIST_ATTR_SINGLE_TILE:
        return attribute->ints.count;
    default:
        return 0;
    }
}

// `single_tile: [0, 2]` is short for `kernel_broadcast: {input_0: 1, input_2: 1}`.
static broadcast_entry broadcast_at(const buda_attribute *attribute, size_t i)
{
    if (attribute->attr == HOIST_ATTR_SINGLE_TILE) {
        return (broadcast_entry){attribute->ints.items[i].value, 1, attribute->ints.items[i].pos};
    }
    const buda_name *name = &attribute->inputs.items[i];
    const int64_t tiles = i < attribute->values.count ? attribute->values.items[i].value : 0;
    int64_t input = -1;
    const bool numbered =
        hoist_str_starts_with(name->text, "input_") &&
        hoist_str_to_i64(hoist_str_slice(name->text, 6, name->text.size), false, &input);
    return (broadcast_entry){numbered ? input : -1, tiles, name->pos};
}

static void check_broadcast_inputs(const buda_op_view *view)
{
    const buda_attributes *attributes = &view->op->attributes;
    const size_t inputs = view->op->inputs.count;
    // Bit i: input i is named already, in whichever of the three attributes.
    uint64_t seen = 0;
    for (size_t i = 0; i < attributes->count; i++) {
        const size_t count = broadcast_count(&attributes->items[i]);
        for (size_t k = 0; k < count; k++) {
            const broadcast_entry entry = broadcast_at(&attributes->items[i], k);
            if (entry.input < 0 || (uint64_t)entry.input >= inputs) {
                buda_report_op(view, BUDA_092, entry.pos,
                               "has a kernel_broadcast of no input, expected input_0 to input_%zu",
                               inputs ? inputs - 1 : 0);
                continue;
            }
            // Rule 61 has refused the op.
            const uint64_t bit = entry.input < BUDA_MAX_INPUTS ? UINT64_C(1) << entry.input : 0;
            if (seen & bit) {
                buda_report_op(view, BUDA_092, entry.pos,
                               "has two kernel_broadcasts of input %lld, expected one",
                               (long long)entry.input);
            }
            seen |= bit;
        }
    }
}

// Rule 47: kernel_broadcast has a broadcast and a factor that fits.

// Rule 47: for ublocks higher than wide it is about input 0 (a multiple of rt*u_kt tiles), else
// about input 1 (a multiple of ct).
static void check_broadcast_factor(const buda_op_view *view, broadcast_entry entry)
{
    const buda_pair ublock = view->op->ublock;
    const bool rows = ublock.c < ublock.r;
    int64_t period = 0;
    if (view->check->arch == BUDA_GRAYSKULL || view->check->arch == BUDA_ARCH_NONE ||
        entry.tiles <= 1 || entry.input != (rows ? 0 : 1)) {
        return;
    }
    // An overflow is no multiple of anything sensible.
    if (rows ? hoist_ckd_mul_i64(&period, ublock.r, view->u_kt) : (period = ublock.c, false)) {
        return;
    }
    if (period > 0 && entry.tiles % period != 0) {
        buda_report_op(
            view, BUDA_047, entry.pos,
            "has a kernel_broadcast of %lld %s of input %lld, expected a multiple of %lld "
            "for ublock [%lld, %lld]",
            (long long)entry.tiles, hoist_plural((uint64_t)entry.tiles, "tile", "tiles"),
            (long long)entry.input, (long long)period, (long long)ublock.r, (long long)ublock.c);
    }
}

// Inputs that do not exist are rule 92's.
static void check_kernel_broadcast(const buda_op_view *view)
{
    const buda_attributes *attributes = &view->op->attributes;
    const bool has_factor_rule =
        view->family == HOIST_FAMILY_MATMUL || view->family == HOIST_FAMILY_DEPTHWISE;
    for (size_t i = 0; i < attributes->count; i++) {
        const size_t count = broadcast_count(&attributes->items[i]);
        for (size_t k = 0; k < count; k++) {
            const broadcast_entry entry = broadcast_at(&attributes->items[i], k);
            if (entry.input < 0 || entry.input >= BUDA_MAX_INPUTS || entry.tiles <= 0) {
                continue;
            }
            const buda_input_keys *keys =
                buda_input_keys_find(view->op->input_keys, (size_t)entry.input);
            if (!keys || !buda_tms_has(&keys->tms, BUDA_TM_BROADCAST)) {
                buda_report_op(view, BUDA_047, entry.pos,
                               "has a kernel_broadcast of input %lld, expected a broadcast in its "
                               "input_%lld_tms",
                               (long long)entry.input, (long long)entry.input);
            }
            if (has_factor_rule) {
                check_broadcast_factor(view, entry);
            }
        }
    }
}

// The word z is known to the attribute's row, for other uses; the vector unit has rows and columns
// only.
static void check_vector(const buda_op_view *view)
{
    const buda_attribute *vector = buda_attr_find(&view->op->attributes, HOIST_ATTR_VECTOR);
    if (vector && hoist_str_equal_c(vector->text, "z")) {
        buda_report_op(view, BUDA_041, vector->pos, "has vector 'z', expected r, c or rc");
    }
}

// Order of findings within an op; the first column is the set of families, 0 for all.
// clang-format off
static const buda_op_check checks[] = {
    {0, check_attribute_fit},
    {BUDA_FAMILY(REDUCE) | BUDA_FAMILY(MATMUL), check_z_fit},
    {0, check_relu_mode},
    {0, check_min_buffer_input},
    {BUDA_FAMILY(MATMUL) | BUDA_FAMILY(FUSED) | BUDA_FAMILY(BUFFER), check_nz_strips},
    {0, check_broadcast_inputs},
    {0, check_kernel_broadcast},
    {0, check_vector},
};
// clang-format on

void buda_check_op_attributes(const buda_op_view *view)
{
    buda_op_checks_run(checks, HOIST_COUNT_OF(checks), view);
}
