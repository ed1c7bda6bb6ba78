#include "netlists.h"

#include <stdlib.h>
#include <string.h>

#include "hoist/load.h"

// The largest number behind `key`; `absent` when it is nowhere.
static int64_t largest(const char *text, const char *key, int64_t absent)
{
    int64_t found = absent;
    bool any = false;
    while ((text = strstr(text, key)) != NULL) {
        text += strlen(key);
        const int64_t value = strtoll(text + strspn(text, ": "), NULL, 10);
        found = !any || value > found ? value : found;
        any = true;
    }
    return found;
}

int64_t netlist_parameter(const netlist *n, hoist_str name)
{
    if (hoist_str_contains(name, "batch_size")) {
        return n->inputs;
    }
    if (hoist_str_contains(name, "lptr") || hoist_str_contains(name, "gptr") ||
        hoist_str_contains(name, "zero")) {
        return 0;
    }
    return hoist_str_equal_c(name, "$p_loop_count") ? n->loops : 1;
}

bool netlist_runs(const netlist *n)
{
    return strcmp(n->row->run, "runs") == 0;
}

static void lower_netlist(hoist_test *t, const char *folder, const netlist_row *row,
                          void (*visit)(const netlist *n))
{
    const char *path = hoist_arena_format(&t->arena, "%s/%s", folder, row->path).data;
    const hoist_bytes file = hoist_test_file(t, path);
    netlist n = {.t = t, .row = row};
    n.text = hoist_arena_str(&t->arena, (hoist_str){(const char *)file.data, file.size}).data;
    n.inputs = largest(n.text, "input_count", 1);
    n.loops = largest(n.text, "program_loop_count", 1);
    const hoist_open_options options = {.struct_size = sizeof options,
                                        .arch = *row->arch == '-' ? NULL : row->arch};
    hoist_job *job = NULL;
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t, hoist_job_open(path, &options, t->diag, &job), HOIST_OK);
    const hoist_status status = job ? hoist_job_lower(job, NULL, t->diag, &program) : HOIST_INVALID;
    hoist_job_close(job);
    if (status == HOIST_OK) {
        n.program = program;
        visit(&n);
    } else {
        const hoist_str all = hoist_test_findings(t);
        hoist_test_fail(t, __FILE__, __LINE__, "lowering gives %s\n%.*s", hoist_status_name(status),
                        HOIST_STR_ARGS(all));
    }
    hoist_program_destroy(program);
}

// The cells of a line, in place; false for comments and the header.
static bool read_row(char *line, netlist_row *out)
{
    char **cells[] = {&out->path, &out->arch, &out->check, &out->run, &out->pushes};
    char *save = NULL;
    char *cell = strtok_r(line, "\t", &save);
    for (size_t i = 0; i < HOIST_COUNT_OF(cells); i++) {
        if (!cell || *cell == '#' || strcmp(cell, "path") == 0) {
            return false;
        }
        *cells[i] = cell;
        cell = strtok_r(NULL, "\t", &save);
    }
    return true;
}

void netlists_each(hoist_test *t, const char *folder, void (*visit)(const netlist *n))
{
    const char *path = hoist_test_corpus(t, folder);
    if (!path) {
        hoist_test_skip(t, "the corpus is absent");
        return;
    }
    const hoist_bytes file =
        hoist_test_file(t, hoist_arena_format(&t->arena, "%s/expect.tsv", path).data);
    char *text = hoist_arena_alloc(&t->arena, file.size + 1);
    memcpy(text, file.data, file.size);
    size_t count = 0;
    char *save = NULL;
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        netlist_row row;
        if (read_row(line, &row) && strcmp(row.check, "clean") == 0) {
            hoist_test_row(t, row.path);
            lower_netlist(t, path, &row, visit);
            count++;
        }
    }
    HOIST_EXPECT(t, count > 0);
}
