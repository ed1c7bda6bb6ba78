#include "base/alloc.h"
#include "program/builder.h"
#include "program/verify.h"
#include "testing/test.h"

static hoist_prog_view view_of(hoist_ref buffer, hoist_ref layout)
{
    return (hoist_prog_view){.base = HOIST_VIEW_BUFFER,
                             .of = buffer,
                             .dtype = HOIST_DTYPE_F32,
                             .layout = layout,
                             .reg = HOIST_NO_REF};
}

// One space, two buffers, a thread that copies one to the other in a loop.
static hoist_status build(hoist_allocator alloc, hoist_program **out)
{
    hoist_builder *b = NULL;
    HOIST_TRY(hoist_builder_create(alloc, HOIST_STR("copy"), &b));
    const hoist_ref space = hoist_builder_space(
        b, &(hoist_prog_space){.name = HOIST_STR("hbm"), .capacity = 4096, .alignment = 64});
    const hoist_prog_buffer row = {.name = HOIST_STR("x"),
                                   .space = space,
                                   .size = 64,
                                   .window_of = HOIST_NO_REF,
                                   .alignment = 64,
                                   .lifetime = HOIST_LIFETIME_SESSION,
                                   .contents = HOIST_CONTENTS_BYTES,
                                   .bytes = {(const uint8_t *)"ab", 2}};
    const hoist_ref x = hoist_builder_buffer(b, &row);
    const hoist_ref y = hoist_builder_buffer(b, &row);
    hoist_prog_layout layout = {.kind = HOIST_LAYOUT_STRIDED};
    layout.shape = (hoist_shape){.rank = 1, .dim = {16}};
    layout.stride[0] = 4;
    const hoist_ref flat = hoist_builder_layout(b, &layout);
    layout.stride[3] = 99; // beyond the rank: no difference
    (void)hoist_builder_layout(b, &layout);
    const hoist_prog_view from = view_of(x, flat);
    const hoist_prog_view to = view_of(y, flat);
    const hoist_move_source source = {.view = hoist_builder_view(b, &from)};
    (void)hoist_builder_view(b, &from);
    const hoist_prog_move move = {
        .destination = hoist_builder_view(b, &to), .sources = &source, .source_count = 1};
    (void)hoist_builder_begin_thread(b, &(hoist_prog_thread){.name = HOIST_STR("t")});
    (void)hoist_builder_register(b, &(hoist_prog_register){.name = HOIST_STR("n"), .initial = 3});
    (void)hoist_builder_step(
        b, &(hoist_prog_step){.kind = HOIST_STEP_LOOP, .as.loop.count = {.reg = 0}});
    (void)hoist_builder_step(
        b, &(hoist_prog_step){.kind = HOIST_STEP_MOVE, .label = HOIST_STR("m"), .as.move = &move});
    (void)hoist_builder_step(b, &(hoist_prog_step){.kind = HOIST_STEP_END});
    hoist_builder_end_code(b);
    const hoist_ref thread = 0;
    const hoist_prog_entry_parameter parameter = {.name = HOIST_STR("n"), .thread = 0, .reg = 0};
    (void)hoist_builder_entry(b, &(hoist_prog_entry){.name = HOIST_STR("main"),
                                                     .threads = &thread,
                                                     .thread_count = 1,
                                                     .parameters = &parameter,
                                                     .parameter_count = 1});
    return hoist_builder_finish(b, out);
}

HOIST_TEST(builds_what_it_was_told)
{
    hoist_program *p = NULL;
    HOIST_EXPECT_EQ(t, build(hoist_allocator_system(), &p), HOIST_OK);
    if (!p) {
        return;
    }
    HOIST_EXPECT_EQ(t, p->buffer_count, 2);
    HOIST_EXPECT_EQ(t, p->layout_count, 1);
    HOIST_EXPECT_EQ(t, p->view_count, 2);
    HOIST_EXPECT_STR(t, p->name, "copy");
    HOIST_EXPECT_EQ(t, p->buffers[1].bytes.size, 2);
    HOIST_EXPECT_EQ(t, p->buffers[1].bytes.data[1], 'b');
    const hoist_prog_code *code = &p->threads[0].code;
    HOIST_EXPECT_EQ(t, code->step_count, 3);
    HOIST_EXPECT_EQ(t, code->steps[0].as.loop.end, 2);
    HOIST_EXPECT_EQ(t, code->steps[2].as.end.begin, 0);
    HOIST_EXPECT_EQ(t, code->registers[0].initial, 3);
    HOIST_EXPECT_STR(t, code->steps[1].label, "m");
    HOIST_EXPECT_EQ(t, p->views[code->steps[1].as.move->sources[0].view].of, 0);
    HOIST_EXPECT_STR(t, p->entries[0].parameters[0].name, "n");
    hoist_program_destroy(p);
}

// The first data step after the call has the work, the others of its code have the device alone;
// control and what follows NULL have none.
HOIST_TEST(work_is_of_data_steps)
{
    char name[] = "chip";
    const hoist_prog_work work = {
        .device = {name, 4}, .requests = 1, .bytes = 2, .cycles = 3, .streamed = true};
    const hoist_prog_opaque opaque = {.name = HOIST_STR("o")};
    const hoist_prog_step data = {.kind = HOIST_STEP_OPAQUE, .as.opaque = &opaque};
    const hoist_prog_step control = {.kind = HOIST_STEP_ALU, .as.alu.destination = 0};
    hoist_builder *b = NULL;
    hoist_program *p = NULL;
    HOIST_EXPECT_EQ(t, hoist_builder_create(hoist_allocator_system(), HOIST_STR("w"), &b),
                    HOIST_OK);
    for (int i = 0; i < 2; i++) {
        (void)hoist_builder_begin_thread(b, &(hoist_prog_thread){.name = HOIST_STR("t")});
        (void)hoist_builder_register(b, &(hoist_prog_register){.name = HOIST_STR("n")});
        (void)hoist_builder_step(b, &data);
        hoist_builder_work(b, &work);
        (void)hoist_builder_step(b, &control);
        (void)hoist_builder_step(b, &data);
        (void)hoist_builder_step(b, &data);
        if (i == 0) {
            hoist_builder_work(b, NULL);
            (void)hoist_builder_step(b, &data);
        }
        hoist_builder_end_code(b);
    }
    hoist_builder_leave_out(b, (hoist_str){name, 2});
    name[0] = 'x';
    HOIST_EXPECT_EQ(t, hoist_builder_finish(b, &p), HOIST_OK);
    const hoist_prog_step *const steps = p->threads[0].code.steps;
    HOIST_EXPECT_EQ(t, p->work_count, 4);
    HOIST_EXPECT_EQ(t, steps[0].work, 0);
    HOIST_EXPECT_EQ(t, steps[1].work, 0);
    HOIST_EXPECT_EQ(t, steps[2].work, 1);
    HOIST_EXPECT_EQ(t, steps[3].work, 2);
    HOIST_EXPECT_EQ(t, steps[4].work, 0);
    HOIST_EXPECT_EQ(t, p->threads[1].code.steps[0].work, 0); // the other code had its own
    HOIST_EXPECT_EQ(t, p->threads[1].code.steps[2].work, 3);
    HOIST_EXPECT_STR(t, p->works[0].device, "chip");
    HOIST_EXPECT_EQ(t, p->works[0].requests, 1);
    HOIST_EXPECT_EQ(t, p->works[0].bytes, 2);
    HOIST_EXPECT_EQ(t, p->works[0].cycles, 3);
    HOIST_EXPECT(t, p->works[0].streamed);
    HOIST_EXPECT_STR(t, p->works[1].device, "chip");
    HOIST_EXPECT_EQ(t, p->works[1].requests + p->works[1].bytes + p->works[1].cycles, 0);
    HOIST_EXPECT_EQ(t, p->left_out_count, 1);
    HOIST_EXPECT_STR(t, p->left_out[0], "ch");
    hoist_program_destroy(p);
}

// Names and notes may be gone after the call; numbers of ports follow those of other things.
HOIST_TEST(ports_are_copied_and_found)
{
    char text[] = "12";
    hoist_builder *b = NULL;
    hoist_program *p = NULL;
    HOIST_EXPECT_EQ(t, hoist_builder_create(hoist_allocator_system(), HOIST_STR(""), &b), HOIST_OK);
    (void)hoist_builder_buffer(
        b, &(hoist_prog_buffer){.name = HOIST_STR("x"), .output = true, .size = 4});
    const hoist_prog_port row = {.name = {text, 2}, .note = {text, 1}, .offset = 3};
    HOIST_EXPECT_EQ(t, hoist_builder_port(b, &row), 0);
    text[1] = '3';
    HOIST_EXPECT_EQ(t, hoist_builder_port(b, &row), 1);
    hoist_builder_need(b, &(hoist_prog_need){.port = 1, .begin = 2, .end = 3});
    text[0] = 'x';
    HOIST_EXPECT_EQ(t, hoist_builder_finish(b, &p), HOIST_OK);
    HOIST_EXPECT_EQ(t, p->port_count, 2);
    HOIST_EXPECT_STR(t, p->ports[0].name, "12");
    HOIST_EXPECT_STR(t, p->ports[1].name, "13");
    HOIST_EXPECT_STR(t, p->ports[1].note, "1");
    HOIST_EXPECT_EQ(t, p->need_count, 1);
    HOIST_EXPECT_EQ(t, p->needs[0].end, 3);
    size_t at = 0;
    HOIST_EXPECT(t, hoist_map_find(&p->index.port_names, HOIST_STR("13"), &at));
    HOIST_EXPECT_EQ(t, at, 2);
    hoist_program_destroy(p);
}

HOIST_TEST(an_end_without_a_loop_is_left_open)
{
    hoist_builder *b = NULL;
    hoist_program *p = NULL;
    HOIST_EXPECT_EQ(t, hoist_builder_create(hoist_allocator_system(), HOIST_STR(""), &b), HOIST_OK);
    (void)hoist_builder_begin_thread(b, &(hoist_prog_thread){.name = HOIST_STR("t")});
    (void)hoist_builder_step(b, &(hoist_prog_step){.kind = HOIST_STEP_END});
    (void)hoist_builder_step(b, &(hoist_prog_step){.kind = HOIST_STEP_LOOP});
    hoist_builder_end_code(b);
    HOIST_EXPECT_EQ(t, hoist_builder_finish(b, &p), HOIST_OK);
    HOIST_EXPECT_EQ(t, p->threads[0].code.steps[0].as.end.begin, HOIST_NO_REF);
    HOIST_EXPECT_EQ(t, p->threads[0].code.steps[1].as.loop.end, HOIST_NO_REF);
    hoist_program_destroy(p);
}

// The same place may hold other bytes by then.
HOIST_TEST(contents_are_kept_once_while_they_are_the_same)
{
    static uint8_t bytes[4096];
    hoist_builder *b = NULL;
    hoist_program *p = NULL;
    const hoist_prog_buffer row = {.name = HOIST_STR("x"), .bytes = {bytes, sizeof bytes}};
    HOIST_EXPECT_EQ(t, hoist_builder_create(hoist_allocator_system(), HOIST_STR(""), &b), HOIST_OK);
    for (uint8_t i = 0; i < 4; i++) {
        bytes[4095] = i / 2;
        (void)hoist_builder_buffer(b, &row);
    }
    HOIST_EXPECT_EQ(t, hoist_builder_finish(b, &p), HOIST_OK);
    HOIST_EXPECT(t, p->buffers[0].bytes.data == p->buffers[1].bytes.data);
    for (uint8_t i = 0; i < 4; i++) {
        HOIST_EXPECT_EQ(t, p->buffers[i].bytes.data[4095], i / 2);
    }
    hoist_program_destroy(p);
}

HOIST_TEST(misuse_is_internal)
{
    hoist_builder *b = NULL;
    hoist_program *p = NULL;
    HOIST_EXPECT_EQ(t, hoist_builder_create(hoist_allocator_system(), HOIST_STR(""), &b), HOIST_OK);
    (void)hoist_builder_step(b, &(hoist_prog_step){.kind = HOIST_STEP_END}); // outside a code
    HOIST_EXPECT_EQ(t, hoist_builder_status(b), HOIST_INTERNAL);
    HOIST_EXPECT_EQ(t, hoist_builder_finish(b, &p), HOIST_INTERNAL);
    HOIST_EXPECT(t, p == NULL);
    HOIST_EXPECT_EQ(t, hoist_builder_create(hoist_allocator_system(), HOIST_STR(""), &b), HOIST_OK);
    (void)hoist_builder_begin_thread(b, &(hoist_prog_thread){.name = HOIST_STR("t")});
    HOIST_EXPECT_EQ(t, hoist_builder_finish(b, &p), HOIST_INTERNAL); // code not ended
}

// Two buffers at one address, in a program whose format has a rule for that.
HOIST_TEST(findings_go_by_the_rules_of_the_format)
{
    static const hoist_rule own = {.id = "X-1", .severity = HOIST_ERROR};
    hoist_builder *b = NULL;
    hoist_program *p = NULL;
    HOIST_EXPECT_EQ(t, hoist_builder_create(hoist_allocator_system(), HOIST_STR("x"), &b),
                    HOIST_OK);
    hoist_builder_rule(b, HOIST_PRG_007, &own);
    const hoist_ref space =
        hoist_builder_space(b, &(hoist_prog_space){.name = HOIST_STR("hbm"), .alignment = 1});
    for (int i = 0; i < 2; i++) {
        (void)hoist_builder_buffer(b, &(hoist_prog_buffer){.name = hoist_str_from(i ? "b" : "a"),
                                                           .space = space,
                                                           .size = 64,
                                                           .alignment = 1,
                                                           .placed = true,
                                                           .window_of = HOIST_NO_REF,
                                                           .lifetime = HOIST_LIFETIME_SESSION});
    }
    HOIST_EXPECT_EQ(t, hoist_builder_finish(b, &p), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_program_verify(p, t->diag), HOIST_OK);
    HOIST_EXPECT_RULE(t, "X-1");
    HOIST_EXPECT_STR(t, hoist_str_from(hoist_program_rule_of(p, HOIST_PRG_001)->id), "PRG-001");
    hoist_program_destroy(p);
}

HOIST_TEST(every_failing_allocation_is_no_memory)
{
    hoist_failing failing = {.parent = hoist_allocator_system()};
    hoist_program *p = NULL;
    HOIST_EXPECT_EQ(t, build(hoist_failing_allocator(&failing, 0), &p), HOIST_OK);
    hoist_program_destroy(p);
    const size_t count = failing.requests;
    for (size_t n = 1; n <= count; n++) {
        HOIST_EXPECT_EQ(t, build(hoist_failing_allocator(&failing, n), &p), HOIST_NO_MEMORY);
        HOIST_EXPECT_EQ(t, failing.live, 0);
    }
}

// Lists that are larger than what memory is asked for at once.
static hoist_status build_long_entry(hoist_allocator alloc, const void *self)
{
    enum { MANY = 1 << 16 };
    const hoist_prog_entry_parameter parameter = {.name = HOIST_STR("n")};
    hoist_builder *b = NULL;
    hoist_program *p = NULL;
    (void)self;
    hoist_prog_entry_parameter *many =
        hoist_alloc_zero(hoist_allocator_system(), MANY, sizeof(*many));
    for (size_t i = 0; i < MANY; i++) {
        many[i] = parameter;
    }
    hoist_status status = hoist_builder_create(alloc, HOIST_STR("long"), &b);
    if (status == HOIST_OK) {
        (void)hoist_builder_entry(b, &(hoist_prog_entry){.name = HOIST_STR("main"),
                                                         .parameters = many,
                                                         .parameter_count = MANY});
        status = hoist_builder_finish(b, &p);
    }
    hoist_program_destroy(p);
    hoist_free(hoist_allocator_system(), many, MANY * sizeof(*many));
    return status;
}

HOIST_TEST(long_lists_need_memory)
{
    hoist_test_starve(t, build_long_entry, NULL);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(long_lists_need_memory), HOIST_TEST_ROW(builds_what_it_was_told),
                HOIST_TEST_ROW(ports_are_copied_and_found), HOIST_TEST_ROW(work_is_of_data_steps),
                HOIST_TEST_ROW(an_end_without_a_loop_is_left_open),
                HOIST_TEST_ROW(contents_are_kept_once_while_they_are_the_same),
                HOIST_TEST_ROW(misuse_is_internal),
                HOIST_TEST_ROW(findings_go_by_the_rules_of_the_format),
                HOIST_TEST_ROW(every_failing_allocation_is_no_memory))
