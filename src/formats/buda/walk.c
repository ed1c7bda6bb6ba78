// Queues, ops and programs as tree events. walk_value.c has the values of fields.
#include "formats/buda/walk.h"

#include "base/span.h"
#include "formats/buda/walk_value.h"

static void send_extra(const buda_walk *walk, const buda_extra *extra)
{
    if (!extra) {
        return;
    }
    if (walk->extra_apart) {
        hoist_tree_map(walk->sink, "extra");
    }
    for (; extra; extra = extra->next) {
        walk->tree(walk, extra->node);
    }
    if (walk->extra_apart) {
        hoist_tree_end(walk->sink);
    }
}

// The present fields of `object`.
static void send_fields(const buda_walk *walk, const buda_table *table, const void *object)
{
    for (size_t i = 0; i < table->count; i++) {
        buda_walk_field(walk, &table->fields[i], HOIST_STR(""), object);
    }
}

static void send_input_keys(const buda_walk *walk, const buda_input_keys *keys)
{
    for (; keys; keys = keys->next) {
        for (size_t i = 0; i < buda_input_keys_table.count; i++) {
            char prefix[32];
            buda_walk_field(walk, &buda_input_keys_table.fields[i],
                            buda_input_prefix(keys->input, prefix), keys);
        }
    }
}

static void send_queue(const buda_walk *walk, const buda_queue *queue)
{
    buda_walk_open(walk, HOIST_TREE_MAP, queue->name.text, queue->name.pos, walk->object_line);
    send_fields(walk, &buda_queue_table, queue);
    send_extra(walk, queue->extra);
    hoist_tree_end(walk->sink);
}

static void send_op(const buda_walk *walk, const buda_op *op)
{
    buda_walk_open(walk, HOIST_TREE_MAP, op->name.text, op->name.pos, walk->object_line);
    send_fields(walk, &buda_op_table, op);
    send_input_keys(walk, op->input_keys);
    send_extra(walk, op->extra);
    hoist_tree_end(walk->sink);
}

static void send_graph(const buda_walk *walk, const buda_graph *graph)
{
    buda_walk_open(walk, HOIST_TREE_MAP, graph->name.text, graph->name.pos, false);
    send_fields(walk, &buda_graph_table, graph);
    for (size_t i = 0; i < graph->op_count; i++) {
        send_op(walk, &graph->ops[i]);
    }
    hoist_tree_end(walk->sink);
}

static void send_sub_op(const buda_walk *walk, const buda_sub_op *op)
{
    buda_walk_open(walk, HOIST_TREE_MAP, HOIST_STR(""), (hoist_pos){0, 0}, false);
    buda_walk_open(walk, HOIST_TREE_MAP, op->name.text, op->name.pos, walk->object_line);
    send_fields(walk, &buda_sub_op_table, op);
    send_input_keys(walk, op->input_keys);
    send_extra(walk, op->extra);
    hoist_tree_end(walk->sink);
    hoist_tree_end(walk->sink);
}

static void send_fused(const buda_walk *walk, const buda_fused *fused)
{
    buda_walk_open(walk, HOIST_TREE_MAP, fused->name.text, fused->name.pos, false);
    send_fields(walk, &buda_fused_table, fused);
    hoist_tree_list(walk->sink, "schedules");
    for (size_t i = 0; i < fused->schedule_count; i++) {
        const buda_schedule *const schedule = &fused->schedules[i];
        buda_walk_open(walk, HOIST_TREE_LIST, HOIST_STR(""), schedule->pos, false);
        for (size_t j = 0; j < schedule->count; j++) {
            send_sub_op(walk, &schedule->ops[j]);
        }
        hoist_tree_end(walk->sink);
    }
    hoist_tree_end(walk->sink);
    send_extra(walk, fused->extra);
    hoist_tree_end(walk->sink);
}

static void send_decls(const buda_walk *walk, const buda_instr *instr)
{
    const hoist_tree_kind kind = instr->decls_as_map ? HOIST_TREE_MAP : HOIST_TREE_LIST;
    buda_walk_open(walk, kind, instr->word, instr->pos, true);
    for (size_t i = 0; i < instr->decl_count; i++) {
        const buda_decl *const decl = &instr->decls[i];
        if (instr->decls_as_map) {
            buda_walk_text(walk, decl->name.text, decl->value.text, decl->value.pos);
        } else {
            buda_walk_text(walk, HOIST_STR(""), decl->name.text, decl->name.pos);
        }
    }
    hoist_tree_end(walk->sink);
}

static void send_varinst(const buda_walk *walk, const buda_instr *instr)
{
    buda_walk_open(walk, HOIST_TREE_LIST, instr->word, instr->pos, true);
    if (buda_has(instr->destination.pos)) {
        buda_walk_text(walk, HOIST_STR(""), instr->destination.text, instr->destination.pos);
        buda_walk_text(walk, HOIST_STR(""), instr->var_op_text.text, instr->var_op_text.pos);
    }
    for (size_t i = 0; i < instr->operand_count; i++) {
        buda_walk_text(walk, HOIST_STR(""), instr->operands[i].text, instr->operands[i].pos);
    }
    hoist_tree_end(walk->sink);
}

static void send_execute(const buda_walk *walk, const buda_instr *instr)
{
    buda_walk_open(walk, HOIST_TREE_MAP, instr->word, instr->pos, walk->object_line);
    send_fields(walk, &buda_execute_table, instr);
    if (buda_has(instr->settings_pos)) {
        buda_walk_open(walk, HOIST_TREE_MAP, HOIST_STR("queue_settings"), instr->settings_pos,
                       false);
        for (size_t i = 0; i < instr->setting_count; i++) {
            const buda_setting *const setting = &instr->settings[i];
            buda_walk_open(walk, HOIST_TREE_MAP, setting->queue.text, setting->queue.pos, true);
            send_fields(walk, &buda_setting_table, setting);
            send_extra(walk, setting->extra);
            hoist_tree_end(walk->sink);
        }
        hoist_tree_end(walk->sink);
    }
    send_extra(walk, instr->extra);
    hoist_tree_end(walk->sink);
}

static void send_names(const buda_walk *walk, const buda_instr *instr)
{
    buda_walk_names(walk, instr->word, &instr->queues);
}

static void send_loop(const buda_walk *walk, const buda_instr *instr)
{
    buda_walk_text(walk, instr->word, instr->count.text, instr->count.pos);
}

// Instructions that stand in a map; the others are bare words.
static void (*const instr_senders[])(const buda_walk *walk, const buda_instr *instr) = {
    [BUDA_I_VAR] = send_decls,       [BUDA_I_STATICVAR] = send_decls,
    [BUDA_I_PARAM] = send_decls,     [BUDA_I_LOOP] = send_loop,
    [BUDA_I_VARINST] = send_varinst, [BUDA_I_EXECUTE] = send_execute,
    [BUDA_I_ALLOCATE] = send_names,  [BUDA_I_DEALLOCATE] = send_names,
    [BUDA_I_ENDLOOP] = NULL,         [BUDA_I_ENDPROGRAM] = NULL,
};

static void send_instr(const buda_walk *walk, const buda_instr *instr)
{
    if (instr->kind == BUDA_I_UNKNOWN) {
        walk->tree(walk, instr->node);
    } else if (!instr_senders[instr->kind]) {
        buda_walk_text(walk, HOIST_STR(""), instr->word, instr->pos);
    } else {
        buda_walk_open(walk, HOIST_TREE_MAP, HOIST_STR(""), (hoist_pos){0, 0}, false);
        instr_senders[instr->kind](walk, instr);
        hoist_tree_end(walk->sink);
    }
}

static void send_program(const buda_walk *walk, const buda_program *program)
{
    buda_walk_open(walk, HOIST_TREE_MAP, HOIST_STR(""), (hoist_pos){0, 0}, false);
    buda_walk_open(walk, HOIST_TREE_LIST, program->name.text, program->name.pos, false);
    for (size_t i = 0; i < program->count; i++) {
        send_instr(walk, &program->instrs[i]);
    }
    hoist_tree_end(walk->sink);
    hoist_tree_end(walk->sink);
}

static void send_devices(const buda_walk *walk, const hoist_buda_module *m)
{
    static const buda_field arch = {
        .key = "arch", .kind = BUDA_KIND_WORDS, .words = &buda_arch_words};
    buda_walk_open(walk, HOIST_TREE_MAP, HOIST_STR("devices"), m->devices_pos, false);
    buda_walk_words(walk, &arch, &m->arch);
    hoist_tree_end(walk->sink);
}

static void send_queues(const buda_walk *walk, const hoist_buda_module *m)
{
    buda_walk_open(walk, HOIST_TREE_MAP, HOIST_STR("queues"), m->queues_pos, false);
    for (size_t i = 0; i < m->queue_count; i++) {
        send_queue(walk, &m->queues[i]);
    }
    hoist_tree_end(walk->sink);
}

static void send_graphs(const buda_walk *walk, const hoist_buda_module *m)
{
    buda_walk_open(walk, HOIST_TREE_MAP, HOIST_STR("graphs"), m->graphs_pos, false);
    for (size_t i = 0; i < m->graph_count; i++) {
        send_graph(walk, &m->graphs[i]);
    }
    hoist_tree_end(walk->sink);
}

static void send_fused_ops(const buda_walk *walk, const hoist_buda_module *m)
{
    buda_walk_open(walk, HOIST_TREE_MAP, HOIST_STR("fused_ops"), m->fused_pos, false);
    for (size_t i = 0; i < m->fused_count; i++) {
        send_fused(walk, &m->fused[i]);
    }
    hoist_tree_end(walk->sink);
}

static void send_programs(const buda_walk *walk, const hoist_buda_module *m)
{
    buda_walk_open(walk, HOIST_TREE_LIST, HOIST_STR("programs"), m->programs_pos, false);
    for (size_t i = 0; i < m->program_count; i++) {
        send_program(walk, &m->programs[i]);
    }
    hoist_tree_end(walk->sink);
}

void buda_walk_module(const buda_walk *walk, const hoist_buda_module *m)
{
    hoist_tree_map(walk->sink, walk->key);
    if (buda_has(m->devices_pos)) {
        send_devices(walk, m);
    }
    if (buda_has(m->queues_pos)) {
        send_queues(walk, m);
    }
    if (buda_has(m->graphs_pos)) {
        send_graphs(walk, m);
    }
    if (buda_has(m->fused_pos)) {
        send_fused_ops(walk, m);
    }
    if (buda_has(m->programs_pos)) {
        send_programs(walk, m);
    }
    if (m->test_config) {
        walk->tree(walk, m->test_config);
    }
    if (m->performance_check) {
        walk->tree(walk, m->performance_check);
    }
    send_extra(walk, m->extra);
    hoist_tree_end(walk->sink);
}
