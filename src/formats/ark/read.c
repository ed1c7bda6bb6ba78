// The reader of models and plans: text to JSON tape (codec/json.h) to typed model (module.h), by
// the rows of fields.c. Reads on after errors and reports all: what is missing or of another kind
// (M01 to M06, M09, P01 to P03), unknown types and keys (M08, M11), mixed dialects (M12).
#include <inttypes.h>
#include <math.h>

#include "base/alloc.h"
#include "base/progress.h"
#include "base/span.h"
#include "formats/ark/ark.h"
#include "formats/ark/fields.h"
#include "formats/ark/rules.h"

enum { MAX_DEPTH = 64 }; // of nested values; a plan has 12 (deeper text is refused)

// Spellings that the file has, where a dialect is known by them.
typedef enum spelling {
    SPELLS_OP,       // a node with "Op"
    SPELLS_OPS,      // a node with "Ops"
    SPELLS_PADDED,   // a tensor with "PaddedShape"
    SPELLS_PADS,     // a tensor with "Pads"
    SPELLS_THIRD,    // a tensor whose buffer is before its shape
    SPELLS_EXTERNAL, // a buffer with "IsExternal"
    SPELLS_D0,       // an argument of Matmul that only D0 has
    SPELLS_COUNT,
} spelling;

typedef struct ark_reading {
    ark_module *module;
    bool spells[SPELLS_COUNT];
    bool mixed_ops, mixed_pads; // reported
} ark_reading;

// Findings ---------------------------------------------------------------------------------------

// Of an argument it is an error, since the value has no meaning then (M09); others are kept (M11).
static void report_unknown(hoist_rec_reader *r, const hoist_rec_table *table,
                           const hoist_rec_node *node)
{
    const hoist_str key = hoist_rec_key(r, node);
    const bool is_arg = table == &ark_arg_table;
    ark_report(r->diag, is_arg ? ARK_M09 : ARK_M11, hoist_rec_key_pos(r, node),
               is_arg ? "'%.*s' is no type of %s" : "'%.*s' is no key of %s, and is kept",
               HOIST_STR_ARGS(key), table->what);
}

// Reports the first object that is spelled otherwise than those before. One finding for each pair
// of spellings.
static void note_spelling(hoist_rec_reader *r, const hoist_rec_node *node, spelling found,
                          spelling other, const char *what, bool *reported)
{
    ark_reading *const reading = r->self;
    static const char *const names[] = {
        [SPELLS_OP] = "Op",
        [SPELLS_OPS] = "Ops",
        [SPELLS_PADDED] = "PaddedShape",
        [SPELLS_PADS] = "Pads",
    };
    reading->spells[found] = true;
    if (reading->spells[other] && !*reported) {
        *reported = true;
        hoist_rec_report(r, ARK_M12, node, "%s has '%s', others before it have '%s'", what,
                         names[found], names[other]);
    }
}

// Hooks ------------------------------------------------------------------------------------------

// As it is in the file, whatever kind its value has.
static bool has_key(const hoist_rec_node *node, const char *key)
{
    hoist_json_index value = 0;
    return hoist_json_find(node->json, node->at, hoist_str_from(key), &value);
}

// One of two keys has to be there, which no row can say alone.
static void end_node(hoist_rec_reader *r, const hoist_rec_node *node, void *record)
{
    ark_reading *const reading = r->self;
    hoist_json_index ops = 0;
    (void)record;
    const bool one = has_key(node, "Op");
    const bool many = hoist_json_find(node->json, node->at, HOIST_STR("Ops"), &ops);
    if (one == many) {
        hoist_rec_report(r, ARK_M02, node,
                         one ? "a node with both 'Op' and 'Ops', expected one of them"
                             : "a node with neither 'Op' nor 'Ops'");
        return;
    }
    if (many && hoist_json_kind_of(node->json, ops) == HOIST_JSON_ARRAY &&
        hoist_json_size(node->json, ops) == 0) {
        hoist_rec_report(r, ARK_M02, node, "'Ops' is an empty list, expected an operator");
    }
    note_spelling(r, node, one ? SPELLS_OP : SPELLS_OPS, one ? SPELLS_OPS : SPELLS_OP, "a node",
                  &reading->mixed_ops);
}

// Config is a key of plans only, so no row can require it.
static void end_op(hoist_rec_reader *r, const hoist_rec_node *node, void *record)
{
    const ark_op *const op = record;
    ark_reading *const reading = r->self;
    if (reading->module->is_plan && !op->config.pos.line) {
        hoist_rec_report(r, ARK_P02, node, "an operator of a plan without 'Config'");
    }
    if (op->type.pos.line && op->type.value == ARK_OP_UNKNOWN) {
        ark_report(r->diag, ARK_M08, op->type.pos, "'%.*s' is no type of operators that ARK has",
                   HOIST_STR_ARGS(op->type.text));
    }
    for (size_t i = 0; i < op->args.count; i++) {
        const hoist_str name = op->args.items[i].name.text;
        reading->spells[SPELLS_D0] |= hoist_str_equal_c(name, "StridesMNK") ||
                                      hoist_str_equal_c(name, "IsInputColumnMajor") ||
                                      hoist_str_equal_c(name, "IsOtherColumnMajor");
    }
}

// The position of the buffer among the keys and the key of the padding distinguish dialects.
static void end_tensor(hoist_rec_reader *r, const hoist_rec_node *node, void *record)
{
    const ark_tensor *const tensor = record;
    ark_reading *const reading = r->self;
    const bool padded = has_key(node, "PaddedShape");
    const bool pads = has_key(node, "Pads");
    if (!tensor->buffer.pos.line) {
        hoist_rec_report(r, ARK_M04, node, "a tensor without 'Buffer'");
    }
    if (padded == pads) {
        hoist_rec_report(r, ARK_M04, node,
                         padded
                             ? "a tensor with both 'PaddedShape' and 'Pads', expected one of them"
                             : "a tensor with neither 'PaddedShape' nor 'Pads'");
    } else {
        note_spelling(r, node, padded ? SPELLS_PADDED : SPELLS_PADS,
                      padded ? SPELLS_PADS : SPELLS_PADDED, "a tensor", &reading->mixed_pads);
    }
    const hoist_pos buffer = tensor->buffer.pos;
    const hoist_pos shape = tensor->shape.pos;
    reading->spells[SPELLS_THIRD] |=
        buffer.line && shape.line &&
        (buffer.line < shape.line || (buffer.line == shape.line && buffer.column < shape.column));
    reading->spells[SPELLS_EXTERNAL] |= tensor->buffer.external.pos.line != 0;
}

// Rows of integers have no places, so that of the name is not kept by the records themselves.
static void begin_arg(hoist_rec_reader *r, const hoist_rec_node *node, void *record)
{
    ark_arg *const arg = record;
    arg->name.pos = hoist_rec_key_pos(r, node);
}

// The kind is the row that is there; integers share a slot, so nothing else tells them apart. An
// argument is {"INT": 1}, an object with one key.
static void end_arg(hoist_rec_reader *r, const hoist_rec_node *node, void *record)
{
    enum { MOST_DIMS = 4 };
    ark_arg *const arg = record;
    arg->kind = ARK_ARG_NONE;
    if (hoist_rec_is_map(node) && hoist_json_size(node->json, node->at) != 1) {
        hoist_rec_report(r, ARK_M09, node,
                         "argument '%.*s' has %" PRIu32
                         " types, expected one: {\"INT\": 1} or the like",
                         HOIST_STR_ARGS(arg->name.text), hoist_json_size(node->json, node->at));
        return; // no kind: the value is not used
    }
    for (int kind = 0; kind < ARK_ARG_KIND_COUNT; kind++) {
        arg->kind = arg->present >> kind & 1 ? (ark_arg_kind)kind : arg->kind;
    }
    arg->integer.pos = arg->pos;
    if (arg->kind == ARK_ARG_DIMS && arg->dims.count > MOST_DIMS) {
        hoist_rec_report(r, ARK_M09, node,
                         "argument '%.*s' has %zu dimensions, expected %d at most",
                         HOIST_STR_ARGS(arg->name.text), arg->dims.count, MOST_DIMS);
    }
}

static const hoist_rec_hooks node_hooks = {.end = end_node};
static const hoist_rec_hooks op_hooks = {.end = end_op};
static const hoist_rec_hooks tensor_hooks = {.end = end_tensor};
static const hoist_rec_hooks arg_hooks = {.begin = begin_arg, .end = end_arg};
static const hoist_rec_hooks *const hooks[ARK_HOOKS_COUNT] = {
    [ARK_HOOKS_NODE] = &node_hooks,
    [ARK_HOOKS_OP] = &op_hooks,
    [ARK_HOOKS_TENSOR] = &tensor_hooks,
    [ARK_HOOKS_ARG] = &arg_hooks,
};

// Values -----------------------------------------------------------------------------------------

// [rank, tag]; false, and reported: it is none. One item of "SendTags": [[1,-2147483648]].
static bool read_tag(hoist_rec_reader *r, const hoist_rec_field *field, const hoist_rec_node *node,
                     ark_tag *out_tag)
{
    const hoist_json *const json = node->json;
    if (!hoist_rec_is_list(node) || hoist_json_size(json, node->at) != 2) {
        hoist_rec_report(r, field->wrong, node, "'%s' has %s, expected [rank, tag]", field->key,
                         hoist_rec_is_list(node) ? "a list of another length"
                                                 : "a value that is no list");
        return false;
    }
    const hoist_rec_field item = {.wrong = field->item_wrong, .min = INT32_MIN, .max = INT32_MAX};
    const hoist_rec_node rank = hoist_rec_json(json, node->at + 1);
    const hoist_rec_node tag = hoist_rec_json(json, hoist_json_next(json, rank.at));
    out_tag->pos = hoist_rec_pos(r, node);
    return hoist_rec_integer(r, &item, "a rank", &rank, &out_tag->rank) &&
           hoist_rec_integer(r, &item, "a tag", &tag, &out_tag->tag);
}

// Items that are no tag are left out. A value that is no list is reported by the caller.
static bool read_tags(hoist_rec_reader *r, const hoist_rec_field *field, const hoist_rec_node *node,
                      void *slot)
{
    if (!hoist_rec_is_list(node)) {
        return false;
    }
    const uint32_t size = hoist_json_size(node->json, node->at);
    ark_tag *const items = hoist_rec_array(r, size, sizeof(*items));
    ark_tags tags = {.items = items, .pos = hoist_rec_pos(r, node)};
    hoist_rec_node item = hoist_rec_json(node->json, node->at + 1);
    for (uint32_t i = 0; items && i < size; i++) {
        tags.count += read_tag(r, field, &item, &items[tags.count]) ? 1 : 0;
        item.at = hoist_json_next(node->json, item.at);
    }
    *(ark_tags *)slot = tags;
    return items;
}

// One operator becomes a list of one, so that nodes of all dialects are alike.
static bool read_op(hoist_rec_reader *r, const hoist_rec_field *field, const hoist_rec_node *node,
                    void *slot)
{
    ark_ops *const ops = slot;
    ark_op *const op = hoist_rec_is_map(node) ? hoist_rec_array(r, 1, sizeof(*op)) : NULL;
    if (op) {
        *ops = (ark_ops){op, 1};
        (void)hoist_rec_read(r, field->table, node, op);
    }
    return op;
}

// The same 64 bits; who reads them goes by the kind.
static bool read_uint64(hoist_rec_reader *r, const hoist_rec_field *field,
                        const hoist_rec_node *node, void *slot)
{
    uint64_t value = 0;
    (void)r;
    (void)field;
    const bool right = hoist_json_u64(node->json, node->at, &value);
    *(int64_t *)slot = (int64_t)value;
    return right;
}

// Rounded to float32, as ARK does; infinities cannot be written in JSON. 0.10000000149011612 is the
// double that float32 0.1 is widened to.
static bool read_float(hoist_rec_reader *r, const hoist_rec_field *field,
                       const hoist_rec_node *node, void *slot)
{
    double value = 0;
    (void)field;
    const bool right =
        hoist_json_f64(node->json, node->at, &value) && isfinite((double)(float)value);
    *(hoist_rec_float *)slot = (hoist_rec_float){(double)(float)value, hoist_rec_pos(r, node)};
    return right;
}

// Apart from its argument, which most often has none.
static bool read_tensor(hoist_rec_reader *r, const hoist_rec_field *field,
                        const hoist_rec_node *node, void *slot)
{
    ark_tensor *const tensor =
        hoist_rec_is_map(node) ? hoist_rec_array(r, 1, sizeof(*tensor)) : NULL;
    if (tensor) {
        (void)hoist_rec_read(r, field->table, node, tensor);
        *(const ark_tensor **)slot = tensor;
    }
    return tensor;
}

#define OWN(kind) [ARK_KIND_##kind - HOIST_REC_OWN]
static hoist_rec_read_value *const readers[] = {
    OWN(TAGS) = read_tags,   OWN(OP) = read_op,         OWN(UINT64) = read_uint64,
    OWN(FLOAT) = read_float, OWN(TENSOR) = read_tensor,
};

static const hoist_rec_style style = {
    .rules = &hoist_ark_rules,
    .own = ark_kinds,
    .readers = readers,
    .hooks = hooks,
    .expected = {[HOIST_REC_INT] = "an integer of 64 bits",
                 [HOIST_REC_BOOL] = "true or false",
                 [HOIST_REC_STR] = "a string",
                 [HOIST_REC_WORD] = "a string",
                 [HOIST_REC_INTS] = "a list of integers",
                 [HOIST_REC_TABLE] = "an object",
                 [HOIST_REC_TABLES] = "a list of objects",
                 [HOIST_REC_NAMED] = "an object"},
    .quote = "'",
    .report = hoist_rec_report,
    .shown = hoist_rec_shown_json,
    .missing = hoist_rec_report_missing,
    .unknown = report_unknown,
};

// The file ---------------------------------------------------------------------------------------

// What the codec found: keys that occur twice are a rule of ARK's; what ended the reading is
// followed by ARK-SYN, which says how far the file was understood.
static void report_codec(hoist_diag *diag, const hoist_diag *found, hoist_status status)
{
    const size_t count = hoist_diag_kept(found);
    for (size_t i = 0; i < count; i++) {
        const hoist_finding *const f = hoist_diag_at(found, i);
        if (status == HOIST_OK || i + 1 < count) {
            hoist_report(diag, ark_rule_row(ARK_M13), f->loc, "%.*s", HOIST_STR_ARGS(f->message));
            continue;
        }
        hoist_report(diag, f->rule, f->loc, "%.*s", HOIST_STR_ARGS(f->message));
        if (status == HOIST_INVALID || status == HOIST_TRUNCATED) {
            hoist_report(diag, ark_rule_row(ARK_SYN), f->loc,
                         "the file is understood up to line %" PRIu32 ", expected one JSON text",
                         f->loc.pos.line);
        }
    }
}

// Findings of the codec go to a list of their own first, since some become ARK's.
static hoist_status read_json(hoist_bytes bytes, const hoist_read_options *options,
                              hoist_diag *diag, hoist_json *out_json)
{
    const hoist_json_limits limits = {
        .max_depth = MAX_DEPTH, .max_tokens = options->max_nodes, .deadline = options->deadline};
    hoist_diag *found = NULL;
    HOIST_TRY(hoist_diag_create(options->alloc, NULL, &found));
    hoist_stage_expect(options->deadline, HOIST_STAGE_OPENING, bytes.size);
    hoist_status status = hoist_json_read(bytes, &limits, options->alloc, found, out_json);
    if (hoist_diag_incomplete(found)) {
        status = HOIST_NO_MEMORY;
    }
    if (status != HOIST_NO_MEMORY) {
        report_codec(diag, found, status);
        hoist_diag_lacks(diag, hoist_diag_take_lack(found));
    }
    hoist_diag_destroy(found);
    return status;
}

// What only one dialect has decides first. D4 is known by IsExternal, D0 by its arguments of
// Matmul, D1 by Pads, D2A by the position of Buffer, D2 by Ops. A file that has none of them is D3.
static ark_dialect dialect_of(const ark_reading *reading)
{
    const bool *const spells = reading->spells;
    if (spells[SPELLS_EXTERNAL]) {
        return ARK_D4;
    }
    if (spells[SPELLS_D0]) {
        return ARK_D0;
    }
    if (spells[SPELLS_PADS] && !spells[SPELLS_PADDED]) {
        return ARK_D1;
    }
    if (spells[SPELLS_THIRD]) {
        return ARK_D2A;
    }
    return spells[SPELLS_OPS] && !spells[SPELLS_OP] ? ARK_D2 : ARK_D3;
}

// The world first: without it no rank is right or wrong.
static void check_rank(const ark_module *module, hoist_diag *diag)
{
    const hoist_rec_int *const rank = &module->rank;
    const hoist_rec_int *const world = &module->world_size;
    if (world->pos.line && world->value < 1) {
        ark_report(diag, ARK_M07, world->pos, "WorldSize is %" PRId64 ", expected 1 or more",
                   world->value);
    } else if (rank->pos.line && world->pos.line &&
               (rank->value < 0 || rank->value >= world->value)) {
        ark_report(diag, ARK_M07, rank->pos, "Rank is %" PRId64 ", expected 0 to %" PRId64,
                   rank->value, world->value - 1);
    }
}

// Without "Nodes", "TaskInfos" or "ProcessorGroups" make a plan; else the file counts as a model.
static hoist_status read_module(hoist_bytes bytes, const hoist_read_options *options,
                                hoist_diag *diag, ark_module *module)
{
    HOIST_TRY(read_json(bytes, options, diag, &module->json));
    const hoist_rec_node root = hoist_rec_json(&module->json, 0);
    ark_reading reading = {.module = module};
    hoist_rec_reader r = {.style = &style,
                          .self = &reading,
                          .arena = &module->arena,
                          .diag = diag,
                          .deadline = options->deadline,
                          .forms = UINT8_MAX};
    module->is_plan = !has_key(&root, "Nodes") &&
                      (has_key(&root, "TaskInfos") || has_key(&root, "ProcessorGroups"));
    (void)hoist_rec_read(&r, module->is_plan ? &ark_plan_table : &ark_model_table, &root, module);
    module->dialect = dialect_of(&reading);
    check_rank(module, diag);
    return r.status;
}

// NULL is allowed.
void ark_destroy(hoist_module *base)
{
    if (base) {
        ark_module *const module = (ark_module *)base;
        const hoist_allocator alloc = base->alloc;
        hoist_json_free(&module->json);
        hoist_arena_deinit(&module->arena);
        hoist_free(alloc, module, sizeof(*module));
    }
}

// Findings of the contents are no failure: the module is there, for the checks.
hoist_status ark_read(hoist_bytes bytes, const hoist_read_options *options, hoist_diag *diag,
                      hoist_module **out_module)
{
    *out_module = NULL;
    if (!options->keep) {
        return HOIST_INTERNAL; // names and kept keys are slices of the bytes
    }
    ark_module *const module = hoist_alloc(options->alloc, sizeof(*module));
    HOIST_TRY_MEMORY(module);
    *module = (ark_module){.base = {.alloc = options->alloc, .deadline = options->deadline},
                           .json = {.alloc = options->alloc}};
    hoist_arena_init(&module->arena, options->alloc);
    const hoist_status status = read_module(bytes, options, diag, module);
    if (status != HOIST_OK) {
        ark_destroy(&module->base);
        return status;
    }
    *out_module = &module->base;
    return HOIST_OK;
}
