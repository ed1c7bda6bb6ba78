// Generated NEFFs (neff reference, appendix B): what is valid has no error and comes back as it
// was; what is broken on purpose has its finding, every clause of the rules at least once; and the
// generator leaves nothing out.
//
//     neff_generated_test [FILES [FIRST_SEED]]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hoist/load.h"

#include "base/alloc.h"
#include "base/diag.h"
#include "base/span.h"
#include "formats/neff/neff.h"
#include "formats/neff/rules.h"
#include "testing/neff_generator.h"
#include "testing/test.h"

static size_t files = 100;
static size_t first_seed = 1;

// Files ------------------------------------------------------------------------------------------

static hoist_module *read_file(hoist_bytes bytes)
{
    const hoist_read_options options = {.alloc = hoist_allocator_system(), .keep = true};
    hoist_module *module = NULL;
    const hoist_status status = hoist_neff_format.read(bytes, &options, NULL, &module);
    return status == HOIST_OK ? module : NULL;
}

// Opens and checks the file as `hoist check` does; NULL: it cannot be opened.
static hoist_job *check(hoist_test *t, const neff_file *file, hoist_diag *diag)
{
    const hoist_open_options options = {.struct_size = sizeof(options),
                                        .format = "neff",
                                        .arch = file->arch,
                                        .max_expanded = file->max_expanded};
    hoist_job *job = NULL;
    const hoist_status opened =
        hoist_job_open_bytes(hoist_buffer_bytes(&file->bytes), "a.neff", &options, diag, &job);
    HOIST_EXPECT(t, (opened == HOIST_OK) == (job != NULL));
    if (job) {
        HOIST_EXPECT_EQ(t, hoist_job_check(job, diag), HOIST_OK);
    }
    return job;
}

static hoist_diag *new_diag(void)
{
    hoist_diag *diag = NULL;
    if (hoist_diag_create(hoist_allocator_system(), NULL, &diag) != HOIST_OK) {
        abort();
    }
    return diag;
}

static const hoist_finding *find_error(const hoist_diag *diag)
{
    for (size_t i = 0; i < hoist_diag_kept(diag); i++) {
        if (hoist_diag_at(diag, i)->severity == HOIST_ERROR) {
            return hoist_diag_at(diag, i);
        }
    }
    return NULL;
}

static bool same(hoist_bytes a, hoist_bytes b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

// Parts ------------------------------------------------------------------------------------------

typedef struct folder {
    hoist_arena arena;
    hoist_part parts[256];
    size_t count;
} folder;

static hoist_status keep_part(void *self, const hoist_part *part)
{
    folder *const f = self;
    if (f->count == HOIST_COUNT_OF(f->parts)) {
        return HOIST_LIMIT;
    }
    hoist_part *const own = &f->parts[f->count++];
    *own = *part;
    own->path = hoist_arena_str(&f->arena, part->path);
    const hoist_str bytes =
        hoist_arena_str(&f->arena, (hoist_str){(const char *)part->bytes.data, part->bytes.size});
    own->bytes = (hoist_bytes){(const uint8_t *)bytes.data, bytes.size};
    return HOIST_OK;
}

// Packs the parts of a module again.
static void pack_again(hoist_test *t, const hoist_module *module, bool members_only,
                       hoist_buffer *out)
{
    static const hoist_pack_options pack = {.struct_size = sizeof(pack)};
    const hoist_unpack_options options = {.struct_size = sizeof(options),
                                          .members_only = members_only};
    folder *const f = calloc(1, sizeof(*f));
    hoist_arena_init(&f->arena, hoist_allocator_system());
    hoist_part_sink sink = {.self = f, .part = keep_part};
    HOIST_EXPECT_EQ(t, hoist_neff_format.unpack(module, &options, NULL, &sink), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_neff_format.pack(f->parts, f->count, &pack, NULL, out), HOIST_OK);
    hoist_arena_deinit(&f->arena);
    free(f);
}

// Valid files ------------------------------------------------------------------------------------

// What the module holds, member for member.
static bool same_members(const hoist_module *left, const hoist_module *right)
{
    const neff_module *const a = neff_of(left);
    const neff_module *const b = neff_of(right);
    bool equal = a->member_count == b->member_count;
    for (uint32_t i = 0; equal && i < a->member_count; i++) {
        equal = hoist_str_equal(a->members[i].name, b->members[i].name) &&
                same(a->members[i].bytes, b->members[i].bytes);
    }
    return equal;
}

// `bytes` hold the members of the module; where the file is canonical they are its own.
static void expect_same(hoist_test *t, const neff_file *file, const hoist_module *module,
                        hoist_bytes bytes)
{
    hoist_module *const again = read_file(bytes);
    HOIST_EXPECT(t, again && same_members(module, again));
    if (again) {
        hoist_neff_format.destroy(again);
    }
    if (file->canonical) {
        HOIST_EXPECT(t, same(bytes, hoist_buffer_bytes(&file->bytes)));
    }
}

static void check_writing(hoist_test *t, const neff_file *file, const hoist_module *module)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_neff_format.write(module, &out), HOIST_OK);
    expect_same(t, file, module, hoist_buffer_bytes(&out));
    hoist_buffer_deinit(&out);
}

// With its manifest every file comes back but for what no writer of ours would make: bytes behind
// the payload and the like; the members always do.
static void check_packing(hoist_test *t, const neff_file *file, const hoist_module *module)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    pack_again(t, module, false, &out);
    expect_same(t, file, module, hoist_buffer_bytes(&out));
    hoist_buffer_deinit(&out);
}

static bool reached[NEFF_CELL_COUNT];

static void check_valid(hoist_test *t, uint64_t seed, neff_file_size size)
{
    static const size_t most[] = {(size_t)64 << 10, (size_t)8 << 20, SIZE_MAX};
    const neff_file_options options = {.seed = seed, .size = size};
    neff_file file;
    hoist_diag *const diag = new_diag();
    neff_file_generate(&options, &file);
    HOIST_EXPECT(t, file.bytes.size < most[size]);
    hoist_job_close(check(t, &file, diag));
    hoist_module *const module = read_file(hoist_buffer_bytes(&file.bytes));
    HOIST_EXPECT(t, module != NULL);
    if (module) {
        check_writing(t, &file, module);
        check_packing(t, &file, module);
        hoist_neff_format.destroy(module);
    }
    const hoist_finding *const error = find_error(diag);
    if (error) {
        hoist_test_fail(t, __FILE__, __LINE__, "seed %llu: %s in %.*s at %.*s: %.*s",
                        (unsigned long long)seed, error->rule->id, HOIST_STR_ARGS(error->member),
                        HOIST_STR_ARGS(error->object), HOIST_STR_ARGS(error->message));
    }
    for (size_t i = 0; i < NEFF_CELL_COUNT; i++) {
        reached[i] = reached[i] || file.cells[i];
    }
    hoist_diag_destroy(diag);
    neff_file_deinit(&file);
}

HOIST_TEST(valid_files_come_back)
{
    for (size_t i = 0; i < HOIST_TEST_ROUNDS(files); i++) {
        hoist_test_row(t, hoist_arena_format(&t->arena, "seed %zu", first_seed + i).data);
        check_valid(t, first_seed + i, NEFF_FILE_SMALL);
    }
}

HOIST_TEST(medium_files_come_back)
{
    enum { LEAST = 2, MOST = 20 };
    for (size_t i = 0; i < LEAST || (i < MOST && !reached[CELL_STREAM_LONG]); i++) {
        check_valid(t, first_seed + i, NEFF_FILE_MEDIUM);
    }
}

HOIST_TEST(same_seed_same_bytes)
{
    neff_file one;
    neff_file two;
    neff_file other;
    neff_file_generate(&(neff_file_options){.seed = 7}, &one);
    neff_file_generate(&(neff_file_options){.seed = 7}, &two);
    neff_file_generate(&(neff_file_options){.seed = 8}, &other);
    HOIST_EXPECT(t, same(hoist_buffer_bytes(&one.bytes), hoist_buffer_bytes(&two.bytes)));
    HOIST_EXPECT(t, !same(hoist_buffer_bytes(&one.bytes), hoist_buffer_bytes(&other.bytes)));
    neff_file_deinit(&one);
    neff_file_deinit(&two);
    neff_file_deinit(&other);
}

// Broken files -----------------------------------------------------------------------------------

static bool raises(const hoist_diag *diag, const char *id)
{
    for (size_t i = 0; i < hoist_diag_kept(diag); i++) {
        if (strcmp(hoist_diag_at(diag, i)->rule->id, id) == 0) {
            return true;
        }
    }
    return false;
}

// Checks the file, and when it has no error lowers it: ranks meet only there.
static void judge(hoist_test *t, const neff_file *file, hoist_diag *diag)
{
    hoist_job *const job = check(t, file, diag);
    hoist_program *program = NULL;
    if (job && hoist_diag_count(diag, HOIST_ERROR) == 0) {
        const hoist_status lowered = hoist_job_lower(job, NULL, diag, &program);
        HOIST_EXPECT(t, (lowered == HOIST_OK) == (program != NULL));
    }
    hoist_program_destroy(program);
    hoist_job_close(job);
}

static void check_mutation(hoist_test *t, const neff_mutation *mutation, uint64_t seed)
{
    const neff_file_options options = {.seed = seed, .mutation = mutation};
    neff_file file;
    hoist_diag *const diag = new_diag();
    neff_file_generate(&options, &file);
    judge(t, &file, diag);
    if (!raises(diag, neff_mutation_clause(mutation))) {
        const hoist_finding *const error = find_error(diag);
        hoist_test_fail(t, __FILE__, __LINE__, "seed %llu, %s, '%s': not raised; %s %.*s",
                        (unsigned long long)seed, neff_mutation_clause(mutation),
                        neff_mutation_name(mutation), error ? error->rule->id : "no error",
                        HOIST_STR_ARGS(error ? error->message : HOIST_STR("")));
    }
    for (size_t i = 0; i < NEFF_CELL_COUNT; i++) {
        reached[i] = reached[i] || file.cells[i];
    }
    hoist_diag_destroy(diag);
    neff_file_deinit(&file);
}

HOIST_TEST(mutations_raise_their_clauses)
{
    const size_t rounds = 1 + files / 100;
    for (size_t i = 0; i < neff_mutation_count(); i++) {
        for (size_t round = 0; round < rounds; round++) {
            check_mutation(t, neff_mutation_at(i), first_seed + i * rounds + round);
        }
    }
}

static bool has_mutation(const char *id)
{
    for (size_t i = 0; i < neff_mutation_count(); i++) {
        if (strcmp(neff_mutation_clause(neff_mutation_at(i)), id) == 0) {
            return true;
        }
    }
    return false;
}

HOIST_TEST(every_clause_has_a_mutation)
{
    for (size_t i = 0; i < NEFF_RULE_COUNT; i++) {
        const char *const id = neff_rule_row((neff_rule)i)->id;
        if (!has_mutation(id)) {
            hoist_test_fail(t, __FILE__, __LINE__, "no mutation raises %s", id);
        }
    }
}

// Coverage ---------------------------------------------------------------------------------------

HOIST_TEST(every_cell_is_reached)
{
    enum { MOST_SEEDS = 20000, SHOWN = 40 };
    size_t missing = NEFF_CELL_COUNT;
    size_t shown = 0;
    for (uint64_t seed = 0; seed < MOST_SEEDS && missing; seed++) {
        neff_file file;
        neff_file_generate(&(neff_file_options){.seed = (first_seed << 32) + seed}, &file);
        missing = 0;
        for (size_t i = 0; i < NEFF_CELL_COUNT; i++) {
            reached[i] = reached[i] || file.cells[i];
            missing += reached[i] ? 0 : 1;
        }
        neff_file_deinit(&file);
    }
    for (size_t i = 0; i < NEFF_CELL_COUNT && shown < SHOWN; i++) {
        if (!reached[i]) {
            char name[128];
            neff_cell_name((neff_cell)i, name, sizeof(name));
            hoist_test_fail(t, __FILE__, __LINE__, "no file reaches '%s'", name);
            shown++;
        }
    }
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        HOIST_TEST_ROW(valid_files_come_back),       HOIST_TEST_ROW(medium_files_come_back),
        HOIST_TEST_ROW(same_seed_same_bytes),        HOIST_TEST_ROW(mutations_raise_their_clauses),
        HOIST_TEST_ROW(every_clause_has_a_mutation), HOIST_TEST_ROW(every_cell_is_reached)};
    files = count > 1 ? strtoul(arguments[1], NULL, 10) : files;
    first_seed = count > 2 ? strtoul(arguments[2], NULL, 10) : first_seed;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return hoist_test_exit_status(failed, HOIST_COUNT_OF(tests));
}
