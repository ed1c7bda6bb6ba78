// What a session holds of a program's buffers and fifos (pages.h): the program in, for each buffer
// what it needs out. runtime/store.c takes that memory, describe.c reports it. In between: which
// bytes are named at all, which constants are equal, which messages stay (stays.c), which values
// share (reuse.c).
#include "plan/pages.h"

#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/checked.h"
#include "base/map.h"

// Fifos of netlists; all others are in buffers of bytes.
static bool is_tiled(const hoist_program *program, const hoist_prog_fifo *fifo)
{
    return program->layouts[fifo->layout].kind == HOIST_LAYOUT_TILED;
}

// The first refusal ends the plan; the caller reports it under its own rule.
static hoist_status refuse(hoist_page_plan *plan, hoist_str name, hoist_loc loc, const char *why)
{
    plan->refused = (hoist_page_refusal){name, loc, why};
    return HOIST_UNSUPPORTED;
}

// Which buffers hold carriers ------------------------------------------------------------------

uint64_t hoist_page_entry_tiles(const hoist_prog_layout *layout)
{
    const hoist_tiling *t = &layout->tiling;
    return (uint64_t)t->t * t->mblock_m * t->mblock_n * t->ublock_rt * t->ublock_ct;
}

// The leader's parts define which tiles are where; every other fifo on the same buffers has to
// agree.
static hoist_status note_part(hoist_page_plan *plan, uint32_t index, uint32_t part,
                              hoist_ref leader, hoist_page_root *roots)
{
    const hoist_prog_fifo *fifo = &plan->program->fifos[index];
    uint64_t offset = 0;
    HOIST_ASSERT(part < fifo->part_count);
    const hoist_ref root = hoist_prog_root(plan->program, fifo->parts[part], &offset);
    if (offset != 0) { // tiles have no byte addresses
        return refuse(plan, fifo->name, fifo->loc,
                      "a part of a fifo of tiles does not begin where its memory begins");
    }
    if (roots[root].leader != leader || (leader != HOIST_NO_REF && roots[root].part != part)) {
        return refuse(plan, fifo->name, fifo->loc,
                      "fifos of tiles share some of their parts, and not each with its own");
    }
    if (leader == HOIST_NO_REF) { // the first fifo on it
        roots[root] = (hoist_page_root){.leader = index, .part = part};
    }
    return HOIST_OK;
}

// Parts of one fifo, and its size in tiles if it is larger than those before.
static hoist_status note_fifo(hoist_page_plan *plan, uint32_t index, hoist_page_root *roots)
{
    HOIST_ASSERT(index < plan->program->fifo_count);
    const hoist_program *program = plan->program;
    const hoist_prog_fifo *fifo = &program->fifos[index];
    uint64_t offset = 0;
    hoist_page_root *first = &roots[hoist_prog_root(program, fifo->parts[0], &offset)];
    const hoist_ref leader = first->leader;
    if (leader != HOIST_NO_REF && program->fifos[leader].part_count != fifo->part_count) {
        return refuse(plan, fifo->name, fifo->loc,
                      "fifos of tiles share memory and have other numbers of parts");
    }
    for (uint32_t i = 0; i < fifo->part_count; i++) {
        HOIST_TRY(note_part(plan, index, i, leader, roots));
    }
    uint64_t tiles = 0;
    // Per part; parts are added up in hoist_page_fifo_tiles()
    if (hoist_ckd_mul(&tiles, fifo->slots,
                      hoist_page_entry_tiles(&program->layouts[fifo->layout]))) {
        return HOIST_LIMIT;
    }
    first->part_tiles = tiles > first->part_tiles ? tiles : first->part_tiles;
    return HOIST_OK;
}

// Fifos in order, so that the leader is the first of those that share.
static hoist_status note_roots(hoist_page_plan *plan, hoist_page_root *roots)
{
    const hoist_program *program = plan->program;
    for (uint32_t i = 0; i < program->buffer_count; i++) {
        roots[i] = (hoist_page_root){.leader = HOIST_NO_REF};
    }
    for (uint32_t i = 0; i < program->fifo_count; i++) {
        if (is_tiled(program, &program->fifos[i])) {
            HOIST_TRY(note_fifo(plan, i, roots));
        }
    }
    return HOIST_OK;
}

// Which buffers need bytes --------------------------------------------------------------------

// Memory of a call is planned by calls.c, and tiles of fifos have no bytes.
static void mark(const hoist_program *program, bool *needed, const hoist_page_root *roots,
                 hoist_ref buffer)
{
    uint64_t offset = 0;
    const hoist_ref root = hoist_prog_root(program, buffer, &offset);
    needed[root] = program->buffers[root].lifetime != HOIST_LIFETIME_CALL &&
                   roots[root].leader == HOIST_NO_REF;
}

// A view by address may be of any placed buffer of its space.
static void mark_space(const hoist_program *program, bool *needed, const hoist_page_root *roots,
                       hoist_ref space)
{
    for (uint32_t i = 0; i < program->buffer_count; i++) {
        if (program->buffers[i].space == space && program->buffers[i].placed) {
            mark(program, needed, roots, i);
        }
    }
}

// Contents that somebody has to store before the first run.
static bool has_contents(const hoist_prog_buffer *row)
{
    return row->contents != HOIST_CONTENTS_UNDEFINED && row->contents != HOIST_CONTENTS_ZERO;
}

// A buffer that a view or caller names must have bytes: neither tiles nor memory that comes and
// goes.
static hoist_status need(hoist_page_plan *plan, bool *needed, const hoist_page_root *roots,
                         hoist_ref buffer)
{
    const hoist_prog_buffer *row = &plan->program->buffers[buffer];
    mark(plan->program, needed, roots, buffer);
    uint64_t offset = 0;
    const hoist_ref root = hoist_prog_root(plan->program, buffer, &offset);
    if (roots[root].leader != HOIST_NO_REF) {
        return refuse(plan, row->name, row->loc,
                      "memory of a fifo of tiles is also named as bytes");
    }
    return needed[root] ? HOIST_OK
                        : refuse(plan, row->name, row->loc,
                                 "memory of one call is also named where no call is");
}

// Views are the largest table; each names one buffer, one space, a slot or a parameter.
static hoist_status mark_views(hoist_page_plan *plan, bool *needed, const hoist_page_root *roots)
{
    const hoist_program *program = plan->program;
    for (uint32_t i = 0; i < program->view_count; i++) {
        const hoist_prog_view *view = &program->views[i];
        uint64_t offset = 0;
        if (view->base == HOIST_VIEW_SPACE) {
            mark_space(program, needed, roots, view->of);
        } else if (view->base == HOIST_VIEW_BUFFER &&
                   program->buffers[hoist_prog_root(program, view->of, &offset)].lifetime !=
                       HOIST_LIFETIME_CALL) {
            HOIST_TRY(need(plan, needed, roots, view->of));
        }
    }
    return HOIST_OK;
}

// All that can name a buffer, in turn; a buffer that none of them names takes no memory.
static hoist_status mark_all(hoist_page_plan *plan, bool *needed, const hoist_page_root *roots)
{
    const hoist_program *program = plan->program;
    HOIST_TRY(mark_views(plan, needed, roots));
    for (uint32_t i = 0; i < program->fifo_count; i++) {
        if (!is_tiled(program, &program->fifos[i])) {
            HOIST_TRY(need(plan, needed, roots, program->fifos[i].parts[0]));
        }
    }
    for (uint32_t i = 0; i < program->port_count; i++) {
        HOIST_TRY(need(plan, needed, roots, program->ports[i].buffer));
    }
    for (uint32_t i = 0; i < program->relocation_count; i++) {
        HOIST_TRY(need(plan, needed, roots, program->relocations[i].buffer));
    }
    for (uint32_t i = 0; i < program->buffer_count; i++) {
        const hoist_prog_buffer *row = &program->buffers[i];
        uint64_t offset = 0;
        const hoist_ref root = hoist_prog_root(program, i, &offset);
        // Zero is also the initial value of tiles and needs no bytes; memory of a call cannot have
        // it.
        const bool zero_tiles =
            row->contents == HOIST_CONTENTS_ZERO && roots[root].leader != HOIST_NO_REF;
        const bool zero_call = row->contents == HOIST_CONTENTS_ZERO && !zero_tiles &&
                               program->buffers[root].lifetime == HOIST_LIFETIME_CALL;
        if (row->output || has_contents(row) || zero_call) {
            HOIST_TRY(need(plan, needed, roots, i));
        }
    }
    return HOIST_OK;
}

// Constants --------------------------------------------------------------------------------------

// Constants that may share their memory: those that are nothing but bytes of the program. Anything
// that could change their bytes, or make their address matter, takes them off the list.
static void find_constants(const hoist_program *program, const bool *needed, bool *constant)
{
    for (uint32_t i = 0; i < program->buffer_count; i++) {
        const hoist_prog_buffer *row = &program->buffers[i];
        constant[i] = needed[i] && row->lifetime == HOIST_LIFETIME_CONSTANT &&
                      row->contents == HOIST_CONTENTS_BYTES && row->bytes.size == row->size &&
                      row->size > 0 && !row->output;
    }
    for (uint32_t i = 0; i < program->buffer_count; i++) {
        uint64_t offset = 0;
        if (program->buffers[i].window_of != HOIST_NO_REF) {
            constant[hoist_prog_root(program, i, &offset)] = false;
        }
    }
    for (uint32_t i = 0; i < program->relocation_count; i++) {
        constant[program->relocations[i].buffer] = false;
    }
    for (uint32_t i = 0; i < program->fifo_count; i++) {
        for (uint32_t k = 0; k < program->fifos[i].part_count; k++) {
            constant[program->fifos[i].parts[k]] = false;
        }
    }
    // A view by address could tell two constants apart.
    for (uint32_t i = 0; i < program->view_count; i++) {
        if (program->views[i].base == HOIST_VIEW_SPACE) { // may be of any memory there
            memset(constant, 0, program->buffer_count);
        }
    }
}

// The constant that has the same bytes of the program and comes first, which may be itself. No step
// writes constants (PRG-026), so ranks that run one file read one copy. The map's key is the span
// itself, pointer and size: one file that is read once has equal bytes at one address.
static hoist_status find_equal(const hoist_program *program, hoist_map *contents, uint32_t buffer,
                               uint32_t *out_equal)
{
    const hoist_bytes *const bytes = &program->buffers[buffer].bytes;
    size_t found = 0;
    const hoist_status status =
        hoist_map_add(contents, (hoist_str){(const char *)bytes, sizeof *bytes}, buffer, &found);
    *out_equal = status == HOIST_BUSY ? (uint32_t)found : buffer;
    return status == HOIST_BUSY ? HOIST_OK : status;
}

// In the order of buffers, so that the first one is the one that is kept.
static hoist_status find_shared(hoist_page_plan *plan, hoist_map *contents)
{
    for (uint32_t i = 0; i < plan->program->buffer_count; i++) {
        if (plan->constant[i]) {
            HOIST_TRY(find_equal(plan->program, contents, i, &plan->equal[i]));
        }
    }
    return HOIST_OK;
}

// Fifos
// ---------------------------------------------------------------------------------------------

// Entries stay in the memory of their sender, which has to be here. `home`: a session of one rank
// has only its own threads' memory.
static void find_stays(hoist_page_plan *plan, const hoist_before *before, hoist_ref home)
{
    const hoist_program *program = plan->program;
    for (uint32_t i = 0; i < program->fifo_count; i++) {
        bool *stays = &plan->stays.stays[i];
        const bool is_here = *stays && (home == HOIST_NO_REF ||
                                        program->threads[before->fifos[i].fills].home == home);
        const hoist_prog_fifo *row = &program->fifos[i];
        if (plan->stays.capacities[i] < row->slots) { // less than the buffer's size, so it fits
            plan->held[row->parts[0]] = row->header + plan->stays.capacities[i] * row->slot_bytes;
        }
        *stays = is_here;
        plan->needed[program->fifos[i].parts[0]] &= !is_here;
    }
}

// Messages and values that share memory, as far as the order of the steps is known. Nothing is
// shared where it is not known what the caller reads: it might read a value after its life.
static hoist_status share(hoist_page_plan *plan, const hoist_page_plan_options *options)
{
    const hoist_group_plan none = {.alloc = plan->alloc}; // no groups: every step by itself
    const hoist_group_plan *groups = options->groups ? options->groups : &none;
    const hoist_group_options reads = {
        .alloc = plan->alloc, .is_read = options->is_read, .deadline = options->deadline};
    hoist_before before = {.alloc = plan->alloc, .program = plan->program};
    hoist_status status = HOIST_OK;
    if (options->is_read) {
        status = hoist_before_build(plan->program, plan->alloc, options->deadline, &before);
    }
    // Messages first: memory that is lent to a receiver must not be reused meanwhile.
    if (status == HOIST_OK) {
        status = hoist_stay_plan_build(plan->program, &before, plan->alloc, options->deadline,
                                       &plan->stays);
    }
    if (status == HOIST_OK) {
        find_stays(plan, &before, options->home);
        status = hoist_reuse_plan_build(plan->program, &before, &plan->stays, groups, &reads,
                                        &plan->reuse);
    }
    hoist_before_deinit(&before);
    return status;
}

// Every buffer is equal to itself and holds its size, until shown otherwise.
static hoist_status find_all(hoist_page_plan *plan, const hoist_page_plan_options *options)
{
    hoist_map contents;
    for (uint32_t i = 0; i < plan->program->buffer_count; i++) {
        plan->equal[i] = i;
        plan->held[i] = plan->program->buffers[i].size;
    }
    HOIST_TRY(note_roots(plan, plan->roots));
    HOIST_TRY(mark_all(plan, plan->needed, plan->roots));
    HOIST_TRY(share(plan, options));
    find_constants(plan->program, plan->needed, plan->constant);
    hoist_map_init(&contents, plan->alloc);
    const hoist_status status = find_shared(plan, &contents);
    hoist_map_deinit(&contents);
    return status;
}

bool hoist_page_fifo_tiles(const hoist_page_plan *plan, hoist_ref fifo, uint64_t *out_tiles)
{
    const hoist_prog_fifo *row = &plan->program->fifos[fifo];
    const hoist_page_root *root = hoist_page_root_of(plan, fifo);
    *out_tiles = 0;
    return root->leader != fifo || (!hoist_ckd_mul(out_tiles, root->part_tiles, row->part_count) &&
                                    *out_tiles < UINT32_MAX);
}

// 0 for buffers that are in other memory.
static uint64_t buffer_bytes(const hoist_page_plan *plan, uint32_t buffer)
{
    return plan->needed[buffer] && plan->equal[buffer] == buffer &&
                   plan->reuse.offset[buffer] == UINT64_MAX
               ? plan->held[buffer]
               : 0;
}

// The sum that a session compares with max_memory before it takes any of it.
bool hoist_page_plan_bytes(const hoist_page_plan *plan, uint64_t *out_bytes)
{
    const hoist_program *program = plan->program;
    bool fits = true;
    *out_bytes = 0;
    for (uint32_t i = 0; i < program->thread_count; i++) {
        fits = fits && !hoist_ckd_add(out_bytes, *out_bytes, plan->reuse.bytes[i]);
    }
    for (uint32_t i = 0; i < program->buffer_count; i++) {
        fits = fits && !hoist_ckd_add(out_bytes, *out_bytes, buffer_bytes(plan, i));
    }
    for (uint32_t i = 0; i < program->fifo_count; i++) {
        uint64_t tiles = 0;
        fits = fits &&
               (!is_tiled(program, &program->fifos[i]) || hoist_page_fifo_tiles(plan, i, &tiles)) &&
               !hoist_ckd_add(out_bytes, *out_bytes, tiles * HOIST_PAGE_TILE_BYTES);
    }
    return fits;
}

// Part 0 stands for all: parts of one fifo have the same leader.
const hoist_page_root *hoist_page_root_of(const hoist_page_plan *plan, hoist_ref fifo)
{
    return &plan->roots[hoist_prog_root(plan->program, plan->program->fifos[fifo].parts[0], NULL)];
}

// On failure nothing stays but the reason.
hoist_status hoist_page_plan_build(const hoist_program *program,
                                   const hoist_page_plan_options *options,
                                   hoist_page_plan *out_plan)
{
    const hoist_allocator alloc = options->alloc;
    const size_t rows = (size_t)program->buffer_count + 1;
    hoist_page_plan *const plan = out_plan;
    *plan = (hoist_page_plan){
        .alloc = alloc, .program = program, .stays = {.alloc = alloc}, .reuse = {.alloc = alloc}};
    plan->needed = hoist_alloc_zero(alloc, rows, sizeof *plan->needed);
    plan->constant = hoist_alloc_zero(alloc, rows, sizeof *plan->constant);
    plan->held = hoist_alloc_zero(alloc, rows, sizeof *plan->held);
    plan->equal = hoist_alloc_zero(alloc, rows, sizeof *plan->equal);
    plan->roots = hoist_alloc_zero(alloc, rows, sizeof *plan->roots);
    const bool complete =
        plan->needed && plan->constant && plan->held && plan->equal && plan->roots;
    const hoist_status status = complete ? find_all(plan, options) : HOIST_NO_MEMORY;
    if (status != HOIST_OK) {
        hoist_page_plan_deinit(plan);
    }
    return status;
}

void hoist_page_plan_deinit(hoist_page_plan *plan)
{
    const size_t rows = (size_t)plan->program->buffer_count + 1;
    hoist_free(plan->alloc, plan->needed, rows * sizeof *plan->needed);
    hoist_free(plan->alloc, plan->constant, rows * sizeof *plan->constant);
    hoist_free(plan->alloc, plan->held, rows * sizeof *plan->held);
    hoist_free(plan->alloc, plan->equal, rows * sizeof *plan->equal);
    hoist_free(plan->alloc, plan->roots, rows * sizeof *plan->roots);
    hoist_stay_plan_deinit(&plan->stays);
    hoist_reuse_plan_deinit(&plan->reuse);
    *plan = (hoist_page_plan){.alloc = plan->alloc,
                              .program = plan->program,
                              .stays = plan->stays,
                              .reuse = plan->reuse,
                              .refused = plan->refused};
}
