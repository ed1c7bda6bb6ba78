#include "testing/test.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/poison.h"

// The SKIP_RETURN_CODE of hoist_test() in HoistLayer.cmake.
#define EXIT_SKIPPED 77

enum { STARVED_PIECES = 1000 };

struct hoist_test_block {
    struct hoist_test_block *below; // owned
    uint8_t data[];
};

static size_t skipped; // tests of this program

static void fresh_diag(hoist_test *t)
{
    hoist_diag_destroy(t->diag);
    if (hoist_diag_create(hoist_allocator_system(), NULL, &t->diag) != HOIST_OK) {
        abort();
    }
}

void hoist_test_begin(hoist_test *t)
{
    *t = (hoist_test){0};
    hoist_arena_init(&t->arena, hoist_allocator_system());
    fresh_diag(t);
}

static void free_test(hoist_test *t)
{
    while (t->blocks) {
        hoist_test_block *below = t->blocks->below;
        free(t->blocks);
        t->blocks = below;
    }
    hoist_diag_destroy(t->diag);
    hoist_arena_deinit(&t->arena);
}

void hoist_test_end(hoist_test *t)
{
    const size_t failures = t->failures;
    free_test(t);
    if (failures) {
        fail_msg("%zu expectations failed", failures);
    }
}

void hoist_test_row(hoist_test *t, const char *name)
{
    t->row = name;
    fresh_diag(t);
}

void hoist_test_fail(hoist_test *t, const char *file, int line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)fprintf(stderr, "%s:%d: %s%s", file, line, t->row ? t->row : "", t->row ? ": " : "");
    (void)vfprintf(stderr, format, args);
    (void)fputc('\n', stderr);
    va_end(args);
    t->failures++;
}

void hoist_test_skip(hoist_test *t, const char *why)
{
    (void)fprintf(stderr, "skipped: %s\n", why);
    skipped++;
    free_test(t);
    skip();
}

int hoist_test_exit_status(int failed, size_t count)
{
    const int if_passed = count > 0 && skipped == count ? EXIT_SKIPPED : EXIT_SUCCESS;
    return failed ? EXIT_FAILURE : if_passed;
}

void hoist_test_expect_int(hoist_test *t, const char *file, int line, const char *what, int64_t got,
                           int64_t expected)
{
    if (got != expected) {
        hoist_test_fail(t, file, line, "%s is %" PRId64 ", expected %" PRId64, what, got, expected);
    }
}

void hoist_test_expect_str(hoist_test *t, const char *file, int line, hoist_str got,
                           hoist_str expected)
{
    if (!hoist_str_equal(got, expected)) {
        hoist_test_fail(t, file, line, "got \"%.*s\"\n    expected \"%.*s\"", HOIST_STR_ARGS(got),
                        HOIST_STR_ARGS(expected));
    }
}

// "BUDA-036" is satisfied by "BUDA-036a".
static bool rule_matches(const char *id, const char *expected)
{
    const size_t size = strlen(expected);
    return strncmp(id, expected, size) == 0 &&
           (id[size] == '\0' || (id[size] >= 'a' && id[size] <= 'z' && id[size + 1] == '\0'));
}

void hoist_test_expect_rule(hoist_test *t, const char *file, int line, const char *rule)
{
    bool found = rule == NULL && hoist_diag_kept(t->diag) == 0;
    for (size_t i = 0; rule && i < hoist_diag_kept(t->diag); i++) {
        found = found || rule_matches(hoist_diag_at(t->diag, i)->rule->id, rule);
    }
    if (!found) {
        const hoist_str all = hoist_test_findings(t);
        hoist_test_fail(t, file, line, "expected %s, findings are:\n%.*s",
                        rule ? rule : "no finding", HOIST_STR_ARGS(all));
    }
}

hoist_str hoist_test_findings(hoist_test *t)
{
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    hoist_diag_sort(t->diag);
    for (size_t i = 0; i < hoist_diag_kept(t->diag); i++) {
        const hoist_finding *f = hoist_diag_at(t->diag, i);
        if (f->loc.kind == HOIST_LOC_TEXT) {
            hoist_buffer_format(&text, "%u:%u: ", f->loc.pos.line, f->loc.pos.column);
        } else if (f->loc.kind == HOIST_LOC_BYTE) {
            hoist_buffer_format(&text, "+0x%" PRIx64 ": ", f->loc.offset);
        }
        hoist_buffer_format(&text, "%s: %.*s [%s]\n", hoist_severity_name(f->severity),
                            HOIST_STR_ARGS(f->message), f->rule->id);
    }
    const hoist_str copy = hoist_arena_str(&t->arena, hoist_buffer_text(&text));
    hoist_buffer_deinit(&text);
    return copy;
}

hoist_bytes hoist_test_exact(hoist_test *t, hoist_bytes bytes)
{
    hoist_test_block *block = malloc(sizeof(*block) + bytes.size);
    if (!block) {
        abort();
    }
    block->below = t->blocks;
    t->blocks = block;
    if (bytes.size) {
        memcpy(block->data, bytes.data, bytes.size);
    }
    return (hoist_bytes){block->data, bytes.size};
}

hoist_bytes hoist_test_file(hoist_test *t, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        return (hoist_bytes){NULL, 0};
    }
    hoist_bytes bytes = {NULL, 0};
    long size = -1;
    if (fseek(file, 0, SEEK_END) == 0) {
        size = ftell(file);
        rewind(file);
    }
    if (size >= 0) {
        uint8_t *data = hoist_arena_alloc(&t->arena, (size_t)size + 1);
        if (data && fread(data, 1, (size_t)size, file) == (size_t)size) {
            bytes = (hoist_bytes){data, (size_t)size};
        }
    }
    (void)fclose(file);
    return bytes;
}

const char *hoist_test_corpus(hoist_test *t, const char *relative)
{
    const char *root = getenv("HOIST_CORPUS");
    const hoist_str path =
        root ? hoist_arena_format(&t->arena, "%s/%s", root, relative)
             : hoist_arena_format(&t->arena, "%s/../shared/corpus/%s", HOIST_SOURCE_DIR, relative);
    return path.data && access(path.data, R_OK) == 0 ? path.data : NULL;
}

size_t hoist_test_each_file(hoist_test *t, const char *folder, const char *ending,
                            hoist_test_visit *visit, void *self)
{
    DIR *const open = folder ? opendir(folder) : NULL;
    size_t count = 0;
    HOIST_EXPECT(t, open != NULL);
    for (const struct dirent *e = open ? readdir(open) : NULL; e; e = readdir(open)) {
        if (hoist_str_ends_with(hoist_str_from(e->d_name), ending)) {
            const hoist_str path = hoist_arena_format(&t->arena, "%s/%s", folder, e->d_name);
            hoist_test_row(t, path.data + strlen(folder) + 1);
            visit(t, path.data, self);
            count++;
        }
    }
    if (open) {
        (void)closedir(open);
    }
    return count;
}

static void *failing_resize(void *self, void *old, size_t old_size, size_t new_size)
{
    hoist_failing *failing = self;
    if (new_size > old_size) {
        failing->requests++;
        if (failing->fail_at && (failing->once ? failing->requests == failing->fail_at
                                               : failing->requests >= failing->fail_at)) {
            return NULL;
        }
    }
    void *memory = failing->parent.resize(failing->parent.self, old, old_size, new_size);
    if (memory || new_size == 0) {
        failing->live += new_size;
        failing->live -= old_size;
    }
    return memory;
}

hoist_allocator hoist_failing_allocator(hoist_failing *failing, size_t fail_at)
{
    *failing = (hoist_failing){.parent = hoist_allocator_system(), .fail_at = fail_at};
    return (hoist_allocator){failing, failing_resize};
}

// True when the n-th request was made, and refused.
static bool starve_once(hoist_test *t, hoist_test_run *run, const void *self, size_t n, bool once)
{
    hoist_failing failing;
    const hoist_allocator alloc = hoist_failing_allocator(&failing, n);
    failing.once = once;
    const hoist_status status = run(alloc, self);
    const bool refused = failing.requests >= n;
    if (status != (refused ? HOIST_NO_MEMORY : HOIST_OK) || failing.live) {
        hoist_test_fail(t, __FILE__, __LINE__, "request %zu refused%s: %s, %zu bytes not freed", n,
                        once ? " alone" : "", hoist_status_name(status), failing.live);
    }
    return refused;
}

// The same for each piece of an arena, of many a share.
static void starve_pieces(hoist_test *t, hoist_test_run *run, const void *self)
{
    hoist_failing failing;
    hoist_arena_pieces_alone(true);
    HOIST_EXPECT_EQ(t, run(hoist_failing_allocator(&failing, 0), self), HOIST_OK);
    const size_t step = failing.requests / STARVED_PIECES + 1;
    for (size_t n = 1; n <= failing.requests; n += step) {
        starve_once(t, run, self, n, false);
        starve_once(t, run, self, n, true);
    }
    hoist_arena_pieces_alone(false);
}

void hoist_test_starve(hoist_test *t, hoist_test_run *run, const void *self)
{
    size_t n = 1;
    while (starve_once(t, run, self, n, false)) {
        HOIST_EXPECT(t, starve_once(t, run, self, n, true));
        n++;
    }
    HOIST_EXPECT(t, n > 1);
    if (HOIST_POISONS) {
        starve_pieces(t, run, self);
    }
}

uint64_t hoist_test_random(uint64_t *state)
{
    *state += 0x9e3779b97f4a7c15u;
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

hoist_deadline *hoist_test_deadline(hoist_test *t, double seconds)
{
    hoist_deadline *deadline = NULL;
    HOIST_EXPECT_EQ(t, hoist_deadline_create(hoist_allocator_system(), seconds, &deadline),
                    HOIST_OK);
    return deadline;
}
