#include "lower/neff/job_testing.h"

#include "base/span.h"
#include "lower/program_text_testing.h"
#include "program/verify.h"

static const char *or_else(const char *text, const char *other)
{
    return text ? text : other;
}

void neff_job_texts(hoist_test *t, const neff_job_parts *parts, neff_texts *out_neff)
{
    neff_test_base(t, NEFF_TEST_COPY, NULL, out_neff);
    const char *queues =
        or_else(parts->queues, "\"q0\": {\"type\": \"data\", \"owner\": \"sp\", \"semaphore\": 1}");
    const char *vars =
        or_else(parts->vars, "\"input\": {\"type\": \"input\", \"var_id\": 0, \"size\": 64},"
                             "\"output\": {\"type\": \"output\", \"var_id\": 1, \"size\": 64}");
    neff_test_put(t, out_neff, "sg00/def.json",
                  hoist_arena_format(&t->arena,
                                     "{\"name\": \"definition\", \"version\": \"0.6\",\n"
                                     "\"pe\": \"pe.json\", \"act\": \"act.json\", \"pool\": "
                                     "\"pool.json\", \"dve\": \"dve.json\", \"sp\": \"sp.json\",\n"
                                     "\"replica_groups\": %s,\n\"dma_queue\": {%s},\n"
                                     "\"var\": {%s}}\n",
                                     or_else(parts->groups, "[[]]"), queues, vars));
    if (parts->blocks) {
        neff_test_put(t, out_neff, "sg00/sp.json",
                      hoist_arena_format(&t->arena,
                                         "{\"dma\": [%s],\n\"instr\": \"sp.bin\", \"name\": "
                                         "\"sp\"}\n",
                                         parts->blocks));
    }
    if (parts->records) {
        neff_test_stream(t, out_neff, "sg00/sp.bin", parts->records);
    }
    if (parts->pe) {
        neff_test_stream(t, out_neff, "sg00/pe.bin", parts->pe);
    }
    if (parts->act) {
        neff_test_stream(t, out_neff, "sg00/act.bin", parts->act);
    }
}

enum { MAX_FILES = 4 };

hoist_status neff_job_lower(hoist_test *t, const neff_texts *files, size_t count,
                            const hoist_lower_options *options, hoist_program **out_program)
{
    static const hoist_lower_options usual = {.struct_size = sizeof usual};
    neff_module *modules[MAX_FILES];
    hoist_file rows[MAX_FILES] = {0};
    bool read = true;
    for (size_t i = 0; i < count; i++) {
        modules[i] = neff_test_read(t, &files[i]);
        read = read && modules[i];
        rows[i] =
            (hoist_file){.module = modules[i] ? &modules[i]->base : NULL,
                         .name = hoist_arena_format(&t->arena, "%c.neff", (char)('a' + (int)i))};
    }
    *out_program = NULL;
    const hoist_status status =
        read ? neff_lower(rows, count, NULL, options ? options : &usual, t->diag, out_program)
             : HOIST_INVALID;
    for (size_t i = 0; i < count; i++) {
        neff_test_destroy(modules[i]);
    }
    return status;
}

void neff_job_cores(hoist_test *t, neff_texts *neff, uint32_t cores)
{
    static const char *const files[] = {"def.json", "sp.json", "sp.bin"};
    for (uint32_t core = 1; core < cores; core++) {
        for (size_t i = 0; i < HOIST_COUNT_OF(files); i++) {
            const char *from = hoist_arena_format(&t->arena, "sg00/%s", files[i]).data;
            const char *to = hoist_arena_format(&t->arena, "sg%02u/%s", core, files[i]).data;
            neff_test_put(t, neff, to, neff_test_text(t, neff, from));
        }
        neff_test_edit(t, neff, "kelf-0.json", "\n  ],",
                       hoist_arena_format(&t->arena,
                                          ", {\"definition\": \"sg%02u/def.json\", \"name\": "
                                          "\"sg%02u\"}\n  ],",
                                          core, core)
                           .data);
    }
}

void neff_job_expect(hoist_test *t, const neff_job_case *row)
{
    const hoist_lower_options options = {.struct_size = sizeof options,
                                         .ranks = row->ranks,
                                         .on_unknown = row->unknown ? HOIST_UNKNOWN_SKIP
                                                                    : HOIST_UNKNOWN_STOP};
    hoist_program *program = NULL;
    neff_texts neff;
    neff_job_texts(t, &row->parts, &neff);
    neff_job_cores(t, &neff, row->cores);
    neff_module *module = neff_test_read(t, &neff);
    if (module) {
        const hoist_file file = {.module = &module->base, .name = HOIST_STR("a.neff")};
        module->header.lnc_size = row->lnc ? row->lnc : 1;
        HOIST_EXPECT_EQ(t, neff_lower(&file, 1, NULL, &options, t->diag, &program), HOIST_OK);
    }
    lower_test_expect_piece(t, program, row->heads, row->text);
    if (program) {
        HOIST_EXPECT_EQ(t, hoist_program_verify(program, t->diag), HOIST_OK);
    }
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), 0);
    hoist_program_destroy(program);
    neff_test_destroy(module);
}
