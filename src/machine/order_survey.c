// Facts about a program that hold for all its runs, found once before the first: which buffers
// share bytes with others, which spaces are addressed, which fifos have their parts to themselves,
// and which buffers the host fills. order_access.c chooses by them how bytes are named.
#include <stdlib.h>

#include "base/alloc.h"
#include "base/order.h"
#include "machine/order_state.h"

// A placed buffer that is no window.
typedef struct lying {
    hoist_ref buffer;
    hoist_ref space;
    uint64_t begin;
    uint64_t end;
} lying;

static int compare_places(const void *a, const void *b)
{
    const lying *left = a;
    const lying *right = b;
    const int order = hoist_order_u64(left->space, right->space);
    return order ? order : hoist_order_u64(left->begin, right->begin);
}

// Buffers that lie on others: fifos that are allocated and freed share one address.
static void find_shared(hoist_order *o)
{
    hoist_order_list list = {.size = sizeof(lying)};
    for (hoist_ref i = 0; i < o->program->buffer_count; i++) {
        const hoist_prog_buffer *b = &o->program->buffers[i];
        // Of windows the roots count.
        const lying new = {i, b->space, b->address, b->address + b->size};
        if (b->placed && b->window_of == HOIST_NO_REF) {
            (void)hoist_order_add(o, &list, &new);
        }
    }
    lying *all = list.items;
    if (list.count > 0) {
        qsort(all, list.count, sizeof *all, compare_places);
    }
    size_t last = 0; // the one in front that ends last: whoever overlaps any in front overlaps it
    for (size_t i = 1; i < list.count; i++) {
        if (all[i].space == all[last].space && all[i].begin < all[last].end) {
            o->shares[all[i].buffer] = 1;
            o->shares[all[last].buffer] = 1;
        }
        if (all[i].space != all[last].space || all[i].end > all[last].end) {
            last = i;
        }
    }
    hoist_order_free_list(o, &list);
}

// Of each buffer: 1 for a part of a fifo, more for anything else that lies in it.
static void count_users(const hoist_order *o, uint32_t *users)
{
    const hoist_program *program = o->program;
    for (uint32_t i = 0; i < program->view_count; i++) {
        // Two at once: more than the 1 that makes a fifo private.
        if (program->views[i].base == HOIST_VIEW_BUFFER) {
            users[hoist_prog_root(program, program->views[i].of, NULL)] += 2;
        }
    }
    for (uint32_t i = 0; i < program->buffer_count; i++) {
        if (program->buffers[i].placed &&
            (o->addressed[program->buffers[i].space] || o->shares[i])) {
            users[hoist_prog_root(program, i, NULL)] += 2;
        }
    }
    for (uint32_t i = 0; i < program->fifo_count; i++) {
        for (uint32_t k = 0; k < program->fifos[i].part_count; k++) {
            users[hoist_prog_root(program, program->fifos[i].parts[k], NULL)]++;
        }
    }
}

// Rams that the host may fill are full when the run begins.
static void find_filled(hoist_order *o)
{
    for (uint32_t i = 0; i < o->program->fifo_count; i++) {
        const hoist_prog_fifo *f = &o->program->fifos[i];
        for (uint32_t k = 0; f->kind == HOIST_FIFO_RAM && f->host_push && k < f->part_count; k++) {
            o->filled[hoist_prog_root(o->program, f->parts[k], NULL)] = 1;
        }
    }
}

void hoist_order_survey(hoist_order *o)
{
    const hoist_program *program = o->program;
    find_filled(o);
    for (uint32_t i = 0; i < program->view_count; i++) {
        if (program->views[i].base == HOIST_VIEW_SPACE) {
            o->addressed[program->views[i].of] = 1;
        }
    }
    find_shared(o);
    // A list for its memory only: it is as long as there are buffers.
    hoist_order_list users = {.size = sizeof(uint32_t)};
    const uint32_t zero = 0;
    for (uint32_t i = 0; i < program->buffer_count; i++) {
        (void)hoist_order_add(o, &users, &zero);
    }
    if (o->status == HOIST_OK && program->buffer_count > 0) {
        count_users(o, users.items);
        for (uint32_t i = 0; i < program->fifo_count; i++) {
            const hoist_prog_fifo *f = &program->fifos[i];
            bool alone = true;
            for (uint32_t k = 0; k < f->part_count; k++) {
                const hoist_ref root = hoist_prog_root(program, f->parts[k], NULL);
                // A window as a part has other users by its root.
                alone = alone && root == f->parts[k] && ((const uint32_t *)users.items)[root] == 1;
            }
            o->fifos[i].is_private = alone;
        }
    }
    hoist_order_free_list(o, &users);
}
