// Sizes of tiles, entries and buffers in bytes: buda-netlist reference sections 4.1, 4.2 and 1.9.
// In: queues of the net that net.c has linked. Out: their sizes, and whether these are known; all
// products are checked for overflow. memory_map.c adds addresses.
#include "base/checked.h"
#include "formats/buda/net_internal.h"

// Section 4.2. A face is a 16x16 block of a tile; block floats have an exponent for each row of
// one.
enum {
    TILE_MAX = 32,    // rows and columns of the largest tile
    TILE_HEADER = 16, // bytes
    FACE = 16,        // rows and columns of a face
};

buda_pair buda_tile_dim(buda_pair tile_dim)
{
    if (!buda_has(tile_dim.pos)) {
        tile_dim.r = TILE_MAX;
        tile_dim.c = TILE_MAX;
    }
    return tile_dim;
}

buda_pair buda_op_cores(const buda_op *op)
{
    const buda_pair grid = op->grid_size;
    return op->grid_transpose.value ? (buda_pair){grid.c, grid.r, grid.pos} : grid;
}

// Alignment of addresses, which is also the size of a queue header and the rounding of a tile.
static uint64_t arch_alignment(buda_arch arch)
{
    const buda_soc *soc = buda_soc_of(arch == BUDA_ARCH_NONE ? BUDA_GRAYSKULL : arch);
    return (uint64_t)soc->alignment;
}

uint64_t buda_tile_bytes(buda_df df, int64_t h, int64_t w, bool with_header, buda_arch arch)
{
    // 0 for whatever has no tile: callers take it as "not known".
    if (df < 0 || df >= BUDA_DF_COUNT || h < 1 || h > TILE_MAX || w < 1 || w > TILE_MAX) {
        return 0;
    }
    const buda_format_row *format = &buda_formats[df];
    const uint64_t rows = (uint64_t)h;
    const uint64_t columns = (uint64_t)w;
    uint64_t bytes = rows * columns * hoist_dtype_get(format->dtype)->bits / 8;
    if (format->bfp) {
        const uint64_t faces_down = (rows + FACE - 1) / FACE;
        const uint64_t faces_across = (columns + FACE - 1) / FACE;
        // For tiles below 16 rows the section is one 16-byte line, whatever the number of faces.
        bytes += rows < FACE ? FACE : faces_down * FACE * faces_across;
    }
    if (with_header) {
        const uint64_t alignment = arch_alignment(arch);
        // 16 bytes of header in front, zero padding behind: 32x32 of Float16_b is 2048 + 16,
        // rounded up to 2080.
        bytes = (bytes + TILE_HEADER + alignment - 1) / alignment * alignment;
    }
    return bytes;
}

// Multiplies `*product` by a dimension; false when it is below 1 or the product overflows. Here
// `*product` begins as bytes of a tile and ends as bytes of an entry.
static bool times(uint64_t *product, int64_t dimension)
{
    return dimension >= 1 && !hoist_ckd_mul(product, *product, (uint64_t)dimension);
}

// Bytes of one entry of one buffer; false when a dimension or the format is unknown.
static bool entry_bytes(const buda_queue *queue, bool with_header, buda_arch arch,
                        uint64_t *out_bytes)
{
    const buda_pair tile = buda_tile_dim(queue->tile_dim);
    uint64_t bytes = buda_tile_bytes((buda_df)queue->df.value, tile.r, tile.c, with_header, arch);
    const bool known = bytes > 0 && buda_has(queue->df.pos) && times(&bytes, queue->t.value) &&
                       times(&bytes, queue->mblock.r) && times(&bytes, queue->mblock.c) &&
                       times(&bytes, queue->ublock.r) && times(&bytes, queue->ublock.c);
    *out_bytes = known ? bytes : 0;
    return known;
}

// header + entries * entry_bytes; false on overflow or a negative count.
static bool buffer_bytes(const buda_queue *queue, uint64_t entry, buda_arch arch,
                         uint64_t *out_bytes)
{
    uint64_t bytes = 0;
    *out_bytes = 0;
    return queue->entries.value >= 0 && buda_has(queue->entries.pos) &&
           !hoist_ckd_mul(&bytes, entry, (uint64_t)queue->entries.value) &&
           !hoist_ckd_add(out_bytes, bytes, arch_alignment(arch));
}

// True when the queue's producer writes rows rather than tiles.
static bool is_untilized(const buda_net *net, const buda_net_queue *queue)
{
    return queue->producer != BUDA_NO_INDEX && net->ops[queue->producer].op->untilize_output.value;
}

// Flat and untilized queues hold plain rows: no tile header and no rounding.
void buda_net_sizes(buda_net *net)
{
    for (size_t i = 0; i < net->queue_count; i++) {
        buda_net_queue *queue = &net->queues[i];
        const bool tilized =
            queue->queue->layout.value != BUDA_LAYOUT_FLAT && !is_untilized(net, queue);
        queue->sizes_known =
            entry_bytes(queue->queue, tilized, net->arch, &queue->entry_bytes) &&
            buffer_bytes(queue->queue, queue->entry_bytes, net->arch, &queue->buffer_bytes);
    }
}

// `count` copies from `first` on are of one queue. An overflow leaves the copy without a known
// size, so that it has no range in memory_map.c.
void buda_net_host_shifts(buda_net *net, size_t first, size_t count)
{
    const buda_queue *queue = net->queues[first].queue;
    if (queue->loc.value != BUDA_LOC_HOST || !buda_has(queue->loc.pos)) {
        return;
    }
    uint64_t shift = 0;
    for (size_t i = 1; i < count; i++) {
        buda_net_queue *copy = &net->queues[first + i];
        uint64_t entry = 0;
        uint64_t size = 0;
        // As the vendor computes it: the header counts if the queue is HOST-fed or its producer
        // writes tiles; `layout` is not looked at here.
        if (!entry_bytes(queue, copy->host_fed || !is_untilized(net, copy), net->arch, &entry) ||
            !buffer_bytes(queue, entry, net->arch, &size) ||
            hoist_ckd_align(&size, size, arch_alignment(net->arch)) ||
            hoist_ckd_add(&shift, shift, size)) {
            copy->sizes_known = false;
            shift = 0;
        }
        copy->host_shift = shift;
    }
}
