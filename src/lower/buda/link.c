// Links: results that graphs on other chips read in the same temporal epoch, and entries of queues
// that graphs on several chips only read. Each chip's graphs are a function of their own (group.c),
// so a result goes to the other chip over a queue of two float32 entries in the L1 of the chip that
// reads it: the one that is read, and the one that is computed meanwhile. A queue has one set of
// pointers, which the first group that reads it moves; that group sends the entry of an input
// before it computes anything for it, so that none waits in a circle. What the link has is the
// result or entry itself, so that bits do not depend on the chips.
#include <inttypes.h>
#include <stdlib.h>

#include "base/order.h"
#include "base/span.h"
#include "formats/buda/shape.h"
#include "lower/buda/state.h"

enum { LINK_SLOTS = 2, TILE_BYTES = 4096 };

static int compare_links(const void *a, const void *b)
{
    const buda_lower_link *left = a;
    const buda_lower_link *right = b;
    const int order = hoist_order_u64(left->source, right->source);
    return order ? order : hoist_order_u64(left->group, right->group);
}

size_t buda_lower_queue_source(const buda_lower_job *l, size_t queue)
{
    return l->net.op_count + queue;
}

// The queue that a source is; BUDA_NO_INDEX: it is an op.
static size_t queue_of(const buda_lower_job *l, size_t source)
{
    return source >= l->net.op_count ? source - l->net.op_count : BUDA_NO_INDEX;
}

static size_t group_of_op(const buda_lower_job *l, size_t op)
{
    return l->group_of[l->net.ops[op].graph];
}

// The source of a link that input `source` of an op of `group` needs; BUDA_NO_INDEX: none.
static size_t needed(buda_lower_job *l, buda_source source, size_t group)
{
    if (source.kind == BUDA_SOURCE_OP) {
        const size_t from = group_of_op(l, source.index);
        return from != group && l->groups[from].cluster == l->groups[group].cluster ? source.index
                                                                                    : BUDA_NO_INDEX;
    }
    return source.kind == BUDA_SOURCE_QUEUE &&
                   buda_lower_owner(l, &l->groups[group], source.index) != &l->groups[group]
               ? buda_lower_queue_source(l, source.index)
               : BUDA_NO_INDEX;
}

// A link for each input that comes from another chip: what is read, and the group that reads.
// Their number; `links` may be NULL.
static size_t list_links(buda_lower_job *l, buda_lower_link *links)
{
    size_t count = 0;
    for (size_t i = 0; i < l->net.op_count; i++) {
        const buda_net_op *op = &l->net.ops[i];
        const size_t group = group_of_op(l, i);
        for (size_t k = 0; k < op->op->inputs.count; k++) {
            const size_t source = needed(l, op->inputs[k], group);
            if (source == BUDA_NO_INDEX) {
                continue;
            }
            if (links) {
                links[count] =
                    (buda_lower_link){.source = source, .group = group, .fifo = HOIST_NO_REF};
            }
            count++;
        }
    }
    return count;
}

static hoist_str name_of(const buda_lower_job *l, size_t source)
{
    const size_t queue = queue_of(l, source);
    return queue == BUDA_NO_INDEX ? l->net.ops[source].name : l->net.queues[queue].name;
}

static hoist_pos pos_of(const buda_lower_job *l, size_t source)
{
    const size_t queue = queue_of(l, source);
    return queue == BUDA_NO_INDEX ? l->net.ops[source].op->name.pos
                                  : l->net.queues[queue].queue->name.pos;
}

// Zeros when a dimension is not known.
static hoist_tile_shape shape_of(const buda_lower_job *l, size_t source)
{
    const size_t queue = queue_of(l, source);
    buda_shape shape = {0};
    if (queue == BUDA_NO_INDEX) {
        (void)buda_shape_of_op(l->net.ops[source].op, &shape);
    } else {
        (void)buda_shape_of_queue(l->net.queues[queue].queue, &shape);
    }
    return (hoist_tile_shape){(uint64_t)shape.z, (uint64_t)shape.r, (uint64_t)shape.c};
}

// A queue may be read in several epochs: its links are called after the graph that reads.
static hoist_str link_name(buda_lower_job *l, const buda_lower_link *link)
{
    const buda_lower_group *group = &l->groups[link->group];
    const hoist_str name = name_of(l, link->source);
    return queue_of(l, link->source) == BUDA_NO_INDEX
               ? hoist_lower_name(&l->c, name, " to chip%" PRId64, l->units[group->unit].chip)
               : hoist_lower_name(&l->c, name, " to %.*s",
                                  HOIST_STR_ARGS(l->net.graphs[group->graphs[0]].name));
}

// The queue of a link; none when the size of the result is not known or too large, which is
// reported.
static void build(buda_lower_job *l, buda_lower_link *link)
{
    const int64_t chip = l->units[l->groups[link->group].unit].chip;
    link->shape = shape_of(l, link->source);
    link->slot = buda_lower_none();
    if (!buda_lower_fits(l, link->shape, pos_of(l, link->source), "the result")) {
        return;
    }
    hoist_ref *part = hoist_lower_array(&l->c, 1, sizeof *part);
    const hoist_str name = link_name(l, link);
    const hoist_loc loc = hoist_loc_pos(pos_of(l, link->source));
    const uint64_t bytes = buda_lower_tiles(link->shape) * TILE_BYTES;
    if (!part) {
        return;
    }
    *part = hoist_builder_buffer(l->c.b, &(hoist_prog_buffer){.name = name,
                                                              .loc = loc,
                                                              .space = buda_lower_l1(l, chip),
                                                              .size = LINK_SLOTS * bytes,
                                                              .alignment = 1,
                                                              .window_of = HOIST_NO_REF,
                                                              .contents = HOIST_CONTENTS_ZERO,
                                                              .lifetime = HOIST_LIFETIME_SESSION});
    link->layout = buda_lower_layout(l, link->shape);
    link->fifo = hoist_builder_fifo(l->c.b, &(hoist_prog_fifo){
                                                .name = name,
                                                .loc = loc,
                                                .kind = HOIST_FIFO_QUEUE,
                                                .policy = HOIST_FIFO_STRICT,
                                                .slots = LINK_SLOTS,
                                                .parts = part,
                                                .part_count = 1,
                                                .slot_bytes = bytes,
                                                .layout = link->layout,
                                                .dtype = HOIST_DTYPE_F32,
                                                .tile_alignment = (uint32_t)l->net.soc->alignment,
                                            });
}

hoist_status buda_lower_links(buda_lower_job *l)
{
    const size_t most = list_links(l, NULL);
    l->links = hoist_lower_array(&l->c, most, sizeof *l->links);
    if (!l->links || most == 0) {
        return l->c.status;
    }
    (void)list_links(l, l->links);
    qsort(l->links, most, sizeof *l->links, compare_links);
    for (size_t i = 0; i < most && l->c.status == HOIST_OK; i++) {
        if (i == 0 || compare_links(&l->links[i], &l->links[l->link_count - 1]) != 0) {
            l->links[l->link_count] = l->links[i];
            build(l, &l->links[l->link_count++]);
        }
    }
    return l->c.status;
}

static bool is_before(const void *link, const void *source)
{
    return ((const buda_lower_link *)link)->source < *(const size_t *)source;
}

// The first link of `source`, or where it would be.
static size_t first_link(const buda_lower_job *l, size_t source)
{
    return hoist_order_first(l->links, l->link_count, sizeof *l->links, is_before, &source);
}

static void fifo_step(const buda_lower_code *c, hoist_step_kind kind, const buda_lower_link *link,
                      int64_t value)
{
    hoist_prog_step step = buda_lower_step(c, kind);
    step.as.fifo.fifo = link->fifo;
    step.as.fifo.value = hoist_lower_number(value);
    (void)hoist_builder_step(c->l->c.b, &step);
}

static hoist_ref view_of(const buda_lower_code *c, const buda_lower_link *link,
                         hoist_view_base base)
{
    return hoist_builder_view(c->l->c.b, &(hoist_prog_view){.base = base,
                                                            .of = link->fifo,
                                                            .dtype = HOIST_DTYPE_F32,
                                                            .layout = link->layout,
                                                            .reg = HOIST_NO_REF});
}

bool buda_lower_is_sent(const buda_lower_job *l, const buda_lower_group *group, size_t source)
{
    size_t i = first_link(l, source);
    // A queue that several epochs read has links of several clusters.
    while (i < l->link_count && l->links[i].source == source &&
           l->groups[l->links[i].group].cluster != group->cluster) {
        i++;
    }
    return i < l->link_count && l->links[i].source == source;
}

buda_lower_value buda_lower_receive(buda_lower_code *c, size_t source)
{
    buda_lower_job *l = c->l;
    const size_t group = (size_t)(c->group - l->groups);
    for (size_t i = first_link(l, source); i < l->link_count && l->links[i].source == source; i++) {
        buda_lower_link *link = &l->links[i];
        if (link->group != group) {
            continue;
        }
        if (link->fifo != HOIST_NO_REF && link->slot.view == HOIST_NO_REF) {
            fifo_step(c, HOIST_STEP_AWAIT, link, 0);
            link->slot = (buda_lower_value){view_of(c, link, HOIST_VIEW_READ_SLOT), link->shape};
        }
        return link->slot;
    }
    return buda_lower_none();
}

void buda_lower_send(buda_lower_code *c, size_t source, buda_lower_value value)
{
    buda_lower_job *l = c->l;
    for (size_t i = first_link(l, source); i < l->link_count && l->links[i].source == source; i++) {
        const buda_lower_link *link = &l->links[i];
        if (link->fifo == HOIST_NO_REF || value.view == HOIST_NO_REF ||
            l->groups[link->group].cluster != c->group->cluster) {
            continue;
        }
        if (buda_lower_tiles(value.shape) != buda_lower_tiles(link->shape)) {
            buda_lower_refuse(
                l, RUN_003, pos_of(l, source), "op '%.*s' gives %llu tiles, its blocks have %llu",
                HOIST_STR_ARGS(c->label), (unsigned long long)buda_lower_tiles(value.shape),
                (unsigned long long)buda_lower_tiles(link->shape));
            return;
        }
        fifo_step(c, HOIST_STEP_RESERVE, link, 0);
        buda_lower_move(c, value, NULL, view_of(c, link, HOIST_VIEW_WRITE_SLOT));
        fifo_step(c, HOIST_STEP_PUSH, link, 1);
    }
}

void buda_lower_release(buda_lower_job *l, const buda_lower_group *group)
{
    for (size_t i = 0; i < l->link_count; i++) {
        const buda_lower_link *link = &l->links[i];
        if (&l->groups[link->group] == group && link->slot.view != HOIST_NO_REF) {
            const buda_lower_code c = {.l = l,
                                       .loc = hoist_loc_pos(pos_of(l, link->source)),
                                       .label = name_of(l, link->source)};
            fifo_step(&c, HOIST_STEP_ADVANCE, link, 1);
            fifo_step(&c, HOIST_STEP_POP, link, 1);
        }
    }
}
