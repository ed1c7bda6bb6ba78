// Queues, ops and programs as tree events, in the shape of the file: the walk that visit.c and
// write.c share. Fields are sent by their rows (fields.c), values of own kinds by walk_value.c.
// In: the module. Out: events that give the same module when they are read again.
#include "formats/buda/walk.h"

#include <stdio.h>

#include "base/span.h"

// Kept as read: test-config, performance-check and unknown instructions have no rows.
static void send_tree(const hoist_rec_walk *walk, const hoist_yaml_node *node)
{
    const hoist_rec_node tree = hoist_rec_yaml(node);
    walk->tree(walk, &tree);
}

static void send_fields(const hoist_rec_walk *walk, const hoist_rec_table *table,
                        const void *object)
{
    hoist_rec_send(walk, table, HOIST_STR(""), object);
}

// "input_3_" before the keys of the row: tms, pad, unpad. Lists ascend by input.
static void send_input_keys(const hoist_rec_walk *walk, const buda_input_keys *keys)
{
    for (; keys; keys = keys->next) {
        char text[32];
        // 32 bytes hold every int.
        const int size = snprintf(text, sizeof(text), "input_%d_", keys->input);
        hoist_rec_send(walk, &buda_input_keys_table, (hoist_str){text, (size_t)size}, keys);
    }
}

// A list item that is a map of one key, the sub-op's name, as the file has it.
static void send_sub_op(const hoist_rec_walk *walk, const buda_sub_op *op)
{
    hoist_rec_open(walk, HOIST_TREE_MAP, HOIST_STR(""), (hoist_pos){0, 0}, false);
    hoist_rec_open(walk, HOIST_TREE_MAP, op->name.text, op->name.pos, walk->object_line);
    send_fields(walk, &buda_sub_op_table, op);
    send_input_keys(walk, op->input_keys);
    hoist_rec_send_extra(walk, op->extra);
    hoist_tree_end(walk->sink);
    hoist_tree_end(walk->sink);
}

// Schedules are not rows of the table: they nest two lists deep.
static void send_fused(const hoist_rec_walk *walk, const buda_fused *fused)
{
    hoist_rec_open(walk, HOIST_TREE_MAP, fused->name.text, fused->name.pos, false);
    send_fields(walk, &buda_fused_table, fused);
    hoist_tree_list(walk->sink, "schedules");
    for (size_t i = 0; i < fused->schedule_count; i++) {
        const buda_schedule *const schedule = &fused->schedules[i];
        hoist_rec_open(walk, HOIST_TREE_LIST, HOIST_STR(""), schedule->pos, false);
        for (size_t j = 0; j < schedule->count; j++) {
            send_sub_op(walk, &schedule->ops[j]);
        }
        hoist_tree_end(walk->sink);
    }
    hoist_tree_end(walk->sink);
    hoist_rec_send_extra(walk, fused->extra);
    hoist_tree_end(walk->sink);
}

// `[$a, $b]` or `{$a: 1}`, whichever the file has: a list has no initial values.
static void send_decls(const hoist_rec_walk *walk, const buda_instr *instr)
{
    const hoist_tree_kind kind = instr->decls_as_map ? HOIST_TREE_MAP : HOIST_TREE_LIST;
    hoist_rec_open(walk, kind, instr->word, instr->pos, true);
    for (size_t i = 0; i < instr->decl_count; i++) {
        const buda_decl *const decl = &instr->decls[i];
        if (instr->decls_as_map) {
            hoist_rec_send_str(walk, decl->name.text, decl->value.text, decl->value.pos);
        } else {
            hoist_rec_send_str(walk, HOIST_STR(""), decl->name.text, decl->name.pos);
        }
    }
    hoist_tree_end(walk->sink);
}

// One list: destination, operation, operands. A varinst that was refused in reading may lack the
// first two.
static void send_varinst(const hoist_rec_walk *walk, const buda_instr *instr)
{
    hoist_rec_open(walk, HOIST_TREE_LIST, instr->word, instr->pos, true);
    if (buda_has(instr->destination.pos)) {
        hoist_rec_send_str(walk, HOIST_STR(""), instr->destination.text, instr->destination.pos);
        hoist_rec_send_str(walk, HOIST_STR(""), instr->var_op_text.text, instr->var_op_text.pos);
    }
    for (size_t i = 0; i < instr->operand_count; i++) {
        hoist_rec_send_str(walk, HOIST_STR(""), instr->operands[i].text, instr->operands[i].pos);
    }
    hoist_tree_end(walk->sink);
}

// queue_settings stands apart from the rows because its keys are the names of queues.
static void send_execute(const hoist_rec_walk *walk, const buda_instr *instr)
{
    hoist_rec_open(walk, HOIST_TREE_MAP, instr->word, instr->pos, walk->object_line);
    send_fields(walk, &buda_execute_table, instr);
    if (buda_has(instr->settings_pos)) {
        hoist_rec_open(walk, HOIST_TREE_MAP, HOIST_STR("queue_settings"), instr->settings_pos,
                       false);
        for (size_t i = 0; i < instr->setting_count; i++) {
            const buda_setting *const setting = &instr->settings[i];
            hoist_rec_open(walk, HOIST_TREE_MAP, setting->queue.text, setting->queue.pos, true);
            send_fields(walk, &buda_setting_table, setting);
            hoist_rec_send_extra(walk, setting->extra);
            hoist_tree_end(walk->sink);
        }
        hoist_tree_end(walk->sink);
    }
    hoist_rec_send_extra(walk, instr->extra);
    hoist_tree_end(walk->sink);
}

// allocate_queue and deallocate_queue: names without any other key.
static void send_names(const hoist_rec_walk *walk, const buda_instr *instr)
{
    // The fields of a row without a table.
    static const hoist_rec_field names = {.kind = HOIST_REC_STRS, .places = true};
    hoist_rec_send_value(walk, &names, instr->word, &instr->queues);
}

static void send_loop(const hoist_rec_walk *walk, const buda_instr *instr)
{
    hoist_rec_send_str(walk, instr->word, instr->count.text, instr->count.pos);
}

// Instructions that are maps of one key; NULL: a bare word, such as `endloop`.
static void (*const instr_senders[])(const hoist_rec_walk *walk, const buda_instr *instr) = {
    [BUDA_I_VAR] = send_decls,       [BUDA_I_STATICVAR] = send_decls,
    [BUDA_I_PARAM] = send_decls,     [BUDA_I_LOOP] = send_loop,
    [BUDA_I_VARINST] = send_varinst, [BUDA_I_EXECUTE] = send_execute,
    [BUDA_I_ALLOCATE] = send_names,  [BUDA_I_DEALLOCATE] = send_names,
    [BUDA_I_ENDLOOP] = NULL,         [BUDA_I_ENDPROGRAM] = NULL,
};

static void send_instr(const hoist_rec_walk *walk, const buda_instr *instr)
{
    if (instr->kind == BUDA_I_UNKNOWN) {
        send_tree(walk, instr->node);
    } else if (!instr_senders[instr->kind]) {
        hoist_rec_send_str(walk, HOIST_STR(""), instr->word, instr->pos);
    } else {
        hoist_rec_open(walk, HOIST_TREE_MAP, HOIST_STR(""), (hoist_pos){0, 0}, false);
        instr_senders[instr->kind](walk, instr);
        hoist_tree_end(walk->sink);
    }
}

// An absent section is not sent, an empty one is: buda_walk_sections() looks at the key's location.
static void send_devices(const hoist_rec_walk *walk, const hoist_buda_module *m)
{
    static const hoist_rec_field arch = {
        .kind = HOIST_REC_WORDS, .places = true, .words = &buda_arch_words};
    hoist_rec_open(walk, HOIST_TREE_MAP, HOIST_STR("devices"), m->devices_pos, false);
    if (buda_has(m->arch.pos)) {
        hoist_rec_send_value(walk, &arch, HOIST_STR("arch"), &m->arch);
    }
    hoist_tree_end(walk->sink);
}

// `object_line`: the writer puts each queue, op and sub-op on a line of its own, in flow style.
static void send_queues(const hoist_rec_walk *walk, const hoist_buda_module *m)
{
    hoist_rec_open(walk, HOIST_TREE_MAP, HOIST_STR("queues"), m->queues_pos, false);
    for (size_t i = 0; i < m->queue_count; i++) {
        const buda_queue *const queue = &m->queues[i];
        hoist_rec_open(walk, HOIST_TREE_MAP, queue->name.text, queue->name.pos, walk->object_line);
        send_fields(walk, &buda_queue_table, queue);
        hoist_rec_send_extra(walk, queue->extra);
        hoist_tree_end(walk->sink);
    }
    hoist_tree_end(walk->sink);
}

// Ops are entries of the graph's map next to target_device and input_count: the file has no level
// between.
static void send_graphs(const hoist_rec_walk *walk, const hoist_buda_module *m)
{
    hoist_rec_open(walk, HOIST_TREE_MAP, HOIST_STR("graphs"), m->graphs_pos, false);
    for (size_t g = 0; g < m->graph_count; g++) {
        const buda_graph *const graph = &m->graphs[g];
        hoist_rec_open(walk, HOIST_TREE_MAP, graph->name.text, graph->name.pos, false);
        send_fields(walk, &buda_graph_table, graph);
        for (size_t i = 0; i < graph->op_count; i++) {
            const buda_op *const op = &graph->ops[i];
            hoist_rec_open(walk, HOIST_TREE_MAP, op->name.text, op->name.pos, walk->object_line);
            send_fields(walk, &buda_op_table, op);
            send_input_keys(walk, op->input_keys);
            hoist_rec_send_extra(walk, op->extra);
            hoist_tree_end(walk->sink);
        }
        hoist_tree_end(walk->sink);
    }
    hoist_tree_end(walk->sink);
}

static void send_fused_ops(const hoist_rec_walk *walk, const hoist_buda_module *m)
{
    hoist_rec_open(walk, HOIST_TREE_MAP, HOIST_STR("fused_ops"), m->fused_pos, false);
    for (size_t i = 0; i < m->fused_count; i++) {
        send_fused(walk, &m->fused[i]);
    }
    hoist_tree_end(walk->sink);
}

// A list of maps of one key: the order of programs is the order in which tests run them.
static void send_programs(const hoist_rec_walk *walk, const hoist_buda_module *m)
{
    hoist_rec_open(walk, HOIST_TREE_LIST, HOIST_STR("programs"), m->programs_pos, false);
    for (size_t p = 0; p < m->program_count; p++) {
        const buda_program *const program = &m->programs[p];
        hoist_rec_open(walk, HOIST_TREE_MAP, HOIST_STR(""), (hoist_pos){0, 0}, false);
        hoist_rec_open(walk, HOIST_TREE_LIST, program->name.text, program->name.pos, false);
        for (size_t i = 0; i < program->count; i++) {
            send_instr(walk, &program->instrs[i]);
        }
        hoist_tree_end(walk->sink);
        hoist_tree_end(walk->sink);
    }
    hoist_tree_end(walk->sink);
}

// Sections in a fixed order, whatever the file's was: queues come before graphs, as the vendor's
// parser requires.
void buda_walk_sections(const hoist_rec_walk *walk, const hoist_buda_module *m)
{
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
        send_tree(walk, m->test_config);
    }
    if (m->performance_check) {
        send_tree(walk, m->performance_check);
    }
    hoist_rec_send_extra(walk, m->extra);
}
