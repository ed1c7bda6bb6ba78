// The ops of a group in an order in which they can run: that of the file where it permits. All
// groups of a cluster keep to one order, so that none waits for another one in a circle. An op
// comes after the ops that it reads, and after those that feed the queues that it reads, as in the
// reference, where a queue is a node between them; unless that closes a circle (a ram that is read
// and then written), and then a read of a queue comes when its reader comes. An iterative
// depth-first search with three colours: white is new, grey is on the stack, black is in the
// order. A grey op that is met again closes a circle.
#include "base/span.h"
#include "formats/buda/frames.h"
#include "lower/buda/state.h"

typedef enum colour { WHITE = 0, GREY, BLACK } colour;

typedef struct frame {
    size_t op;
    size_t input; // next one to look at
} frame;

typedef struct walk {
    buda_lower_job *l;
    const buda_lower_group *group;
    bool through_queues; // else only edges between ops count
    uint8_t *colours;    // colour per op of the net
    frame *stack;
    size_t depth;
    size_t *ops;
    size_t count;
    size_t circle; // an op on a circle; BUDA_NO_INDEX: none found
} walk;

// The op of this group that input `source` waits for; BUDA_NO_INDEX: none. Ops of other groups run
// in other functions and are not waited for.
static size_t waits_for(const walk *w, buda_source source)
{
    const buda_net *net = &w->l->net;
    size_t op = BUDA_NO_INDEX;
    if (source.kind == BUDA_SOURCE_OP) {
        op = source.index;
    } else if (source.kind == BUDA_SOURCE_QUEUE && w->through_queues) {
        op = net->queues[source.index].producer;
    }
    if (op == BUDA_NO_INDEX ||
        w->l->groups[w->l->group_of[net->ops[op].graph]].cluster != w->group->cluster) {
        return BUDA_NO_INDEX;
    }
    return op;
}

// The next graph of the cluster after number `*at` of `*group`; NULL: that was the last one.
static const buda_net_graph *next_graph(const walk *w, size_t *group, size_t *at)
{
    const buda_lower_job *l = w->l;
    if (++*at >= l->groups[*group].graph_count) {
        *group = l->groups[*group].sibling;
        *at = 0;
        if (*group == w->group->cluster) {
            return NULL;
        }
    }
    return &l->net.graphs[l->groups[*group].graphs[*at]];
}

static const buda_net_graph *first_graph(const walk *w, size_t *group, size_t *at)
{
    *group = w->group->cluster;
    *at = 0;
    return &w->l->net.graphs[w->l->groups[*group].graphs[0]];
}

// An op is on the stack at most once, so `most` frames are enough.
static void enter(walk *w, size_t op)
{
    w->colours[op] = GREY;
    w->stack[w->depth++] = (frame){op, 0};
}

// Visits `op` and all that it waits for; an explicit stack, as chains of ops are as long as the
// file.
static void visit(walk *w, size_t op)
{
    enter(w, op);
    while (w->depth > 0) {
        frame *top = &w->stack[w->depth - 1];
        const buda_net_op *node = &w->l->net.ops[top->op];
        // All inputs are done: the op is next in the order.
        if (top->input == node->op->inputs.count) {
            w->colours[top->op] = BLACK;
            w->ops[w->count++] = top->op;
            w->depth--;
            continue;
        }
        const size_t next = waits_for(w, node->inputs[top->input++]);
        if (next == BUDA_NO_INDEX || w->colours[next] == BLACK) {
            continue;
        }
        if (w->colours[next] == GREY) { // goes on, to order the rest
            w->circle = next;
        } else {
            enter(w, next);
        }
    }
}

// Colours are reset for this group only; ops of other groups are never met.
static bool visit_all(walk *w, bool through_queues)
{
    size_t group = 0;
    size_t at = 0;
    w->through_queues = through_queues;
    w->count = 0;
    w->circle = BUDA_NO_INDEX;
    for (const buda_net_graph *graph = first_graph(w, &group, &at); graph;
         graph = next_graph(w, &group, &at)) {
        for (size_t k = 0; k < graph->op_count; k++) {
            w->colours[graph->first_op + k] = WHITE;
        }
    }
    for (const buda_net_graph *graph = first_graph(w, &group, &at); graph;
         graph = next_graph(w, &group, &at)) {
        for (size_t k = 0; k < graph->op_count; k++) {
            if (w->colours[graph->first_op + k] == WHITE) {
                visit(w, graph->first_op + k);
            }
        }
    }
    return w->circle == BUDA_NO_INDEX;
}

static bool is_own(const walk *w, size_t op)
{
    return &w->l->groups[w->l->group_of[w->l->net.ops[op].graph]] == w->group;
}

// Of all ops those of the group; their number.
static size_t own_ops(const walk *w)
{
    size_t count = 0;
    for (size_t i = 0; i < w->count; i++) {
        if (is_own(w, w->ops[i])) {
            w->ops[count++] = w->ops[i];
        }
    }
    return count;
}

// Twice at most: with queues as edges, then without.
bool buda_lower_order(buda_lower_job *l, const buda_lower_group *group, size_t **out_ops,
                      size_t *out_count)
{
    walk w = {.l = l, .group = group, .colours = l->colours};
    size_t most = 0;
    size_t index = 0;
    size_t at = 0;
    for (const buda_net_graph *graph = first_graph(&w, &index, &at); graph;
         graph = next_graph(&w, &index, &at)) {
        most += graph->op_count;
    }
    w.stack = hoist_lower_scratch(&l->c, most, sizeof(frame));
    w.ops = hoist_lower_array(&l->c, most, sizeof(size_t));
    if (!w.stack || !w.ops) {
        return false;
    }
    if (!visit_all(&w, true) && !visit_all(&w, false)) {
        if (!is_own(&w, w.circle)) {
            return false; // the group that has it reports it
        }
        const buda_net_op *op = &l->net.ops[w.circle];
        buda_frames frames;
        buda_enter_op(l->c.diag, &frames, l->net.graphs[op->graph].graph, op->op);
        buda_lower_refuse(l, RUN_009, op->op->name.pos, "op '%.*s' needs its own result",
                          HOIST_STR_ARGS(op->name));
        buda_leave(l->c.diag, &frames);
        return false;
    }
    *out_ops = w.ops;
    *out_count = own_ops(&w);
    return true;
}
