// formats/buda/program_code.c - turns the instructions of a program into steps with resolved names
// and operands (buda-netlist reference sections 1.9, 2.1 to 2.6).
// Out: buda_code (program.h), on which check_program.c, simulate.c and lower/buda/code.c stand.
#include <inttypes.h>

#include "base/buffer.h"
#include "base/span.h"
#include "formats/buda/program.h"

// Lists of devices multiply settings by copies: a hundred lines may stand for a million.
const buda_limit buda_code_limit = {
    "the executes, settings and queue names that lists of devices add to a program", 1000000};

// Filled per program; the maps are freed when it is ready, steps stay in the arena.
typedef struct coder {
    const buda_index *index;
    hoist_arena *arena;
    hoist_map names; // variable name -> index
    hoist_str *variables;
    size_t variable_count;
    hoist_buffer full_name; // scratch: a name with its suffix
    size_t copies;          // that lists of devices have added so far
    size_t bound_count;     // settings bound so far
    buda_step *steps;
    size_t count;
} coder;

// A token is a variable when it has a `$` anywhere; its name is the text without them. So "a$b" is
// the variable "ab", as in the vendor's parser.
static bool is_variable(const buda_token *token)
{
    return hoist_str_contains(token->text, "$");
}

// In the arena: the table of variables keeps it. `data` is NULL when out of memory.
static hoist_str variable_name(coder *c, hoist_str text)
{
    char *name = hoist_arena_alloc(c->arena, text.size + 1);
    size_t size = 0;
    for (size_t i = 0; name && i < text.size; i++) {
        if (text.data[i] != '$') {
            name[size++] = text.data[i];
        }
    }
    return (hoist_str){name, size};
}

// Index of the variable that `text` names, added when new: declarations and uses count alike, rule
// 31b reports what is undeclared.
static hoist_status find_variable(coder *c, hoist_str text, size_t *out_variable)
{
    // Nearly all names have one `$`, in front: those need no copy to be looked up.
    const bool simple = text.size && text.data[0] == '$' &&
                        !hoist_str_contains(hoist_str_slice(text, 1, text.size - 1), "$");
    const hoist_str name =
        simple ? hoist_str_slice(text, 1, text.size - 1) : variable_name(c, text);
    if (!simple && !name.data) {
        return HOIST_NO_MEMORY;
    }
    const hoist_status status = hoist_map_add(&c->names, name, c->variable_count, out_variable);
    if (status == HOIST_OK) {
        *out_variable = c->variable_count;
        c->variables[c->variable_count++] = name;
    }
    return status == HOIST_BUSY ? HOIST_OK : status;
}

// Absent, refused, variable or number. Bad immediates are reported by check_program.c.
static hoist_status read_operand(coder *c, const buda_token *token, buda_operand *out)
{
    *out = (buda_operand){0};
    if (!buda_has(token->pos)) {
        return HOIST_OK;
    }
    if (token->refused) {
        out->kind = BUDA_OPERAND_BAD;
        return HOIST_OK;
    }
    if (is_variable(token)) {
        out->kind = BUDA_OPERAND_VARIABLE;
        return find_variable(c, token->text, &out->variable);
    }
    const bool bad = buda_immediate_read(token->text, &out->value) == BUDA_IMMEDIATE_BAD;
    out->kind = bad ? BUDA_OPERAND_BAD : BUDA_OPERAND_NUMBER;
    return HOIST_OK;
}

// List forms have no values: operands are then absent, which the simulation takes as 0.
static hoist_status code_declarations(coder *c, const buda_instr *instr, buda_step *step)
{
    size_t *variables = hoist_arena_array(c->arena, instr->decl_count, sizeof(*variables));
    buda_operand *values = hoist_arena_array(c->arena, instr->decl_count, sizeof(*values));
    HOIST_TRY_MEMORY(variables && values);
    for (size_t i = 0; i < instr->decl_count; i++) {
        HOIST_TRY(find_variable(c, instr->decls[i].name.text, &variables[i]));
        HOIST_TRY(read_operand(c, &instr->decls[i].value, &values[i]));
    }
    step->variables = variables;
    step->operands = values;
    return HOIST_OK;
}

// The count of operands may be wrong (rule 23); users look at `var_op` and its row first.
static hoist_status code_varinst(coder *c, const buda_instr *instr, buda_step *step)
{
    size_t *destination = hoist_arena_array(c->arena, 1, sizeof(*destination));
    buda_operand *operands = hoist_arena_array(c->arena, instr->operand_count, sizeof(*operands));
    HOIST_TRY_MEMORY(destination && operands);
    HOIST_TRY(find_variable(c, instr->destination.text, destination));
    for (size_t i = 0; i < instr->operand_count; i++) {
        HOIST_TRY(read_operand(c, &instr->operands[i], &operands[i]));
    }
    step->variables = destination;
    step->operands = operands;
    return HOIST_OK;
}

// One operand: the count.
static hoist_status code_loop(coder *c, const buda_instr *instr, buda_step *step)
{
    buda_operand *count = hoist_arena_array(c->arena, 1, sizeof(*count));
    step->operands = count;
    return count ? read_operand(c, &instr->count, count) : HOIST_NO_MEMORY;
}

// Two passes: the copies are counted against the limit before memory is taken.
static hoist_status code_queues(coder *c, const buda_instr *instr, buda_step *step)
{
    size_t total = 0;
    for (size_t i = 0; i < instr->queues.count; i++) {
        size_t copies = 0;
        (void)buda_index_queue(c->index, instr->queues.items[i].text, &copies);
        total += copies;
        c->copies += copies > 1 ? copies : 0; // single queues are bounded by the file
    }
    if (c->copies > buda_code_limit.most) {
        return HOIST_LIMIT;
    }
    buda_queue_ref *refs = hoist_arena_array(c->arena, total, sizeof(*refs));
    HOIST_TRY_MEMORY(refs);
    for (size_t i = 0; i < instr->queues.count; i++) {
        size_t copies = 0;
        const size_t first = buda_index_queue(c->index, instr->queues.items[i].text, &copies);
        for (size_t k = 0; k < copies; k++) {
            // {queue, name}: several copies share the name's location.
            refs[step->queue_count++] = (buda_queue_ref){first + k, i};
        }
    }
    step->queues = refs;
    return HOIST_OK;
}

// Index of the copy of list-form queue `name` for `device`; BUDA_NO_INDEX when there is none.
static hoist_status find_copy(coder *c, hoist_str name, int64_t device, size_t *out_queue)
{
    // The scratch buffer grows to the longest name and stays.
    c->full_name.size = 0;
    hoist_buffer_str(&c->full_name, name);
    hoist_buffer_format(&c->full_name, ".%" PRId64, device);
    HOIST_TRY_MEMORY(!c->full_name.failed);
    if (!hoist_map_find(&c->index->net->queue_names, hoist_buffer_text(&c->full_name), out_queue)) {
        *out_queue = BUDA_NO_INDEX;
    }
    return HOIST_OK;
}

// The queues that setting `name` reaches in the graph of `launch` (section 1.9): the one of that
// name; or of a list-form queue, when the execute names a list-form graph, the copy on this
// device, and when the graph's inputs are on several devices, all copies.
static hoist_status find_setting_queues(coder *c, const buda_instr *instr, size_t graph,
                                        hoist_str name, size_t *out_first, size_t *out_count)
{
    const buda_net *net = c->index->net;
    const buda_net_graph *copy = &net->graphs[graph];
    *out_count = 1;
    // Also a copy that is named with its suffix.
    if (hoist_map_find(&net->queue_names, name, out_first)) {
        return HOIST_OK;
    }
    if (copy->graph->target_device.count > 0 && !copy->graph->target_device.scalar &&
        hoist_str_equal(instr->graph.text, copy->graph->name.text)) {
        HOIST_TRY(find_copy(c, name, copy->device, out_first));
        *out_count = *out_first == BUDA_NO_INDEX ? 0 : 1;
        return HOIST_OK;
    }
    *out_first = buda_index_queue(c->index, name, out_count);
    // Else it names a list form by its bare name: rule 24.
    *out_count = c->index->spans[graph] ? *out_count : 0;
    return HOIST_OK;
}

// Counts the queues of `graph` that setting `i` reaches, and fills in `launch->bound` when it is
// there. Called twice: counting, then filling.
static hoist_status bind_setting(coder *c, const buda_instr *instr, size_t i,
                                 const buda_operand *fields, buda_launch *launch)
{
    const buda_setting *setting = &instr->settings[i];
    size_t first = 0;
    size_t count = 0;
    HOIST_TRY(find_setting_queues(c, instr, launch->graph, setting->queue.text, &first, &count));
    c->copies += count > 1 ? count : 0;
    if (c->copies > buda_code_limit.most) {
        return HOIST_LIMIT;
    }
    for (size_t k = 0; k < count; k++) {
        // A queue that the graph does not use gets no setting; check_setting.c reports it (rule
        // 24).
        const buda_use *use = buda_index_use(c->index, launch->graph, first + k);
        if (use && launch->bound) {
            launch->bound[launch->bound_count] = (buda_bound){.setting = setting,
                                                              .fields = fields + i * BUDA_S_COUNT,
                                                              .queue = first + k,
                                                              .use = use->flags,
                                                              .graph = launch->graph,
                                                              // From 1 on, over the whole program.
                                                              .number = ++c->bound_count};
        }
        launch->bound_count += use != NULL;
    }
    return HOIST_OK;
}

// Exact arrays: counts first, then binds for good. `copies` counts both passes, which halves the
// limit at most.
static hoist_status bind_settings(coder *c, const buda_instr *instr, const buda_operand *fields,
                                  buda_launch *launch)
{
    for (size_t i = 0; i < instr->setting_count; i++) {
        HOIST_TRY(bind_setting(c, instr, i, fields, launch));
    }
    launch->bound = hoist_arena_array(c->arena, launch->bound_count, sizeof(*launch->bound));
    HOIST_TRY_MEMORY(launch->bound);
    launch->bound_count = 0;
    for (size_t i = 0; i < instr->setting_count; i++) {
        HOIST_TRY(bind_setting(c, instr, i, fields, launch));
    }
    return HOIST_OK;
}

// The graphs that `name` names: one, or all copies of a list-form graph. 0 for an unknown name,
// which check_program.c reports.
static size_t find_graphs(const buda_index *index, hoist_str name, size_t *out_first)
{
    const buda_net *net = index->net;
    if (hoist_map_find(&net->graph_names, name, out_first)) {
        return 1;
    }
    if (!hoist_map_find(&index->graphs, name, out_first)) {
        return 0;
    }
    const buda_graph *graph = net->graphs[*out_first].graph;
    size_t count = 0;
    while (*out_first + count < net->graph_count &&
           net->graphs[*out_first + count].graph == graph) { // copies follow each other
        count++;
    }
    return count;
}

// Fields are read once and shared by all copies: only queues differ.
static hoist_status code_execute(coder *c, const buda_instr *instr, buda_step *step)
{
    buda_operand *fields =
        hoist_arena_array(c->arena, instr->setting_count * BUDA_S_COUNT, sizeof(*fields));
    size_t first = 0;
    step->launch_count = find_graphs(c->index, instr->graph.text, &first);
    // The copies after the first; of the settings every copy gets its own.
    // The product of two file sizes, each far below 2^32.
    c->copies += step->launch_count > 1 ? (step->launch_count - 1) * (1 + instr->setting_count) : 0;
    if (c->copies > buda_code_limit.most) {
        return HOIST_LIMIT;
    }
    buda_launch *launches = hoist_arena_array(c->arena, step->launch_count, sizeof(*launches));
    HOIST_TRY_MEMORY(fields && launches);
    for (size_t i = 0; i < instr->setting_count; i++) {
        for (size_t k = 0; k < BUDA_S_COUNT; k++) {
            HOIST_TRY(
                read_operand(c, &instr->settings[i].fields[k], &fields[i * BUDA_S_COUNT + k]));
        }
    }
    for (size_t i = 0; i < step->launch_count; i++) {
        launches[i].graph = first + i;
        HOIST_TRY(bind_settings(c, instr, fields, &launches[i]));
    }
    step->launches = launches;
    return HOIST_OK;
}

// Each instruction has one step, so that program counters index both.
static hoist_status code_step(coder *c, const buda_instr *instr, buda_step *step)
{
    *step = (buda_step){.instr = instr, .match = BUDA_NO_INDEX};
    switch (instr->kind) {
    case BUDA_I_VAR:
    case BUDA_I_STATICVAR:
    case BUDA_I_PARAM:
        return code_declarations(c, instr, step);
    case BUDA_I_LOOP:
        return code_loop(c, instr, step);
    case BUDA_I_VARINST:
        return code_varinst(c, instr, step);
    case BUDA_I_EXECUTE:
        return code_execute(c, instr, step);
    case BUDA_I_ALLOCATE:
    case BUDA_I_DEALLOCATE:
        return code_queues(c, instr, step);
    case BUDA_I_ENDLOOP:
    case BUDA_I_ENDPROGRAM:
    case BUDA_I_UNKNOWN:
        break;
    }
    return HOIST_OK;
}

// Joins loops and endloops. An open loop is linked to the loop around it through `match` until its
// end is found; those never closed end as BUDA_NO_INDEX.
// No stack: only the file limits how deep loops are nested.
static void match_loops(coder *c)
{
    size_t open = BUDA_NO_INDEX;
    for (size_t i = 0; i < c->count; i++) {
        if (c->steps[i].instr->kind == BUDA_I_LOOP) {
            c->steps[i].match = open;
            open = i;
        } else if (c->steps[i].instr->kind == BUDA_I_ENDLOOP && open != BUDA_NO_INDEX) {
            const size_t around = c->steps[open].match;
            c->steps[open].match = i;
            c->steps[i].match = open;
            open = around;
        }
    }
    // What is left open is unlinked again, outermost last.
    while (open != BUDA_NO_INDEX) {
        const size_t around = c->steps[open].match;
        c->steps[open].match = BUDA_NO_INDEX;
        open = around;
    }
}

// An upper bound of variables: every token may name another one.
static size_t count_tokens(const buda_program *program)
{
    size_t count = 0;
    for (size_t i = 0; i < program->count; i++) {
        const buda_instr *instr = &program->instrs[i];
        // Names and values of declarations, destination and count.
        count += 2 * instr->decl_count + instr->operand_count + 2;
        count += instr->setting_count * BUDA_S_COUNT;
    }
    return count;
}

// Called for every field of every bound setting that names a variable.
typedef void visit_binding(void *self, const buda_bound *bound, buda_setting_key key,
                           size_t variable);

// Counting and placing walk in the same order, so that both see the same fields.
static void visit_bindings(const coder *c, visit_binding *visit, void *self)
{
    for (size_t i = 0; i < c->count; i++) {
        const buda_step *step = &c->steps[i];
        for (size_t k = 0; k < step->launch_count; k++) {
            for (size_t b = 0; b < step->launches[k].bound_count; b++) {
                const buda_bound *bound = &step->launches[k].bound[b];
                for (int key = 0; key < BUDA_S_COUNT; key++) {
                    if (bound->fields[key].kind == BUDA_OPERAND_VARIABLE) {
                        visit(self, bound, (buda_setting_key)key, bound->fields[key].variable);
                    }
                }
            }
        }
    }
}

static void count_binding(void *self, const buda_bound *bound, buda_setting_key key,
                          size_t variable)
{
    (void)bound;
    (void)key;
    ((size_t *)self)[variable + 1]++; // shifted by one for the sum
}

typedef struct binding_table {
    buda_binding *items;
    size_t *next; // per variable
} binding_table;

static void place_binding(void *self, const buda_bound *bound, buda_setting_key key,
                          size_t variable)
{
    binding_table *table = self;
    table->items[table->next[variable]++] = (buda_binding){bound, key};
}

// Lists per variable the fields it is bound to: counted, then placed. A counting sort. Within a
// variable they stay in the order of the program.
static hoist_status collect_bindings(const coder *c, buda_code *code)
{
    const size_t slots = c->variable_count + 1;
    size_t *first = hoist_arena_array(c->arena, slots, sizeof(*first));
    size_t *next = hoist_arena_array(c->arena, slots, sizeof(*next));
    HOIST_TRY_MEMORY(first && next);
    visit_bindings(c, count_binding, first);
    for (size_t i = 1; i < slots; i++) {
        first[i] += first[i - 1];
        next[i] = first[i]; // fill position
    }
    binding_table table = {hoist_arena_array(c->arena, first[slots - 1], sizeof(buda_binding)),
                           next};
    HOIST_TRY_MEMORY(table.items);
    visit_bindings(c, place_binding, &table);
    code->bindings = table.items;
    code->first_binding = first;
    return HOIST_OK;
}

// Bindings last: they need the number of variables.
static hoist_status build(coder *c, const buda_program *program, buda_code *code)
{
    c->count = program->count;
    c->steps = hoist_arena_array(c->arena, program->count, sizeof(*c->steps));
    c->variables = hoist_arena_array(c->arena, count_tokens(program), sizeof(*c->variables));
    HOIST_TRY_MEMORY(c->steps && c->variables);
    for (size_t i = 0; i < program->count; i++) {
        HOIST_TRY(code_step(c, &program->instrs[i], &c->steps[i]));
    }
    match_loops(c);
    *code = (buda_code){.program = program,
                        .steps = c->steps,
                        .count = c->count,
                        .variables = c->variables,
                        .variable_count = c->variable_count};
    return collect_bindings(c, code);
}

// `out_code` points into the index's arena; on failure it is partly filled and not to be used.
hoist_status buda_code_build(const buda_index *index, const buda_program *program,
                             buda_code *out_code)
{
    *out_code = (buda_code){0};
    coder c = {.index = index, .arena = index->arena};
    hoist_map_init(&c.names, index->arena->alloc);
    hoist_buffer_init(&c.full_name, index->arena->alloc);
    const hoist_status status = build(&c, program, out_code);
    hoist_buffer_deinit(&c.full_name);
    hoist_map_deinit(&c.names);
    return status;
}
