// Values whose kinds only netlists have (buda_kind of fields.h), as tree events; read_value.c,
// read_tms.c and read_attributes.c read them. Plain kinds are sent by codec/record.h.
#include "base/span.h"
#include "formats/buda/walk.h"

// Items of a list have no key.
static const hoist_str no_key = {"", 0};

static void send_name(const hoist_rec_walk *walk, const hoist_rec_field *field, hoist_str key,
                      const void *slot)
{
    (void)field;
    const buda_name *const name = slot;
    hoist_rec_send_str(walk, key, name->text, name->pos);
}

// Tokens stay text: "0x10" is written as it was, although its value is 0 (rule 36b).
static void send_token(const hoist_rec_walk *walk, const hoist_rec_field *field, hoist_str key,
                       const void *slot)
{
    (void)field;
    const buda_token *const token = slot;
    hoist_rec_send_str(walk, key, token->text, token->pos);
}

static void send_pair(const hoist_rec_walk *walk, const hoist_rec_field *field, hoist_str key,
                      const void *slot)
{
    (void)field;
    const buda_pair *const pair = slot;
    hoist_rec_open(walk, HOIST_TREE_LIST, key, pair->pos, true);
    hoist_tree_int(walk->sink, "", pair->r);
    hoist_tree_int(walk->sink, "", pair->c);
    hoist_tree_end(walk->sink);
}

// A list of a plain kind: the row gives the kind, and no table is needed.
static void send_as(const hoist_rec_walk *walk, hoist_rec_kind kind, hoist_str key,
                    const void *slot)
{
    const hoist_rec_field plain = {.kind = (uint8_t)kind, .places = true};
    hoist_rec_send_value(walk, &plain, key, slot);
}

static void send_ints(const hoist_rec_walk *walk, const hoist_rec_field *field, hoist_str key,
                      const void *slot)
{
    (void)field;
    send_as(walk, HOIST_REC_INTS, key, slot);
}

static void send_names(const hoist_rec_walk *walk, const hoist_rec_field *field, hoist_str key,
                       const void *slot)
{
    (void)field;
    send_as(walk, HOIST_REC_STRS, key, slot);
}

// `0x30000000` or `[0, 0x30000000]`. Addresses are sent as such, so that they are shown in
// hexadecimal.
static void send_place(const hoist_rec_walk *walk, const buda_place *place)
{
    const hoist_tree_event address = {.kind = HOIST_TREE_UINT,
                                      .uinteger = (uint64_t)place->address.value,
                                      .unit = HOIST_UNIT_ADDRESS};
    if (!buda_has(place->channel.pos)) {
        hoist_rec_send_event(walk, address, no_key, place->address.pos);
        return;
    }
    hoist_rec_open(walk, HOIST_TREE_LIST, no_key, place->pos, true);
    hoist_rec_send_int(walk, no_key, place->channel.value, place->channel.pos);
    hoist_rec_send_event(walk, address, no_key, place->address.pos);
    hoist_tree_end(walk->sink);
}

static void send_places(const hoist_rec_walk *walk, const hoist_rec_field *field, hoist_str key,
                        const void *slot)
{
    (void)field;
    const buda_places *const places = slot;
    hoist_rec_open(walk, HOIST_TREE_LIST, key, places->pos, true);
    for (size_t i = 0; i < places->count; i++) {
        send_place(walk, &places->items[i]);
    }
    hoist_tree_end(walk->sink);
}

// `{r: 2}`; the axis letter is a key of one character inside the TM.
static void send_axes(const hoist_rec_walk *walk, hoist_str key, const buda_tm *tm)
{
    hoist_rec_open(walk, HOIST_TREE_MAP, key, tm->pos, true);
    for (size_t i = 0; i < tm->axis_count; i++) {
        const buda_tm_axis *const axis = &tm->axes[i];
        hoist_rec_send_int(walk, (hoist_str){&axis->axis, 1}, axis->factor.value, axis->factor.pos);
    }
    hoist_tree_end(walk->sink);
}

// `[rt, ct, value]`; the value keeps its location, as it may be absent.
static void send_tm_pad(const hoist_rec_walk *walk, hoist_str key, const buda_tm *tm)
{
    hoist_rec_open(walk, HOIST_TREE_LIST, key, tm->pad.pos, true);
    hoist_tree_int(walk->sink, "", tm->pad.r);
    hoist_tree_int(walk->sink, "", tm->pad.c);
    hoist_rec_send_float(walk, no_key, tm->pad_value.value, tm->pad_value.pos);
    hoist_tree_end(walk->sink);
}

// An unknown TM (row NULL) and `transpose` are bare words; others are maps of one key.
static void send_tm(const hoist_rec_walk *walk, const buda_tm *tm)
{
    const buda_tm_row *const row = buda_tm_get(tm->kind);
    if (!row || row->form == BUDA_TM_FORM_NONE) {
        hoist_rec_send_str(walk, no_key, tm->text, tm->pos);
        return;
    }
    const hoist_str name = hoist_str_from(row->name);
    hoist_rec_open(walk, HOIST_TREE_MAP, no_key, tm->pos, true);
    if (row->form == BUDA_TM_FORM_AXES) {
        send_axes(walk, name, tm);
    } else if (row->form == BUDA_TM_FORM_FACTOR) {
        hoist_rec_send_int(walk, name, tm->factor.value, tm->factor.pos);
    } else if (row->form == BUDA_TM_FORM_PAD) {
        send_tm_pad(walk, name, tm);
    } else {
        hoist_rec_send_str(walk, name, tm->tile_axis.text, tm->tile_axis.pos);
    }
    hoist_tree_end(walk->sink);
}

static void send_tms(const hoist_rec_walk *walk, const hoist_rec_field *field, hoist_str key,
                     const void *slot)
{
    (void)field;
    const buda_tms *const tms = slot;
    hoist_rec_open(walk, HOIST_TREE_LIST, key, tms->pos, true);
    for (size_t i = 0; i < tms->count; i++) {
        send_tm(walk, &tms->items[i]);
    }
    hoist_tree_end(walk->sink);
}

// `{input_0: 8}`: two lists of equal length, keys as written.
static void send_input_map(const hoist_rec_walk *walk, const buda_attribute *a)
{
    hoist_rec_open(walk, HOIST_TREE_MAP, a->key, a->pos, true);
    for (size_t i = 0; i < a->values.count; i++) {
        hoist_rec_send_int(walk, a->inputs.items[i].text, a->values.items[i].value,
                           a->values.items[i].pos);
    }
    hoist_tree_end(walk->sink);
}

// By the kind of the attribute's row in ops; the switch names all kinds, so that a new one does
// not compile.
static void send_attribute(const hoist_rec_walk *walk, const buda_attribute *a)
{
    switch (hoist_attr_get(a->attr)->kind) {
    case HOIST_ATTR_KIND_NONE:
        walk->tree(walk, &(hoist_rec_node){.yaml = a->node}); // unknown: key and value as read
        break;
    case HOIST_ATTR_KIND_INT:
        hoist_rec_send_int(walk, a->key, a->integer, a->pos);
        break;
    case HOIST_ATTR_KIND_FLOAT:
        hoist_rec_send_float(walk, a->key, a->number, a->pos);
        break;
    case HOIST_ATTR_KIND_BOOL:
        hoist_rec_send_bool(walk, a->key, a->boolean, a->pos);
        break;
    case HOIST_ATTR_KIND_WORD:
    case HOIST_ATTR_KIND_NAME:
        hoist_rec_send_str(walk, a->key, a->text, a->pos);
        break;
    case HOIST_ATTR_KIND_INTS:
        send_as(walk, HOIST_REC_INTS, a->key, &a->ints);
        break;
    case HOIST_ATTR_KIND_INPUT_MAP:
        send_input_map(walk, a);
        break;
    }
}

// In the order of the table: the parser expects accumulate before z, and relu_en before relu_mode
// (section 1.6). Unknown ones come last.
static void send_attributes(const hoist_rec_walk *walk, const hoist_rec_field *field, hoist_str key,
                            const void *slot)
{
    (void)field;
    const buda_attributes *const list = slot;
    // One flag per attribute keeps the walk linear in attributes that occur rather than in all
    // that exist.
    bool present[HOIST_ATTR_COUNT] = {false};
    for (size_t i = 0; i < list->count; i++) {
        present[list->items[i].attr] = true;
    }
    hoist_rec_open(walk, HOIST_TREE_MAP, key, list->pos, true);
    // Ends with number 0, HOIST_ATTR_NONE: the unknown ones, each with its key.
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

// `[{queue: op}]`; three members of the op are one key, so the slot is the op itself.
static void send_forks(const hoist_rec_walk *walk, const hoist_rec_field *field, hoist_str key,
                       const void *slot)
{
    (void)field;
    const buda_op *const op = slot;
    hoist_rec_open(walk, HOIST_TREE_LIST, key, op->forked_pos, true);
    for (size_t i = 0; i < op->forked_count; i++) {
        const buda_fork *const fork = &op->forked_dram_inputs[i];
        hoist_rec_open(walk, HOIST_TREE_MAP, no_key, fork->queue.pos, true);
        hoist_rec_send_str(walk, fork->queue.text, fork->op.text, fork->op.pos);
        hoist_tree_end(walk->sink);
    }
    hoist_tree_end(walk->sink);
}

// clang-format off
#define OWN(kind) [BUDA_KIND_##kind - HOIST_REC_OWN]
hoist_rec_send_slot *const buda_senders[] = {
    OWN(OPERAND) = send_name,          OWN(TOKEN) = send_token,
    OWN(PAIR) = send_pair,             OWN(GRID_LOC) = send_pair,
    OWN(TILE_DIM) = send_pair,         OWN(DEVICES) = send_ints,
    OWN(OPERANDS) = send_names,        OWN(PLACES) = send_places,
    OWN(HOST_PLACES) = send_places,    OWN(TMS) = send_tms,
    OWN(ATTRIBUTES) = send_attributes, OWN(FORKS) = send_forks,
};
// clang-format on
