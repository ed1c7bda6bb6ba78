// Two compiled models: their layers, parameters and instructions. In: two opened files; out: lists
// of differences (difference.h). Programs are paired by their order; layers that only one program
// has are found by looking ahead for one of the same shape. All other fields are compared as trees
// (hoist_job_dump).
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/span.h"
#include "base/tree.h"
#include "edgetpu/difference.h"
#include "edgetpu/edgetpu.h"
#include "formats/darwinn/compare_stream.h"
#include "formats/darwinn/stream_bits.h"
#include "formats/tflite/module.h"

// Programs ---------------------------------------------------------------------------------------

// The package of one chip: a bundle (several chips in one package) gives a program for each.
typedef struct program {
    const dwn_contents *contents; // borrowed
    dwn_recovery recovery;        // in the arena of the comparison
} program;

// The programs of one file, in its order; programs of both files are paired by it.
typedef struct programs {
    program *items; // arena
    uint32_t count;
} programs;

// Lists the programs of a file and of what is nested in it in `items`, which has space for all;
// NULL: only counts them.
static uint32_t each_program(const hoist_file *file, program *items)
{
    uint32_t count = 0;
    for (size_t i = 0; i <= file->nested_count; i++) {
        const hoist_module *module = hoist_file_module(file, i);
        if (!module || module->format != &hoist_darwinn_format) {
            continue;
        }
        const dwn_module *packages = dwn_of(module);
        // A package may hold those of several chips.
        for (uint32_t k = 0; k < packages->package_count; k++) {
            const dwn_contents *bundle = &packages->packages[k];
            const uint32_t chips = bundle->chips ? bundle->chip_count : 1;
            for (uint32_t chip = 0; chip < chips; chip++, count++) {
                if (items) {
                    items[count].contents = bundle->chips ? &bundle->chips[chip] : bundle;
                }
            }
        }
    }
    return count;
}

// Recovers the layers of each program. HOIST_OK, also where there is nothing to recover;
// HOIST_LIMIT, HOIST_NO_MEMORY.
static hoist_status list_programs(const hoist_file *file, hoist_arena *arena, programs *out)
{
    out->count = each_program(file, NULL);
    out->items = hoist_arena_array(arena, out->count, sizeof(*out->items));
    if (!out->items) {
        return HOIST_NO_MEMORY;
    }
    (void)each_program(file, out->items);
    for (uint32_t i = 0; i < out->count; i++) {
        const hoist_status status =
            dwn_recover(out->items[i].contents, arena, &out->items[i].recovery);
        // HOIST_UNSUPPORTED: the package has no executable that is run.
        if (status != HOIST_OK && status != HOIST_UNSUPPORTED) {
            return status;
        }
    }
    return HOIST_OK;
}

// One comparison; both sides are borrowed for the call.
typedef struct comparing {
    const programs *sides[2];
    hoist_edgetpu_difference_sender sender; // of all lists
    uint64_t addresses; // that differ though instructions are equal: not reported one by one
} comparing;

// Layers -----------------------------------------------------------------------------------------

// Constants of two layers, and where their inputs come from.
static hoist_status compare_pair(comparing *c, const dwn_recovery *const r[2], const uint32_t at[2])
{
    const dwn_recovered *old = &r[0]->layers[at[0]];
    const dwn_recovered *now = &r[1]->layers[at[1]];
    const dwn_recovered *const layers[2] = {old, now};
    const uint32_t *const inputs[2] = {old->inputs, now->inputs};
    const uint32_t counts[2] = {old->input_count, now->input_count};
    uint64_t compared = 0;
    HOIST_TRY(hoist_edgetpu_difference_of_layers(&c->sender, at[0], layers,
                                                 dwn_constants_of(old->kind), &compared));
    const bool same = old->input_count == now->input_count &&
                      (old->input_count == 0 ||
                       memcmp(old->inputs, now->inputs, old->input_count * sizeof(uint32_t)) == 0);
    if (same || r[0]->count != r[1]->count) {
        return HOIST_OK; // numbers of layers mean something only where they are as many
    }
    return hoist_edgetpu_difference_of_inputs(&c->sender, at[0], inputs, counts);
}

// A layer that only one program has, by its kind.
static hoist_status report_layer(comparing *c, const dwn_recovery *r, uint32_t layer, bool is_old)
{
    const hoist_str path = hoist_arena_format(c->sender.arena, "layers/%" PRIu32, layer);
    const char *kind = dwn_layer_kind_name(r->layers[layer].kind);
    return hoist_edgetpu_difference_of_one(&c->sender, path, is_old, hoist_str_from(kind));
}

// Equal kind, shape and size of weights: enough to tell an added layer from a changed one.
static bool looks_like(const dwn_recovered *a, const dwn_recovered *b)
{
    return a->kind == b->kind && a->rows == b->rows && a->weight_count == b->weight_count &&
           memcmp(&a->output, &b->output, sizeof(a->output)) == 0;
}

// How many layers of `r` from `at` on to pass over until one looks like `layer`; 0: none soon. The
// bound keeps two long programs without likeness from quadratic time.
static uint32_t look_ahead(const dwn_recovery *r, uint32_t at, const dwn_recovered *layer)
{
    enum { FAR = 32 };
    for (uint32_t steps = 1; steps <= FAR && steps < r->count - at; steps++) {
        if (looks_like(&r->layers[at + steps], layer)) {
            return steps;
        }
    }
    return 0;
}

// Both programs in their order, like a diff that looks ahead: of two layers that differ, the side
// that finds the other's layer sooner has layers in between, which were added or removed. Where
// neither does, the two are compared as changed.
static hoist_status compare_layers(comparing *c, uint32_t index)
{
    const dwn_recovery *const r[2] = {&c->sides[0]->items[index].recovery,
                                      &c->sides[1]->items[index].recovery};
    uint32_t at[2] = {0, 0};
    while (at[0] < r[0]->count || at[1] < r[1]->count) {
        const bool both = at[0] < r[0]->count && at[1] < r[1]->count;
        const dwn_recovered *old = both ? &r[0]->layers[at[0]] : NULL;
        const dwn_recovered *now = both ? &r[1]->layers[at[1]] : NULL;
        const bool same = both && looks_like(old, now);
        const uint32_t gone = both && !same ? look_ahead(r[0], at[0], now) : 0;
        const uint32_t came = both && !same ? look_ahead(r[1], at[1], old) : 0;
        const bool drops = !both ? at[0] < r[0]->count : gone && (!came || gone <= came);
        const bool adds = !drops && (!both || came);
        if (drops) {
            HOIST_TRY(report_layer(c, r[0], at[0]++, true));
        } else if (adds) {
            HOIST_TRY(report_layer(c, r[1], at[1]++, false));
        } else {
            HOIST_TRY(compare_pair(c, r, at));
            at[0]++;
            at[1]++;
        }
    }
    return HOIST_OK;
}

// Parameters -------------------------------------------------------------------------------------

// Bytes of equal length by their values; of different lengths only the lengths.
static hoist_status compare_bytes(comparing *c, hoist_str what, hoist_bytes old, hoist_bytes now)
{
    dwn_number values[2] = {{.word = NULL}, {.word = NULL}};
    uint64_t elements = 0;
    size_t first = 0;
    double largest = 0;
    if (old.size != now.size) {
        const hoist_str path =
            hoist_arena_format(c->sender.arena, "%.*s/size", HOIST_STR_ARGS(what));
        values[0].number = (double)old.size;
        values[1].number = (double)now.size;
        return hoist_edgetpu_difference_of_values(&c->sender, path, values, 1,
                                                  fabs(values[0].number - values[1].number));
    }
    for (size_t i = 0; i < old.size; i++) {
        const int far = old.data[i] - now.data[i];
        first = far != 0 && elements == 0 ? i : first;
        elements += far != 0;
        // As a difference of unsigned bytes.
        largest = far > largest ? far : -far > largest ? -far : largest;
    }
    if (elements == 0) {
        return HOIST_OK;
    }
    values[0].number = old.data[first];
    values[1].number = now.data[first];
    const hoist_str path =
        hoist_arena_format(c->sender.arena, "%.*s[%zu]", HOIST_STR_ARGS(what), first);
    return hoist_edgetpu_difference_of_values(&c->sender, path, values, elements, largest);
}

// NULL: that side has no such executable, or it could not be read.
static const dwn_image *image_at(const comparing *c, int side, uint32_t index, uint32_t image)
{
    const dwn_contents *contents = c->sides[side]->items[index].contents;
    const bool is_there = image < contents->image_count && contents->images[image].rows;
    return is_there ? &contents->images[image] : NULL;
}

// Executables by index, as far as both have them; the rest is compared as fields.
static uint32_t count_images(const comparing *c, uint32_t index)
{
    const uint32_t old = c->sides[0]->items[index].contents->image_count;
    const uint32_t now = c->sides[1]->items[index].contents->image_count;
    return old < now ? old : now;
}

// The parameter blobs as bytes: blobs that no layer was recovered of are covered, too.
static hoist_status compare_parameters(comparing *c, uint32_t index)
{
    for (uint32_t i = 0; i < count_images(c, index); i++) {
        const dwn_image *old = image_at(c, 0, index, i);
        const dwn_image *now = image_at(c, 1, index, i);
        if (!old || !now) {
            continue;
        }
        const hoist_str what =
            hoist_arena_format(c->sender.arena, "executables/%" PRIu32 "/parameters", i);
        if (!what.data) {
            return HOIST_NO_MEMORY;
        }
        HOIST_TRY(compare_bytes(c, what, old->rows->parameters, now->rows->parameters));
    }
    return HOIST_OK;
}

// Instructions -----------------------------------------------------------------------------------

// A field's value for a report: a number, a float32 by its bits, or hexadecimal. False: out of
// memory.
static bool number_of(hoist_arena *arena, const dwn_field *field, int64_t value, dwn_number *out)
{
    dwn_number n = {.number = (double)value};
    const bool is_word = field->kind == DWN_FIELD_HEX;
    if (is_word) {
        n.word = hoist_arena_format(arena, "0x%" PRIx64, (uint64_t)value).data;
    } else if (field->kind == DWN_FIELD_FLOAT) {
        n.number = (double)dwn_float_of((uint32_t)value);
        n.is_float = true;
    }
    *out = n;
    return !is_word || n.word;
}

// A field that differs, with its first instruction and how many instructions it differs in.
static hoist_status report_field(comparing *c, hoist_str chunk, const dwn_field_difference *d)
{
    hoist_arena *arena = c->sender.arena;
    const hoist_str path =
        hoist_arena_format(arena, "%.*s/words/%" PRIu32 "/%s/%s", HOIST_STR_ARGS(chunk), d->word,
                           d->opcode->mnemonic, d->field ? d->field->name : "unknown_bits");
    if (!d->field) { // bits that no row of the instruction names
        const dwn_number bits[2] = {{.word = "bits"}, {.word = "other bits"}};
        return hoist_edgetpu_difference_of_values(&c->sender, path, bits, d->instructions, 0);
    }
    dwn_number values[2];
    if (!number_of(arena, d->field, d->old, &values[0]) ||
        !number_of(arena, d->field, d->now, &values[1])) {
        return HOIST_NO_MEMORY;
    }
    return hoist_edgetpu_difference_of_values(&c->sender, path, values, d->instructions,
                                              fabs(values[0].number - values[1].number));
}

// Instructions from which on two chunks do not have the same opcodes.
static hoist_status report_counts(comparing *c, hoist_str chunk, const dwn_chunk_differences *d)
{
    hoist_arena *arena = c->sender.arena;
    const hoist_str path =
        hoist_arena_format(arena, "%.*s/words/%" PRIu32, HOIST_STR_ARGS(chunk), d->word);
    const hoist_str texts[2] = {hoist_arena_format(arena, "%" PRIu64 " instructions", d->old_only),
                                hoist_arena_format(arena, "%" PRIu64 " instructions", d->now_only)};
    return hoist_edgetpu_difference_of_texts(&c->sender, path, texts);
}

// One chunk of instructions; addresses (fields that linking or placement fills) are only counted.
static hoist_status compare_chunk(comparing *c, hoist_str path, const dwn_chunk *old,
                                  const dwn_chunk *now)
{
    hoist_arena *arena = c->sender.arena;
    const hoist_str other[2] = {HOIST_STR("bytes"), HOIST_STR("other bytes")};
    const hoist_str places[2] = {HOIST_STR("places"), HOIST_STR("other places")};
    dwn_chunk_differences d;
    if (!path.data) {
        return HOIST_NO_MEMORY;
    }
    HOIST_TRY(dwn_chunk_compare(old, now, arena, &d));
    c->addresses += d.addresses;
    for (size_t i = 0; i < d.field_count; i++) {
        HOIST_TRY(report_field(c, path, &d.fields[i]));
    }
    if (d.old_only || d.now_only) {
        HOIST_TRY(report_counts(c, path, &d));
    }
    if (d.has_other_links) {
        const hoist_str links = hoist_arena_format(arena, "%.*s/links", HOIST_STR_ARGS(path));
        HOIST_TRY(hoist_edgetpu_difference_of_texts(&c->sender, links, places));
    }
    const hoist_str end = hoist_arena_format(arena, "%.*s/end", HOIST_STR_ARGS(path));
    return d.has_other_end ? hoist_edgetpu_difference_of_texts(&c->sender, end, other) : HOIST_OK;
}

// Chunks by index; more chunks on one side are a difference of fields.
static hoist_status compare_instructions(comparing *c, uint32_t index)
{
    for (uint32_t i = 0; i < count_images(c, index); i++) {
        const dwn_image *old = image_at(c, 0, index, i);
        const dwn_image *now = image_at(c, 1, index, i);
        for (uint32_t k = 0; old && now && k < old->chunk_count && k < now->chunk_count; k++) {
            const hoist_str path = hoist_arena_format(
                c->sender.arena, "executables/%" PRIu32 "/chunks/%" PRIu32, i, k);
            HOIST_TRY(compare_chunk(c, path, &old->chunks[k], &now->chunks[k]));
        }
    }
    return HOIST_OK;
}

// Operators that are not compiled ----------------------------------------------------------------

// The options of custom operators that are not compiled, byte by byte: dumps have digests of them
// alone.
static hoist_status compare_custom(comparing *c, const hoist_file *old, const hoist_file *now)
{
    if (old->module->format != &hoist_tflite_format || now->module->format != old->module->format) {
        return HOIST_OK;
    }
    const tflite_module *const m[2] = {tflite_of(old->module), tflite_of(now->module)};
    const uint32_t graphs[2] = {m[0]->model->subgraphs.count, m[1]->model->subgraphs.count};
    for (uint32_t g = 0; g < graphs[0] && g < graphs[1]; g++) {
        const tflite_subgraph *a = &m[0]->model->subgraphs.items[g];
        const tflite_subgraph *b = &m[1]->model->subgraphs.items[g];
        for (uint32_t i = 0; i < a->operators.count && i < b->operators.count; i++) {
            const tflite_operator *x = &a->operators.items[i];
            const tflite_operator *y = &b->operators.items[i];
            const bool is_compiled = tflite_is_edgetpu(tflite_code_of(m[0]->model, x)) &&
                                     tflite_is_edgetpu(tflite_code_of(m[1]->model, y));
            const hoist_str what = hoist_arena_format(
                c->sender.arena, "subgraphs/%" PRIu32 "/operators/%" PRIu32, g, i);
            if (!what.data) {
                return HOIST_NO_MEMORY;
            }
            HOIST_TRY(is_compiled ? HOIST_OK
                                  : compare_bytes(c, what, tflite_custom_options(m[0], x),
                                                  tflite_custom_options(m[1], y)));
        }
    }
    return HOIST_OK;
}

// Lists ------------------------------------------------------------------------------------------

// compare_layers, compare_parameters or compare_instructions; `index` is of the program.
typedef hoist_status compare_part(comparing *c, uint32_t index);

// A list of the differences of one part (layers, parameters, instructions) in all programs that
// both have. Paths begin with "programs/1/" where a side has several.
static hoist_status send_part(comparing *c, const char *key, compare_part *part)
{
    const uint32_t old = c->sides[0]->count;
    const uint32_t now = c->sides[1]->count;
    hoist_tree_list(c->sender.sink, key);
    for (uint32_t i = 0; i < old && i < now; i++) {
        c->sender.prefix = HOIST_STR("");
        if (old > 1 || now > 1) {
            c->sender.prefix = hoist_arena_format(c->sender.arena, "programs/%" PRIu32 "/", i);
        }
        if (!c->sender.prefix.data) {
            return HOIST_NO_MEMORY;
        }
        HOIST_TRY(part(c, i));
    }
    hoist_tree_end(c->sender.sink);
    return c->sender.sink->status;
}

// The lists and their order are schema hoist.diff.
static hoist_status compare_all(comparing *c, const hoist_file *old, const hoist_file *now)
{
    HOIST_TRY(send_part(c, "layer_differences", compare_layers));
    HOIST_TRY(send_part(c, "parameter_differences", compare_parameters));
    HOIST_TRY(send_part(c, "instruction_differences", compare_instructions));
    c->sender.prefix = HOIST_STR("");
    hoist_tree_list(c->sender.sink, "option_differences");
    HOIST_TRY(compare_custom(c, old, now));
    hoist_tree_end(c->sender.sink);
    hoist_tree_uint(c->sender.sink, "other_addresses", c->addresses, HOIST_UNIT_NONE);
    return c->sender.sink->status;
}

hoist_status hoist_edgetpu_compiled_compare(const hoist_file *old, const hoist_file *now,
                                            hoist_tree_sink *sink, size_t *out_count)
{
    hoist_arena arena;
    programs sides[2] = {{.count = 0}, {.count = 0}};
    hoist_arena_init(&arena, old->module->alloc);
    comparing c = {.sides = {&sides[0], &sides[1]}, .sender = {.sink = sink, .arena = &arena}};
    hoist_status status = list_programs(old, &arena, &sides[0]);
    status = status == HOIST_OK ? list_programs(now, &arena, &sides[1]) : status;
    // A lack of memory for paths is sticky in the arena.
    status = status == HOIST_OK ? hoist_arena_status(&arena, compare_all(&c, old, now)) : status;
    *out_count = c.sender.count;
    hoist_arena_deinit(&arena);
    return status;
}
