// Which messages stay where they are, and which values of threads share memory (stays.h, reuse.h),
// as pages.c puts them together.
#include "base/buffer.h"
#include "base/span.h"
#include "plan/pages.h"
#include "program/text.h"
#include "program/verify.h"
#include "testing/test.h"

// The caller reads y, z and w.
#define HEAD                                                                                       \
    "program p\nspace m\nspace n home 1\n"                                                         \
    "buffer x in m size 4096 lifetime session contents zero\n"                                     \
    "buffer y in m size 4096 lifetime session output contents zero\n"                              \
    "buffer u in m size 4096 lifetime session contents zero\n"                                     \
    "buffer v in m size 4096 lifetime session contents zero\n"                                     \
    "buffer w in m size 4096 lifetime session contents zero\n"                                     \
    "buffer z in n size 4096 lifetime session output contents zero\n"                              \
    "buffer m0 in m size 8192 lifetime run\nbuffer m1 in m size 4096 lifetime run\n"               \
    "fifo q queue of f32[1024] slots 2 in [m0] slot_bytes 4096\n"                                  \
    "fifo r queue of f32[1024] slots 1 in [m1] slot_bytes 4096\n"                                  \
    "port in in x of f32[1024]\nport value in u of f32[1024]\n"                                    \
    "port result in w of f32[1024] result\n"
#define A(text) "thread a {\n" text "}\n"
#define B(text) "thread b home 1 {\n" text "}\n"
#define TWO "entry run {\n    start a\n    start b\n}\n"
#define ONE "entry run {\n    start a\n}\n"
#define COPY(from, to) "move copy from [" from " f32[1024]] to " to " f32[1024]\n"
#define PUT(from, q) "reserve " q "\n" COPY(from, "write(" q ")") "push " q " by 1\n"
#define GET(q, to) "await " q "\n" COPY("read(" q ")", to) "advance " q " by 1\npop " q " by 1\n"

// clang-format off
static const struct {
    const char *name;
    const char *text;
    const char *shares; // "q stays", "v at OFFSET of THREAD"
} cases[] = {
    {"a message", A(PUT("x", "q")) B(GET("q", "z")) TWO, "q stays;"},
    {"changed after the push", A(PUT("x", "q") COPY("y", "x")) B(GET("q", "z")) TWO, ""},
    {"changed before it", A(COPY("y", "x") PUT("x", "q")) B(GET("q", "z")) TWO, "q stays; x at 0 of a;"},
    {"changed when it was read", A(PUT("x", "q") GET("r", "x")) B(GET("q", "z") PUT("z", "r")) TWO, "q stays; r stays;"},
    {"changed when another was read", A(PUT("x", "q") PUT("x", "q") GET("r", "x")) B(GET("q", "z") PUT("z", "r") GET("q", "z")) TWO, ""},
    {"other bytes change", A("reserve q\nmove copy from [x f32[512]] to write(q) f32[512]\npush q by 1\nmove copy from [y f32[512]] to x f32[512] + 2048\n")
     B("await q\nmove copy from [read(q) f32[512]] to z f32[512]\nadvance q by 1\npop q by 1\n") TWO, "q stays;"},
    {"more is read than was sent", A("reserve q\nmove copy from [x f32[512]] to write(q) f32[512]\npush q by 1\n") B(GET("q", "z")) TWO, ""},
    {"elements with gaps", A("reserve q\nmove copy from [x f32[512] by [8]] to write(q) f32[512]\npush q by 1\n")
     B("await q\nmove copy from [read(q) f32[512]] to z f32[512]\nadvance q by 1\npop q by 1\n") TWO, ""},
    {"another type", A("reserve q\nmove cast from [x f16[1024]] to write(q) f32[1024]\npush q by 1\n") B(GET("q", "z")) TWO, ""},
    {"in two parts", A("reserve q\nmove copy from [x f32[512]] to write(q) f32[512]\nmove copy from [x f32[512]] to write(q) f32[512] + 2048\npush q by 1\n") B(GET("q", "z")) TWO, ""},
    {"computed in the slot", A("reserve q\ncompute ark.exp from [x f32[1024]] to [write(q) f32[1024]]\npush q by 1\n") B(GET("q", "z")) TWO, ""},
    {"pushed as it is", A("reserve q\npush q by 1\n" PUT("x", "q")) B(GET("q", "z") GET("q", "z")) TWO, ""},
    {"the memory has another name", A(PUT("x", "q") COPY("m0", "y")) B(GET("q", "z")) TWO, ""},
    {"one value after the other", A(COPY("x", "u") COPY("u", "v") COPY("v", "w") COPY("w", "y")) ONE,
     "u at 0 of a; v at 4096 of a; w at 0 of a;"},
    {"read before it is written", A(COPY("u", "y") COPY("x", "u") COPY("u", "y")) ONE, ""},
    {"a part is read before it is written", A("move copy from [x f32[512]] to v f32[512]\n" COPY("v", "y")) ONE, ""},
    {"written in two parts", A("move copy from [x f32[512]] to v f32[512]\nmove copy from [x f32[512]] to v f32[512] + 2048\n" COPY("v", "y")) ONE, "v at 0 of a;"},
    {"with a gap between", A("move copy from [x f32[256]] to v f32[256]\nmove copy from [x f32[256]] to v f32[256] + 2048\nmove copy from [v f32[1024]] to y f32[1024]\n") ONE, ""},
    {"rows with gaps", A("move copy from [x f32[8, 8]] to v f32[8, 8] by [64, 4]\nmove copy from [v f32[8, 8] by [64, 4]] to y f32[8, 8]\n") ONE, "v at 0 of a;"},
    {"rows with other gaps", A("move copy from [x f32[8, 8]] to v f32[8, 8] by [64, 4]\nmove copy from [v f32[8, 8] by [128, 4]] to y f32[8, 8]\n") ONE, ""},
    {"a result that is written in part", A("move copy from [x f32[512]] to w f32[512]\n") ONE, ""},
    {"a result that is read before", A(COPY("w", "y") COPY("x", "w")) ONE, ""},
    {"results live on", A(COPY("x", "w") COPY("x", "u") COPY("u", "y")) ONE, "u at 0 of a; w at 4096 of a;"},
    {"what is lent lives on", A(COPY("x", "u") PUT("u", "q") COPY("x", "v") COPY("v", "y")) B(GET("q", "z")) TWO,
     "q stays; u at 0 of a; v at 4096 of a;"},
    {"until it was received", A(COPY("x", "u") PUT("u", "q") GET("r", "y") COPY("x", "v") COPY("v", "y")) B(GET("q", "z") PUT("z", "r")) TWO,
     "q stays; r stays; u at 0 of a; v at 0 of a;"},
    {"in a group they live together", A("compute ark.exp from [x f32[1024]] to [u f32[1024]]\ncompute ark.exp from [u f32[1024]] to [y f32[1024]]\n" COPY("u", "v") COPY("v", "y")) ONE,
     "u at 0 of a; v at 4096 of a;"},
    {"an order that is not known", A("loop 2\n" COPY("x", "u") COPY("u", "y") "end\n") ONE, ""},
};
// clang-format on

static hoist_program *program_of(hoist_test *t, const char *rest)
{
    hoist_program *program = NULL;
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    hoist_buffer_c(&text, HEAD);
    hoist_buffer_c(&text, rest);
    const hoist_str all = hoist_buffer_text(&text);
    const hoist_bytes bytes = {(const uint8_t *)all.data, all.size};
    if (hoist_program_parse(bytes, hoist_allocator_system(), t->diag, &program) != HOIST_OK ||
        hoist_program_verify(program, t->diag) != HOIST_OK) {
        const hoist_str found = hoist_test_findings(t);
        hoist_test_fail(t, __FILE__, __LINE__, "%.*s", HOIST_STR_ARGS(found));
        hoist_program_destroy(program);
        program = NULL;
    }
    hoist_buffer_deinit(&text);
    return program;
}

static void write_shares(const hoist_page_plan *plan, hoist_buffer *out)
{
    const hoist_program *p = plan->program;
    for (uint32_t i = 0; i < p->fifo_count; i++) {
        if (plan->stays.stays[i]) {
            hoist_buffer_format(out, "%s%.*s stays;", out->size ? " " : "",
                                HOIST_STR_ARGS(p->fifos[i].name));
        }
    }
    for (uint32_t i = 0; i < p->buffer_count; i++) {
        if (plan->reuse.offset[i] != UINT64_MAX) {
            const hoist_prog_thread *thread = &p->threads[plan->reuse.life[i].thread];
            hoist_buffer_format(out, "%s%.*s at %u of %.*s;", out->size ? " " : "",
                                HOIST_STR_ARGS(p->buffers[i].name), (unsigned)plan->reuse.offset[i],
                                HOIST_STR_ARGS(thread->name));
        }
    }
}

static const bool reads[] = {false, false, true, false}; // in, value, result

// What a plan of `program` shares, in `*out`; `home`: that is here.
static hoist_status share(const hoist_program *program, hoist_allocator alloc, hoist_ref home,
                          const bool *is_read, hoist_buffer *out)
{
    const hoist_group_options grouping = {.alloc = alloc, .is_read = is_read};
    hoist_group_plan groups;
    HOIST_TRY(hoist_group_plan_build(program, &grouping, &groups));
    const hoist_page_plan_options options = {
        .alloc = alloc, .is_read = is_read, .groups = &groups, .home = home};
    hoist_page_plan plan;
    const hoist_status status = hoist_page_plan_build(program, &options, &plan);
    if (status == HOIST_OK) {
        write_shares(&plan, out);
        hoist_page_plan_deinit(&plan);
    }
    hoist_group_plan_deinit(&groups);
    return status;
}

static void expect(hoist_test *t, const hoist_program *program, hoist_ref home, const bool *is_read,
                   const char *shares)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    if (program) {
        HOIST_EXPECT_EQ(t, share(program, hoist_allocator_system(), home, is_read, &out), HOIST_OK);
        HOIST_EXPECT_STR(t, hoist_buffer_text(&out), shares);
    }
    hoist_buffer_deinit(&out);
}

HOIST_TEST_TABLE(what_is_shared, cases)
{
    hoist_program *program = program_of(t, row->text);
    expect(t, program, HOIST_NO_REF, reads, row->shares);
    hoist_program_destroy(program);
}

// clang-format off
static const struct {
    const char *name;
    const char *text;
    uint32_t capacity; // of q, which has two slots
} capacities[] = {
    {"one entry", A(PUT("x", "q") COPY("y", "x")) B(GET("q", "z")) TWO, 1},
    {"two entries", A(PUT("x", "q") COPY("y", "x") PUT("x", "q")) B(GET("q", "z") GET("q", "z")) TWO, 2},
    {"one after the other", A(PUT("x", "q") GET("r", "x") PUT("x", "q")) B(GET("q", "z") PUT("z", "r") GET("q", "z")) TWO, 1},
    {"an answer before the pop", A(PUT("x", "q") GET("r", "x") PUT("x", "q")) B("await q\n" COPY("read(q)", "z") "advance q by 1\n" PUT("z", "r") "pop q by 1\n" GET("q", "z")) TWO, 2},
    {"filled before it was reserved", A(COPY("x", "write(q)") "reserve q\npush q by 1\n") B(GET("q", "z")) TWO, 2},
    {"read without waiting", A(PUT("x", "q") COPY("y", "x")) B(COPY("read(q)", "z") GET("q", "z")) TWO, 2},
    {"an order that is not known", A("loop 1\n" PUT("x", "q") "end\n") B(GET("q", "z")) TWO, 2},
};
// clang-format on

HOIST_TEST_TABLE(slots_in_memory, capacities)
{
    hoist_program *program = program_of(t, row->text);
    const hoist_page_plan_options options = {
        .alloc = hoist_allocator_system(), .is_read = reads, .home = HOIST_NO_REF};
    hoist_page_plan plan;
    if (program) {
        HOIST_EXPECT_EQ(t, hoist_page_plan_build(program, &options, &plan), HOIST_OK);
        HOIST_EXPECT_EQ(t, plan.stays.capacities[0], row->capacity);
        HOIST_EXPECT_EQ(t, plan.held[program->fifos[0].parts[0]], row->capacity * 4096);
        hoist_page_plan_deinit(&plan);
    }
    hoist_program_destroy(program);
}

// A caller who may read anything finds everything in its place; and a message from another process
// needs memory here.
HOIST_TEST(who_reads_and_who_sends)
{
    hoist_program *program = program_of(t, A(PUT("x", "q")) B(GET("q", "z")) TWO);
    expect(t, program, HOIST_NO_REF, NULL, "");
    expect(t, program, 0, reads, "q stays;");
    expect(t, program, 1, reads, "");
    hoist_program_destroy(program);
}

static hoist_status starved(hoist_allocator alloc, const void *program)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    const hoist_status status = share(program, alloc, HOIST_NO_REF, reads, &out);
    hoist_buffer_deinit(&out);
    return status;
}

HOIST_TEST(every_failing_allocation_is_no_memory)
{
    hoist_program *program = program_of(
        t, A(COPY("x", "u") PUT("u", "q") COPY("x", "v") COPY("v", "y")) B(GET("q", "z")) TWO);
    if (program) {
        hoist_test_starve(t, starved, program);
    }
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(what_is_shared), HOIST_TEST_ROW(slots_in_memory),
                HOIST_TEST_ROW(who_reads_and_who_sends),
                HOIST_TEST_ROW(every_failing_allocation_is_no_memory))
