// The driver's walk: which steps its schedules make, what is refused, and failing memory. The same
// with data is in tests/conformance.
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "formats/darwinn/scalar_hints.h"
#include "lower/darwinn/bench_testing.h"
#include "lower/darwinn/drive.h"

#define E "executables/0/"
#define HINTS E "dma_hints/hints/"
#define CHUNK E "instruction_bitstreams/"

static hoist_bytes package_of(hoist_test *t, dwn_kind kind, const dwn_change *changes)
{
    dwn_draft draft = dwn_draft_of(t, kind);
    for (size_t i = 0; changes && changes[i].path; i++) {
        if (changes[i].text) {
            dwn_draft_name(&draft, changes[i].path, changes[i].text);
        } else {
            dwn_draft_set(&draft, changes[i].path, changes[i].value);
        }
    }
    return dwn_draft_package(&draft);
}

// What is refused -------------------------------------------------------------------------------

static const struct {
    const char *name;
    dwn_kind kind;
    hoist_driver driver;
    dwn_change changes[9];
    const char *rule;
    const char *says; // a part of the finding
} refused[] = {
    {"a batch beyond all limits",
     DWN_PLAIN,
     HOIST_DRIVER_USB,
     {{E "batch_size", 5000, NULL}},
     "RUN-008",
     "a batch of 5000"},
    {"buffers of 4 GiB",
     DWN_ALONE,
     HOIST_DRIVER_USB,
     {{E "input_layers/0/size_bytes", 2147483640, NULL}},
     "RUN-008",
     "buffer 'input0' of the main executable has 4 GiB or more"},
    {"more executions than any",
     DWN_ALONE,
     HOIST_DRIVER_USB,
     {{E "batch_size", 17, NULL},
      {E "input_layers/0/execution_count_per_inference", 4096, NULL},
      {E "output_layers/0/execution_count_per_inference", 4096, NULL},
      {E "output_layers/1/execution_count_per_inference", 4096, NULL}},
     "RUN-008",
     "layers are executed 4096 times for each of 17 elements"},
    {"a layer without an order",
     DWN_PLAIN,
     HOIST_DRIVER_PCIE,
     {{E "output_layers/0/any_layer/layout", 0, NULL}},
     "RUN-036",
     "layer 'grid'"},
    {"a transfer beyond scratch",
     DWN_ALONE,
     HOIST_DRIVER_PCIE,
     {{E "scratch_size_bytes", 63, NULL}},
     "RUN-037",
     "scratch [0, +64] outfeed: it goes beyond the buffer"},
    {"no scratch at all",
     DWN_ALONE,
     HOIST_DRIVER_USB,
     {{E "scratch_size_bytes", 0, NULL}},
     "RUN-037",
     "scratch [0, +64] outfeed: it goes beyond the buffer"},
    {"a transfer of no layer",
     DWN_PLAIN,
     HOIST_DRIVER_USB_NO_HINTS,
     {{CHUNK "0/field_offsets/0/meta/name", 0, "nothing"},
      {CHUNK "0/field_offsets/1/meta/name", 0, "nothing"}},
     "RUN-037",
     "input 'nothing' [0, +64] infeed: there is no such buffer"},
    {"a transfer of an element that is not there",
     DWN_PLAIN,
     HOIST_DRIVER_PCIE,
     {{CHUNK "0/field_offsets/0/meta/batch", 1, NULL},
      {CHUNK "0/field_offsets/1/meta/batch", 1, NULL}},
     "RUN-037",
     "the batch has no such element"},
    {"a transfer of no buffer",
     DWN_PLAIN,
     HOIST_DRIVER_PCIE,
     {{CHUNK "0/field_offsets", 0, NULL}},
     "RUN-037",
     "what the main executable transfers here is not known"},
    {"no instructions",
     DWN_PLAIN,
     HOIST_DRIVER_PCIE,
     {{E "instruction_bitstreams", 0, NULL}},
     "RUN-037",
     "the main executable has no instructions"},
    {"an empty chunk",
     DWN_ALONE,
     HOIST_DRIVER_PCIE,
     {{CHUNK "1/bitstream", 0, NULL}},
     "RUN-037",
     "chunk 1 of the main executable is empty"},
    {"instructions that end early",
     DWN_PLAIN,
     HOIST_DRIVER_PCIE,
     {{CHUNK "0/bitstream", 240, NULL}},
     "RUN-037",
     "the scalar core of the main executable stops at word"},
    {"no hints",
     DWN_PLAIN,
     HOIST_DRIVER_USB,
     {{E "dma_hints", 0, NULL}},
     "RUN-038",
     "the main executable has no hints"},
    {"a hint of another size",
     DWN_PLAIN,
     HOIST_DRIVER_USB,
     {{HINTS "1/any_hint/size_in_bytes", 63, NULL}},
     "RUN-038",
     "hint 1 of the main executable is input 'image' [0, +63] infeed, the chip expects input "
     "'image' "
     "[0, +64] infeed"},
    {"hints that end early",
     DWN_PLAIN,
     HOIST_DRIVER_USB,
     {{E "dma_hints/hints", 4, NULL}},
     "RUN-038",
     "hint 4 of the main executable is nothing, the chip expects interrupt 0"},
    {"a hint of another executable",
     DWN_PAIR,
     HOIST_DRIVER_USB,
     {{"executables/1/dma_hints/hints/1/any_hint/offset_in_bytes", 64, NULL}},
     "RUN-038",
     "hint 1 of the caching executable is parameter [64, +128] infeed"},
    {"a hint too many",
     DWN_PLAIN,
     HOIST_DRIVER_USB,
     {{HINTS "4/any_hint", DWN_HINT_FENCE, NULL}},
     "RUN-038",
     "hint 5 of the main executable is nothing, the chip expects interrupt 0"},
    {"an input that is not all sent",
     DWN_PLAIN,
     HOIST_DRIVER_PCIE,
     {{E "input_layers/0/z_dim", 4, NULL},
      {E "input_layers/0/size_bytes", 80, NULL},
      {E "input_layers/0/shape", 0, NULL}},
     "RUN-039",
     "input layer 'image', element 0 of the batch: of 80 bytes 64 are transferred"},
    {"an input behind an output",
     DWN_ALONE,
     HOIST_DRIVER_PCIE,
     {{CHUNK "0/field_offsets/6/meta/desc", DWN_DESC_OUTPUT, NULL},
      {CHUNK "0/field_offsets/7/meta/desc", DWN_DESC_OUTPUT, NULL},
      {CHUNK "0/field_offsets/6/meta/name", 0, "grid"},
      {CHUNK "0/field_offsets/7/meta/name", 0, "grid"},
      {CHUNK "1/field_offsets/0/meta/desc", DWN_DESC_INPUT, NULL},
      {CHUNK "1/field_offsets/1/meta/desc", DWN_DESC_INPUT, NULL},
      {CHUNK "1/field_offsets/0/meta/name", 0, "image"},
      {CHUNK "1/field_offsets/1/meta/name", 0, "image"}},
     "RUN-039",
     "input layer 'image', element 0 of the batch, is transferred after an output"},
};

HOIST_TEST_TABLE(what_cannot_be_driven, refused)
{
    darwinn_bench bench;
    darwinn_lower_model model;
    darwinn_bench_begin(t, &bench, hoist_allocator_system());
    bench.options.driver = row->driver;
    const hoist_bytes package = package_of(t, row->kind, row->changes);
    HOIST_EXPECT_EQ(t, darwinn_bench_open(&bench, package, "model", &model), HOIST_OK);
    HOIST_EXPECT(t, !darwinn_lower_drive_prepare(&model));
    HOIST_EXPECT(t, bench.c.errors && bench.c.status == HOIST_OK);
    HOIST_EXPECT_RULE(t, row->rule);
    const hoist_str findings = hoist_test_findings(t);
    if (!hoist_str_contains(findings, row->says)) {
        HOIST_EXPECT_STR(t, findings, row->says);
    }
    darwinn_bench_end(&bench);
}

HOIST_TEST(requests_have_a_limit)
{
    darwinn_bench bench;
    darwinn_lower_model model;
    darwinn_bench_begin(t, &bench, hoist_allocator_system());
    bench.options.driver = HOIST_DRIVER_PCIE;
    HOIST_EXPECT_EQ(t, darwinn_bench_open(&bench, package_of(t, DWN_PAIR, NULL), "m", &model),
                    HOIST_OK);
    HOIST_EXPECT(t, darwinn_lower_drive_prepare(&model));
    darwinn_bench_thread(&bench);
    darwinn_lower_drive_run(&model, &(darwinn_lower_request){.elements = UINT32_MAX});
    HOIST_EXPECT(t, bench.c.errors);
    HOIST_EXPECT_RULE(t, "RUN-008");
    HOIST_EXPECT_STR(t, darwinn_bench_steps(&bench), "");
    darwinn_bench_end(&bench);
}

HOIST_TEST(moves_of_executions_have_a_limit)
{
    darwinn_bench bench;
    darwinn_lower_model model;
    darwinn_bench_begin(t, &bench, hoist_allocator_system());
    bench.options.driver = HOIST_DRIVER_PCIE;
    HOIST_EXPECT_EQ(t, darwinn_bench_open(&bench, package_of(t, DWN_PLAIN, NULL), "m", &model),
                    HOIST_OK);
    dwn_layer *const grid = &model.contents->images[model.roles.main].rows->output_layers.items[0];
    const hoist_str name = grid->name;
    *grid = *darwinn_bench_scattered(t, 100);
    grid->name = name;
    model.executions = DARWINN_LOWER_MAX_EXECUTIONS;
    HOIST_EXPECT(t, !darwinn_lower_drive_prepare(&model));
    HOIST_EXPECT_RULE(t, "RUN-008");
    HOIST_EXPECT(t, hoist_str_contains(hoist_test_findings(t), "layers are executed 4096 times"));
    darwinn_bench_end(&bench);
}

// Chunks may all be the same bytes of a file.
HOIST_TEST(instructions_have_a_limit)
{
    static uint8_t zeros[1 << 20];
    enum { COUNT = DWN_MAX_PROGRAM / sizeof zeros + 1 };
    darwinn_bench bench;
    darwinn_lower_model model;
    darwinn_bench_begin(t, &bench, hoist_allocator_system());
    bench.options.driver = HOIST_DRIVER_PCIE;
    HOIST_EXPECT_EQ(t, darwinn_bench_open(&bench, package_of(t, DWN_ALONE, NULL), "m", &model),
                    HOIST_OK);
    dwn_contents contents = *model.contents;
    dwn_image image = contents.images[0];
    image.chunks = hoist_arena_array(&t->arena, COUNT, sizeof *image.chunks);
    image.chunk_count = COUNT;
    for (size_t i = 0; i < COUNT; i++) {
        image.chunks[i].stream.bytes = (hoist_bytes){zeros, sizeof zeros};
    }
    contents.images = &image;
    model.contents = &contents;
    HOIST_EXPECT(t, !darwinn_lower_drive_prepare(&model));
    HOIST_EXPECT(t, bench.c.errors && bench.c.status == HOIST_OK);
    HOIST_EXPECT_RULE(t, "RUN-008");
    darwinn_bench_end(&bench);
}

// Schedules -------------------------------------------------------------------------------------

#define POST(unit, what, counter)                                                                  \
    "post " unit " m/main/" what " with [1] then [m/main/" counter " add 1]\n"
#define CHUNK_IN(i) POST("infeed", "chunk" i, "code_in")
#define SEND(i) POST("infeed", "transfer" i, "data_in")
#define RECEIVE(i) POST("outfeed", "transfer" i, "data_out")
#define PARAMETERS(i) POST("parameter_path", "transfer" i, "parameters_in")
#define ASKED(count) "wait m/main/asked >= " count "\n"
#define DRAIN "drain infeed\ndrain parameter_path\ndrain outfeed\n"
#define BEGIN "post cores m/main/program0 with [1]\n"
#define END "wait m/main/interrupt0 >= 2\n" DRAIN "drain cores\n"

// The second run of an executable with a batch of 2, scratch and two chunks. In it the chip asks
// for ten things: parameters, two images, scratch out, a chunk, scratch, four outputs.
static const struct {
    const char *name;
    hoist_driver driver;
    const char *steps;
} schedules[] = {
    {"pcie", HOIST_DRIVER_PCIE,
     BEGIN CHUNK_IN("0") CHUNK_IN("1") PARAMETERS("1") SEND("2") SEND("3") RECEIVE("4") SEND("6")
         RECEIVE("7") RECEIVE("8") RECEIVE("9") RECEIVE("10") END},
    {"usb", HOIST_DRIVER_USB,
     BEGIN CHUNK_IN("0") PARAMETERS("1") SEND("2") SEND("3") RECEIVE("4") CHUNK_IN("1")
         DRAIN SEND("7") RECEIVE("8") RECEIVE("9") RECEIVE("10") RECEIVE("11") END},
    {"usb without hints", HOIST_DRIVER_USB_NO_HINTS,
     BEGIN CHUNK_IN("0") ASKED("11") PARAMETERS("1") ASKED("12") SEND("2") ASKED("13") SEND("3")
         ASKED("14") RECEIVE("4") ASKED("15") CHUNK_IN("1") ASKED("16") SEND("6") ASKED("17")
             RECEIVE("7") ASKED("18") RECEIVE("8") ASKED("19") RECEIVE("9") ASKED("20")
                 RECEIVE("10") END},
};

HOIST_TEST_TABLE(steps_of_the_driver, schedules)
{
    darwinn_bench bench;
    darwinn_lower_model model;
    darwinn_bench_begin(t, &bench, hoist_allocator_system());
    bench.options.driver = row->driver;
    const hoist_bytes package = package_of(t, DWN_ALONE, NULL);
    HOIST_EXPECT_EQ(t, darwinn_bench_open(&bench, package, "m", &model), HOIST_OK);
    HOIST_EXPECT(t, darwinn_lower_drive_prepare(&model));
    darwinn_bench_thread(&bench);
    darwinn_lower_walk_run(&model.drive->main, hoist_lower_number(1), HOIST_NO_REF);
    HOIST_EXPECT_STR(t, darwinn_bench_steps(&bench), row->steps);
    darwinn_bench_end(&bench);
}

// Hints that are not all, as they are not of a program that is not deterministic: the rest when the
// chip asks.
HOIST_TEST(a_part_of_the_hints)
{
    darwinn_bench bench;
    darwinn_lower_model model;
    dwn_draft draft = dwn_draft_of(t, DWN_PLAIN);
    dwn_draft_set(&draft, E "dma_hints/hints", 2);
    dwn_draft_set(&draft, E "dma_hints/fully_deterministic", 0);
    darwinn_bench_begin(t, &bench, hoist_allocator_system());
    bench.options.driver = HOIST_DRIVER_USB;
    HOIST_EXPECT_EQ(t, darwinn_bench_open(&bench, dwn_draft_package(&draft), "m", &model),
                    HOIST_OK);
    HOIST_EXPECT(t, darwinn_lower_drive_prepare(&model));
    darwinn_bench_thread(&bench);
    darwinn_lower_walk_run(&model.drive->main, hoist_lower_number(1), HOIST_NO_REF);
    HOIST_EXPECT_STR(t, darwinn_bench_steps(&bench),
                     BEGIN CHUNK_IN("0") SEND("1") ASKED("5") RECEIVE("2") ASKED("6") RECEIVE("3")
                         END);
    darwinn_bench_end(&bench);
}

// Memory ----------------------------------------------------------------------------------------

static hoist_str address_text(hoist_test *t, const hoist_program *program)
{
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    for (uint32_t i = 0; i < program->relocation_count; i++) {
        const hoist_prog_relocation *const r = &program->relocations[i];
        const hoist_prog_buffer *const target = &program->buffers[r->target];
        hoist_buffer_format(
            &text, "%.*s %u: %s %.*s + %d\n", HOIST_STR_ARGS(program->buffers[r->buffer].name),
            (unsigned)r->bit_offset, r->kind == HOIST_RELOCATION_LOW32 ? "low" : "high",
            HOIST_STR_ARGS(target->name), (int)r->addend);
        HOIST_EXPECT(t, target->placed && target->address % DARWINN_LOWER_PAGE == 0);
        HOIST_EXPECT_EQ(t, (target->address + target->size - 1) >> 32, target->address >> 32);
    }
    const hoist_str kept = hoist_arena_str(&t->arena, hoist_buffer_text(&text));
    hoist_buffer_deinit(&text);
    return kept;
}

#define LINK(chunk, low, high, buffer, addend)                                                     \
    "m/main/" chunk " " low ": low m/main/" buffer " + " addend "\nm/main/" chunk " " high         \
    ": high m/main/" buffer " + " addend "\n"
// clang-format off
static const char relocations[] =
    LINK("chunk0", "326", "454", "parameters", "0")
    LINK("chunk0", "1478", "1606", "input0", "0")
    LINK("chunk0", "2630", "2758", "input0", "4096")
    LINK("chunk0", "3782", "3910", "scratch", "0")
    LINK("chunk1", "198", "326", "scratch", "0")
    LINK("chunk1", "3526", "3654", "output0", "0")
    LINK("chunk1", "4678", "4806", "output1", "0")
    LINK("chunk1", "5830", "5958", "output0", "640")
    LINK("chunk1", "6982", "7110", "output1", "16");
// clang-format on

// Inputs have pages of their own, outputs are slices of one block.
HOIST_TEST(links_are_relocations)
{
    darwinn_bench bench;
    darwinn_lower_model model;
    darwinn_bench_begin(t, &bench, hoist_allocator_system());
    bench.options.driver = HOIST_DRIVER_PCIE;
    HOIST_EXPECT_EQ(t, darwinn_bench_open(&bench, package_of(t, DWN_ALONE, NULL), "m", &model),
                    HOIST_OK);
    HOIST_EXPECT(t, darwinn_lower_drive_prepare(&model));
    darwinn_bench_thread(&bench);
    hoist_program *const program = darwinn_bench_finish(&bench);
    HOIST_EXPECT_STR(t, address_text(t, program), relocations);
    hoist_program_destroy(program);
    darwinn_bench_end(&bench);
}

typedef struct starved {
    hoist_test *t;
    hoist_bytes package;
    hoist_driver driver;
} starved;

static hoist_status drive(hoist_allocator alloc, const void *self)
{
    const starved *const s = self;
    darwinn_bench bench;
    darwinn_lower_model model;
    hoist_lower_view views[4] = {{.base = HOIST_VIEW_BUFFER}};
    darwinn_bench_begin(s->t, &bench, alloc);
    bench.options.driver = s->driver;
    if (darwinn_bench_status(&bench) == HOIST_OK) {
        const hoist_shape shape = {1, {640}};
        HOIST_EXPECT_EQ(s->t, darwinn_bench_open(&bench, s->package, "m", &model), HOIST_OK);
        for (size_t i = 0; i < HOIST_COUNT_OF(views); i++) {
            views[i] = hoist_lower_view_dense(0, HOIST_DTYPE_U8, &shape);
        }
        if (darwinn_lower_drive_prepare(&model)) {
            const darwinn_lower_request request = {views, views, 2};
            darwinn_bench_thread(&bench);
            darwinn_lower_drive_run(&model, &request);
        }
    }
    const hoist_status status = darwinn_bench_status(&bench);
    darwinn_bench_end(&bench);
    return status;
}

HOIST_TEST(without_memory)
{
    static const dwn_kind kinds[] = {DWN_PAIR, DWN_ALONE};
    static const hoist_driver drivers[] = {HOIST_DRIVER_PCIE, HOIST_DRIVER_USB};
    for (size_t i = 0; i < HOIST_COUNT_OF(kinds); i++) {
        const starved self = {t, package_of(t, kinds[i], NULL), drivers[i]};
        hoist_test_starve(t, drive, &self);
    }
}

static hoist_status list_places(hoist_allocator alloc, const void *self)
{
    const dwn_executable rows = {.batch_size = 1};
    hoist_lower_context c = {0};
    dwn_places places;
    (void)self;
    hoist_arena_init(&c.arena, alloc);
    darwinn_lower_model model = {.c = &c};
    const darwinn_lower_walk walk = {.model = &model, .rows = &rows, .twin_count = 2};
    const hoist_status status = darwinn_lower_walk_places(&walk, &places);
    dwn_places_deinit(&places);
    hoist_arena_deinit(&c.arena);
    return status;
}

HOIST_TEST(places_without_memory)
{
    hoist_test_starve(t, list_places, NULL);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(what_cannot_be_driven), HOIST_TEST_ROW(requests_have_a_limit),
                HOIST_TEST_ROW(moves_of_executions_have_a_limit),
                HOIST_TEST_ROW(instructions_have_a_limit), HOIST_TEST_ROW(steps_of_the_driver),
                HOIST_TEST_ROW(a_part_of_the_hints), HOIST_TEST_ROW(links_are_relocations),
                HOIST_TEST_ROW(without_memory), HOIST_TEST_ROW(places_without_memory))
