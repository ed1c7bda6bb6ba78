// The arrays of every layer that is recovered, written into their blocks again: the same bytes.
#include <stdio.h>
#include <string.h>

#include "edgetpu_testing.h"
#include "formats/darwinn/darwinn.h"
#include "formats/darwinn/recover.h"

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

static void judge_payload(hoist_test *t, const hoist_payload *payload, hoist_module *module,
                          void *self)
{
    (void)payload;
    judge_package(t, &dwn_of(module)->packages[0], self);
    judge_exchange(t, dwn_of(module));
}

static void judge_file(hoist_test *t, const char *path, void *self)
{
    figures *const f = self;
    edgetpu_each_payload(t, path, judge_payload, f);
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), 0);
    f->files++;
}

HOIST_TEST(edgetpu_blocks)
{
    figures f = {0};
    if (!edgetpu_each_file(t, judge_file, &f)) {
        hoist_test_skip(t, "no compiled models here");
    }
    printf("%zu files, %zu layers, %llu bytes of their blocks\n", f.files, f.layers,
           (unsigned long long)f.bytes);
    HOIST_EXPECT(t, f.files >= 21 && f.layers >= 300);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(edgetpu_blocks))
