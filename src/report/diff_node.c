// Packed nodes of a kept document: written by diff_keep.c, read and compared by diff.c. A node is
// a kind, a key, and a value or the frame of its contents.
#include "report/diff_node.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/assert.h"
#include "base/span.h"

enum {
    KIND = 15, // of the first byte
    FLAG_INLINE = 16,
    FLAG_DIGITS = 32,
    FLAG_KEY = 64,
    FLAG_UNIT = 128,
    FRAME = 2 * sizeof(uint64_t), // size and digest of contents
    VARINT_MAX = 10,
    HEAD_MAX = 3 + 2 * VARINT_MAX + FRAME,
};

bool hoist_diff_is_scalar(const hoist_diff_node *node)
{
    return node->kind != HOIST_TREE_MAP && node->kind != HOIST_TREE_LIST;
}

hoist_diff_node hoist_diff_node_of(const hoist_tree_event *event)
{
    hoist_diff_node node = {
        .kind = event->kind, .unit = event->unit, .inline_hint = event->inline_hint};
    node.digits = event->kind == HOIST_TREE_FLOAT && event->str.size > 0;
    if (event->kind == HOIST_TREE_STR || node.digits) {
        node.as.str = event->str;
    } else if (event->kind == HOIST_TREE_INT) {
        node.as.integer = event->integer;
    } else if (event->kind == HOIST_TREE_UINT) {
        node.as.uinteger = event->uinteger;
    } else if (event->kind == HOIST_TREE_FLOAT) {
        node.as.number = event->number;
    } else if (event->kind == HOIST_TREE_BOOL) {
        node.as.boolean = event->boolean;
    }
    return node;
}

// A text, or digits of an integer beyond 64 bits, which no number holds.
static bool has_text(const hoist_diff_node *node)
{
    return node->kind == HOIST_TREE_STR || node->digits;
}

// Values ------------------------------------------------------------------------------------------

static hoist_diff_value number_value(const hoist_diff_node *node)
{
    static const double exact = 9007199254740992.0; // 2^53
    const bool fraction = node->kind == HOIST_TREE_FLOAT;
    const double number = fraction ? node->as.number : 0;
    // Up to 2^53 a double is exactly one integer, and the integer one double.
    const bool whole = !fraction || (fabs(number) <= exact && floor(number) == number);
    uint64_t bits = node->as.uinteger;
    if (fraction && whole) {
        bits = (uint64_t)(int64_t)number;
    }
    return (hoist_diff_value){.bits = bits,
                              .kind = whole ? HOIST_TREE_INT : HOIST_TREE_FLOAT,
                              .negative =
                                  node->kind != HOIST_TREE_UINT && whole && (int64_t)bits < 0};
}

// Numbers that are equal have one value, however they are written, but for integers beyond 64
// bits: these are their digits.
hoist_diff_value hoist_diff_value_of(const hoist_diff_node *node)
{
    if (has_text(node)) {
        return (hoist_diff_value){.text = node->as.str, .kind = node->kind};
    }
    switch (node->kind) {
    case HOIST_TREE_INT:
    case HOIST_TREE_UINT:
    case HOIST_TREE_FLOAT:
        return number_value(node);
    case HOIST_TREE_BOOL:
        return (hoist_diff_value){.bits = node->as.boolean, .kind = HOIST_TREE_BOOL};
    case HOIST_TREE_STR:
    case HOIST_TREE_NULL:
    case HOIST_TREE_MAP:
    case HOIST_TREE_LIST:
    case HOIST_TREE_END:
        break;
    }
    return (hoist_diff_value){.kind = HOIST_TREE_NULL};
}

bool hoist_diff_is_same(const hoist_diff_node *a, const hoist_diff_node *b)
{
    // Digests of 64 bits under a key that is not known outside stand for the contents.
    if (!hoist_diff_is_scalar(a) || !hoist_diff_is_scalar(b)) {
        return a->kind == b->kind && a->digest == b->digest;
    }
    const hoist_diff_value x = hoist_diff_value_of(a);
    const hoist_diff_value y = hoist_diff_value_of(b);
    return x.kind == y.kind && x.bits == y.bits && x.negative == y.negative &&
           hoist_str_equal(x.text, y.text);
}

// Packing -----------------------------------------------------------------------------------------

// The first bytes of a node.
typedef struct head {
    uint8_t data[HEAD_MAX];
    size_t size;
} head;

// HEAD_MAX has space for the longest head.
static void put(head *h, size_t byte)
{
    h->data[h->size++] = (uint8_t)byte;
}

// Seven bits in each byte, the lowest first; the highest bit says that more follow.
static void put_varint(head *h, uint64_t value)
{
    for (; value > 127; value >>= 7) {
        put(h, (value & 127) | 128);
    }
    put(h, value);
}

static void put_value(head *h, const hoist_diff_node *node, size_t rule)
{
    if (has_text(node)) {
        put_varint(h, node->as.str.size);
    } else if (node->kind == HOIST_TREE_INT) {
        const uint64_t bits = (uint64_t)node->as.integer;
        // Small negative numbers are short, too: the sign is the lowest bit.
        put_varint(h, bits << 1 ^ (node->as.integer < 0 ? UINT64_MAX : 0));
    } else if (node->kind == HOIST_TREE_UINT) {
        put_varint(h, node->as.uinteger);
    } else if (node->kind == HOIST_TREE_FLOAT) {
        memcpy(h->data + h->size, &node->as.number, sizeof(node->as.number));
        h->size += sizeof(node->as.number);
    } else if (node->kind == HOIST_TREE_BOOL) {
        put(h, node->as.boolean);
    } else if (!hoist_diff_is_scalar(node)) {
        // The frame is 0 until hoist_diff_pack_end().
        put(h, rule == SIZE_MAX ? 0 : rule + 1);
        memset(h->data + h->size, 0, FRAME);
        h->size += FRAME;
    }
}

void hoist_diff_pack(hoist_buffer *out, const hoist_diff_node *node, size_t key, size_t rule)
{
    head h = {.size = 0};
    put(&h, (size_t)node->kind | (node->inline_hint ? FLAG_INLINE : 0) |
                (node->digits ? FLAG_DIGITS : 0) | (key != SIZE_MAX ? FLAG_KEY : 0) |
                (node->unit != HOIST_UNIT_NONE ? FLAG_UNIT : 0));
    if (node->unit != HOIST_UNIT_NONE) {
        put(&h, (size_t)node->unit);
    }
    if (key != SIZE_MAX) {
        put_varint(&h, key);
    }
    put_value(&h, node, rule);
    hoist_buffer_add(out, (hoist_bytes){h.data, h.size});
    if (has_text(node)) {
        hoist_buffer_str(out, node->as.str);
    }
}

void hoist_diff_pack_end(hoist_buffer *out, size_t contents, uint64_t digest)
{
    const uint64_t frame[] = {out->size - contents, digest};
    if (!out->failed) {
        memcpy(out->data + contents - FRAME, frame, FRAME);
    }
}

// Reading -----------------------------------------------------------------------------------------

// The first bytes of what is left, which is that much shorter then.
static const uint8_t *take(hoist_bytes *left, size_t size)
{
    const uint8_t *const data = left->data;
    HOIST_ASSERT(size <= left->size); // we have packed it
    *left = (hoist_bytes){data + size, left->size - size};
    return data;
}

static uint64_t take_varint(hoist_bytes *left)
{
    uint64_t value = 0;
    uint8_t byte = 128;
    for (unsigned shift = 0; byte & 128; shift += 7) {
        byte = *take(left, 1);
        value |= (uint64_t)(byte & 127) << shift;
    }
    return value;
}

static void take_value(hoist_diff_items *items, hoist_diff_node *node)
{
    hoist_bytes *const left = &items->left;
    if (has_text(node)) {
        const size_t size = (size_t)take_varint(left);
        node->as.str = (hoist_str){(const char *)take(left, size), size};
    } else if (node->kind == HOIST_TREE_INT) {
        const uint64_t value = take_varint(left);
        node->as.uinteger = value >> 1 ^ (value & 1 ? UINT64_MAX : 0);
    } else if (node->kind == HOIST_TREE_UINT) {
        node->as.uinteger = take_varint(left);
    } else if (node->kind == HOIST_TREE_FLOAT) {
        memcpy(&node->as.number, take(left, sizeof(node->as.number)), sizeof(node->as.number));
    } else if (node->kind == HOIST_TREE_BOOL) {
        node->as.boolean = *take(left, 1);
    } else if (!hoist_diff_is_scalar(node)) {
        uint64_t frame[2];
        const size_t rule = *take(&items->left, 1);
        memcpy(frame, take(&items->left, FRAME), FRAME);
        node->as.identity = rule ? items->diff->rules[rule - 1].key : NULL;
        node->digest = frame[1];
        const size_t size = (size_t)frame[0];
        node->items = (hoist_diff_items){items->diff, {take(&items->left, size), size}};
    }
}

bool hoist_diff_next(hoist_diff_items *items, hoist_diff_node *out_node)
{
    *out_node = (hoist_diff_node){.key = HOIST_STR("")};
    if (items->left.size == 0) {
        return false;
    }
    const uint8_t flags = *take(&items->left, 1);
    out_node->kind = (hoist_tree_kind)(flags & KIND);
    out_node->inline_hint = flags & FLAG_INLINE;
    out_node->digits = flags & FLAG_DIGITS;
    if (flags & FLAG_UNIT) {
        out_node->unit = (hoist_tree_unit)*take(&items->left, 1);
    }
    if (flags & FLAG_KEY) {
        out_node->key = items->diff->key_at[take_varint(&items->left)].text;
    }
    take_value(items, out_node);
    return true;
}
