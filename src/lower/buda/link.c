// Links: results that graphs on other chips read in the same temporal epoch. Each chip's graphs are
// a function of their own (group.c), so a result goes to the other chip over a queue of two float32
// entries in the L1 of the chip that reads it: the one that is read, and the one that is computed
// meanwhile. What the link has is the result itself, so that bits do not depend on the chips.
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
    const int order = hoist_order_u64(left->op, right->op);
    return order ? order : hoist_order_u64(left->group, right->group);
}

static size_t group_of_op(const buda_lower_job *l, size_t op)
{
    return l->group_of[l->net.ops[op].graph];
}

// A link for each input that comes from another chip: the op that is read, and the group that
// reads. Their number; `links` may be NULL.
static size_t list_links(const buda_lower_job *l, buda_lower_link *links)
{
    size_t count = 0;
    for (size_t i = 0; i < l->net.op_count; i++) {
        const buda_net_op *op = &l->net.ops[i];
        const size_t group = group_of_op(l, i);
        for (size_t k = 0; k < op->op->inputs.count; k++) {
            const buda_source source = op->inputs[k];
            if (source.kind != BUDA_SOURCE_OP || group_of_op(l, source.index) == group ||
                l->groups[group_of_op(l, source.index)].cluster != l->groups[group].cluster) {
                continue;
            }
            if (links) {
                links[count] =
                    (buda_lower_link){.op = source.index, .group = group, .fifo = HOIST_NO_REF};
            }
            count++;
        }
    }
    return count;
}

// The queue of a link; none when the size of the result is not known or too large, which is
// reported.
static void build(buda_lower_job *l, buda_lower_link *link)
{
    const buda_net_op *node = &l->net.ops[link->op];
    const int64_t chip = l->units[l->groups[link->group].unit].chip;
    buda_shape shape = {0};
    (void)buda_shape_of_op(node->op, &shape);
    link->shape = (hoist_tile_shape){(uint64_t)shape.z, (uint64_t)shape.r, (uint64_t)shape.c};
    link->slot = buda_lower_none();
    if (!buda_lower_fits(l, link->shape, node->op->name.pos, "the result")) {
        return;
    }
    hoist_ref *part = hoist_lower_array(&l->c, 1, sizeof *part);
    const hoist_str name = hoist_lower_name(&l->c, node->name, " to chip%" PRId64, chip);
    const hoist_loc loc = hoist_loc_pos(node->op->name.pos);
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

static bool op_is_before(const void *link, const void *op)
{
    return ((const buda_lower_link *)link)->op < *(const size_t *)op;
}

// The first link of `op`, or where it would be.
static size_t first_link(const buda_lower_job *l, size_t op)
{
    return hoist_order_first(l->links, l->link_count, sizeof *l->links, op_is_before, &op);
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

buda_lower_value buda_lower_receive(buda_lower_code *c, size_t op)
{
    buda_lower_job *l = c->l;
    const size_t group = (size_t)(c->group - l->groups);
    for (size_t i = first_link(l, op); i < l->link_count && l->links[i].op == op; i++) {
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

void buda_lower_send(buda_lower_code *c, buda_lower_value result)
{
    buda_lower_job *l = c->l;
    for (size_t i = first_link(l, c->op); i < l->link_count && l->links[i].op == c->op; i++) {
        const buda_lower_link *link = &l->links[i];
        if (link->fifo == HOIST_NO_REF || result.view == HOIST_NO_REF) {
            continue;
        }
        if (buda_lower_tiles(result.shape) != buda_lower_tiles(link->shape)) {
            buda_lower_refuse(l, RUN_003, c->view.op->name.pos,
                              "op '%.*s' gives %llu tiles, its blocks have %llu",
                              HOIST_STR_ARGS(c->label),
                              (unsigned long long)buda_lower_tiles(result.shape),
                              (unsigned long long)buda_lower_tiles(link->shape));
            return;
        }
        fifo_step(c, HOIST_STEP_RESERVE, link, 0);
        buda_lower_move(c, result, NULL, view_of(c, link, HOIST_VIEW_WRITE_SLOT));
        fifo_step(c, HOIST_STEP_PUSH, link, 1);
    }
}

void buda_lower_release(buda_lower_job *l, const buda_lower_group *group)
{
    for (size_t i = 0; i < l->link_count; i++) {
        const buda_lower_link *link = &l->links[i];
        if (&l->groups[link->group] == group && link->slot.view != HOIST_NO_REF) {
            const buda_net_op *node = &l->net.ops[link->op];
            const buda_lower_code c = {
                .l = l, .loc = hoist_loc_pos(node->op->name.pos), .label = node->name};
            fifo_step(&c, HOIST_STEP_ADVANCE, link, 1);
            fifo_step(&c, HOIST_STEP_POP, link, 1);
        }
    }
}
