// Real netlists against their expected verdicts: <folder>/expect.tsv, whose head explains the
// columns. `clean` wants no finding at error level; otherwise every rule named has to be among the
// findings, and a rule without a letter is any of its letters.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/span.h"
#include "formats/buda/module.h"
#include "testing/test.h"

enum { SHOWN_FINDINGS = 3 };

// One row of expect.tsv.
typedef struct verdict {
    hoist_str path;
    hoist_str arch; // empty: none given
    hoist_str check;
} verdict;

// The part of `*rest` before `separator`, which is taken off with it.
static hoist_str take(hoist_str *rest, char separator)
{
    const char *end = rest->size ? memchr(rest->data, separator, rest->size) : NULL;
    const size_t size = end ? (size_t)(end - rest->data) : rest->size;
    const hoist_str part = hoist_str_slice(*rest, 0, size);
    *rest = hoist_str_slice(*rest, end ? size + 1 : size, rest->size);
    return part;
}

// The next row with a verdict; false at the end.
static bool next_verdict(hoist_str *text, verdict *out_row)
{
    while (text->size > 0) {
        hoist_str line = take(text, '\n');
        if (line.size == 0 || line.data[0] == '#' || hoist_str_starts_with(line, "path\t")) {
            continue;
        }
        out_row->path = take(&line, '\t');
        out_row->arch = take(&line, '\t');
        out_row->check = take(&line, '\t');
        if (hoist_str_equal_c(out_row->arch, "-")) {
            out_row->arch = (hoist_str){NULL, 0};
        }
        return true;
    }
    return false;
}

static void read_and_check(hoist_test *t, hoist_bytes bytes, hoist_str arch)
{
    const hoist_read_options read_options = {.alloc = hoist_allocator_system()};
    const hoist_check_options check_options = {.arch = arch};
    hoist_module *module = NULL;
    if (hoist_buda_format.read(bytes, &read_options, t->diag, &module) == HOIST_OK) {
        HOIST_EXPECT_EQ(t, hoist_buda_format.check(module, &check_options, t->diag), HOIST_OK);
        hoist_buda_format.destroy(module);
    } else {
        HOIST_EXPECT(t, hoist_diag_count(t->diag, HOIST_ERROR) > 0);
    }
}

// True when an error of `rule` was found; without its letter any letter will do.
static bool found_error(const hoist_diag *diag, hoist_str rule)
{
    for (size_t i = 0; i < hoist_diag_kept(diag); i++) {
        const hoist_finding *finding = hoist_diag_at(diag, i);
        const hoist_str id = hoist_str_from(finding->rule->id);
        const size_t letters = id.size - rule.size;
        if (finding->severity == HOIST_ERROR && id.size >= rule.size && letters <= 1 &&
            hoist_str_equal(hoist_str_slice(id, 0, rule.size), rule)) {
            return true;
        }
    }
    return false;
}

static bool agrees(const hoist_diag *diag, hoist_str wanted)
{
    if (hoist_str_equal_c(wanted, "clean")) {
        return hoist_diag_count(diag, HOIST_ERROR) == 0;
    }
    while (wanted.size > 0) {
        if (!found_error(diag, take(&wanted, ','))) {
            return false;
        }
    }
    return true;
}

static void print_disagreement(const hoist_test *t, const verdict *row)
{
    printf("%.*s\n    expected %.*s, got %zu errors\n", HOIST_STR_ARGS(row->path),
           HOIST_STR_ARGS(row->check), hoist_diag_count(t->diag, HOIST_ERROR));
    size_t shown = 0;
    for (size_t i = 0; i < hoist_diag_kept(t->diag) && shown < SHOWN_FINDINGS; i++) {
        const hoist_finding *finding = hoist_diag_at(t->diag, i);
        if (finding->severity == HOIST_ERROR) {
            printf("    %" PRIu32 ":%" PRIu32 ": %.*s [%s]\n", finding->loc.pos.line,
                   finding->loc.pos.column, HOIST_STR_ARGS(finding->message), finding->rule->id);
            shown++;
        }
    }
}

// Reads and checks one row's file; false, and printed, when the verdict is another one.
static bool judge_row(hoist_test *t, const char *folder, const verdict *row)
{
    const hoist_str path =
        hoist_arena_format(&t->arena, "%s/%.*s", folder, HOIST_STR_ARGS(row->path));
    hoist_test_row(t, path.data);
    const char *file = hoist_test_corpus(t, path.data);
    HOIST_EXPECT(t, file != NULL);
    if (!file) {
        return false;
    }
    read_and_check(t, hoist_test_file(t, file), row->arch);
    const bool right = agrees(t->diag, row->check);
    HOIST_EXPECT(t, right);
    if (!right) {
        print_disagreement(t, row);
    }
    return right;
}

// Judges every row of a folder's table.
static void judge_folder(hoist_test *t, const char *folder)
{
    const hoist_str name = hoist_arena_format(&t->arena, "%s/expect.tsv", folder);
    const char *table = hoist_test_corpus(t, name.data);
    if (!table) {
        hoist_test_skip(t, "the corpus is absent");
        return;
    }
    const hoist_bytes bytes = hoist_test_file(t, table);
    hoist_str rest = {(const char *)bytes.data, bytes.size};
    verdict row;
    size_t rows = 0;
    size_t wrong = 0;
    while (next_verdict(&rest, &row)) {
        wrong += judge_row(t, folder, &row) ? 0u : 1u;
        rows++;
    }
    printf("%s: %zu netlists, %zu verdicts disagree\n", folder, rows, wrong);
    HOIST_EXPECT(t, rows > 0);
}

HOIST_TEST(corpus)
{
    judge_folder(t, "buda");
}

HOIST_TEST(large_corpus)
{
    judge_folder(t, "buda-large");
}

// What Grayskull cannot hold, Wormhole can: the files that are refused by rule 42 alone, because
// their list of architectures begins with Grayskull, are clean for wormhole_b0 (section 8.3).
HOIST_TEST(refused_for_grayskull_only)
{
    const char *table = hoist_test_corpus(t, "buda/expect.tsv");
    if (!table) {
        hoist_test_skip(t, "the corpus is absent");
        return;
    }
    const hoist_bytes bytes = hoist_test_file(t, table);
    hoist_str rest = {(const char *)bytes.data, bytes.size};
    verdict row;
    size_t rows = 0;
    while (next_verdict(&rest, &row)) {
        if (!hoist_str_equal_c(row.check, "BUDA-042")) {
            continue;
        }
        row.check = HOIST_STR("clean");
        row.arch = HOIST_STR("wormhole_b0");
        judge_row(t, "buda", &row);
        rows++;
    }
    HOIST_EXPECT_EQ(t, rows, 6);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(corpus), HOIST_TEST_ROW(large_corpus),
                HOIST_TEST_ROW(refused_for_grayskull_only))
