#include "edgetpu_testing.h"

#include <string.h>

#include "formats/darwinn/darwinn.h"
#include "formats/tflite/module.h"
#include "formats/tflite/tflite.h"

bool edgetpu_each_file(hoist_test *t, hoist_test_visit *visit, void *self)
{
    static const char ending[] = "_edgetpu.tflite";
    const char *const compiled = hoist_test_corpus(t, "darwinn/compiled");
    const char *const pairs = hoist_test_corpus(t, "darwinn/pairs");
    if (!compiled || !pairs) {
        return false;
    }
    (void)hoist_test_each_file(t, compiled, ending, visit, self);
    (void)hoist_test_each_file(t, pairs, ending, visit, self);
    return true;
}

hoist_module *edgetpu_model(hoist_test *t, hoist_bytes file)
{
    const hoist_read_options options = {.alloc = hoist_allocator_system(), .keep = true};
    hoist_module *model = NULL;
    HOIST_EXPECT_EQ(t, hoist_format_read(&hoist_tflite_format, file, &options, t->diag, &model),
                    HOIST_OK);
    return model;
}

const hoist_payload *edgetpu_payloads(hoist_test *t, const hoist_module *model, size_t *out_count)
{
    hoist_payload *payloads = NULL;
    HOIST_EXPECT_EQ(t, tflite_payloads(model, &t->arena, &payloads, out_count), HOIST_OK);
    HOIST_EXPECT(t, *out_count > 0);
    for (size_t i = 0; i < *out_count; i++) {
        HOIST_EXPECT_STR(t, payloads[i].kind, TFLITE_EDGETPU_NAME);
    }
    return payloads;
}

hoist_module *edgetpu_read(hoist_test *t, const hoist_payload *payload)
{
    const hoist_read_options options = {
        .alloc = hoist_allocator_system(), .keep = true, .payload = payload};
    hoist_module *module = NULL;
    HOIST_EXPECT_EQ(t, dwn_read(payload->bytes, &options, t->diag, &module), HOIST_OK);
    return module;
}

void edgetpu_each_payload(hoist_test *t, const char *path, edgetpu_visit *visit, void *self)
{
    hoist_module *const model = edgetpu_model(t, hoist_test_file(t, path));
    size_t count = 0;
    const hoist_payload *const payloads = model ? edgetpu_payloads(t, model, &count) : NULL;
    for (size_t i = 0; i < count; i++) {
        hoist_module *const module = edgetpu_read(t, &payloads[i]);
        if (module) {
            visit(t, &payloads[i], module, self);
        }
        dwn_destroy(module);
    }
    tflite_destroy(model);
}

hoist_bytes edgetpu_package_in(hoist_bytes file)
{
    for (size_t at = 4; at + 4 <= file.size; at++) {
        if (memcmp(file.data + at, "DWN1", 4) == 0) {
            return (hoist_bytes){file.data + at - 4, file.size - at + 4};
        }
    }
    return (hoist_bytes){0};
}
