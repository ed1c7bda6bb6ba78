// Modules as tree events by the rows of fields.c: the document of `hoist dump --json`, and the text
// that ARK writes (ark reference section 3.8). In: a module. Out: events with places where asked
// for; or JSON text with the keys in the order of the file, so that what ARK wrote comes back byte
// for byte.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/span.h"
#include "codec/json_writer.h"
#include "formats/ark/ark.h"
#include "formats/ark/fields.h"

// State of a walk, in addition to the sink.
typedef struct ark_walk {
    hoist_arena arena;
    hoist_json_cursor cursor;
    hoist_status status; // of keeping decoded strings
} ark_walk;

// Values of own kinds ----------------------------------------------------------------------------

// Positions are those of the lists: numbers in them have none.
static void send_tags(const hoist_rec_walk *walk, const hoist_rec_field *field, hoist_str key,
                      const void *slot)
{
    const ark_tags *const tags = slot;
    (void)field;
    hoist_rec_open(walk, HOIST_TREE_LIST, key, tags->pos, true);
    for (size_t i = 0; i < tags->count; i++) {
        const ark_tag *const tag = &tags->items[i];
        hoist_rec_open(walk, HOIST_TREE_LIST, HOIST_STR(""), tag->pos, true);
        hoist_rec_send_int(walk, HOIST_STR(""), tag->rank, (hoist_pos){0, 0});
        hoist_rec_send_int(walk, HOIST_STR(""), tag->tag, (hoist_pos){0, 0});
        hoist_tree_end(walk->sink);
    }
    hoist_tree_end(walk->sink);
}

// An object whose table says so is written on one line.
static void send_object(const hoist_rec_walk *walk, const hoist_rec_table *table, hoist_str key,
                        hoist_pos pos, const void *record)
{
    hoist_rec_open(walk, HOIST_TREE_MAP, key, pos, table->one_line);
    hoist_rec_send_all(walk, table, record);
    hoist_tree_end(walk->sink);
}

// "Op" is the object itself, without a list.
static void send_op(const hoist_rec_walk *walk, const hoist_rec_field *field, hoist_str key,
                    const void *slot)
{
    const ark_ops *const ops = slot;
    for (size_t i = 0; i < ops->count; i++) { // one
        send_object(walk, field->table, key, ops->items[i].pos, &ops->items[i]);
    }
}

static void send_uint64(const hoist_rec_walk *walk, const hoist_rec_field *field, hoist_str key,
                        const void *slot)
{
    const hoist_tree_event event = {.kind = HOIST_TREE_UINT,
                                    .uinteger = (uint64_t)(*(const int64_t *)slot)};
    (void)field;
    hoist_rec_send_event(walk, event, key, (hoist_pos){0, 0});
}

static void send_tensor(const hoist_rec_walk *walk, const hoist_rec_field *field, hoist_str key,
                        const void *slot)
{
    const ark_tensor *const tensor = *(ark_tensor *const *)slot;
    if (tensor) {
        send_object(walk, field->table, key, tensor->pos, tensor);
    }
}

enum { NUMBER_SIZE = 40 };

// The decimal digits of `value` in the fewest that read back the same, and the exponent of the
// first; returns how many. At most 17 digits are needed for a double.
static int shortest_digits(double value, char digits[NUMBER_SIZE], int *out_exponent)
{
    char text[NUMBER_SIZE];
    for (int precision = 0; precision <= 16; precision++) {
        (void)snprintf(text, sizeof(text), "%.*e", precision, value);
        if (strtod(text, NULL) == value) { // the point is the locale's on both sides
            break;
        }
    }
    int count = 0;
    const char *at = text;
    for (; *at && *at != 'e'; at++) {
        if (*at >= '0' && *at <= '9') {
            digits[count++] = *at;
        }
    }
    *out_exponent = *at ? (int)strtol(at + 1, NULL, 10) : 0;
    return count;
}

// As nlohmann's JSON library writes doubles, which ARK's files are written by: digits with a point
// where the first has an exponent of -4 to 14, else an exponent of two digits or more. "0.1",
// "1.0", "9.999999747378752e-06".
static hoist_str number_text(double value, char text[NUMBER_SIZE])
{
    enum { LEAST_EXPONENT = -4, MOST_EXPONENT = 14 };
    char digits[NUMBER_SIZE] = "";
    int exponent = 0;
    const int count = shortest_digits(fabs(value), digits, &exponent);
    const char *const sign = signbit(value) ? "-" : "";
    int size = 0;
    if (exponent < LEAST_EXPONENT || exponent > MOST_EXPONENT) {
        size =
            snprintf(text, NUMBER_SIZE, "%s%c%s%.*se%c%02d", sign, digits[0], count > 1 ? "." : "",
                     count - 1, digits + 1, exponent < 0 ? '-' : '+', abs(exponent));
    } else if (exponent < 0) {
        size = snprintf(text, NUMBER_SIZE, "%s0.%.*s%.*s", sign, -1 - exponent, "000000", count,
                        digits);
    } else if (exponent + 1 >= count) {
        size = snprintf(text, NUMBER_SIZE, "%s%.*s%.*s.0", sign, count, digits,
                        exponent + 1 - count, "000000000000000");
    } else {
        size = snprintf(text, NUMBER_SIZE, "%s%.*s.%.*s", sign, exponent + 1, digits,
                        count - exponent - 1, digits + exponent + 1);
    }
    return (hoist_str){text, (size_t)size};
}

// In a file the number has ARK's digits, in a document it is a number.
static void send_float(const hoist_rec_walk *walk, const hoist_rec_field *field, hoist_str key,
                       const void *slot)
{
    const hoist_rec_float *const number = slot;
    char text[NUMBER_SIZE];
    (void)field;
    hoist_rec_send_event(walk,
                         (hoist_tree_event){.kind = HOIST_TREE_FLOAT,
                                            .number = number->value,
                                            .str = walk->extra_apart
                                                       ? HOIST_STR("")
                                                       : number_text(number->value, text)},
                         key, number->pos);
}

#define OWN(kind) [ARK_KIND_##kind - HOIST_REC_OWN]
static hoist_rec_send_slot *const senders[] = {
    OWN(TAGS) = send_tags,   OWN(OP) = send_op,         OWN(UINT64) = send_uint64,
    OWN(FLOAT) = send_float, OWN(TENSOR) = send_tensor,
};

// A key that no table knows. In a document it is apart, with the digits of a number; in a file it
// is as it was read.
static void send_kept(const hoist_rec_walk *walk, const hoist_rec_node *node)
{
    ark_walk *const self = walk->self;
    const hoist_json_sending how = {.arena = &self->arena,
                                    .cursor = walk->positions ? &self->cursor : NULL,
                                    .digits = !walk->extra_apart};
    const hoist_str key = hoist_json_string(node->json, node->key, &self->arena);
    const hoist_status status =
        key.data ? hoist_json_send(node->json, node->at, key, &how, walk->sink) : HOIST_NO_MEMORY;
    self->status = self->status == HOIST_OK ? status : self->status;
}

// Rows of the module's dialect are sent.
static hoist_rec_walk walk_of(const ark_module *module, ark_walk *self, hoist_tree_sink *sink)
{
    *self = (ark_walk){.status = HOIST_OK};
    hoist_arena_init(&self->arena, module->base.alloc);
    return (hoist_rec_walk){.own = ark_kinds,
                            .senders = senders,
                            .sink = sink,
                            .self = self,
                            .forms = (uint8_t)(1U << module->dialect),
                            .tree = send_kept};
}

// The first failure counts.
static hoist_status end_walk(ark_walk *self, const hoist_tree_sink *sink)
{
    hoist_arena_deinit(&self->arena);
    return self->status == HOIST_OK ? sink->status : self->status;
}

// Documents --------------------------------------------------------------------------------------

hoist_status ark_visit(const hoist_module *base, const hoist_dump_options *options,
                       hoist_tree_sink *sink)
{
    const ark_module *const module = ark_module_of(base);
    const hoist_str key = options && options->key ? hoist_str_from(options->key) : HOIST_STR("");
    ark_walk self;
    hoist_rec_walk walk = walk_of(module, &self, sink);
    walk.positions = options && options->positions;
    walk.extra_apart = true;
    send_object(&walk, module->is_plan ? &ark_plan_table : &ark_model_table, key, (hoist_pos){0, 0},
                module);
    return end_walk(&self, sink);
}

// Files ------------------------------------------------------------------------------------------

// How many levels of a model have a line for each member; and of the two parts of a plan.
static const struct {
    uint8_t model, tasks, groups;
} levels[ARK_DIALECT_COUNT] = {
    [ARK_D0] = {6, 6, 5}, [ARK_D1] = {6, 6, 5}, [ARK_D2A] = {6, 5, 5},
    [ARK_D2] = {5, 5, 5}, [ARK_D3] = {4, 5, 5}, [ARK_D4] = {4, 5, 5},
};

// Passes events on to a JSON writer, whose depth changes between the parts of a plan.
typedef struct plan_writer {
    hoist_json_writer json;
    hoist_tree_sink sink;
    ark_dialect dialect;
} plan_writer;

// At depth 1 the keys of the plan begin.
static hoist_status write_plan_event(void *self, const hoist_tree_event *event)
{
    plan_writer *const w = self;
    if (w->json.depth != 1) {
        return w->sink.event(w->sink.self, event);
    }
    if (hoist_str_equal_c(event->key, "TaskInfos")) {
        w->json.levels = levels[w->dialect].tasks;
    } else if (hoist_str_equal_c(event->key, "ProcessorGroups")) {
        w->json.levels = levels[w->dialect].groups;
    }
    return w->sink.event(w->sink.self, event);
}

// The last line ends, too: ARK's files do.
hoist_status ark_write(const hoist_module *base, hoist_buffer *out)
{
    const ark_module *const module = ark_module_of(base);
    plan_writer writer = {.dialect = module->dialect};
    hoist_json_writer_init(&writer.json, out, true, false);
    writer.json.wide = true;
    writer.json.levels = levels[module->dialect].model;
    writer.sink = hoist_json_writer_sink(&writer.json);
    hoist_tree_sink parts = {.self = &writer, .event = write_plan_event};
    hoist_tree_sink *const sink = module->is_plan ? &parts : &writer.sink;
    ark_walk self;
    const hoist_rec_walk walk = walk_of(module, &self, sink);
    send_object(&walk, module->is_plan ? &ark_plan_table : &ark_model_table, HOIST_STR(""),
                module->pos, module);
    const hoist_status status = end_walk(&self, sink);
    hoist_json_writer_deinit(&writer.json);
    hoist_buffer_char(out, '\n');
    return status == HOIST_OK && out->failed ? HOIST_NO_MEMORY : status;
}
