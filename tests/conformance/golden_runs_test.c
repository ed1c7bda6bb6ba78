// The golden vectors, run: each netlist is opened, lowered and run as a user would run it, with the
// inputs that the reference model was given, and every entry of every output queue is compared with
// the reference's bits.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hoist/load.h"
#include "hoist/program.h"
#include "hoist/runtime.h"

#include "../corpus/vectors.h"
#include "kernels/compute.h"
#include "os/cpu.h"

enum { MAX_NAME = 256, MAX_PARAMETERS = 32 };

typedef struct golden {
    hoist_test *t;
    const char *folder; // of the case
    hoist_program *program;
    hoist_session *session;
    int64_t inputs;  // the largest input_count
    size_t compared; // entries
} golden;

static const hoist_port *no_port(void)
{
    static const hoist_port none = {0};
    return &none;
}

static hoist_port port_of(const golden *g, hoist_str name)
{
    for (size_t i = 0; i < hoist_program_port_count(g->program); i++) {
        const hoist_port port = hoist_program_port(g->program, i);
        if (hoist_str_equal(port.name, name)) {
            return port;
        }
    }
    hoist_test_fail(g->t, __FILE__, __LINE__, "no port %.*s", HOIST_STR_ARGS(name));
    return *no_port();
}

static size_t elements_of(const hoist_port *port)
{
    size_t count = 1;
    for (uint32_t i = 0; i < port->rank; i++) {
        count *= (size_t)port->shape[i];
    }
    return count;
}

// The number behind `key` in a line of the index.
static size_t number_of(const char *line, const char *key)
{
    const char *at = strstr(line, key);
    return at ? (size_t)strtoull(at + strlen(key), NULL, 10) : 0;
}

static const char *path_of(const golden *g, const char *kind, hoist_str name, const char *end)
{
    return hoist_arena_format(&g->t->arena, "%s/%s_%.*s%s", g->folder, kind, HOIST_STR_ARGS(name),
                              end)
        .data;
}

// Gives a queue or ram what the reference model was given.
static void give(const golden *g, hoist_str name, const char *line)
{
    const hoist_port port = port_of(g, name);
    const size_t entries = number_of(line, "entries_pushed=");
    const size_t bytes = elements_of(&port) * hoist_dtype_get(port.host_dtype)->bits / 8;
    const hoist_bytes all = vectors_npy(g->t, path_of(g, "in", name, ".host.npy"));
    HOIST_EXPECT_EQ(g->t, all.size, entries * bytes);
    for (size_t i = 0; i < entries && all.size == entries * bytes; i++) {
        const hoist_bytes one = {all.data + i * bytes, bytes};
        const char *text = hoist_arena_str(&g->t->arena, name).data;
        HOIST_EXPECT_EQ(
            g->t,
            port.is_queue
                ? hoist_session_push(g->session, text, port.host_dtype, one, 10.0)
                : hoist_session_write(g->session, text, (uint32_t)i, port.host_dtype, one),
            HOIST_OK);
    }
}

// Compares the entries that an output has.
static void take(golden *g, hoist_str name, const char *line)
{
    const hoist_port port = port_of(g, name);
    const size_t entries = number_of(line, "entries=");
    const size_t count = elements_of(&port);
    const float *wanted =
        vectors_floats(g->t, path_of(g, "out", name, ".f32.npy"), entries * count);
    float *got = hoist_arena_array(&g->t->arena, count, sizeof *got);
    HOIST_EXPECT(g->t, wanted != NULL);
    for (size_t i = 0; wanted && i < entries; i++) {
        const char *text = hoist_arena_str(&g->t->arena, name).data;
        const hoist_mut_bytes to = {(uint8_t *)got, count * sizeof *got};
        HOIST_EXPECT_EQ(
            g->t, hoist_session_read(g->session, text, (uint32_t)i, HOIST_DTYPE_F32, to), HOIST_OK);
        (void)vectors_compare_floats(g->t, text, got, wanted + i * count, count);
        g->compared++;
    }
}

// Calls `visit` for the lines of index.txt that begin with `kind`.
static void each_line(golden *g, const char *index, const char *kind,
                      void (*visit)(golden *g, hoist_str name, const char *line))
{
    for (const char *line = index; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, kind, strlen(kind)) == 0) {
            const char *name = line + strlen(kind);
            const size_t size = strcspn(line, "\n");
            visit(g, (hoist_str){name, strcspn(name, " ")},
                  hoist_arena_str(&g->t->arena, (hoist_str){line, size}).data);
        }
    }
}

static void give_line(golden *g, hoist_str name, const char *line)
{
    give(g, name, line);
}

// Rams that ops write begin as zeros in every slot.
static void clear_rams(const golden *g)
{
    for (size_t i = 0; i < hoist_program_port_count(g->program); i++) {
        const hoist_port port = hoist_program_port(g->program, i);
        if (port.is_queue || port.input) {
            continue;
        }
        const size_t size = elements_of(&port) * sizeof(float);
        const hoist_bytes zeros = {hoist_arena_alloc(&g->t->arena, size), size};
        for (uint32_t slot = 0; slot < port.slots; slot++) {
            HOIST_EXPECT_EQ(g->t,
                            hoist_session_write(g->session,
                                                hoist_arena_str(&g->t->arena, port.name).data, slot,
                                                HOIST_DTYPE_F32, zeros),
                            HOIST_OK);
        }
    }
}

// What the vectors were made with: sizes are input_count, pointers and zero 0, all others 1.
static int64_t parameter_value(const golden *g, hoist_str name)
{
    if (hoist_str_contains(name, "size")) {
        return g->inputs;
    }
    return hoist_str_contains(name, "lptr") || hoist_str_contains(name, "gptr") ||
                   hoist_str_contains(name, "zero")
               ? 0
               : 1;
}

static void run_entry(const golden *g, size_t entry)
{
    hoist_parameter parameters[MAX_PARAMETERS];
    const size_t count = hoist_program_parameter_count(g->program, entry);
    HOIST_EXPECT(g->t, count <= MAX_PARAMETERS);
    for (size_t i = 0; i < count && i < MAX_PARAMETERS; i++) {
        const hoist_str name = hoist_program_parameter_name(g->program, entry, i);
        parameters[i] =
            (hoist_parameter){hoist_arena_str(&g->t->arena, name).data, parameter_value(g, name)};
    }
    const hoist_str name = hoist_program_entry_name(g->program, entry);
    HOIST_EXPECT_EQ(
        g->t,
        hoist_session_run(g->session, hoist_arena_str(&g->t->arena, name).data, parameters, count),
        HOIST_OK);
    const hoist_status status = hoist_session_wait_idle(g->session, 60.0);
    if (status != HOIST_OK) {
        hoist_session_report(g->session, g->t->diag);
        const hoist_str all = hoist_test_findings(g->t);
        hoist_test_fail(g->t, __FILE__, __LINE__, "the run ends with %s\n%.*s",
                        hoist_status_name(status), HOIST_STR_ARGS(all));
    }
}

static void run_session(golden *g)
{
    const hoist_session_options options = {.struct_size = sizeof options, .sequential = true};
    const hoist_bytes index =
        hoist_test_file(g->t, hoist_arena_format(&g->t->arena, "%s/index.txt", g->folder).data);
    const char *lines =
        hoist_arena_str(&g->t->arena, (hoist_str){(const char *)index.data, index.size}).data;
    HOIST_EXPECT_EQ(g->t, hoist_session_open(g->program, &options, g->t->diag, &g->session),
                    HOIST_OK);
    if (!g->session) {
        return;
    }
    clear_rams(g);
    each_line(g, lines, "IN ", give_line);
    hoist_session_end_input(g->session, NULL);
    for (size_t i = 0; i < hoist_program_entry_count(g->program); i++) {
        run_entry(g, i);
    }
    each_line(g, lines, "OUT ", take);
    hoist_session_close(g->session);
}

// The largest input_count of the netlist's text.
static int64_t largest_input_count(hoist_bytes netlist)
{
    int64_t largest = 1;
    const char *at = (const char *)netlist.data;
    while ((at = strstr(at, "input_count:")) != NULL) {
        at += strlen("input_count:");
        const int64_t count = strtoll(at, NULL, 10);
        largest = count > largest ? count : largest;
    }
    return largest;
}

static size_t run_case(hoist_test *t, const char *folder, const char *arch)
{
    golden g = {.t = t, .folder = folder};
    const char *path = hoist_arena_format(&t->arena, "%s/netlist.yaml", folder).data;
    const hoist_bytes file = hoist_test_file(t, path);
    const hoist_str text =
        hoist_arena_str(&t->arena, (hoist_str){(const char *)file.data, file.size});
    g.inputs = largest_input_count((hoist_bytes){(const uint8_t *)text.data, text.size});
    const hoist_open_options options = {.struct_size = sizeof options, .arch = arch};
    hoist_job *job = NULL;
    HOIST_EXPECT_EQ(t, hoist_job_open(path, &options, t->diag, &job), HOIST_OK);
    if (!job) {
        return 0;
    }
    const hoist_status status = hoist_job_lower(job, NULL, t->diag, &g.program);
    hoist_job_close(job);
    if (status != HOIST_OK) {
        const hoist_str all = hoist_test_findings(t);
        hoist_test_fail(t, __FILE__, __LINE__, "lowering gives %s\n%.*s", hoist_status_name(status),
                        HOIST_STR_ARGS(all));
        return 0;
    }
    run_session(&g);
    hoist_program_destroy(g.program);
    return g.compared;
}

// The text between the quotes behind `key`; false when there is none. `*at` moves behind it.
static bool next_text(const char **at, const char *key, char out[MAX_NAME])
{
    const char *from = strstr(*at, key);
    const char *begin = from ? strchr(from + strlen(key), '"') : NULL;
    const char *end = begin ? strchr(begin + 1, '"') : NULL;
    if (!end || end - begin > MAX_NAME) {
        return false;
    }
    (void)snprintf(out, MAX_NAME, "%.*s", (int)(end - begin - 1), begin + 1);
    *at = end;
    return true;
}

HOIST_TEST(every_output_has_the_bits_of_the_reference)
{
    const char *root = hoist_test_corpus(t, "buda-golden");
    if (!root) {
        hoist_test_skip(t, "the corpus is absent");
        return;
    }
    if (!hoist_compute_is_exact()) {
        hoist_test_skip(t, "another C library than the vectors'");
        return;
    }
    const hoist_bytes index =
        hoist_test_file(t, hoist_arena_format(&t->arena, "%s/index.json", root).data);
    const char *at =
        hoist_arena_str(&t->arena, (hoist_str){(const char *)index.data, index.size}).data;
    char folder[MAX_NAME];
    char arch[MAX_NAME];
    size_t cases = 0;
    size_t entries = 0;
    while (next_text(&at, "\"dir\":", folder) && next_text(&at, "\"arch\":", arch)) {
        hoist_test_row(t, folder);
        entries += run_case(t, hoist_arena_format(&t->arena, "%s/%s", root, folder).data, arch);
        cases++;
    }
    HOIST_EXPECT(t, cases > 0 && entries >= cases);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(every_output_has_the_bits_of_the_reference))
