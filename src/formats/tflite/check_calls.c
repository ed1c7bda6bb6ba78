// Subgraphs that operators call, and that none of them calls itself: a depth-first search over the
// calls with a stack of its own, since models may nest deeper than the C stack.
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/span.h"
#include "formats/tflite/check.h"
#include "formats/tflite/options.h"

// Options that name a subgraph.
typedef struct call_row {
    uint8_t kind; // tflite_options_kind
    uint16_t at;  // of the index, 32 bits, in the C struct
} call_row;

// clang-format off
#define ROW(options, fields, member)                                                               \
    {TFLITE_OPTIONS_##options, offsetof(tflite_##fields##_options, member)}
// Options of IF and WHILE name two subgraphs; an operator has at most two rows of one kind.
static const call_row calls[] = {
    ROW(Call, call, subgraph),
    ROW(CallOnce, call_once, init_subgraph_index),
    ROW(If, if, then_subgraph_index),
    ROW(If, if, else_subgraph_index),
    ROW(While, while, cond_subgraph_index),
    ROW(While, while, body_subgraph_index),
};
#undef ROW
// clang-format on

size_t tflite_callees(const tflite_operator *op, int64_t out_callees[2])
{
    size_t count = 0;
    // NULL: no options, or of a kind without rows.
    const uint8_t *const value = op->builtin_options.value;
    for (size_t i = 0; value && i < HOIST_COUNT_OF(calls); i++) {
        if (calls[i].kind == op->builtin_options.type) {
            int32_t index = 0;
            memcpy(&index, value + calls[i].at, sizeof(index));
            out_callees[count++] = index;
        }
    }
    return count;
}

// Colours of the search, per subgraph: not seen, on the stack, finished. A call of an open one
// closes a cycle.
typedef enum call_state { CALL_NEW = 0, CALL_OPEN, CALL_DONE } call_state;

// A subgraph whose calls are being followed.
typedef struct call_frame {
    uint32_t graph;
    uint32_t op;     // the next operator to look at
    uint32_t callee; // the next of its callees
} call_frame;

typedef struct call_walk {
    tflite_checker *c;
    uint8_t *states;    // of each subgraph; owned
    call_frame *frames; // open ones, each called by the one below; owned
    size_t depth;
} call_walk;

static void open_graph(call_walk *w, uint32_t graph)
{
    w->states[graph] = CALL_OPEN;
    w->frames[w->depth++] = (call_frame){.graph = graph};
}

// The next subgraph that the innermost one calls; false: there is none. Indices beyond the model
// are passed over: TFL-032 reports them.
static bool next_callee(call_walk *w, uint32_t *callee)
{
    call_frame *const frame = &w->frames[w->depth - 1];
    const tflite_subgraph *const graph = &w->c->model->subgraphs.items[frame->graph];
    for (; frame->op < graph->operators.count; frame->op++, frame->callee = 0) {
        int64_t callees[2];
        const size_t count = tflite_callees(&graph->operators.items[frame->op], callees);
        while (frame->callee < count) {
            const int64_t index = callees[frame->callee++];
            if (index >= 0 && index < w->c->model->subgraphs.count) {
                *callee = (uint32_t)index;
                return true;
            }
        }
    }
    return false;
}

// At the operator that closes the cycle; each such call is reported once.
static void report_cycle(call_walk *w, uint32_t callee)
{
    const call_frame *const frame = &w->frames[w->depth - 1];
    const tflite_operator *const op =
        &w->c->model->subgraphs.items[frame->graph].operators.items[frame->op];
    hoist_frame frames[2];
    hoist_diag_push_item(w->c->diag, &frames[0], "subgraphs", frame->graph);
    hoist_diag_push_item(w->c->diag, &frames[1], "operators", frame->op);
    tflite_report(w->c->diag, TFL_033, TFLITE_PLACE(w->c, operator, op, builtin_options),
                  "the operator calls subgraph %" PRIu32 ", which it is itself called from",
                  callee);
    hoist_diag_pop(w->c->diag, &frames[1]);
    hoist_diag_pop(w->c->diag, &frames[0]);
}

// Each subgraph is opened once, so the stack never holds more than all of them.
static void follow(call_walk *w, uint32_t graph)
{
    open_graph(w, graph);
    while (w->depth > 0) {
        uint32_t callee = 0;
        if (!next_callee(w, &callee)) {
            w->states[w->frames[--w->depth].graph] = CALL_DONE;
        } else if (w->states[callee] == CALL_OPEN) {
            report_cycle(w, callee);
        } else if (w->states[callee] == CALL_NEW) {
            open_graph(w, callee);
        }
    }
}

// Every subgraph is a root: cycles that the main one does not reach are errors, too.
hoist_status tflite_check_calls(tflite_checker *c)
{
    const hoist_allocator alloc = c->module->base.alloc;
    const size_t count = c->model->subgraphs.count;
    call_walk w = {.c = c,
                   .states = hoist_alloc_zero(alloc, count, sizeof(uint8_t)),
                   .frames = hoist_alloc_zero(alloc, count, sizeof(call_frame))};
    const bool ready = count == 0 || (w.states && w.frames);
    for (uint32_t i = 0; ready && i < count; i++) {
        if (w.states[i] == CALL_NEW) {
            follow(&w, i);
        }
    }
    hoist_free(alloc, w.states, count * sizeof(uint8_t));
    hoist_free(alloc, w.frames, count * sizeof(call_frame));
    return ready ? HOIST_OK : HOIST_NO_MEMORY;
}
