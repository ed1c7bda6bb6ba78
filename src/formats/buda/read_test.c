// The reader: what it makes of the full netlist, what it refuses, and which files it takes for its
// own. Findings on single keys are in the tests of its parts.
#include "base/alloc.h"
#include "formats/buda/netlist_testing.h"

// clang-format off
// Files that give no module.
static const struct {
    const char *name;
    const char *text;
    const char *rule;
    hoist_pos pos;
    const char *says;
} refused[] = {
    {"empty", "", "BUDA-001", {0, 0}, "the file is empty"},
    {"comment only", "# nothing\n", "BUDA-001", {0, 0}, "the file is empty"},
    {"a list", "- queues\n", "BUDA-001", {1, 1}, "the file is a list"},
    {"a word", "\n queues\n", "BUDA-001", {2, 2}, "the file is a scalar"},
    {"not YAML", "queues: {q0: [\n", "BUDA-001", {0, 0}, "not readable as YAML"},
    {"template", "devices:\n  arch: $TEMPLATE_arch\n", "BUDA-001", {2, 9}, "unfilled template"},
    {"template that is no YAML", "queues:\n\t[$TEMPLATE_queues\n",
     "BUDA-001", {2, 3}, "unfilled template"},
};
// clang-format on

HOIST_TEST_TABLE(refuses, refused)
{
    const hoist_bytes bytes = {(const uint8_t *)row->text, strlen(row->text)};
    const hoist_read_options options = {.alloc = hoist_allocator_system()};
    hoist_module *module = NULL;
    HOIST_EXPECT_EQ(t, hoist_buda_format.read(bytes, &options, t->diag, &module), HOIST_INVALID);
    HOIST_EXPECT(t, module == NULL);
    buda_test_expect(t, row->rule, row->pos.line, row->pos.column, row->says);
}

static const hoist_buda_module *read_base(hoist_test *t)
{
    const hoist_buda_module *const m =
        buda_test_read(t, buda_test_patched(t, buda_test_full_netlist, NULL, NULL));
    HOIST_EXPECT_RULE(t, NULL);
    return m;
}

HOIST_TEST(reads_queues)
{
    const hoist_buda_module *const m = read_base(t);
    HOIST_EXPECT_EQ(t, m->arch.count, 2);
    HOIST_EXPECT_EQ(t, m->arch.items[1].value, BUDA_BLACKHOLE);
    HOIST_EXPECT_EQ(t, m->queue_count, 2);
    const buda_queue *const qa = &m->queues[0];
    HOIST_EXPECT_STR(t, qa->name.text, "qa");
    HOIST_EXPECT_EQ(t, qa->name.pos.line, 4);
    HOIST_EXPECT_EQ(t, qa->name.pos.column, 3);
    HOIST_EXPECT_STR(t, qa->input.text, "HOST");
    HOIST_EXPECT_EQ(t, qa->entries.value, 4);
    HOIST_EXPECT_EQ(t, qa->mblock.c, 5);
    HOIST_EXPECT_EQ(t, qa->ublock_order.value, BUDA_ORDER_C);
    HOIST_EXPECT_EQ(t, qa->tile_dim.r, 16);
    HOIST_EXPECT_EQ(t, qa->df.value, BUDA_BFP8_B);
    HOIST_EXPECT_EQ(t, qa->layout.value, BUDA_LAYOUT_FLAT);
    HOIST_EXPECT(t, qa->target_device.scalar);
    HOIST_EXPECT_EQ(t, qa->dram.count, 2);
    HOIST_EXPECT_EQ(t, qa->dram.items[1].channel.value, 1);
    HOIST_EXPECT_EQ(t, qa->dram.items[1].address.value, 0x10001000);
    const buda_queue *const qb = &m->queues[1];
    HOIST_EXPECT_EQ(t, qb->type.value, BUDA_RAM);
    HOIST_EXPECT_EQ(t, qb->target_device.count, 2);
    HOIST_EXPECT(t, !qb->target_device.scalar);
    HOIST_EXPECT(t, !buda_has(qb->host.items[0].channel.pos));
    HOIST_EXPECT_EQ(t, qb->host.items[0].address.value, 0x2000);
    HOIST_EXPECT_STR(t, qb->alias.text, "qc");
    HOIST_EXPECT_EQ(t, qb->input_tms.items[0].factor.value, 9);
    HOIST_EXPECT_EQ(t, qb->write_ports.items[0].value, 2);
    // Absent values have their defaults and no place.
    HOIST_EXPECT_EQ(t, qb->tile_dim.c, 32);
    HOIST_EXPECT(t, !buda_has(qb->tile_dim.pos));
    HOIST_EXPECT_EQ(t, qb->ublock_order.value, BUDA_ORDER_R);
    buda_test_destroy(m);
}

HOIST_TEST(reads_ops)
{
    const hoist_buda_module *const m = read_base(t);
    const buda_graph *const graph = &m->graphs[0];
    HOIST_EXPECT_EQ(t, m->graph_count, 1);
    HOIST_EXPECT_EQ(t, graph->input_count.value, 2);
    HOIST_EXPECT_EQ(t, graph->op_count, 2);
    const buda_op *const op = &graph->ops[0];
    HOIST_EXPECT_EQ(t, op->op, HOIST_OP_MATMUL);
    HOIST_EXPECT_EQ(t, op->grid_loc.c, 4);
    HOIST_EXPECT(t, op->grid_transpose.value && op->untilize_output.value);
    HOIST_EXPECT(t, buda_has(op->gradient_op.pos) && !op->gradient_op.value);
    HOIST_EXPECT_STR(t, op->inputs.items[1].text, "qx");
    HOIST_EXPECT_EQ(t, op->buf_size_mb.value, 4);
    HOIST_EXPECT_EQ(t, op->overlay_size.value, 64);
    HOIST_EXPECT_EQ(t, op->input_buf_min_size_tiles.items[1].value, 11);
    HOIST_EXPECT_EQ(t, op->input_dram_io_buf_size_tiles.items[0].value, 12);
    HOIST_EXPECT_EQ(t, op->forked_count, 1);
    HOIST_EXPECT_STR(t, op->forked_dram_inputs[0].queue.text, "qa");
    HOIST_EXPECT_STR(t, op->forked_dram_inputs[0].op.text, "opb");
    HOIST_EXPECT_EQ(t, op->in_df.items[1].value, BUDA_BFP2_B);
    HOIST_EXPECT_EQ(t, op->acc_df.value, BUDA_INT32);
    HOIST_EXPECT_EQ(t, op->math_fidelity.value, BUDA_HIFI2_A);
    HOIST_EXPECT_EQ(t, graph->ops[1].op, HOIST_OP_ETHERNET_DATACOPY);
    HOIST_EXPECT_EQ(t, graph->ops[1].attributes.count, 0);
    buda_test_destroy(m);
}

HOIST_TEST(reads_input_keys)
{
    const hoist_buda_module *const m = read_base(t);
    const buda_input_keys *const first = m->graphs[0].ops[0].input_keys;
    HOIST_EXPECT_EQ(t, first->input, 0);
    HOIST_EXPECT_EQ(t, first->pad.ct.value, 2);
    HOIST_EXPECT(t, first->pad.pad_value.value == -1.0);
    HOIST_EXPECT_EQ(t, first->unpad.rt.value, 3);
    HOIST_EXPECT(t, !buda_has(first->tms.pos));
    const buda_tms *const tms = &first->next->tms;
    HOIST_EXPECT_EQ(t, first->next->input, 1);
    HOIST_EXPECT_EQ(t, tms->count, 4);
    HOIST_EXPECT_EQ(t, tms->items[0].kind, BUDA_TM_BROADCAST);
    HOIST_EXPECT_EQ(t, tms->items[0].axes[0].axis, 'r');
    HOIST_EXPECT_EQ(t, tms->items[0].axes[0].factor.value, 5);
    HOIST_EXPECT_EQ(t, tms->items[1].kind, BUDA_TM_TRANSPOSE);
    HOIST_EXPECT_EQ(t, tms->items[2].pad.c, 1);
    HOIST_EXPECT(t, tms->items[2].pad_value.value == 2.5);
    HOIST_EXPECT_STR(t, tms->items[3].tile_axis.text, "rc");
    buda_test_destroy(m);
}

static const buda_attribute *attribute(const buda_op *op, hoist_attr attr)
{
    for (size_t i = 0; i < op->attributes.count; i++) {
        if (op->attributes.items[i].attr == attr) {
            return &op->attributes.items[i];
        }
    }
    return NULL;
}

HOIST_TEST(reads_attributes)
{
    const hoist_buda_module *const m = read_base(t);
    const buda_op *const op = &m->graphs[0].ops[0];
    HOIST_EXPECT_EQ(t, op->attributes.count, 9);
    HOIST_EXPECT_EQ(t, attribute(op, HOIST_ATTR_M_K)->integer, 8); // 010 is octal
    HOIST_EXPECT(t, attribute(op, HOIST_ATTR_BIAS)->boolean);
    HOIST_EXPECT(t, attribute(op, HOIST_ATTR_RELU_THRESHOLD)->number == 1.5);
    HOIST_EXPECT_STR(t, attribute(op, HOIST_ATTR_RELU_MODE)->text, "max");
    HOIST_EXPECT(t, attribute(op, HOIST_ATTR_RELU_MODE)->word >= 0);
    HOIST_EXPECT_EQ(t, attribute(op, HOIST_ATTR_INGRESS_CHANNELS)->ints.items[1].value, 2);
    HOIST_EXPECT_STR(t, attribute(op, HOIST_ATTR_FUSED_OP_ID)->text, "0");
    const buda_attribute *const period = attribute(op, HOIST_ATTR_KERNEL_BROADCAST);
    HOIST_EXPECT_STR(t, period->inputs.items[0].text, "input_1");
    HOIST_EXPECT_EQ(t, period->values.items[0].value, 5);
    buda_test_destroy(m);
}

HOIST_TEST(reads_fused_ops)
{
    const hoist_buda_module *const m = read_base(t);
    const buda_fused *const fused = &m->fused[0];
    HOIST_EXPECT_EQ(t, m->fused_count, 1);
    HOIST_EXPECT_STR(t, fused->name.text, "0");
    HOIST_EXPECT_EQ(t, fused->inputs.value, 2);
    HOIST_EXPECT_EQ(t, fused->intermediates.value, 1);
    HOIST_EXPECT_STR(t, fused->custom_kernel_path.text, "a/b");
    HOIST_EXPECT_EQ(t, fused->schedule_count, 1);
    HOIST_EXPECT_EQ(t, fused->schedules[0].count, 2);
    const buda_sub_op *const sa = &fused->schedules[0].ops[0];
    HOIST_EXPECT_EQ(t, sa->op, HOIST_OP_MULTIPLY);
    HOIST_EXPECT_STR(t, sa->inputs.items[1].text, "input1");
    HOIST_EXPECT_STR(t, sa->output.text, "intermed0");
    HOIST_EXPECT(t, sa->zero_point.value == 0.5);
    const buda_sub_op *const sb = &fused->schedules[0].ops[1];
    HOIST_EXPECT_STR(t, sb->pop.items[0].text, "intermed0");
    HOIST_EXPECT(t, buda_has(sb->pop_last.pos) && sb->pop_last.count == 0);
    buda_test_destroy(m);
}

HOIST_TEST(reads_programs)
{
    const hoist_buda_module *const m = read_base(t);
    const buda_program *const program = &m->programs[0];
    HOIST_EXPECT_STR(t, program->name.text, "pa");
    HOIST_EXPECT_EQ(t, program->count, 9);
    const buda_instr *const in = program->instrs;
    HOIST_EXPECT_EQ(t, in[0].kind, BUDA_I_PARAM);
    HOIST_EXPECT_STR(t, in[1].decls[1].value.text, "6");
    HOIST_EXPECT(t, in[1].decls_as_map && !in[2].decls_as_map);
    HOIST_EXPECT(t, !buda_has(in[2].decls[0].value.pos));
    HOIST_EXPECT_STR(t, in[3].count.text, "$p_x");
    HOIST_EXPECT_STR(t, in[4].queues.items[0].text, "qb");
    HOIST_EXPECT_STR(t, in[5].graph.text, "ga");
    HOIST_EXPECT_EQ(t, in[5].setting_count, 1);
    HOIST_EXPECT_STR(t, in[5].settings[0].fields[BUDA_S_RD_PTR_LOCAL].text, "$v");
    HOIST_EXPECT(t, !buda_has(in[5].settings[0].fields[BUDA_S_ZERO].pos));
    HOIST_EXPECT_EQ(t, in[6].var_op, BUDA_V_INCWRAP);
    HOIST_EXPECT_STR(t, in[6].destination.text, "$v");
    HOIST_EXPECT_STR(t, in[6].operands[1].text, "12");
    HOIST_EXPECT_EQ(t, in[8].kind, BUDA_I_ENDLOOP);
    HOIST_EXPECT(t, m->test_config && m->performance_check);
    HOIST_EXPECT_STR(t, m->extra->node.yaml->key->text, "pipegen");
    buda_test_destroy(m);
}

// A scalar is an empty list, and nothing else of its input.
HOIST_TEST(reads_tms_that_are_no_list)
{
    const hoist_buda_module *m =
        buda_test_read(t, buda_test_patched(t, buda_test_full_netlist, "input_1_tms: [",
                                            "input_5_tms: None, input_1_tms: ["));
    const buda_input_keys *keys = m->graphs[0].ops[0].input_keys;
    while (keys && keys->input != 5) {
        keys = keys->next;
    }
    HOIST_EXPECT(t, keys && buda_has(keys->tms.pos));
    HOIST_EXPECT_EQ(t, keys->tms.count, 0);
    HOIST_EXPECT_EQ(t, keys->pad.rt.value, 0);
    HOIST_EXPECT(t, !buda_has(keys->pad.pos) && !buda_has(keys->unpad.pos));
    buda_test_destroy(m);
}

// Lists and maps collect over duplicate keys, scalars are overwritten, names are kept both.
HOIST_TEST(reads_duplicates)
{
    const hoist_buda_module *m =
        buda_test_read(t, buda_test_patched(t, buda_test_full_netlist, "input_1_tms: [",
                                            "input_1_tms: [vslice: 3], bad: 1, input_1_tms: ["));
    HOIST_EXPECT_EQ(t, m->graphs[0].ops[0].input_keys->next->tms.count, 5);
    HOIST_EXPECT_STR(t, m->graphs[0].ops[0].extra->node.yaml->key->text, "bad");
    buda_test_destroy(m);
    m = buda_test_read(t, buda_test_patched(t, buda_test_full_netlist, "bias: true",
                                            "bias: true, kernel_broadcast: {input_0: 3}, bias: n"));
    const buda_op *const op = &m->graphs[0].ops[0];
    HOIST_EXPECT(t, !attribute(op, HOIST_ATTR_BIAS)->boolean);
    HOIST_EXPECT_EQ(t, attribute(op, HOIST_ATTR_KERNEL_BROADCAST)->values.count, 2);
    HOIST_EXPECT_EQ(t, op->attributes.count, 9);
    buda_test_destroy(m);
    m = buda_test_read(t, buda_test_patched(t, buda_test_full_netlist, "  qb:", "  qa:"));
    HOIST_EXPECT_EQ(t, m->queue_count, 2);
    buda_test_destroy(m);
}

// `input_1_tms: None`: a scalar where a list belongs has no items (section 1.1).
HOIST_TEST(reads_scalars_as_empty_lists)
{
    const hoist_buda_module *const m =
        buda_test_read(t, buda_test_patched(t, buda_test_full_netlist, "[0, 11]", "None"));
    HOIST_EXPECT_RULE(t, NULL);
    HOIST_EXPECT(t, buda_has(m->graphs[0].ops[0].input_buf_min_size_tiles.pos));
    HOIST_EXPECT_EQ(t, m->graphs[0].ops[0].input_buf_min_size_tiles.count, 0);
    buda_test_destroy(m);
}

// A grid_loc of an ethernet op may have any length.
HOIST_TEST(reads_ethernet_grid_loc)
{
    const hoist_buda_module *const m =
        buda_test_read(t, buda_test_patched(t, buda_test_full_netlist, "datacopy, grid_size",
                                            "datacopy, grid_loc: [], grid_size"));
    HOIST_EXPECT_RULE(t, NULL);
    buda_test_destroy(m);
}

HOIST_TEST(reports_object_paths)
{
    const hoist_buda_module *const m = buda_test_read(
        t, buda_test_patched(t, buda_test_full_netlist, "incwrap, 1, 12", "incwrap, 1"));
    HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 0)->object, "programs/pa/6");
    buda_test_destroy(m);
}

// Reading with the n-th request refused: no module, no leak, no crash.
static hoist_status read_with(hoist_allocator alloc, const void *text)
{
    const hoist_read_options options = {.alloc = alloc};
    hoist_module *module = NULL;
    const hoist_status status =
        hoist_buda_format.read((hoist_bytes){text, strlen(text)}, &options, NULL, &module);
    hoist_buda_format.destroy(module);
    return (status == HOIST_OK) == (module != NULL) ? status : HOIST_INTERNAL;
}

HOIST_TEST(survives_failed_allocations)
{
    hoist_test_starve(t, read_with, buda_test_full_netlist);
}

// clang-format off
static const struct {
    const char *name;
    const char *head;
    const char *file;
    int bid;
} bids[] = {
    {"netlist", buda_test_full_netlist, "x", 90},
    {"one section", "graphs :\n", "x", 60},
    {"indented", "  graphs:\n", "x", 0},
    {"other YAML", "a: b\n", "a.yaml", 10},
    {"empty YAML", "", "a.yml", 10},
    {"longer word", "queuesx:\n", "a", 0},
};
// clang-format on

HOIST_TEST_TABLE(sniffs, bids)
{
    const hoist_bytes head = {(const uint8_t *)row->head, strlen(row->head)};
    HOIST_EXPECT_EQ(t, hoist_buda_format.sniff(head, hoist_str_from(row->file)), row->bid);
}

HOIST_TEST(sniffs_no_binary)
{
    static const uint8_t head[] = "queues:\n\0graphs:\n";
    const hoist_str name = HOIST_STR("a.yaml");
    HOIST_EXPECT_EQ(t, hoist_buda_format.sniff((hoist_bytes){head, sizeof(head)}, name), 0);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(refuses), HOIST_TEST_ROW(reads_queues), HOIST_TEST_ROW(reads_ops),
                HOIST_TEST_ROW(reads_input_keys), HOIST_TEST_ROW(reads_attributes),
                HOIST_TEST_ROW(reads_fused_ops), HOIST_TEST_ROW(reads_programs),
                HOIST_TEST_ROW(reads_duplicates), HOIST_TEST_ROW(reads_tms_that_are_no_list),
                HOIST_TEST_ROW(reads_scalars_as_empty_lists),
                HOIST_TEST_ROW(reads_ethernet_grid_loc), HOIST_TEST_ROW(reports_object_paths),
                HOIST_TEST_ROW(survives_failed_allocations), HOIST_TEST_ROW(sniffs),
                HOIST_TEST_ROW(sniffs_no_binary))
