// Any bytes through the YAML reader; the tree that comes out must be as codec/yaml.h says.
#include "base/diag.h"
#include "base/span.h"
#include "codec/yaml.h"
#include "testing/fuzz.h"

enum {
    FUZZ_DEPTH = 64,
    FUZZ_NODES = 200000,
};

typedef struct fuzz_walk {
    size_t nodes;
    uint32_t lines; // of the text, at most
} fuzz_walk;

// An equal key ties its entry to the next one that has it.
static void fuzz_key(fuzz_walk *walk, const hoist_yaml_node *key)
{
    fuzz_require(++walk->nodes <= FUZZ_NODES);
    fuzz_require(key->kind == HOIST_YAML_SCALAR && key->text.data && key->count == 0);
    fuzz_require(key->pos.line >= 1 && key->pos.line <= walk->lines && key->pos.column >= 1);
    fuzz_require(!key->first ||
                 (key->first->duplicate && hoist_str_equal(key->first->key->text, key->text)));
}

// Recursion is bounded by the reader's own cap, which holds after aliases too.
static void fuzz_node(fuzz_walk *walk, const hoist_yaml_node *node, size_t depth)
{
    fuzz_require(++walk->nodes <= FUZZ_NODES);
    fuzz_require(node->pos.line >= 1 && node->pos.line <= walk->lines && node->pos.column >= 1);
    if (node->kind == HOIST_YAML_SCALAR) {
        fuzz_require(node->text.data && !node->first && node->count == 0);
        return;
    }
    fuzz_require(depth < FUZZ_DEPTH && !node->plain);
    uint32_t count = 0;
    for (const hoist_yaml_node *child = node->first; child; child = child->next) {
        fuzz_require((child->key != NULL) == (node->kind == HOIST_YAML_MAP));
        if (child->key) {
            fuzz_key(walk, child->key);
        }
        fuzz_node(walk, child, depth + 1);
        count++;
    }
    fuzz_require(count == node->count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const hoist_yaml_limits limits = {
        .max_depth = FUZZ_DEPTH, .max_nodes = FUZZ_NODES / 2, .max_expanded = FUZZ_NODES};
    hoist_arena arena;
    hoist_diag *diag = NULL;
    hoist_arena_init(&arena, hoist_allocator_system());
    fuzz_require(hoist_diag_create(hoist_allocator_system(), NULL, &diag) == HOIST_OK);
    const hoist_yaml_node *root = NULL;
    const hoist_status status =
        hoist_yaml_read((hoist_bytes){data, size}, &limits, true, &arena, diag, &root);
    fuzz_require(status == HOIST_OK || (!root && hoist_diag_count(diag, HOIST_ERROR) == 1));
    fuzz_walk walk = {.lines = (uint32_t)size + 1};
    if (root) {
        fuzz_node(&walk, root, 0);
    }
    hoist_diag_destroy(diag);
    hoist_arena_deinit(&arena);
    return 0;
}
