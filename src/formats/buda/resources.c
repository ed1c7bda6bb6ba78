// Estimates for one core of each op: buda-netlist reference section 5.5, rules 81 to 84.
//
// L1 holds the output buffer, one buffer per input, and an intermediate buffer. The formulas are
// the compiler's as far as they are public; embedding, tilizer and topk have rules of their own
// that are left out, as are forks and relays that the compiler adds.
// In: a net with a known architecture. Out: the part `resources_estimate` of info; numbers only,
// never findings (section 5.5).
#include "formats/buda/resources.h"

#include "base/checked.h"
#include "base/span.h"
#include "formats/buda/op_view.h"

// Space for data buffers in a core's L1: from base (which holds the overlay blob) to the barrier.
// Section 5.5, 81; from the vendor's l1_address_map.h of each architecture.
typedef struct l1_space {
    uint64_t base;
    uint64_t top;
} l1_space;

static const l1_space spaces[BUDA_ARCH_COUNT] = {
    [BUDA_GRAYSKULL] = {208896, 0xfffc0},
    [BUDA_WORMHOLE] = {208896, 0x16dfc0},
    [BUDA_WORMHOLE_B0] = {208896, 0x16dfc0},
    [BUDA_BLACKHOLE] = {221248, 0x16dfc0},
};

enum {
    INPUT_BYTES = 32768, // bytes of an input buffer; see input_need
    ETHERNET_INPUT_BYTES = 1024,
    MAX_READS = 8,     // DRAM read streams of a core
    MAX_WRITES = 8,    // DRAM write streams of a core
    MAX_FORK = 16,     // consumers of one output
    BLOB_SIZE = 65408, // bytes for the overlay's code and tables
};

// An op with the numbers its estimate needs; all products are saturated at UINT64_MAX. Saturation
// instead of failure: a hostile size shows as an absurd estimate, and nothing wraps to a small
// one.
typedef struct op_sizes {
    const buda_net *net;
    const buda_net_op *op;
    uint64_t t, m, n, rt, ct, m_k, u_kt;
} op_sizes;

static uint64_t add(uint64_t a, uint64_t b)
{
    uint64_t sum = 0;
    return hoist_ckd_add(&sum, a, b) ? UINT64_MAX : sum;
}

static uint64_t mul(uint64_t a, uint64_t b)
{
    uint64_t product = 0;
    return hoist_ckd_mul(&product, a, b) ? UINT64_MAX : product;
}

static uint64_t round_up(uint64_t a, uint64_t unit)
{
    uint64_t rounded = 0;
    return hoist_ckd_align(&rounded, a, unit ? unit : 1) ? UINT64_MAX : rounded;
}

// A dimension that is missing or wrong counts as 1, so that there is an estimate for what is
// known.
static uint64_t positive(int64_t value)
{
    return value > 0 ? (uint64_t)value : 1;
}

// With header and rounding, as tiles are in L1.
static uint64_t tile_bytes(const op_sizes *s, int df)
{
    const buda_pair tile = buda_tile_dim(s->op->op->tile_dim);
    return buda_tile_bytes((buda_df)df, tile.r, tile.c, true, s->net->arch);
}

// One macro block of the output.
static uint64_t block_tiles(const op_sizes *s)
{
    return mul(mul(s->m, s->n), mul(s->rt, s->ct));
}

// A gradient op has none: its intermediate is the output.
static uint64_t output_bytes(const op_sizes *s)
{
    const buda_op *op = s->op->op;
    if (op->gradient_op.value) {
        return 0;
    }
    const buda_graph *graph = s->net->graphs[s->op->graph].graph;
    const uint64_t full = positive(op->buf_size_mb.value);
    const uint64_t half = full == 1 ? 1 : full / 2; // buf_size_mb counts both halves
    // Half of a double buffer is enough for an op that fills it once.
    const bool single = mul(positive(graph->input_count.value), s->t) <= half;
    return mul(mul(single ? half : full, block_tiles(s)), tile_bytes(s, op->out_df.value));
}

// The factor of kernel_broadcast for `input`; 0 when there is none.
static uint64_t kernel_broadcast(const buda_op *op, size_t input)
{
    static const hoist_attr attrs[] = {HOIST_ATTR_KERNEL_BROADCAST,
                                       HOIST_ATTR_KERNEL_BROADCAST_PER_T};
    for (size_t a = 0; a < HOIST_COUNT_OF(attrs); a++) {
        const buda_attribute *found = buda_attr_find(&op->attributes, attrs[a]);
        for (size_t i = 0; found && i < found->inputs.count && i < found->values.count; i++) {
            const hoist_str key = found->inputs.items[i].text;
            int64_t number = 0;
            if (hoist_str_starts_with(key, "input_") &&
                hoist_str_to_i64(hoist_str_slice(key, 6, key.size), false, &number) &&
                number == (int64_t)input) {
                return positive(found->values.items[i].value);
            }
        }
    }
    return 0;
}

// What the kernel of a matmul frees after each step of m_k: a row of ublocks of input 0, a column
// of input 1. min_buffer_input reduces one of them to a single ublock.
static uint64_t matmul_clear(const op_sizes *s, size_t input)
{
    const buda_op *op = s->op->op;
    const int64_t min_buffer = buda_attr_int(&op->attributes, HOIST_ATTR_MIN_BUFFER_INPUT, -1);
    const bool identity = buda_attr_bool(&op->attributes, HOIST_ATTR_IDENTITY);
    const uint64_t columns = mul(min_buffer == 1 && !identity ? 1 : s->n, mul(s->ct, s->u_kt));
    if (input == 1) {
        return columns;
    }
    if (identity) { // sparse tiles, and one tile of the encoding
        return input == 0 ? positive(buda_attr_int(&op->attributes, HOIST_ATTR_NUM_SPARSE_TILES, 1))
                          : 1;
    }
    return input == 0 ? mul(min_buffer == 0 ? 1 : s->m, mul(s->rt, s->u_kt)) : mul(s->rt, s->ct);
}

// As a dense matmul, but input 0 has blocks as wide as the output.
static uint64_t depthwise_clear(const op_sizes *s, size_t input)
{
    const bool least = buda_attr_int(&s->op->op->attributes, HOIST_ATTR_MIN_BUFFER_INPUT, -1) == 0;
    if (input == 0) {
        return mul(least ? 1 : s->m, mul(s->rt, s->ct));
    }
    return input == 1 ? mul(s->n, mul(s->ct, s->u_kt)) : mul(s->rt, s->ct);
}

// A step of u_kt tiles along the reduced axis; z goes block by block.
static uint64_t reduce_clear(const op_sizes *s)
{
    const buda_attributes *attributes = &s->op->op->attributes;
    if (buda_attr_is(attributes, HOIST_ATTR_DIM, "r")) {
        return mul(s->ct, s->u_kt);
    }
    return mul(s->rt, buda_attr_is(attributes, HOIST_ATTR_DIM, "c") ? s->u_kt : s->ct);
}

// Tiles of an input that the kernel frees at once. Special rules of embedding, tilizer and topk
// are left out.
static uint64_t clear_tiles(const op_sizes *s, size_t input)
{
    const uint64_t factor = kernel_broadcast(s->op->op, input);
    if (factor > 0) {
        return factor;
    }
    switch (s->op->op->op) {
    case HOIST_OP_MATMUL:
        return matmul_clear(s, input);
    case HOIST_OP_DEPTHWISE:
        return depthwise_clear(s, input);
    case HOIST_OP_REDUCE:
        return reduce_clear(s);
    default:
        return mul(s->rt, s->ct);
    }
}

// Bytes that the compiler gives an input buffer beyond what the kernel frees at once: about
// INPUT_BYTES, as a count of tiles whose size is near a power of two.
static uint64_t input_need(const op_sizes *s, size_t input, uint64_t tile)
{
    const buda_op *op = s->op->op;
    const bool identity = op->op == HOIST_OP_MATMUL &&
                          buda_attr_bool(&op->attributes, HOIST_ATTR_IDENTITY) && input != 1;
    if (kernel_broadcast(op, input) > 0 || identity) {
        return 0;
    }
    uint64_t space = op->op == HOIST_OP_ETHERNET_DATACOPY ? ETHERNET_INPUT_BYTES : INPUT_BYTES;
    // The size in tiles is computed as if a tile had the nearest power of two of bytes (the
    // reference's p and q), then in real tiles.
    if (space % tile != 0) {
        uint64_t low = 1;
        while (low * 2 <= tile) {
            low *= 2;
        }
        space = space / (low * 2 - tile < tile - low ? low * 2 : low) * tile;
    }
    // Their inputs share the space of three.
    const bool shared = op->op == HOIST_OP_SPLICE || op->op == HOIST_OP_FUSED;
    return shared && op->inputs.count > 3 ? 3 * space / op->inputs.count : space;
}

// Double buffered: a multiple of twice what the kernel frees, at least the need and at least what
// the file asks for.
static uint64_t input_bytes(const op_sizes *s, size_t input)
{
    const buda_op *op = s->op->op;
    const uint64_t tile = input < op->in_df.count ? tile_bytes(s, op->in_df.items[input].value) : 0;
    if (tile == 0) {
        return 0;
    }
    const uint64_t unit = mul(2, mul(clear_tiles(s, input), tile));
    const uint64_t need = input_need(s, input, tile);
    const uint64_t bytes = round_up(need > unit ? need : unit, unit);
    const buda_ints *least = &op->input_buf_min_size_tiles;
    const uint64_t expected = input < least->count && least->items[input].value > 0
                                  ? mul((uint64_t)least->items[input].value, tile)
                                  : 0;
    return expected > bytes ? round_up(expected, unit / 2) : bytes;
}

// Which kernels keep partial results between steps. Fused ops are counted by their definition.
static bool has_intermediate(const op_sizes *s)
{
    const buda_op *op = s->op->op;
    switch (op->op) {
    case HOIST_OP_MATMUL:
        return op->gradient_op.value || s->m_k > 1 ||
               buda_attr_bool(&op->attributes, HOIST_ATTR_IDENTITY) ||
               buda_attr_bool(&op->attributes, HOIST_ATTR_BIAS) ||
               buda_attr_bool(&op->attributes, HOIST_ATTR_REQUANT) ||
               buda_attr_bool(&op->attributes, HOIST_ATTR_DEQUANT) ||
               buda_attr_bool(&op->attributes, HOIST_ATTR_ACCUMULATE);
    case HOIST_OP_DEPTHWISE:
        return op->gradient_op.value || s->m_k > 1 ||
               buda_attr_bool(&op->attributes, HOIST_ATTR_BIAS);
    case HOIST_OP_REDUCE:
        return op->gradient_op.value || buda_attr_int(&op->attributes, HOIST_ATTR_Z, 1) > 1;
    case HOIST_OP_TOPK:
        return true;
    default:
        return op->gradient_op.value;
    }
}

// 0 where the intermediate shares the output's buffer.
static uint64_t intermediate_bytes(const op_sizes *s)
{
    const buda_op *op = s->op->op;
    const uint64_t tile = tile_bytes(s, op->intermed_df.value);
    if (op->op == HOIST_OP_FUSED) {
        // The specification's size: two ublocks per intermediate.
        const buda_attribute *id = buda_attr_find(&op->attributes, HOIST_ATTR_FUSED_OP_ID);
        const hoist_buda_module *module = s->net->module;
        int64_t count = 0;
        // Backwards: the first of equal names wins.
        for (size_t i = module->fused_count; id && i-- > 0;) {
            const buda_fused *fused = &module->fused[i];
            count =
                hoist_str_equal(fused->name.text, id->text) ? fused->intermediates.value : count;
        }
        return mul(count > 0 ? (uint64_t)count : 0, mul(2 * tile, mul(s->rt, s->ct)));
    }
    if (!has_intermediate(s)) {
        return 0;
    }
    if (op->op == HOIST_OP_TOPK) {
        return mul(2 * tile, mul(mul(s->m, s->m_k), mul(s->rt, s->u_kt)));
    }
    if (!op->untilize_output.value && op->intermed_df.value == op->out_df.value &&
        !op->gradient_op.value) {
        return 0; // shares the output's buffer
    }
    return mul(mul(op->gradient_op.value ? s->t : 1, block_tiles(s)), tile);
}

// Sum of one core; every core of the grid has the same.
static uint64_t l1_bytes(const op_sizes *s)
{
    uint64_t bytes = add(output_bytes(s), intermediate_bytes(s));
    for (size_t i = 0; i < s->op->op->inputs.count; i++) {
        bytes = add(bytes, input_bytes(s, i));
    }
    return bytes;
}

// Counts have no unit.
static void send_count(hoist_tree_sink *sink, const char *key, uint64_t count)
{
    hoist_tree_uint(sink, key, count, HOIST_UNIT_NONE);
}

// One row of the table: L1 in bytes and as a share, and streams as far as they can be counted (82,
// 83).
static void send_op(const buda_net *net, const buda_net_op *op, uint64_t space,
                    hoist_tree_sink *sink)
{
    const buda_op *o = op->op;
    const op_sizes sizes = {
        .net = net,
        .op = op,
        .t = positive(o->t.value),
        .m = positive(o->mblock.r),
        .n = positive(o->mblock.c),
        .rt = positive(o->ublock.r),
        .ct = positive(o->ublock.c),
        .m_k = positive(buda_attr_int(&o->attributes, HOIST_ATTR_M_K, 1)),
        .u_kt = positive(buda_attr_int(&o->attributes, HOIST_ATTR_U_KT, 1)),
    };
    const uint64_t overlay = o->overlay_size.value > 0 ? (uint64_t)o->overlay_size.value : 0;
    const uint64_t left = overlay < space ? space - overlay : 0;
    const uint64_t bytes = l1_bytes(&sizes);
    // Streams from DRAM: inputs that are queues; inputs from ops come over the NoC between cores.
    size_t reads = 0;
    for (size_t i = 0; i < o->inputs.count; i++) {
        reads += op->inputs[i].kind == BUDA_SOURCE_QUEUE;
    }
    hoist_tree_map(sink, "");
    hoist_tree_str(sink, "op", op->name);
    hoist_tree_uint(sink, "l1_bytes", bytes, HOIST_UNIT_BYTES);
    if (left) {
        hoist_tree_float(sink, "room_used_percent", 100.0 * (double)bytes / (double)left,
                         HOIST_UNIT_PERCENT);
    } else {
        hoist_tree_unknown(sink, "room_used_percent", HOIST_UNIT_PERCENT);
    }
    send_count(sink, "reads", reads);
    send_count(sink, "writes", op->out_queue_count);
    send_count(sink, "fork", op->out_queue_count + op->out_op_count);
    send_count(sink, "join", o->inputs.count);
    send_count(sink, "pipes", o->inputs.count + op->out_queue_count);
    hoist_tree_end(sink);
}

// Limits first, rows after: a reader compares both. Keys are part of the document `hoist.info`.
void buda_send_resources(const buda_net *net, hoist_tree_sink *sink)
{
    hoist_tree_map(sink, "resources_estimate");
    if (net->arch == BUDA_ARCH_NONE) {
        hoist_tree_c(sink, "note", "no architecture, no estimate");
        hoist_tree_end(sink);
        return;
    }
    const uint64_t space = spaces[net->arch].top - spaces[net->arch].base;
    hoist_tree_c(sink, "note", "estimates; the compiler's placement of streams is not known");
    hoist_tree_uint(sink, "l1_room_per_core_bytes", space, HOIST_UNIT_BYTES);
    send_count(sink, "limit_reads", MAX_READS);
    send_count(sink, "limit_writes", MAX_WRITES);
    send_count(sink, "limit_fork", MAX_FORK);
    hoist_tree_uint(sink, "overlay_blob_limit_bytes", BLOB_SIZE, HOIST_UNIT_BYTES);
    // DRAM that the backend keeps for itself, of the channel that loses most (rule 84).
    uint64_t reserved = 0;
    for (int i = 0; i < net->soc->dram_count; i++) {
        const uint64_t top = net->soc->reserved_tops[i];
        reserved = top > reserved ? top : reserved;
    }
    hoist_tree_uint(sink, "dram_reserved_up_to_address", reserved, HOIST_UNIT_ADDRESS);
    hoist_tree_list(sink, "ops");
    for (size_t i = 0; i < net->op_count; i++) {
        send_op(net, &net->ops[i], space, sink);
    }
    hoist_tree_end(sink);
    hoist_tree_end(sink);
}
