// Any bytes as a FlexBuffer: looked at value by value, shown, and when nothing is wrong written,
// read and shown again, which must be the same.
#include <string.h>

#include "base/diag.h"
#include "codec/flexbuffer_writer.h"
#include "testing/fuzz.h"
#include "testing/trace.h"

static bool show(const hoist_flex_value *root, hoist_buffer *out)
{
    hoist_tree_sink sink = hoist_trace_sink(out);
    const hoist_status status = hoist_flex_visit(root, "", &sink);
    return fuzz_came(status) && !out->failed;
}

// What was written has no fault and shows as `before` does.
static void read_again(hoist_bytes bytes, const hoist_buffer *before)
{
    hoist_flex in = {.bytes = bytes};
    hoist_flex_value root;
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    fuzz_require(hoist_flex_root(&in, &root) == HOIST_OK);
    if (fuzz_came(hoist_flex_check(&root)) && show(&root, &text)) {
        fuzz_require(in.faults == 0 && text.size == before->size);
        fuzz_require(text.size == 0 || memcmp(text.data, before->data, text.size) == 0);
    }
    hoist_buffer_deinit(&text);
}

static void write_again(const hoist_flex_value *root, const hoist_buffer *before)
{
    hoist_buffer out;
    hoist_flex_writer w;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_flex_writer_init(&w, &out);
    hoist_flex_put_value(&w, root);
    if (fuzz_came(hoist_flex_finish(&w))) {
        read_again(hoist_buffer_bytes(&out), before);
    }
    hoist_buffer_deinit(&out);
}

// Every key of the root map that is in order is found.
static void find_members(const hoist_flex_value *root)
{
    for (uint64_t i = 0; root->kind == HOIST_FLEX_MAP && i < root->count; i++) {
        hoist_flex_value key;
        hoist_flex_value member;
        fuzz_require(hoist_flex_key_at(root, i, &key) == HOIST_OK);
        fuzz_require(hoist_flex_find(root, hoist_flex_text(&key).data, &member) == HOIST_OK);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hoist_diag *diag = NULL;
    fuzz_require(hoist_diag_create(hoist_allocator_system(), NULL, &diag) == HOIST_OK);
    hoist_flex in = {.bytes = {data, size}, .diag = diag};
    hoist_flex_value root;
    if (hoist_flex_root(&in, &root) == HOIST_OK) {
        const bool all = fuzz_came(hoist_flex_check(&root));
        const bool right = all && in.faults == 0;
        fuzz_require(right == (hoist_diag_count(diag, HOIST_ERROR) == 0));
        hoist_buffer text;
        hoist_buffer_init(&text, hoist_allocator_system());
        if (show(&root, &text) && right) {
            find_members(&root);
            write_again(&root, &text);
        }
        hoist_buffer_deinit(&text);
    }
    hoist_diag_destroy(diag);
    return 0;
}
