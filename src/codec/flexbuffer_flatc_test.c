// FlatBuffers' own flatc as the second opinion: it verifies what we write and reads it as JSON, and
// what it writes from that JSON we read alike and write again to the same bytes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "codec/flexbuffer_testing.h"
#include "testing/test.h"
#include "testing/trace.h"

// True when flatc ran in `folder` and found nothing wrong.
static bool run_flatc(const char *folder, const char *arguments)
{
    char command[256];
    const int size = snprintf(command, sizeof(command),
                              "cd %s && " HOIST_FLATC " %s >/dev/null 2>&1", folder, arguments);
    return size > 0 && (size_t)size < sizeof(command) && system(command) == 0;
}

static const char *path_of(hoist_test *t, const char *folder, const char *name)
{
    return hoist_arena_format(&t->arena, "%s/%s", folder, name).data;
}

static void save(hoist_test *t, const char *path, hoist_bytes bytes)
{
    FILE *file = fopen(path, "wb");
    HOIST_EXPECT(t, file && fwrite(bytes.data, 1, bytes.size, file) == bytes.size);
    HOIST_EXPECT(t, file && fclose(file) == 0);
}

// What JSON keeps: no keys, blobs and indirect numbers; floats that a few digits tell, and no
// typed vectors, since flatc makes its own.
static void put_random(hoist_test *t, hoist_flex_writer *w, uint64_t *state, unsigned depth)
{
    const uint64_t kind = hoist_test_random(state) % (depth ? 8 : 5);
    const uint64_t number = hoist_test_random(state) >> (hoist_test_random(state) % 63 + 1);
    const hoist_str text = hoist_arena_format(&t->arena, "t%llu", (unsigned long long)number);
    const size_t mark = hoist_flex_open(w);
    if (kind == 0) {
        hoist_flex_put_null(w);
    } else if (kind == 1) {
        hoist_flex_put_bool(w, number & 1);
    } else if (kind == 2) {
        hoist_flex_put_int(w, number & 1 ? -(int64_t)number : (int64_t)number);
    } else if (kind == 3) {
        hoist_flex_put_float(w, (double)(number % 4096) / 16 + 0.03125);
    } else if (kind == 4) {
        hoist_flex_put_string(w, (hoist_bytes){(const uint8_t *)text.data, text.size});
    } else {
        for (uint64_t i = 0; i < number % 5; i++) {
            if (kind == 5) {
                const uint64_t name = hoist_test_random(state);
                hoist_flex_put_key(
                    w, hoist_arena_format(&t->arena, "k%llu", (unsigned long long)name));
            }
            put_random(t, w, state, depth - 1);
        }
        hoist_flex_close(w, mark, kind == 5 ? HOIST_FLEX_MAP : HOIST_FLEX_VECTOR);
    }
}

static hoist_str shown(hoist_test *t, hoist_bytes bytes, hoist_flex *in, hoist_flex_value *out_root)
{
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    hoist_tree_sink sink = hoist_trace_sink(&text);
    *in = (hoist_flex){.bytes = bytes, .diag = t->diag};
    HOIST_EXPECT_EQ(t, hoist_flex_root(in, out_root), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_flex_check(out_root), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_flex_visit(out_root, "", &sink), HOIST_OK);
    const hoist_str copy = hoist_arena_str(&t->arena, hoist_buffer_text(&text));
    hoist_buffer_deinit(&text);
    return copy;
}

static void expect_alike(hoist_test *t, const char *folder, hoist_bytes ours)
{
    hoist_flex in;
    hoist_flex_value root;
    const hoist_str expected = shown(t, ours, &in, &root);
    save(t, path_of(t, folder, "ours.bin"), ours);
    HOIST_EXPECT(t, run_flatc(folder, "--flexbuffers --json --strict-json ours.bin"));
    HOIST_EXPECT(t, run_flatc(folder, "--flexbuffers --binary ours.json"));
    const hoist_bytes theirs = hoist_test_file(t, path_of(t, folder, "ours.bin"));
    const hoist_str got = shown(t, theirs, &in, &root);
    HOIST_EXPECT(t, hoist_str_equal(got, expected));
    hoist_buffer again;
    hoist_flex_writer w;
    hoist_buffer_init(&again, hoist_allocator_system());
    hoist_flex_writer_init(&w, &again);
    hoist_flex_put_value(&w, &root);
    HOIST_EXPECT_EQ(t, hoist_flex_finish(&w), HOIST_OK);
    HOIST_EXPECT(t, again.size == theirs.size && memcmp(again.data, theirs.data, theirs.size) == 0);
    hoist_buffer_deinit(&again);
}

HOIST_TEST(flatc_reads_what_we_write)
{
    char folder[] = "/tmp/hoist-flatc-XXXXXX";
    HOIST_EXPECT(t, mkdtemp(folder) != NULL);
    for (uint64_t seed = 0; seed < HOIST_TEST_ROUNDS(100); seed++) {
        hoist_buffer out;
        hoist_flex_writer w;
        uint64_t state = seed;
        hoist_test_row(t,
                       hoist_arena_format(&t->arena, "seed %llu", (unsigned long long)seed).data);
        hoist_buffer_init(&out, hoist_allocator_system());
        hoist_flex_writer_init(&w, &out);
        const size_t mark = hoist_flex_open(&w);
        put_random(t, &w, &state, 4);
        put_random(t, &w, &state, 4);
        hoist_flex_close(&w, mark, HOIST_FLEX_VECTOR);
        HOIST_EXPECT_EQ(t, hoist_flex_finish(&w), HOIST_OK);
        expect_alike(t, folder, hoist_buffer_bytes(&out));
        hoist_buffer_deinit(&out);
    }
    (void)remove(path_of(t, folder, "ours.bin"));
    (void)remove(path_of(t, folder, "ours.json"));
    (void)remove(folder);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(flatc_reads_what_we_write))
