// The arrays of every layer that is recovered, written into their blocks again: the same bytes.
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "formats/darwinn/darwinn.h"
#include "formats/darwinn/recover.h"
#include "formats/tflite/module.h"
#include "testing/test.h"

typedef struct figures {
    size_t files;
    size_t layers;
    uint64_t bytes;
} figures;

static void judge_layer(hoist_test *t, const dwn_contents *contents, const dwn_recovered *layer,
                        figures *f)
{
    const dwn_roles roles = dwn_roles_of(contents);
    const dwn_piece *const piece = &layer->pieces[0];
    const hoist_bytes all =
        contents->images[piece->is_cached ? roles.caching : roles.main].rows->parameters;
    const size_t size = (size_t)piece->size;
    uint8_t *const copy = hoist_arena_alloc(&t->arena, size);
    memcpy(copy, all.data + piece->offset, size);
    dwn_block_write(layer, (hoist_mut_bytes){copy, size});
    HOIST_EXPECT(t, memcmp(copy, all.data + piece->offset, size) == 0);
    f->layers++;
    f->bytes += size;
}

// The arrays of a module, as `recover` gives them.
typedef struct arrays {
    hoist_test *t;
    hoist_new_parameters items[1024];
    size_t count;
} arrays;

static hoist_status take_array(void *self, const hoist_recovered *array)
{
    arrays *const a = self;
    const hoist_str name = hoist_arena_str(&a->t->arena, array->names[0]);
    const hoist_str bytes = hoist_arena_str(
        &a->t->arena, (hoist_str){(const char *)array->bytes.data, array->bytes.size});
    int64_t *const shape = hoist_arena_array(&a->t->arena, array->rank, sizeof(*shape));
    HOIST_EXPECT(a->t, a->count < HOIST_COUNT_OF(a->items));
    memcpy(shape, array->shape, array->rank * sizeof(*shape));
    if (array->rank > 1 || shape[0] > 1) { // else it may be one of the instructions
        a->items[a->count++] = (hoist_new_parameters){
            name.data, array->dtype, array->rank, shape, {(const uint8_t *)bytes.data, bytes.size}};
    }
    return HOIST_OK;
}

static hoist_status ignore_missing(void *self, const hoist_unrecovered *missing)
{
    (void)self;
    (void)missing;
    return HOIST_OK;
}

// All arrays that are recovered, put in again.
static void judge_exchange(hoist_test *t, const dwn_module *module)
{
    arrays *const a = hoist_arena_alloc(&t->arena, sizeof(*a));
    a->t = t;
    const hoist_recovery_sink sink = {a, take_array, ignore_missing};
    HOIST_EXPECT_EQ(t, dwn_recover_module(&module->base, &sink), HOIST_OK);
    uint8_t *const copy = hoist_arena_alloc(&t->arena, module->bytes.size);
    memcpy(copy, module->bytes.data, module->bytes.size);
    HOIST_EXPECT_EQ(t,
                    dwn_exchange(&module->base, a->items, a->count, t->diag,
                                 (hoist_mut_bytes){copy, module->bytes.size}),
                    HOIST_OK);
    HOIST_EXPECT(t, memcmp(copy, module->bytes.data, module->bytes.size) == 0);
}

static void judge_package(hoist_test *t, const dwn_contents *contents, figures *f)
{
    dwn_recovery r;
    HOIST_EXPECT_EQ(t, dwn_recover(contents, &t->arena, &r), HOIST_OK);
    for (uint32_t i = 0; i < r.count; i++) {
        if (r.layers[i].weights) {
            HOIST_EXPECT(t, r.layers[i].piece_count > 0 && r.layers[i].block.rows > 0);
            judge_layer(t, contents, &r.layers[i], f);
        }
    }
}

static void judge_payload(hoist_test *t, const hoist_payload *payload, figures *f)
{
    const hoist_read_options options = {
        .alloc = hoist_allocator_system(), .keep = true, .payload = payload};
    hoist_module *module = NULL;
    HOIST_EXPECT_EQ(t, dwn_read(payload->bytes, &options, t->diag, &module), HOIST_OK);
    if (module) {
        judge_package(t, &dwn_of(module)->packages[0], f);
        judge_exchange(t, dwn_of(module));
    }
    dwn_destroy(module);
}

static void judge_file(hoist_test *t, const char *path, figures *f)
{
    const hoist_read_options options = {.alloc = hoist_allocator_system(), .keep = true};
    const hoist_bytes bytes = hoist_test_file(t, path);
    hoist_module *module = NULL;
    hoist_payload *payloads = NULL;
    size_t count = 0;
    HOIST_EXPECT_EQ(t, hoist_tflite_format.read(bytes, &options, t->diag, &module), HOIST_OK);
    if (!module) {
        return;
    }
    HOIST_EXPECT_EQ(t, hoist_tflite_format.payloads(module, &t->arena, &payloads, &count),
                    HOIST_OK);
    for (size_t i = 0; i < count; i++) {
        judge_payload(t, &payloads[i], f);
    }
    hoist_tflite_format.destroy(module);
    f->files++;
}

static void judge_folder(hoist_test *t, const char *folder, figures *f)
{
    DIR *const open = folder ? opendir(folder) : NULL;
    HOIST_EXPECT(t, open != NULL);
    for (const struct dirent *e = open ? readdir(open) : NULL; e; e = readdir(open)) {
        if (hoist_str_ends_with(hoist_str_from(e->d_name), "_edgetpu.tflite")) {
            char path[1024];
            char name[300];
            (void)snprintf(path, sizeof(path), "%s/%s", folder, e->d_name);
            (void)snprintf(name, sizeof(name), "%s", e->d_name);
            hoist_test_row(t, name);
            judge_file(t, path, f);
        }
    }
    if (open) {
        (void)closedir(open);
    }
}

HOIST_TEST(edgetpu_blocks)
{
    const char *const compiled = hoist_test_corpus(t, "darwinn/compiled");
    const char *const pairs = hoist_test_corpus(t, "darwinn/pairs");
    if (!compiled || !pairs) {
        hoist_test_skip(t, "no compiled models here");
    }
    figures f = {0};
    judge_folder(t, compiled, &f);
    judge_folder(t, pairs, &f);
    printf("%zu files, %zu layers, %llu bytes of their blocks\n", f.files, f.layers,
           (unsigned long long)f.bytes);
    HOIST_EXPECT(t, f.files >= 21 && f.layers >= 300);
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), 0);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(edgetpu_blocks))
