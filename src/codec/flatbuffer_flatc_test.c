// FlatBuffers with flatc as the second opinion: what it makes of JSON is read alike, and what is
// written here it takes for the same JSON.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "codec/flatbuffer_testing.h"
#include "testing/test.h"

typedef struct folder {
    char path[64];
} folder;

static void write_file(hoist_test *t, const folder *f, const char *name, hoist_bytes bytes)
{
    char path[128];
    (void)snprintf(path, sizeof(path), "%s/%s", f->path, name);
    FILE *const file = fopen(path, "wb");
    HOIST_EXPECT(t, file && fwrite(bytes.data, 1, bytes.size, file) == bytes.size &&
                        fclose(file) == 0);
}

// Runs flatc in the folder; false when it fails.
static bool flatc(const folder *f, const char *arguments)
{
    char line[512];
    (void)snprintf(line, sizeof(line), "cd %s && " HOIST_FLATC " %s >/dev/null 2>&1", f->path,
                   arguments);
    return system(line) == 0;
}

static void open_folder(hoist_test *t, folder *f)
{
    (void)snprintf(f->path, sizeof(f->path), "/tmp/hoist-flatc-XXXXXX");
    HOIST_EXPECT(t, mkdtemp(f->path) != NULL);
    write_file(t, f, "zoo.fbs", (hoist_bytes){(const uint8_t *)zoo_schema, strlen(zoo_schema)});
}

static void remove_folder(hoist_test *t, const folder *f)
{
    char line[128];
    (void)snprintf(line, sizeof(line), "rm -r %s", f->path);
    HOIST_EXPECT_EQ(t, system(line), 0);
}

static hoist_bytes file_of(hoist_test *t, const folder *f, const char *name)
{
    char path[128];
    (void)snprintf(path, sizeof(path), "%s/%s", f->path, name);
    return hoist_test_file(t, path);
}

static hoist_bytes written(hoist_test *t, const void *object)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_fb_write(&zoo_type, object, "ZOO1", &out), HOIST_OK);
    const hoist_bytes bytes = hoist_test_exact(t, hoist_buffer_bytes(&out));
    hoist_buffer_deinit(&out);
    return bytes;
}

// Ours to JSON, JSON to theirs, theirs read here and written: ours again.
HOIST_TEST(flatc_agrees)
{
    folder f;
    open_folder(t, &f);
    const hoist_bytes ours = written(t, zoo_make(&t->arena));
    write_file(t, &f, "ours.bin", ours);
    HOIST_EXPECT(t, flatc(&f, "--json --strict-json --raw-binary zoo.fbs -- ours.bin"));
    HOIST_EXPECT(t, flatc(&f, "--binary -o theirs zoo.fbs ours.json"));
    const hoist_bytes theirs = file_of(t, &f, "theirs/ours.bin");
    void *object = NULL;
    HOIST_EXPECT_EQ(t, hoist_fb_read(theirs, &zoo_type, NULL, &t->arena, t->diag, &object),
                    HOIST_OK);
    HOIST_EXPECT_RULE(t, NULL);
    if (object) {
        const hoist_bytes again = written(t, object);
        HOIST_EXPECT(t, again.size == ours.size && memcmp(again.data, ours.data, ours.size) == 0);
    }
    remove_folder(t, &f);
}

// The same for a buffer that was changed in place.
HOIST_TEST(flatc_reads_what_was_changed)
{
    folder f;
    open_folder(t, &f);
    const hoist_bytes before = written(t, zoo_make(&t->arena));
    void *object = NULL;
    HOIST_EXPECT_EQ(t, hoist_fb_read(before, &zoo_type, NULL, &t->arena, t->diag, &object),
                    HOIST_OK);
    zoo *const z = object;
    z->title = HOIST_STR("a much longer title than it was");
    z->animals.items[1].name = HOIST_STR("gnu");
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_fb_rewrite(before, &zoo_type, z, t->diag, &out), HOIST_OK);
    write_file(t, &f, "changed.bin", hoist_buffer_bytes(&out));
    hoist_buffer_deinit(&out);
    HOIST_EXPECT(t, flatc(&f, "--json --strict-json --raw-binary zoo.fbs -- changed.bin"));
    const hoist_bytes json = file_of(t, &f, "changed.json");
    const hoist_str text = {(const char *)json.data, json.size};
    HOIST_EXPECT(t, hoist_str_contains(text, "\"a much longer title than it was\""));
    HOIST_EXPECT(t, hoist_str_contains(text, "\"gnu\""));
    remove_folder(t, &f);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(flatc_agrees), HOIST_TEST_ROW(flatc_reads_what_was_changed))
