#include "formats/buda/walk_value.h"

#include <stdio.h>
#include <string.h>

#include "base/span.h"

// What stands under a key in a list.
static const hoist_str no_key = {"", 0};

static void send(const buda_walk *walk, hoist_tree_event event, hoist_str key, hoist_pos pos)
{
    event.key = key;
    event.pos = walk->positions ? pos : (hoist_pos){0, 0};
    hoist_tree_send(walk->sink, &event);
}

void buda_walk_open(const buda_walk *walk, hoist_tree_kind kind, hoist_str key, hoist_pos pos,
                    bool one_line)
{
    send(walk, (hoist_tree_event){.kind = kind, .inline_hint = one_line}, key, pos);
}

void buda_walk_text(const buda_walk *walk, hoist_str key, hoist_str text, hoist_pos pos)
{
    send(walk, (hoist_tree_event){.kind = HOIST_TREE_STR, .str = text}, key, pos);
}

static void send_integer(const buda_walk *walk, hoist_str key, int64_t value, hoist_pos pos)
{
    send(walk, (hoist_tree_event){.kind = HOIST_TREE_INT, .integer = value}, key, pos);
}

static void send_number(const buda_walk *walk, hoist_str key, double value, hoist_pos pos)
{
    send(walk, (hoist_tree_event){.kind = HOIST_TREE_FLOAT, .number = value}, key, pos);
}

static void send_boolean(const buda_walk *walk, hoist_str key, bool value, hoist_pos pos)
{
    send(walk, (hoist_tree_event){.kind = HOIST_TREE_BOOL, .boolean = value}, key, pos);
}

static void send_name(const buda_walk *walk, const buda_field *field, hoist_str key,
                      const void *slot)
{
    (void)field;
    const buda_name *const name = slot;
    buda_walk_text(walk, key, name->text, name->pos);
}

static void send_token(const buda_walk *walk, const buda_field *field, hoist_str key,
                       const void *slot)
{
    (void)field;
    const buda_token *const token = slot;
    buda_walk_text(walk, key, token->text, token->pos);
}

static void send_int(const buda_walk *walk, const buda_field *field, hoist_str key,
                     const void *slot)
{
    (void)field;
    const buda_int *const number = slot;
    send_integer(walk, key, number->value, number->pos);
}

static void send_float(const buda_walk *walk, const buda_field *field, hoist_str key,
                       const void *slot)
{
    (void)field;
    const buda_float *const number = slot;
    send_number(walk, key, number->value, number->pos);
}

static void send_bool(const buda_walk *walk, const buda_field *field, hoist_str key,
                      const void *slot)
{
    (void)field;
    const buda_bool *const flag = slot;
    send_boolean(walk, key, flag->value, flag->pos);
}

static void send_word(const buda_walk *walk, const buda_field *field, hoist_str key,
                      const void *slot)
{
    const buda_word *const word = slot;
    const char *const name = buda_word_name(field->words, word->value);
    buda_walk_text(walk, key, name ? hoist_str_from(name) : word->text, word->pos);
}

static void send_two(const buda_walk *walk, hoist_str key, const buda_pair *pair)
{
    buda_walk_open(walk, HOIST_TREE_LIST, key, pair->pos, true);
    send_integer(walk, no_key, pair->r, (hoist_pos){0, 0});
    send_integer(walk, no_key, pair->c, (hoist_pos){0, 0});
    hoist_tree_end(walk->sink);
}

static void send_pair(const buda_walk *walk, const buda_field *field, hoist_str key,
                      const void *slot)
{
    (void)field;
    send_two(walk, key, slot);
}

static void send_ints(const buda_walk *walk, const buda_field *field, hoist_str key,
                      const void *slot)
{
    (void)field;
    const buda_ints *const ints = slot;
    if (ints->scalar && ints->count == 1) {
        send_integer(walk, key, ints->items[0].value, ints->items[0].pos);
        return;
    }
    buda_walk_open(walk, HOIST_TREE_LIST, key, ints->pos, true);
    for (size_t i = 0; i < ints->count; i++) {
        send_integer(walk, no_key, ints->items[i].value, ints->items[i].pos);
    }
    hoist_tree_end(walk->sink);
}

void buda_walk_names(const buda_walk *walk, hoist_str key, const buda_names *names)
{
    buda_walk_open(walk, HOIST_TREE_LIST, key, names->pos, true);
    for (size_t i = 0; i < names->count; i++) {
        buda_walk_text(walk, no_key, names->items[i].text, names->items[i].pos);
    }
    hoist_tree_end(walk->sink);
}

static void send_names(const buda_walk *walk, const buda_field *field, hoist_str key,
                       const void *slot)
{
    (void)field;
    buda_walk_names(walk, key, slot);
}

static void send_words(const buda_walk *walk, const buda_field *field, hoist_str key,
                       const void *slot)
{
    const buda_words *const words = slot;
    if (words->scalar && words->count == 1) {
        send_word(walk, field, key, &words->items[0]);
        return;
    }
    buda_walk_open(walk, HOIST_TREE_LIST, key, words->pos, true);
    for (size_t i = 0; i < words->count; i++) {
        send_word(walk, field, no_key, &words->items[i]);
    }
    hoist_tree_end(walk->sink);
}

void buda_walk_words(const buda_walk *walk, const buda_field *field, const buda_words *words)
{
    if (buda_has(words->pos)) {
        send_words(walk, field, hoist_str_from(field->key), words);
    }
}

static void send_place(const buda_walk *walk, const buda_place *place)
{
    const hoist_tree_event address = {.kind = HOIST_TREE_UINT,
                                      .uinteger = (uint64_t)place->address.value,
                                      .unit = HOIST_UNIT_ADDRESS};
    if (!buda_has(place->channel.pos)) {
        send(walk, address, no_key, place->address.pos);
        return;
    }
    buda_walk_open(walk, HOIST_TREE_LIST, no_key, place->pos, true);
    send_integer(walk, no_key, place->channel.value, place->channel.pos);
    send(walk, address, no_key, place->address.pos);
    hoist_tree_end(walk->sink);
}

static void send_places(const buda_walk *walk, const buda_field *field, hoist_str key,
                        const void *slot)
{
    (void)field;
    const buda_places *const places = slot;
    buda_walk_open(walk, HOIST_TREE_LIST, key, places->pos, true);
    for (size_t i = 0; i < places->count; i++) {
        send_place(walk, &places->items[i]);
    }
    hoist_tree_end(walk->sink);
}

static void send_axes(const buda_walk *walk, hoist_str key, const buda_tm *tm)
{
    buda_walk_open(walk, HOIST_TREE_MAP, key, tm->pos, true);
    for (size_t i = 0; i < tm->axis_count; i++) {
        const buda_tm_axis *const axis = &tm->axes[i];
        send_integer(walk, (hoist_str){&axis->axis, 1}, axis->factor.value, axis->factor.pos);
    }
    hoist_tree_end(walk->sink);
}

static void send_tm_pad(const buda_walk *walk, hoist_str key, const buda_tm *tm)
{
    buda_walk_open(walk, HOIST_TREE_LIST, key, tm->pad.pos, true);
    send_integer(walk, no_key, tm->pad.r, (hoist_pos){0, 0});
    send_integer(walk, no_key, tm->pad.c, (hoist_pos){0, 0});
    send_number(walk, no_key, tm->pad_value.value, tm->pad_value.pos);
    hoist_tree_end(walk->sink);
}

static void send_tm(const buda_walk *walk, const buda_tm *tm)
{
    const buda_tm_row *const row = buda_tm_get(tm->kind);
    if (!row || row->form == BUDA_TM_FORM_NONE) {
        buda_walk_text(walk, no_key, tm->text, tm->pos);
        return;
    }
    const hoist_str name = hoist_str_from(row->name);
    buda_walk_open(walk, HOIST_TREE_MAP, no_key, tm->pos, true);
    if (row->form == BUDA_TM_FORM_AXES) {
        send_axes(walk, name, tm);
    } else if (row->form == BUDA_TM_FORM_FACTOR) {
        send_integer(walk, name, tm->factor.value, tm->factor.pos);
    } else if (row->form == BUDA_TM_FORM_PAD) {
        send_tm_pad(walk, name, tm);
    } else {
        buda_walk_text(walk, name, tm->tile_axis.text, tm->tile_axis.pos);
    }
    hoist_tree_end(walk->sink);
}

static void send_tms(const buda_walk *walk, const buda_field *field, hoist_str key,
                     const void *slot)
{
    (void)field;
    const buda_tms *const tms = slot;
    buda_walk_open(walk, HOIST_TREE_LIST, key, tms->pos, true);
    for (size_t i = 0; i < tms->count; i++) {
        send_tm(walk, &tms->items[i]);
    }
    hoist_tree_end(walk->sink);
}

static void send_input_map(const buda_walk *walk, const buda_attribute *a)
{
    buda_walk_open(walk, HOIST_TREE_MAP, a->key, a->pos, true);
    for (size_t i = 0; i < a->values.count; i++) {
        send_integer(walk, a->inputs.items[i].text, a->values.items[i].value,
                     a->values.items[i].pos);
    }
    hoist_tree_end(walk->sink);
}

static void send_attribute(const buda_walk *walk, const buda_attribute *a)
{
    switch (hoist_attr_get(a->attr)->kind) {
    case HOIST_ATTR_KIND_NONE:
        walk->tree(walk, a->node);
        break;
    case HOIST_ATTR_KIND_INT:
        send_integer(walk, a->key, a->integer, a->pos);
        break;
    case HOIST_ATTR_KIND_FLOAT:
        send_number(walk, a->key, a->number, a->pos);
        break;
    case HOIST_ATTR_KIND_BOOL:
        send_boolean(walk, a->key, a->boolean, a->pos);
        break;
    case HOIST_ATTR_KIND_WORD:
    case HOIST_ATTR_KIND_NAME:
        buda_walk_text(walk, a->key, a->text, a->pos);
        break;
    case HOIST_ATTR_KIND_INTS:
        send_ints(walk, NULL, a->key, &a->ints);
        break;
    case HOIST_ATTR_KIND_INPUT_MAP:
        send_input_map(walk, a);
        break;
    }
}

// In the order of the table: the parser wants accumulate before z, and relu_en before relu_mode
// (section 1.6). Unknown ones come last.
static void send_attributes(const buda_walk *walk, const buda_field *field, hoist_str key,
                            const void *slot)
{
    (void)field;
    const buda_attributes *const list = slot;
    bool present[HOIST_ATTR_COUNT] = {false};
    for (size_t i = 0; i < list->count; i++) {
        present[list->items[i].attr] = true;
    }
    buda_walk_open(walk, HOIST_TREE_MAP, key, list->pos, true);
    for (int n = 1; n <= HOIST_ATTR_COUNT; n++) {
        const int attr = n % HOIST_ATTR_COUNT;
        for (size_t i = 0; present[attr] && i < list->count; i++) {
            if ((int)list->items[i].attr == attr) {
                send_attribute(walk, &list->items[i]);
            }
        }
    }
    hoist_tree_end(walk->sink);
}

static void send_forks(const buda_walk *walk, const buda_field *field, hoist_str key,
                       const void *slot)
{
    (void)field;
    const buda_op *const op = slot;
    buda_walk_open(walk, HOIST_TREE_LIST, key, op->forked_pos, true);
    for (size_t i = 0; i < op->forked_count; i++) {
        const buda_fork *const fork = &op->forked_dram_inputs[i];
        buda_walk_open(walk, HOIST_TREE_MAP, no_key, fork->queue.pos, true);
        buda_walk_text(walk, fork->queue.text, fork->op.text, fork->op.pos);
        hoist_tree_end(walk->sink);
    }
    hoist_tree_end(walk->sink);
}

static void send_pad(const buda_walk *walk, const buda_field *field, hoist_str key,
                     const void *slot)
{
    const buda_pad *const pad = slot;
    const buda_table *const table =
        field->kind == BUDA_KIND_UNPAD ? &buda_unpad_table : &buda_pad_table;
    buda_walk_open(walk, HOIST_TREE_MAP, key, pad->pos, true);
    for (size_t i = 0; i < table->count; i++) {
        buda_walk_field(walk, &table->fields[i], no_key, pad);
    }
    hoist_tree_end(walk->sink);
}

typedef void value_sender(const buda_walk *walk, const buda_field *field, hoist_str key,
                          const void *slot);

static value_sender *const senders[BUDA_KIND_COUNT] = {
    [BUDA_KIND_NAME] = send_name,      [BUDA_KIND_OPERAND] = send_name,
    [BUDA_KIND_TOKEN] = send_token,    [BUDA_KIND_INT] = send_int,
    [BUDA_KIND_FLOAT] = send_float,    [BUDA_KIND_BOOL] = send_bool,
    [BUDA_KIND_WORD] = send_word,      [BUDA_KIND_PAIR] = send_pair,
    [BUDA_KIND_TILE_DIM] = send_pair,  [BUDA_KIND_DEVICES] = send_ints,
    [BUDA_KIND_PAD] = send_pad,        [BUDA_KIND_UNPAD] = send_pad,
    [BUDA_KIND_INTS] = send_ints,      [BUDA_KIND_NAMES] = send_names,
    [BUDA_KIND_OPERANDS] = send_names, [BUDA_KIND_WORDS] = send_words,
    [BUDA_KIND_PLACES] = send_places,  [BUDA_KIND_HOST_PLACES] = send_places,
    [BUDA_KIND_TMS] = send_tms,        [BUDA_KIND_ATTRIBUTES] = send_attributes,
    [BUDA_KIND_FORKS] = send_forks,
};

hoist_str buda_input_prefix(int input, char text[32])
{
    const int size = snprintf(text, 32, "input_%d_", input);
    return (hoist_str){text, (size_t)size};
}

void buda_walk_field(const buda_walk *walk, const buda_field *field, hoist_str prefix,
                     const void *object)
{
    const void *const slot = buda_slot_const(object, field);
    if (!buda_has(buda_slot_pos(field, slot))) {
        return;
    }
    char key[64];
    const int size = snprintf(key, sizeof(key), "%.*s%s", HOIST_STR_ARGS(prefix), field->key);
    senders[field->kind](walk, field, (hoist_str){key, (size_t)size}, slot);
}
