// The reject list A13 of the neff reference's Appendix A: each file is a copy of 64 bytes with one
// fault, and must be found to have it.
#include <string.h>

#include "hoist/load.h"
#include "hoist/neff.h"

#include "base/span.h"
#include "formats/neff/module.h"
#include "testing/test.h"

// A file of that name in an archive is refused, and so is not made: its bytes are put over those of
// another one, whose sum is the same, as the archive's checksums are sums.
#define UNSAFE_NAME "../x"
#define SAFE_NAME "+1/x"

typedef struct reject_edit {
    const char *member;
    const char *find;
    const char *put;
} reject_edit;

typedef struct reject {
    const char *name;
    const char *rule;
    const char *member;   // of the finding; NULL: the container
    bool warning;         // else an error
    uint32_t pkg_version; // 0: 2
    reject_edit edits[2]; // of JSON members
    const char *desc;     // in place of the copy
    bool odd;             // one byte more in a stream
    bool unsafe;          // with a member UNSAFE_NAME
    int64_t at;           // of a 64-bit number in the file, from its end when negative,
    uint64_t add;         // to which this is added; 0: none is
    size_t size;          // of the file, which is cut off; 0: as it is
    bool without_end;     // the archive's zero blocks are cut off
} reject;

#define FROM(off, sizes, steps)                                                                    \
    "\"from\": \"input\", \"from_off\": " off ", \"from_sizes\": " sizes ", "                      \
    "\"from_steps\": " steps
#define TO(name, sizes, steps)                                                                     \
    "\"to\": \"" name "\", \"to_off\": 0, \"to_sizes\": " sizes ", \"to_steps\": " steps
#define OUTPUT TO("output", "[64]", "[1]")
#define INPUT FROM("0", "[64]", "[1]")
#define SOURCE "{" INPUT ", \"from_dtype\": \"float32\"}"
#define FOUR(item) item ", " item ", " item ", " item
#define SHAPE_3                                                                                    \
    "\"op\": \"transpose\", \"transpose_shape\": [8, 1, 8], \"transpose_element_size\": 1, "
#define DEF "sg00/def.json"
#define ENGINE "sg00/sp.json"

// clang-format off
static const reject rejects[] = {
    {.name = "A13 a file of 1024 bytes", .rule = "NEFF-001", .size = NEFF_HEADER_SIZE},
    {.name = "A13 pkg_version 3", .rule = "NEFF-002", .at = 0, .add = 1},
    {.name = "A13 header_size 1023", .rule = "NEFF-003a", .at = 8, .add = UINT64_MAX},
    {.name = "A13 data_size beyond the end", .rule = "NEFF-004a", .at = 16, .add = 1},
    {.name = "A13 major 3", .rule = "NEFF-005a", .at = 24, .add = 2},
    {.name = "A13 CRC flipped", .rule = "NEFF-015a", .at = -8, .add = 1},
    {.name = "A13 ISIZE + 1", .rule = "NEFF-015a", .at = -8, .add = UINT64_C(1) << 32},
    {.name = "A13 end blocks cut off", .rule = "NEFF-016b", .warning = true, .pkg_version = 1, .without_end = true},
    {.name = "A13 tar checksum flipped", .rule = "NEFF-016a", .pkg_version = 1, .at = NEFF_HEADER_SIZE + 150, .add = 1},
    {.name = "A13 a member ../x", .rule = "NEFF-017", .pkg_version = 1, .unsafe = true},
    {.name = "A13 target sundae", .rule = "NEFF-024a", .member = "kelf-0.json", .edits = {{"kelf-0.json", "\"*\"", "\"sundae\""}}},
    {.name = "A13 two variables with id 0", .rule = "NEFF-028a", .member = DEF, .edits = {{DEF, "\"var_id\": 1", "\"var_id\": 0"}}},
    {.name = "A13 alignment 3", .rule = "NEFF-029", .member = DEF, .edits = {{DEF, "\"size\": 64", "\"size\": 64, \"alignment\": 3"}}},
    {.name = "A13 num_queues 17", .rule = "NEFF-036a", .member = DEF, .edits = {{DEF, "\"type\": \"data\"", "\"type\": \"data\", \"num_queues\": 17"}}},
    {.name = "A13 num_queues 2 with target tonga", .rule = "NEFF-036a", .member = DEF,
     .edits = {{DEF, "\"type\": \"data\"", "\"type\": \"data\", \"num_queues\": 2"}, {"kelf-0.json", "\"*\"", "\"tonga\""}}},
    {.name = "A13 undeclared to", .rule = "NEFF-051", .member = ENGINE, .desc = INPUT ", " TO("nowhere", "[64]", "[1]")},
    {.name = "A13 5 steps with 4 sizes", .rule = "NEFF-052a", .member = ENGINE, .desc = FROM("0", "[64, 1, 1, 1]", "[1, 1, 1, 1, 1]") ", " OUTPUT},
    {.name = "A13 a pattern that reaches size + 1", .rule = "NEFF-055", .member = ENGINE, .desc = FROM("1", "[64]", "[1]") ", " OUTPUT},
    {.name = "A13 8 bytes to 7 bytes", .rule = "NEFF-056", .member = ENGINE, .desc = FROM("0", "[8]", "[1]") ", " TO("output", "[7]", "[1]")},
    {.name = "A13 17 sources", .rule = "NEFF-050a", .member = ENGINE,
     .desc = "\"op\": \"add\", \"from_arr\": [" FOUR(FOUR(SOURCE)) ", " SOURCE "], \"to_dtype\": \"float32\", " OUTPUT},
    {.name = "A13 scale on copy", .rule = "NEFF-058a", .member = ENGINE, .desc = "\"scale\": 2.0, " INPUT ", " OUTPUT},
    {.name = "A13 transpose_shape of 3", .rule = "NEFF-060a", .member = ENGINE, .desc = SHAPE_3 INPUT ", " OUTPUT},
    {.name = "A13 a stream of 65 bytes", .rule = "NEFF-066", .member = "sg00/sp.bin", .odd = true},
};
// clang-format on

// The file ---------------------------------------------------------------------------------------

static void add_parts(hoist_test *t, hoist_neff *neff, const reject *row)
{
    const hoist_neff_variable vars[] = {
        {.struct_size = sizeof(vars[0]), .name = "input", .type = "input", .size = 64},
        {.struct_size = sizeof(vars[0]), .name = "output", .type = "output", .size = 64}};
    const hoist_neff_queue_set queue = {
        .struct_size = sizeof(queue), .name = "q0", .type = "data", .owner = "sp"};
    const char *desc = row->desc ? row->desc : INPUT ", " OUTPUT;
    const hoist_neff_key dma = {
        "dma", hoist_arena_format(&t->arena,
                                  "[{\"id\": 0, \"queue\": \"q0\", \"semaphore\": 1, "
                                  "\"desc\": [{%s}]}]",
                                  desc)
                   .data};
    HOIST_EXPECT_EQ(t, hoist_neff_add_subgraph(neff, NULL), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_neff_add_variable(neff, 0, &vars[0]), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_neff_add_variable(neff, 0, &vars[1]), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_neff_add_queue_set(neff, 0, &queue), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_neff_add_keys(neff, ENGINE, (hoist_neff_keys){&dma, 1}), HOIST_OK);
    HOIST_EXPECT_EQ(t,
                    hoist_neff_add_code(neff, 0, HOIST_NEFF_SP,
                                        "PSEUDO_DMA_TRIGGER q0 block_id=0;\n"
                                        "EVENT_SEMAPHORE $S[1]>0;\nPSEUDO_INST EXIT;\n",
                                        t->diag),
                    HOIST_OK);
}

static void edit(hoist_test *t, hoist_neff *neff, const reject_edit *e)
{
    hoist_bytes bytes = {NULL, 0};
    HOIST_EXPECT_EQ(t, hoist_neff_member(neff, e->member, &bytes), HOIST_OK);
    const char *text =
        hoist_arena_str(&t->arena, (hoist_str){(const char *)bytes.data, bytes.size}).data;
    const char *at = strstr(text, e->find);
    if (!at) {
        hoist_test_fail(t, __FILE__, __LINE__, "no %s in %s", e->find, text);
        return;
    }
    const hoist_str changed = hoist_arena_format(&t->arena, "%.*s%s%s", (int)(at - text), text,
                                                 e->put, at + strlen(e->find));
    HOIST_EXPECT_EQ(
        t,
        hoist_neff_set_member(neff, e->member,
                              (hoist_bytes){(const uint8_t *)changed.data, changed.size}),
        HOIST_OK);
}

static hoist_mut_bytes build(hoist_test *t, const reject *row)
{
    const hoist_neff_options options = {.struct_size = sizeof(options),
                                        .pkg_version = row->pkg_version};
    const hoist_bytes zero = {(const uint8_t *)"", 1};
    hoist_neff *neff = NULL;
    HOIST_EXPECT_EQ(t, hoist_neff_create(&options, &neff), HOIST_OK);
    add_parts(t, neff, row);
    for (size_t i = 0; i < HOIST_COUNT_OF(row->edits) && row->edits[i].member; i++) {
        edit(t, neff, &row->edits[i]);
    }
    if (row->odd) {
        HOIST_EXPECT_EQ(t, hoist_neff_add_record(neff, 0, HOIST_NEFF_SP, zero), HOIST_OK);
    }
    if (row->unsafe) {
        HOIST_EXPECT_EQ(t, hoist_neff_add_member(neff, SAFE_NAME, zero), HOIST_OK);
    }
    hoist_bytes file = {NULL, 0};
    HOIST_EXPECT_EQ(t, hoist_neff_finish(neff, t->diag, &file), HOIST_OK);
    hoist_mut_bytes copy = {hoist_arena_alloc(&t->arena, file.size), file.size};
    memcpy(copy.data, file.data, file.size);
    hoist_neff_destroy(neff);
    return copy;
}

// The fault --------------------------------------------------------------------------------------

static void add_to(hoist_mut_bytes file, size_t at, uint64_t add)
{
    uint64_t carry = 0;
    for (int i = 0; i < 8; i++) {
        carry += (uint64_t)file.data[at + (size_t)i] + (uint8_t)(add >> 8 * i);
        file.data[at + (size_t)i] = (uint8_t)carry;
        carry >>= 8;
    }
}

static bool ends_in_zeros(hoist_mut_bytes file)
{
    for (size_t i = file.size - 512; i < file.size; i++) {
        if (file.data[i]) {
            return false;
        }
    }
    return true;
}

static void cut_end(hoist_mut_bytes *file)
{
    const size_t before = file->size;
    while (file->size > NEFF_HEADER_SIZE + 512 && ends_in_zeros(*file)) {
        file->size -= 512;
    }
    add_to(*file, 16, (uint64_t)file->size - before); // data_size
}

static void rename_member(hoist_test *t, hoist_mut_bytes file)
{
    for (size_t at = NEFF_HEADER_SIZE; at + 512 <= file.size; at += 512) {
        if (memcmp(file.data + at, SAFE_NAME, sizeof SAFE_NAME) == 0) {
            memcpy(file.data + at, UNSAFE_NAME, sizeof UNSAFE_NAME);
            return;
        }
    }
    hoist_test_fail(t, __FILE__, __LINE__, "no member " SAFE_NAME);
}

static hoist_mut_bytes spoil(hoist_test *t, const reject *row, hoist_mut_bytes file)
{
    if (row->add) {
        add_to(file, row->at < 0 ? file.size - (size_t)-row->at : (size_t)row->at, row->add);
    }
    if (row->unsafe) {
        rename_member(t, file);
    }
    if (row->without_end) {
        cut_end(&file);
    }
    if (row->size) {
        file.size = row->size;
    }
    return file;
}

static bool is_wanted(const reject *row, const hoist_finding *f)
{
    return strcmp(f->rule->id, row->rule) == 0 &&
           f->severity == (row->warning ? HOIST_WARNING : HOIST_ERROR) &&
           hoist_str_equal_c(f->member, row->member ? row->member : "");
}

// Opens and checks; what is found goes to the test's diag.
static void judge(hoist_test *t, hoist_mut_bytes file)
{
    const hoist_open_options options = {.struct_size = sizeof(options), .format = "neff"};
    hoist_job *job = NULL;
    const hoist_status status = hoist_job_open_bytes((hoist_bytes){file.data, file.size}, "reject",
                                                     &options, t->diag, &job);
    if (status == HOIST_OK) {
        HOIST_EXPECT_EQ(t, hoist_job_check(job, t->diag), HOIST_OK);
    }
    hoist_job_close(job);
}

HOIST_TEST_TABLE(rejects_are_found, rejects)
{
    judge(t, spoil(t, row, build(t, row)));
    bool found = false;
    for (size_t i = 0; i < hoist_diag_kept(t->diag); i++) {
        found = found || is_wanted(row, hoist_diag_at(t->diag, i));
    }
    if (!found) {
        const hoist_str all = hoist_test_findings(t);
        hoist_test_fail(t, __FILE__, __LINE__, "expected %s in '%s', findings are:\n%.*s",
                        row->rule, row->member ? row->member : "", HOIST_STR_ARGS(all));
    }
}

// Without a fault nothing is found.
HOIST_TEST(the_file_they_come_from_is_good)
{
    const reject plain = {.pkg_version = 1};
    judge(t, build(t, &plain));
    HOIST_EXPECT_RULE(t, NULL);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(rejects_are_found), HOIST_TEST_ROW(the_file_they_come_from_is_good))
