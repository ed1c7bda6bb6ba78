// Rule P15: a plan has the operators of the model of its rank, in the same order. In: the graphs of
// both files; operators are the same by type and tensors. Names and Configs do not count.
#include <inttypes.h>
#include <stdlib.h>

#include "base/buffer.h"
#include "base/order.h"
#include "base/span.h"
#include "formats/ark/check_job.h"
#include "formats/ark/rules.h"

// An operator that is executed, of the model or of the plan. Its key is "Add:3,4,:5,".
typedef struct operation {
    hoist_str key; // type and tensors
    bool of_plan;
    uint32_t step;
} operation;

typedef struct comparison {
    const ark_job_check *c;
    uint32_t model, plan; // files
    operation *items;
    size_t count;
    uint32_t *step_of; // of the plan, by step of the model; ARK_NONE
} comparison;

// Equal operators next to each other, those of the model first, each in the order of execution.
static int by_key(const void *a, const void *b)
{
    const operation *const x = a;
    const operation *const y = b;
    int order = hoist_str_compare(x->key, y->key);
    order = order ? order : (int)x->of_plan - (int)y->of_plan;
    return order ? order : hoist_order_u64(x->step, y->step);
}

// Virtual operators and Noop compute nothing, and plans are without them.
static bool is_executed(const ark_step *step)
{
    return !step->op->is_virtual.value && step->type != ARK_NOOP;
}

// Ids are the file's own, which a plan takes over from its model.
static void add_ids(hoist_buffer *text, const ark_graph *graph, const ark_operands *operands)
{
    hoist_buffer_char(text, ':');
    for (uint32_t i = 0; i < operands->count; i++) {
        hoist_buffer_format(text, "%" PRId64 ",", graph->values[operands->items[i]].id);
    }
}

// Appends the operators of a file to the list, whose capacity is the steps of both files.
static hoist_status add_file(comparison *m, uint32_t file, bool of_plan)
{
    const ark_graph *const graph = &m->c->job->files[file].graph;
    hoist_buffer text;
    hoist_buffer_init(&text, m->c->arena->alloc);
    hoist_status status = HOIST_OK;
    for (uint32_t i = 0; i < graph->step_count && status == HOIST_OK; i++) {
        const ark_step *const step = &graph->steps[i];
        if (is_executed(step)) {
            // One buffer for all texts.
            text.size = 0;
            hoist_buffer_str(&text, step->op->type.text);
            add_ids(&text, graph, &step->reads);
            add_ids(&text, graph, &step->writes);
            const hoist_str key = hoist_arena_str(m->c->arena, hoist_buffer_text(&text));
            m->items[m->count++] = (operation){key, of_plan, i};
            status = key.data && !text.failed ? hoist_deadline_look(graph->module->base.deadline)
                                              : HOIST_NO_MEMORY;
        }
    }
    hoist_buffer_deinit(&text);
    return status;
}

// In the file that has the operator, after its title.
HOIST_PRINTF(4, 5)
static void report(const comparison *m, uint32_t file, uint32_t index, const char *format, ...)
{
    const ark_graph *const graph = &m->c->job->files[file].graph;
    const ark_step *const step = &graph->steps[index];
    va_list args;
    va_start(args, format);
    const hoist_str text = hoist_arena_vformat(m->c->arena, format, args);
    va_end(args);
    const hoist_source before = hoist_diag_enter(m->c->diag, m->c->files[file].name);
    ark_place place;
    ark_enter_step(m->c->diag, graph, step, &place);
    ark_report(m->c->diag, ARK_P15, step->op->pos, "%.*s %.*s",
               HOIST_STR_ARGS(ark_step_title(step, m->c->arena)), HOIST_STR_ARGS(text));
    ark_leave(m->c->diag, &place);
    hoist_diag_leave(m->c->diag, before);
}

// Joins the operators of one key, of which those of the model are first. The k-th of the model is
// the k-th of the plan: an operator may occur several times. Those that are left over on one side
// are reported.
static void join_key(comparison *m, const operation *items, size_t count)
{
    size_t models = 0;
    while (models < count && !items[models].of_plan) {
        models++;
    }
    for (size_t k = 0; k < count; k++) {
        if (k < models && models + k < count) {
            m->step_of[items[k].step] = items[models + k].step;
        } else if (k < models) {
            report(m, m->model, items[k].step, "is not in the plan '%.*s'",
                   HOIST_STR_ARGS(m->c->files[m->plan].name));
        } else if (k >= 2 * models) {
            report(m, m->plan, items[k].step, "is not in the model '%.*s'",
                   HOIST_STR_ARGS(m->c->files[m->model].name));
        }
    }
}

// Reports the first operator that the plan executes before one that the model has before it. Only
// the first, since one that was moved is before or after many others.
static void check_order(const comparison *m)
{
    const ark_graph *const graph = &m->c->job->files[m->model].graph;
    uint32_t last = ARK_NONE;
    for (uint32_t i = 0; i < graph->step_count; i++) {
        // Not in the plan: join_key() has reported it.
        if (m->step_of[i] == ARK_NONE) {
            continue;
        }
        if (last != ARK_NONE && m->step_of[i] < m->step_of[last]) {
            report(m, m->plan, m->step_of[i], "comes before %.*s, which is before it in '%.*s'",
                   HOIST_STR_ARGS(ark_step_title(&graph->steps[last], m->c->arena)),
                   HOIST_STR_ARGS(m->c->files[m->model].name));
            return;
        }
        last = i;
    }
}

// By sorting both lists as one, so equal operators are found without comparing all pairs.
static hoist_status compare(const ark_job_check *c, uint32_t model, uint32_t plan)
{
    comparison m = {.c = c, .model = model, .plan = plan};
    const uint32_t steps = c->job->files[model].graph.step_count;
    const size_t most = (size_t)steps + c->job->files[plan].graph.step_count;
    m.items = hoist_arena_array(c->arena, most, sizeof *m.items);
    m.step_of = hoist_arena_array(c->arena, steps, sizeof *m.step_of);
    HOIST_TRY_MEMORY(m.items && m.step_of);
    for (uint32_t i = 0; i < steps; i++) {
        m.step_of[i] = ARK_NONE;
    }
    HOIST_TRY(add_file(&m, model, false));
    HOIST_TRY(add_file(&m, plan, true));
    if (m.count) {
        qsort(m.items, m.count, sizeof *m.items, by_key);
    }
    for (size_t i = 0; i < m.count;) {
        size_t end = i + 1;
        while (end < m.count && hoist_str_equal(m.items[i].key, m.items[end].key)) {
            end++;
        }
        join_key(&m, &m.items[i], end - i);
        i = end;
    }
    check_order(&m);
    return HOIST_OK;
}

// Each model whose rank has a plan, which is then the file that is executed.
hoist_status ark_check_models(ark_job_check *c)
{
    for (uint32_t i = 0; i < c->job->file_count; i++) {
        const ark_job_file *const file = &c->job->files[i];
        const uint32_t plan = file->rank == ARK_NONE ? ARK_NONE : c->job->ranks[file->rank].file;
        if (plan != ARK_NONE && plan != i && !file->module->is_plan && !file->is_repeated &&
            c->job->files[plan].module->is_plan) {
            HOIST_TRY(compare(c, i, plan));
        }
    }
    return HOIST_OK;
}
