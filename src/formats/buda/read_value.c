// Values of netlists that are no records' kinds. Conversions are yaml-cpp's (buda-netlist reference
// section 1.1): integers in decimal, 0x hexadecimal and leading-0 octal, quoted or not; a scalar
// where a list is expected is an empty list.
#include <inttypes.h>

#include "base/span.h"
#include "formats/buda/read.h"

// `interm<N>` is the specification's word for what the parser calls `intermed<N>` (section 8.5). A
// digit has to follow: "intermed0" begins with "interm", too, and "interm" alone is an unknown
// operand.
static hoist_str operand_name(buda_reader *r, hoist_str text, hoist_pos pos)
{
    static const char old[] = "interm";
    const size_t skip = sizeof(old) - 1;
    int64_t number = 0;
    if (!hoist_str_starts_with(text, old) || text.size == skip || text.data[skip] < '0' ||
        text.data[skip] > '9' ||
        !hoist_str_to_i64(hoist_str_slice(text, skip, text.size), false, &number)) {
        return text;
    }
    buda_report(r->diag, BUDA_104, pos, "'%.*s' is read as 'intermed%" PRId64 "'",
                HOIST_STR_ARGS(text), number);
    // In the arena: the model, the checks and the writer have one spelling.
    const hoist_str renamed = hoist_arena_format(r->arena, "intermed%" PRId64, number);
    if (!renamed.data) {
        r->status = HOIST_NO_MEMORY;
    }
    return renamed;
}

// A value of a plain kind by the same row: rule, range and key are the row's.
static void read_as(buda_reader *r, hoist_rec_kind kind, const hoist_rec_field *field,
                    const hoist_rec_node *node, void *slot)
{
    hoist_rec_field plain = *field;
    plain.kind = (uint8_t)kind;
    plain.at = 0; // the slot is given, not an offset into a struct
    (void)hoist_rec_read_field(r, &plain, node, slot);
}

bool buda_read_operand(buda_reader *r, const hoist_rec_field *field, const hoist_rec_node *node,
                       void *slot)
{
    buda_name *const name = slot;
    read_as(r, HOIST_REC_STR, field, node, name);
    name->text = operand_name(r, name->text, name->pos);
    return true;
}

bool buda_read_operands(buda_reader *r, const hoist_rec_field *field, const hoist_rec_node *node,
                        void *slot)
{
    hoist_rec_read_list(r, field, node, sizeof(buda_name), buda_read_operand, slot);
    return true;
}

// Immediates stay text (section 2.2): "0x10" has to be reported as what it is.
bool buda_read_token(buda_reader *r, const hoist_rec_field *field, const hoist_rec_node *node,
                     void *slot)
{
    buda_token *const token = slot;
    const bool scalar = node->yaml->kind == HOIST_YAML_SCALAR;
    *token = (buda_token){scalar ? node->yaml->text : HOIST_STR(""), node->yaml->pos, !scalar};
    if (!scalar) {
        hoist_rec_expected(r, field->wrong, field->key, node, "a value or a variable");
    }
    return true;
}

// Whatever is wrong leaves the fallback in both numbers, at the list's location.
bool buda_read_pair(buda_reader *r, const hoist_rec_field *field, const hoist_rec_node *node,
                    void *slot)
{
    buda_pair *const pair = slot;
    const hoist_yaml_node *const list = node->yaml;
    *pair = (buda_pair){field->fallback, field->fallback, list->pos};
    if (list->kind != HOIST_YAML_LIST) {
        hoist_rec_expected(r, field->wrong, field->key, node, "a list of two integers");
    } else if (list->count != 2) {
        buda_report(r->diag, field->wrong, list->pos,
                    "%s has %" PRIu32 " %s, expected two integers", field->key, list->count,
                    hoist_plural(list->count, "item", "items"));
    } else {
        (void)buda_read_integer(r, field, field->key, list->first, &pair->r);
        (void)buda_read_integer(r, field, field->key, list->first->next, &pair->c);
    }
    return true;
}

// Of an op over ethernet it may have any length: such an op has channels, not cores of the worker
// grid. The op around the slot has its type by peek_type() (read_graph.c).
bool buda_read_grid_loc(buda_reader *r, const hoist_rec_field *field, const hoist_rec_node *node,
                        void *slot)
{
    const buda_op *const op =
        (const buda_op *)(const void *)((const char *)slot - offsetof(buda_op, grid_loc));
    const bool pair = node->yaml->kind == HOIST_YAML_LIST && node->yaml->count == 2;
    return (op->op == HOIST_OP_ETHERNET_DATACOPY && !pair) || buda_read_pair(r, field, node, slot);
}

// Both numbers in range and yet no tile, such as 8x16: the set is words.c's.
bool buda_read_tile_dim(buda_reader *r, const hoist_rec_field *field, const hoist_rec_node *node,
                        void *slot)
{
    const buda_pair *const pair = slot;
    (void)buda_read_pair(r, field, node, slot);
    if (pair->r >= 1 && pair->c >= 1 && !buda_tile_dim_exists(pair->r, pair->c)) {
        buda_report(r->diag, field->wrong, node->yaml->pos,
                    "%s is [%" PRId64 ", %" PRId64 "], and there are no such tiles", field->key,
                    pair->r, pair->c);
    }
    return true;
}

// A list of one device is no scalar: it gives names with a suffix (net.c).
bool buda_read_target_device(buda_reader *r, const hoist_rec_field *field,
                             const hoist_rec_node *node, void *slot)
{
    buda_ints *const ints = slot;
    const hoist_yaml_node *const yaml = node->yaml;
    if (yaml->kind == HOIST_YAML_LIST) {
        // Only this entry's items: a later duplicate overwrites.
        // Without a key it has no equal entries that would be collected.
        hoist_yaml_node alone = *yaml;
        const hoist_rec_node list = hoist_rec_yaml(&alone);
        alone.key = NULL;
        alone.duplicate = false;
        read_as(r, HOIST_REC_INTS, field, &list, ints);
        if (yaml->count == 0) {
            buda_report(r->diag, field->wrong, yaml->pos, "%s is empty, expected a chip",
                        field->key);
        }
        return true;
    }
    // Anything else is read as one integer; the scalar flag holds even when it is none.
    buda_int *const item = hoist_rec_array(r, 1, sizeof(*item));
    *ints = (buda_ints){.items = item, .count = item ? 1 : 0, .pos = yaml->pos, .scalar = true};
    if (item) {
        item->pos = yaml->pos;
        (void)buda_read_integer(r, field, field->key, yaml, &item->value);
    }
    return true;
}

// [channel, address], or for host queues a bare address (channel 0).
static bool read_place(buda_reader *r, const hoist_rec_field *field, const hoist_rec_node *node,
                       void *slot)
{
    buda_place *const place = slot;
    const hoist_yaml_node *address = node->yaml;
    place->pos = address->pos;
    if (address->kind == HOIST_YAML_LIST && address->count == 2) {
        place->channel.pos = address->first->pos;
        (void)buda_read_integer(r, field, "channel", address->first, &place->channel.value);
        address = address->first->next;
        // DRAM queues need the channel; rule 5.
    } else if (address->kind == HOIST_YAML_LIST || field->kind == BUDA_KIND_PLACES) {
        char shown[BUDA_SHOWN_SIZE];
        buda_report(r->diag, field->wrong, address->pos, "%s holds %s, expected [channel, address]",
                    field->key, buda_shown(address, shown));
        return true;
    }
    // Without a location when wrong: memory_map.c then has no range for it.
    if (buda_read_integer(r, field, "address", address, &place->address.value)) {
        place->address.pos = address->pos;
    }
    return true;
}

bool buda_read_places(buda_reader *r, const hoist_rec_field *field, const hoist_rec_node *node,
                      void *slot)
{
    hoist_rec_read_list(r, field, node, sizeof(buda_place), read_place, slot);
    return true;
}

// `- {queue: op}`.
static bool read_fork(buda_reader *r, const hoist_rec_field *field, const hoist_rec_node *node,
                      void *slot)
{
    buda_fork *const fork = slot;
    const hoist_yaml_node *const map = node->yaml;
    if (map->kind != HOIST_YAML_MAP || map->count != 1) {
        char shown[BUDA_SHOWN_SIZE];
        buda_report(r->diag, field->wrong, map->pos, "%s holds %s, expected one queue: op",
                    field->key, buda_shown(map, shown));
        return true;
    }
    const hoist_rec_node op = hoist_rec_yaml(map->first);
    fork->queue = buda_key_name(map->first);
    read_as(r, HOIST_REC_STR, field, &op, &fork->op);
    return true;
}

// Into three members of the op, since it has no struct for the list (module.h).
bool buda_read_forks(buda_reader *r, const hoist_rec_field *field, const hoist_rec_node *node,
                     void *slot)
{
    buda_op *const op = slot;
    HOIST_REC_LIST(buda_fork) list;
    hoist_rec_read_list(r, field, node, sizeof(buda_fork), read_fork, &list);
    op->forked_dram_inputs = list.items;
    op->forked_count = list.count;
    op->forked_pos = list.pos;
    return true;
}
