// A compiled model against its source where both end in an operator of the host: what the two give
// to that operator is compared (darwinn reference section 16.8). The operator's name is changed in
// both files, so that it is unknown and its inputs are outputs.
#include <stdio.h>
#include <string.h>

#include "hoist/runtime.h"

#include "edgetpu_testing.h"
#include "lower/tflite/lower.h"
#include "runtime/runtime_testing.h"

#define POSENET "darwinn/pairs/posenet_mobilenet_v1_075_353_481_16_quant_decoder"

typedef struct model {
    hoist_module *module;
    hoist_module *package; // NULL: it has none
    hoist_nested nested;
    hoist_program *program;
    hoist_session *session;
} model;

static void open_package(hoist_test *t, model *m)
{
    size_t count = 0;
    const hoist_payload *const payloads = edgetpu_payloads(t, m->module, &count);
    if (count) {
        m->package = edgetpu_read(t, payloads);
        m->nested = (hoist_nested){*payloads, m->package};
    }
}

static hoist_bytes without_decoder(hoist_test *t, const char *path)
{
    static const char name[] = "PosenetDecoderOp";
    const size_t length = sizeof(name) - 1;
    const hoist_bytes file = hoist_test_file(t, path);
    uint8_t *const bytes = hoist_arena_alloc(&t->arena, file.size);
    size_t changed = 0;
    memcpy(bytes, file.data, file.size);
    for (size_t i = 0; i + length <= file.size; i++) {
        if (memcmp(bytes + i, name, length) == 0) {
            bytes[i] = 'U';
            changed++;
        }
    }
    HOIST_EXPECT_EQ(t, changed, 1);
    return (hoist_bytes){bytes, file.size};
}

static void open_model(hoist_test *t, const char *path, bool is_compiled, model *m)
{
    const hoist_lower_options options = {.struct_size = sizeof options,
                                         .on_unknown = HOIST_UNKNOWN_SKIP};
    m->module = edgetpu_model(t, without_decoder(t, path));
    if (is_compiled) {
        open_package(t, m);
    }
    const hoist_file file = {.module = m->module,
                             .name = hoist_str_from(path),
                             .nested = &m->nested,
                             .nested_count = m->package ? 1 : 0};
    HOIST_EXPECT_EQ(t, tflite_lower(&file, 1, NULL, &options, t->diag, &m->program), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_session_open(m->program, NULL, t->diag, &m->session), HOIST_OK);
}

static void close_model(model *m)
{
    hoist_session_close(m->session);
    hoist_program_destroy(m->program);
    if (m->package) {
        m->package->format->destroy(m->package);
    }
    m->module->format->destroy(m->module);
}

static void run_model(hoist_test *t, const model *m)
{
    for (size_t i = 0; i < hoist_program_port_count(m->program); i++) {
        const hoist_port port = hoist_program_port(m->program, i);
        if (port.input) {
            runtime_write_noise(t, m->session, &port, 7);
        }
    }
    HOIST_EXPECT_EQ(t, hoist_session_run(m->session, "run", NULL, 0), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_session_wait_idle(m->session, 300), HOIST_OK);
}

static hoist_mut_bytes read_output(hoist_test *t, const model *m, const hoist_port *port)
{
    const size_t size = runtime_port_size(port);
    const hoist_mut_bytes bytes = {hoist_arena_alloc(&t->arena, size), size};
    const hoist_str name = hoist_arena_str(&t->arena, port->name);
    HOIST_EXPECT_EQ(t, hoist_session_read(m->session, name.data, 0, port->host_dtype, bytes),
                    HOIST_OK);
    return bytes;
}

// The reference has 82 to 96 percent of equal bytes in the last layers, and at most 2 steps. Its
// inputs are others than this noise.
static void compare_output(hoist_test *t, hoist_str name, hoist_mut_bytes got,
                           hoist_mut_bytes wanted)
{
    size_t equal = 0;
    int most = 0;
    HOIST_EXPECT_EQ(t, got.size, wanted.size);
    for (size_t i = 0; i < got.size && i < wanted.size; i++) {
        const int step = got.data[i] > wanted.data[i] ? got.data[i] - wanted.data[i]
                                                      : wanted.data[i] - got.data[i];
        equal += step == 0;
        most = step > most ? step : most;
    }
    (void)printf("%.*s: %.2f %% of %zu bytes equal, at most %d apart\n", HOIST_STR_ARGS(name),
                 100.0 * (double)equal / (double)got.size, got.size, most);
    HOIST_EXPECT(t, 100 * equal >= 81 * got.size);
    HOIST_EXPECT(t, most <= 2);
}

HOIST_TEST(posenet_gives_its_decoder_nearly_the_same)
{
    const char *const source_path = hoist_test_corpus(t, POSENET ".tflite");
    if (!source_path) {
        hoist_test_skip(t, "the corpus is absent");
        return;
    }
    const char *const path = hoist_test_corpus(t, POSENET "_edgetpu.tflite");
    model source = {0};
    model compiled = {0};
    open_model(t, source_path, false, &source);
    open_model(t, path, true, &compiled);
    run_model(t, &source);
    run_model(t, &compiled);
    size_t outputs = 0;
    for (size_t i = 0; i < hoist_program_port_count(compiled.program); i++) {
        const hoist_port port = hoist_program_port(compiled.program, i);
        for (size_t k = 0; port.output && k < hoist_program_port_count(source.program); k++) {
            const hoist_port other = hoist_program_port(source.program, k);
            if (hoist_str_equal(other.name, port.name)) {
                compare_output(t, port.name, read_output(t, &compiled, &port),
                               read_output(t, &source, &other));
                outputs++;
            }
        }
    }
    HOIST_EXPECT_EQ(t, outputs, 3);
    close_model(&source);
    close_model(&compiled);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(posenet_gives_its_decoder_nearly_the_same))
