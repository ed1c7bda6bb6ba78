// Copies: blocks of bytes and elements as they are, from the views of a plan to its destination;
// squares are transposed in registers (move_tile_level.c). move_elements.c does the moves that
// convert.
#include <string.h>

#include "base/assert.h"
#include "kernels/move_ways.h"

enum {
    CACHE_LINE = 64, // bytes
    ASKED = 4096,    // bytes that are written, and then asked for, at a time
};

// In units as large as they come: the C library knows how, unless the bytes go past the caches.
void hoist_move_run_flat(const hoist_move_kernels *kernels, const hoist_move_plan *plan,
                         uint64_t begin, uint64_t end)
{
    HOIST_ASSERT(begin <= end);
    const hoist_move_tile all = {.source = plan->base[1] + begin,
                                 .destination = plan->base[0] + begin,
                                 .planes = 1,
                                 .rows = 1,
                                 .cols = 1};
    if (plan->streams) {
        kernels->stream(&all, (size_t)(end - begin));
    } else {
        memmove(plan->base[0] + begin, plan->base[1] + begin, (size_t)(end - begin));
    }
}

// The tile that the walk is at, with the strides of its three loops.
static hoist_move_tile tile_at(const hoist_move_walk *w)
{
    const hoist_move_loop *loops = hoist_move_tile_loops(w->plan);
    size_t size[3];
    hoist_move_tile_size(w, size);
    return (hoist_move_tile){.source = w->base[1],
                             .destination = w->base[0],
                             .source_plane = loops[0].stride[1],
                             .source_row = loops[1].stride[1],
                             .source_col = loops[2].stride[1],
                             .destination_plane = loops[0].stride[0],
                             .destination_row = loops[1].stride[0],
                             .destination_col = loops[2].stride[0],
                             .planes = size[0],
                             .rows = size[1],
                             .cols = size[2]};
}

// Blocks that are as large as an element go by the kernel for elements of that size.
static void copy_blocks(const hoist_move_kernels *kernels, const hoist_move_tile *tile,
                        size_t block)
{
    HOIST_ASSERT(block > 0);
    const unsigned element = hoist_move_log2(block);
    if (block >> element == 1 && element < HOIST_MOVE_ELEMENT_SIZES) {
        kernels->tile[element](tile);
    } else {
        kernels->blocks(tile, block);
    }
}

// Small blocks past the caches --------------------------------------------------------------------

// The source of a transposed tile, to be asked for some lines at a time: of rows that are far apart
// the machine does not guess which comes next.
typedef struct asker {
    const hoist_move_tile *tile;
    size_t bytes; // of a column
    size_t plane; // where the asking is
    size_t col;
    size_t at;
} asker;

static void ask(asker *a, size_t lines)
{
    const hoist_move_tile *t = a->tile;
    for (; lines && a->plane < t->planes; lines--) {
        __builtin_prefetch(t->source + (int64_t)a->plane * t->source_plane +
                           (int64_t)a->col * t->source_col + a->at);
        a->at += CACHE_LINE;
        if (a->at >= a->bytes) {
            a->at = 0;
            a->col++;
        }
        if (a->col == t->cols) {
            a->col = 0;
            a->plane++;
        }
    }
}

// Where tiles become bytes side by side. The last of them, which do not fill a line, are held until
// the next tile completes it.
typedef struct stage {
    _Alignas(CACHE_LINE) uint8_t bytes[CACHE_LINE + HOIST_MOVE_STAGE];
    size_t held;          // right before the tile
    uint8_t *destination; // of the first byte that is held
} stage;

// The tile into the stage, side by side, behind the bytes that are held.
static void fill(stage *s, const hoist_move_kernels *kernels, hoist_move_tile tile, size_t block)
{
    HOIST_ASSERT(block * tile.cols * tile.rows * tile.planes <= HOIST_MOVE_STAGE);
    tile.destination = s->bytes + CACHE_LINE;
    tile.destination_col = (int64_t)block;
    tile.destination_row = (int64_t)(block * tile.cols);
    tile.destination_plane = (int64_t)(block * tile.cols * tile.rows);
    copy_blocks(kernels, &tile, block);
}

// `count` bytes of the tile: what ends a line is written, and the next tile is asked for meanwhile.
// By pages: 64 MiB of float32 in planes of 64 x 64 took 0.38 ns per element, by 2 KiB 0.43, by 1 or
// 8 KiB 0.47, and 0.66 when all was asked for before the tile was transposed.
static void empty(stage *s, const hoist_move_kernels *kernels, size_t count, asker *next)
{
    HOIST_ASSERT(s->held <= CACHE_LINE && count <= HOIST_MOVE_STAGE);
    const uint8_t *end = s->bytes + CACHE_LINE + count;
    const size_t all = s->held + count;
    // Bytes behind the last whole line, which stay in the stage.
    const size_t rest = (uintptr_t)(s->destination + all) % CACHE_LINE;
    const size_t keep = rest < all ? rest : 0;
    HOIST_ASSERT(keep < CACHE_LINE);
    hoist_move_tile out = {.source = s->bytes + (CACHE_LINE - s->held),
                           .destination = s->destination,
                           .planes = 1,
                           .rows = 1,
                           .cols = 1};
    for (size_t left = all - keep; left;) {
        // Up to the end of the first line, then by parts that end with a line.
        const size_t ahead = (size_t)(-(uintptr_t)out.destination % CACHE_LINE);
        const size_t part = left < ahead + ASKED ? left : ahead + ASKED;
        ask(next, ASKED / CACHE_LINE + 1);
        kernels->stream(&out, part);
        out.source += part;
        out.destination += part;
        left -= part;
    }
    memmove(s->bytes + (CACHE_LINE - keep), end - keep, keep);
    s->held = keep;
    s->destination = out.destination;
}

// Tiles [begin, end), each where the one before it ends.
static void stream_small(const hoist_move_kernels *kernels, const hoist_move_plan *plan,
                         uint64_t begin, uint64_t end)
{
    HOIST_ASSERT(begin < end && plan->block < CACHE_LINE);
    hoist_move_walk w;
    hoist_move_walk_to(&w, plan, begin);
    stage s;
    s.held = 0;
    s.destination = w.base[0];
    hoist_move_tile tile = tile_at(&w);
    for (uint64_t n = begin; n < end; n++) {
        const size_t count = tile.planes * tile.rows * tile.cols * plan->block;
        fill(&s, kernels, tile, plan->block);
        hoist_move_step(&w);
        tile = tile_at(&w);
        asker next = {.tile = &tile, .bytes = tile.rows * plan->block};
        next.plane = plan->turned ? 0 : tile.planes;
        empty(&s, kernels, count, &next);
    }
    // The end of the last line, as no tile completes it.
    memcpy(s.destination, s.bytes + (CACHE_LINE - s.held), s.held);
}

// Tiles of blocks, small ones past the caches by way of the stage.
void hoist_move_run_blocks(const hoist_move_kernels *kernels, const hoist_move_plan *plan,
                           uint64_t begin, uint64_t end)
{
    if (plan->streams && plan->block < CACHE_LINE) {
        stream_small(kernels, plan, begin, end);
        return;
    }
    hoist_move_walk w;
    hoist_move_walk_to(&w, plan, begin);
    for (uint64_t n = begin; n < end; n++) {
        const hoist_move_tile tile = tile_at(&w);
        if (plan->streams) {
            kernels->stream(&tile, plan->block);
        } else {
            copy_blocks(kernels, &tile, plan->block);
        }
        hoist_move_step(&w);
    }
}
