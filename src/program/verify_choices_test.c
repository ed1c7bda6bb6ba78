// What no text can say: choices that do not exist (PRG-002) and names that are there twice or not
// at all (PRG-003), in programs that are otherwise right.
#include "program/builder.h"
#include "program/fields.h"
#include "program/program_testing.h"
#include "program/verify.h"

// The operand that is wrong.
typedef enum wrong {
    NOTHING = 0,
    LIFETIME,
    CONTENTS,
    RELOCATION,
    FIFO_KIND,
    FIFO_POLICY,
    FIFO_DTYPE,
    LAYOUT_KIND,
    PARAMETER_DTYPE,
    REGISTER_LIFETIME,
    STEP_KIND,
    ALU_OP,
    BRANCH_COMPARE,
    WAIT_COMPARE,
    WAIT_THEN,
    SIGNAL_OP,
    POSTED_SIGNAL_OP,
    POINTER,
    MOVE_OP,
    VIEW_BASE,
    VIEW_DTYPE,
    COMPUTE_OP,
    COLLECTIVE_KIND,
    COLLECTIVE_OP,
} wrong;

// What the program under construction gets wrong.
typedef struct maker {
    hoist_builder *b;
    wrong wrong;
    hoist_ref layout;
    uint32_t line; // of the last row or step
} maker;

// `right`, or 200 where that is what is wrong.
static uint32_t pick(const maker *m, wrong which, uint32_t right)
{
    return m->wrong == which ? 200 : right;
}

static hoist_loc next_line(maker *m)
{
    return hoist_loc_pos((hoist_pos){++m->line, 1});
}

static void add_memory(maker *m)
{
    (void)hoist_builder_space(
        m->b, &(hoist_prog_space){.name = HOIST_STR("m"), .alignment = 1, .loc = next_line(m)});
    (void)hoist_builder_buffer(
        m->b, &(hoist_prog_buffer){.name = HOIST_STR("x"),
                                   .size = 64,
                                   .alignment = 1,
                                   .window_of = HOIST_NO_REF,
                                   .contents = (hoist_contents)pick(m, CONTENTS, 0),
                                   .lifetime = (hoist_lifetime)pick(m, LIFETIME, 2),
                                   .loc = next_line(m)});
    hoist_builder_relocation(
        m->b, &(hoist_prog_relocation){.kind = (hoist_relocation_kind)pick(m, RELOCATION, 1),
                                       .loc = next_line(m)});
    m->layout = hoist_builder_layout(
        m->b, &(hoist_prog_layout){.kind = (hoist_layout_kind)pick(m, LAYOUT_KIND, 0),
                                   .shape = {.rank = 1, .dim = {4}},
                                   .stride = {4}});
    const hoist_ref part = 0;
    (void)hoist_builder_fifo(
        m->b, &(hoist_prog_fifo){.name = HOIST_STR("q"),
                                 .kind = (hoist_fifo_kind)pick(m, FIFO_KIND, 0),
                                 .policy = (hoist_fifo_policy)pick(m, FIFO_POLICY, 0),
                                 .dtype = (hoist_dtype)pick(m, FIFO_DTYPE, HOIST_DTYPE_F32),
                                 .layout = m->layout,
                                 .slots = 1,
                                 .slot_bytes = 16,
                                 .parts = &part,
                                 .part_count = 1,
                                 .loc = next_line(m)});
    (void)hoist_builder_unit(
        m->b, &(hoist_prog_unit){.name = HOIST_STR("u"), .depth = 1, .loc = next_line(m)});
    (void)hoist_builder_semaphore(
        m->b, &(hoist_prog_semaphore){.name = HOIST_STR("s"), .loc = next_line(m)});
}

static void add_function(maker *m)
{
    const hoist_prog_parameter parameter = {
        .name = HOIST_STR("a"),
        .is_view = true,
        .dtype = (hoist_dtype)pick(m, PARAMETER_DTYPE, HOIST_DTYPE_F32),
        .layout = m->layout};
    (void)hoist_builder_begin_function(m->b, &(hoist_prog_function){.name = HOIST_STR("f"),
                                                                    .parameters = &parameter,
                                                                    .parameter_count = 1,
                                                                    .loc = next_line(m)});
    hoist_builder_end_code(m->b);
}

static void add_step(maker *m, hoist_prog_step step)
{
    step.loc = next_line(m);
    (void)hoist_builder_step(m->b, &step);
}

static hoist_prog_value number(int64_t value)
{
    return (hoist_prog_value){.reg = HOIST_NO_REF, .number = value};
}

static void add_control(maker *m)
{
    add_step(
        m, (hoist_prog_step){
               .kind = HOIST_STEP_ALU,
               .as.alu = {.op = (hoist_alu_op)pick(m, ALU_OP, 1), .a = number(1), .b = number(2)}});
    add_step(m,
             (hoist_prog_step){.kind = HOIST_STEP_BRANCH,
                               .as.branch = {.compare = (hoist_compare)pick(m, BRANCH_COMPARE, 0),
                                             .a = number(1),
                                             .b = number(2)}});
    add_step(m, (hoist_prog_step){.kind = HOIST_STEP_WAIT,
                                  .as.wait = {.compare = (hoist_compare)pick(m, WAIT_COMPARE, 5),
                                              .value = number(0),
                                              .then = (hoist_wait_then)pick(m, WAIT_THEN, 2)}});
    add_step(m, (hoist_prog_step){.kind = HOIST_STEP_SIGNAL,
                                  .as.signal = {.op = (hoist_signal_op)pick(m, SIGNAL_OP, 0),
                                                .value = number(1)}});
    const hoist_prog_signal signal = {.op = (hoist_signal_op)pick(m, POSTED_SIGNAL_OP, 0),
                                      .value = number(1)};
    const hoist_prog_argument argument = {
        .is_view = true,
        .view = hoist_builder_view(m->b, &(hoist_prog_view){.dtype = HOIST_DTYPE_F32,
                                                            .layout = m->layout,
                                                            .reg = HOIST_NO_REF})};
    add_step(m,
             (hoist_prog_step){.kind = HOIST_STEP_POST,
                               .as.call = {.target = {.arguments = &argument, .argument_count = 1},
                                           .signals = &signal,
                                           .signal_count = 1}});
    add_step(m, (hoist_prog_step){.kind = HOIST_STEP_SET_POINTER,
                                  .as.fifo = {.pointer = (hoist_fifo_pointer)pick(m, POINTER, 0),
                                              .value = number(0)}});
}

static void add_data(maker *m)
{
    const hoist_ref view = hoist_builder_view(
        m->b, &(hoist_prog_view){.base = (hoist_view_base)pick(m, VIEW_BASE, 0),
                                 .dtype = (hoist_dtype)pick(m, VIEW_DTYPE, HOIST_DTYPE_F32),
                                 .layout = m->layout,
                                 .offset = 16,
                                 .reg = HOIST_NO_REF});
    const hoist_move_source source = {.view = view};
    add_step(
        m, (hoist_prog_step){.kind = HOIST_STEP_MOVE,
                             .as.move = &(hoist_prog_move){.op = (hoist_move_op)pick(m, MOVE_OP, 0),
                                                           .destination = view,
                                                           .sources = &source,
                                                           .source_count = 1}});
    add_step(m, (hoist_prog_step){.kind = HOIST_STEP_COMPUTE,
                                  .as.compute = &(hoist_prog_compute){
                                      .op = (hoist_compute_op)pick(m, COMPUTE_OP, HOIST_IEEE_RELU),
                                      .inputs = &view,
                                      .input_count = 1,
                                      .outputs = &view,
                                      .output_count = 1}});
    add_step(m,
             (hoist_prog_step){.kind = HOIST_STEP_COLLECTIVE,
                               .as.collective = &(hoist_prog_collective){
                                   .kind = (hoist_collective_kind)pick(m, COLLECTIVE_KIND, 1),
                                   .op = (hoist_reduce_op)pick(m, COLLECTIVE_OP, HOIST_REDUCE_ADD),
                                   .members = 1,
                                   .source = view,
                                   .destination = view}});
    add_step(m, (hoist_prog_step){.kind = (hoist_step_kind)pick(m, STEP_KIND, HOIST_STEP_ZERO)});
}

static hoist_program *make(hoist_test *t, wrong which)
{
    maker m = {.wrong = which};
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t, hoist_builder_create(hoist_allocator_system(), HOIST_STR("p"), &m.b),
                    HOIST_OK);
    add_memory(&m);
    add_function(&m);
    (void)hoist_builder_begin_thread(
        m.b, &(hoist_prog_thread){.name = HOIST_STR("t"), .loc = next_line(&m)});
    (void)hoist_builder_register(
        m.b, &(hoist_prog_register){.name = HOIST_STR("i"),
                                    .lifetime = (hoist_lifetime)pick(&m, REGISTER_LIFETIME, 0)});
    add_control(&m);
    add_data(&m);
    hoist_builder_end_code(m.b);
    HOIST_EXPECT_EQ(t, hoist_builder_finish(m.b, &program), HOIST_OK);
    return program;
}

// clang-format off
static const struct {
    const char *name;
    wrong wrong;
    const char *findings;
} choices[] = {
    {"nothing", NOTHING, ""},
    {"lifetime", LIFETIME, "2:1 buffers/x: 200 is not a lifetime [PRG-002]"},
    {"contents", CONTENTS, "2:1 buffers/x: 200 is not contents [PRG-002]"},
    {"relocation", RELOCATION, "3:1 buffers/x: 200 is not a part of an address [PRG-002]"},
    {"kind of a fifo", FIFO_KIND, "4:1 fifos/q: 200 is not a kind of fifo [PRG-002]"},
    {"policy of a fifo", FIFO_POLICY, "4:1 fifos/q: 200 is not a policy [PRG-002]"},
    {"type of a fifo", FIFO_DTYPE, "4:1 fifos/q: 200 is not an element type [PRG-002]"},
    {"type of a parameter", PARAMETER_DTYPE, "7:1 functions/f: 200 is not an element type [PRG-002]"},
    {"lifetime of a register", REGISTER_LIFETIME, "8:1 threads/t: 200 is not a lifetime [PRG-002]"},
    {"operation of an alu", ALU_OP, "9:1 threads/t/steps/0: 200 is not an operation [PRG-002]"},
    {"comparison of a branch", BRANCH_COMPARE, "10:1 threads/t/steps/1: 200 is not a comparison [PRG-002]"},
    {"comparison of a wait", WAIT_COMPARE, "11:1 threads/t/steps/2: 200 is not a comparison [PRG-002]"},
    {"what follows a wait", WAIT_THEN, "11:1 threads/t/steps/2: 200 is not what follows a wait [PRG-002]"},
    {"kind of a signal", SIGNAL_OP, "12:1 threads/t/steps/3: 200 is not a kind of signal [PRG-002]"},
    {"kind of a signal on completion", POSTED_SIGNAL_OP, "13:1 threads/t/steps/4: 200 is not a kind of signal [PRG-002]"},
    {"pointer", POINTER, "14:1 threads/t/steps/5: 200 is not a pointer [PRG-002]"},
    {"kind of a move", MOVE_OP, "15:1 threads/t/steps/6: 200 is not a kind of move [PRG-002]"},
    {"operation", COMPUTE_OP, "16:1 threads/t/steps/7: 200 is not an operation [PRG-002]"},
    {"kind of a collective", COLLECTIVE_KIND, "17:1 threads/t/steps/8: 200 is not a kind of collective [PRG-002]"},
    {"operation of a collective", COLLECTIVE_OP, "17:1 threads/t/steps/8: 200 is not a reduction [PRG-002]"},
    {"kind of a step", STEP_KIND, "18:1 threads/t/steps/9: 200 is not a kind of step [PRG-002]"},
};
// clang-format on

HOIST_TEST_TABLE(each_choice_is_checked, choices)
{
    hoist_program *program = make(t, row->wrong);
    HOIST_EXPECT_EQ(t, hoist_program_verify(program, t->diag), HOIST_OK);
    const hoist_str found = hoist_test_places(t, 0);
    HOIST_EXPECT_STR(t, found, row->findings);
    HOIST_EXPECT(t, hoist_test_program_text(t, program).size > 0); // it can be looked at
    hoist_program_destroy(program);
}

// Of views and layouts: each step that uses one is reported.
static const struct {
    const char *name;
    wrong wrong;
    const char *message;
    size_t count;
} shared[] = {
    {"type of a view", VIEW_DTYPE, "200 is not an element type", 6},
    {"kind of a view", VIEW_BASE, "200 is not a kind of view", 6},
    {"kind of a layout", LAYOUT_KIND, "200 is not a kind of layout", 9},
};

HOIST_TEST_TABLE(each_shared_choice_is_checked, shared)
{
    hoist_program *program = make(t, row->wrong);
    HOIST_EXPECT_EQ(t, hoist_program_verify(program, t->diag), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), row->count);
    for (size_t i = 0; i < hoist_diag_kept(t->diag); i++) {
        HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, i)->message, row->message);
        HOIST_EXPECT_STR(t, hoist_str_from(hoist_diag_at(t->diag, i)->rule->id), "PRG-002");
    }
    HOIST_EXPECT(t, hoist_test_program_text(t, program).size > 0);
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(each_choice_is_checked),
                HOIST_TEST_ROW(each_shared_choice_is_checked))
