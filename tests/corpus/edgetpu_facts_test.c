// Single bits of compiled models are changed, by a seed: in instructions, and in parameters. A
// recovery that is complete then has other layers, or the bit means nothing: a changed weight is
// that weight and nothing else. What recovery does not read of instructions is a table here, and
// its changes are counted; a change of anything else that leaves all as it was fails.
//
// 40 bits of each model; HOIST_TEST_STRESS in the environment asks for 400.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "edgetpu_testing.h"
#include "formats/darwinn/compare.h"
#include "formats/darwinn/darwinn.h"
#include "formats/darwinn/recover.h"
#include "formats/darwinn/stream_bits.h"
#include "formats/tflite/module.h"
#include "formats/tflite/tflite.h"

enum { CHANGES = 40, STRESS = 10, OPCODES = 64 };

// Fields of which some or all changes are not seen, by mnemonic and name; name NULL: all. Bits that
// no field has are not seen either (what fences and engines count, wait for and signal, loops of
// the ring), but for those of tensor operations that no known program sets: they are a guess.
// clang-format off
static const struct {
    const char *mnemonic;
    const char *name;
} unread[] = {
    // Which tiles fences are of, and what is sent when.
    {"tfence", "tiles"},     {"sdma2", "position"}, {"nlutab", "tiles"},
    // Followed where words are known.
    {"ring0", NULL}, {"ring1", NULL}, {"ring2", NULL}, {"nw0", NULL}, {"nw1", NULL},
    {"mesh0", NULL}, {"mesh1", NULL}, {"mesh2", NULL}, {"mesh3", NULL},
    {"tensor", "a.base"}, {"tensor", "a.increment"}, {"tensor", "a.count"}, {"tensor", "a.flags"}, {"tensor", "a.other"},
    {"tensor", "b.base"}, {"tensor", "b.increment"}, {"tensor", "b.count"}, {"tensor", "c.base"}, {"tensor", "tiles"},
    // Of operations without weights alone.
    {"tensor", "c.increment"}, {"tensor", "c.count"}, {"tensor", "c.flags"}, {"tensor", "d.increment"}, {"tensor", "d.count"},
    {"tensor", "d.flags"}, {"tensor", "master"}, {"tensor", "reduction"}, {"tensor", "full_rows"}, {"tensor", "last_rows"},
    {"tensor", "table"}, {"tensor", "mode"},
    // A feed of parameters that is one of an input, for the same tiles; how chunks before the last one end.
    {"sdma2", "source"}, {"halt", "last"}, {"halt", "more"},
    // Which loop has a last group of fewer rows.
    {"tensor", "class"},
    // Softmax is recovered by what its operations are, not by all their numbers.
    {"tmax", NULL}, {"tsum", NULL}, {"tensor", "multiplier"}, {"tensor", "high"}, {"tensor", "low"}, {"tensor", "output_zero"},
    {"tensor", "input_zero"}, {"tensor", "weight_zero"}, {"tensor", "weight_zeros"}, {"tensor", "multipliers"}, {"tensor", "bias"},
    {"tensor", "constant"},
    // The scalar core's loops carry out a softmax; registers that nothing reads, slots that do nothing.
    {"loop", "body"}, {"loop", "count"}, {"s", NULL},
};
// clang-format on

typedef struct figures {
    size_t files, instructions, parameters;
    size_t refused, gaps, guesses, others, unread, meaningless, missed;
} figures;

// A model that was opened, and its layers.
typedef struct opened {
    hoist_arena arena;
    hoist_module *outer, *module;
    hoist_diag *diag;
    dwn_recovery recovery;
    bool is_read; // without an error
} opened;

static void open_file(hoist_test *t, hoist_bytes file, opened *o)
{
    const hoist_allocator alloc = hoist_allocator_system();
    const hoist_read_options options = {.alloc = alloc, .keep = true};
    hoist_payload *payloads = NULL;
    size_t count = 0;
    *o = (opened){.is_read = false};
    hoist_arena_init(&o->arena, alloc);
    HOIST_EXPECT_EQ(t, hoist_diag_create(alloc, NULL, &o->diag), HOIST_OK);
    if (hoist_format_read(&hoist_tflite_format, file, &options, o->diag, &o->outer) != HOIST_OK ||
        tflite_payloads(o->outer, &o->arena, &payloads, &count) != HOIST_OK || count == 0) {
        return;
    }
    const hoist_read_options nested = {.alloc = alloc, .keep = true, .payload = payloads};
    o->is_read = dwn_read(payloads->bytes, &nested, o->diag, &o->module) == HOIST_OK &&
                 hoist_diag_count(o->diag, HOIST_ERROR) == 0 &&
                 dwn_recover(&dwn_of(o->module)->packages[0], &o->arena, &o->recovery) == HOIST_OK;
}

static void close_file(opened *o)
{
    dwn_destroy(o->module);
    if (o->outer) {
        tflite_destroy(o->outer);
    }
    hoist_diag_destroy(o->diag);
    hoist_arena_deinit(&o->arena);
}

// Differences ------------------------------------------------------------------------------------

typedef struct difference {
    size_t constants;
    uint64_t elements;
    size_t flows;
} difference;

static hoist_status take(void *self, const dwn_layer_difference *found)
{
    difference *const d = self;
    d->constants++;
    d->elements += found->elements;
    return HOIST_OK;
}

static bool reads_the_same(const dwn_recovered *a, const dwn_recovered *b)
{
    bool is_so = a->input_count == b->input_count && a->output_layer == b->output_layer &&
                 a->is_in_passes == b->is_in_passes;
    for (uint32_t i = 0; is_so && i < a->input_count; i++) {
        is_so = a->inputs[i] == b->inputs[i];
    }
    return is_so;
}

static difference compare(hoist_test *t, const dwn_recovery *a, const dwn_recovery *b)
{
    difference d = {.flows = a->count != b->count};
    const dwn_layer_sink sink = {&d, take};
    for (uint32_t i = 0; a->count == b->count && i < a->count; i++) {
        uint64_t compared = 0;
        HOIST_EXPECT_EQ(t,
                        dwn_layer_compare(&a->layers[i], &b->layers[i],
                                          dwn_constants_of(a->layers[i].kind), &sink, &compared),
                        HOIST_OK);
        d.flows += !reads_the_same(&a->layers[i], &b->layers[i]);
    }
    return d;
}

// Whether a layer has the guess that unknown bits change nothing.
static bool is_guessed(const dwn_recovery *r)
{
    uint32_t guesses = 0;
    for (uint32_t i = 0; i < r->count; i++) {
        guesses |= r->layers[i].heuristics;
    }
    return guesses >> DWN_GUESS_SPARE & 1;
}

// Whether the change is seen; `*out` is what differs where the recovery is complete.
static bool is_seen(hoist_test *t, const opened *base, hoist_bytes file, figures *f,
                    difference *out)
{
    opened now;
    open_file(t, file, &now);
    *out = (difference){.flows = 0};
    f->refused += !now.is_read;
    f->gaps += now.is_read && now.recovery.gap_count > 0;
    const bool is_complete = now.is_read && now.recovery.gap_count == 0;
    bool guessed = false;
    if (is_complete) {
        *out = compare(t, &base->recovery, &now.recovery);
        f->others += out->constants + out->flows > 0;
        guessed = is_guessed(&now.recovery);
        f->guesses += guessed;
    }
    close_file(&now);
    return !is_complete || guessed || out->constants + out->flows > 0;
}

// Instructions -----------------------------------------------------------------------------------

// An instruction of an image: of an opcode that is there, each as likely as another, and tensor
// operations more.
static const dwn_instruction *choose(const dwn_image *image, uint64_t *state,
                                     const dwn_stream **out_stream)
{
    size_t counts[OPCODES] = {0};
    uint8_t present[OPCODES];
    size_t kinds = 0;
    for (uint32_t c = 0; c < image->chunk_count; c++) {
        for (size_t i = 0; i < image->chunks[c].stream.count; i++) {
            const uint8_t opcode = image->chunks[c].stream.instructions[i].opcode;
            if (counts[opcode]++ == 0) {
                present[kinds++] = opcode;
            }
        }
    }
    uint8_t opcode = present[hoist_test_random(state) % kinds];
    opcode = counts[DWN_OP_TENSOR] && hoist_test_random(state) % 3 == 0 ? DWN_OP_TENSOR : opcode;
    size_t left = hoist_test_random(state) % counts[opcode];
    for (uint32_t c = 0; c < image->chunk_count; c++) {
        *out_stream = &image->chunks[c].stream;
        for (size_t i = 0; i < (*out_stream)->count; i++) {
            if ((*out_stream)->instructions[i].opcode == opcode && left-- == 0) {
                return &(*out_stream)->instructions[i];
            }
        }
    }
    return NULL;
}

// The field that has a bit; NULL: none.
static const dwn_field *field_at(const dwn_opcode *row, uint32_t bit, size_t *out_index)
{
    for (size_t i = 0; i < row->fields->count; i++) {
        const dwn_field *const field = &row->fields->rows[i];
        for (*out_index = 0; *out_index < dwn_field_repeats(field); ++*out_index) {
            const uint32_t first = field->bit + field->step * (uint32_t)*out_index;
            if (bit >= first && bit < first + field->width) {
                return field;
            }
        }
    }
    return NULL;
}

// A bit of a field, each field as likely as another, or any.
static uint32_t choose_bit(const dwn_opcode *row, uint64_t *state)
{
    const uint64_t number = hoist_test_random(state);
    if (row->fields->count == 0 || number % 2 == 0) {
        return (uint32_t)(hoist_test_random(state) % (row->words * (uint64_t)DWN_WORD_BITS));
    }
    const dwn_field *const field = &row->fields->rows[number / 2 % row->fields->count];
    const uint64_t index = hoist_test_random(state) % dwn_field_repeats(field);
    return field->bit + field->step * (uint32_t)index +
           (uint32_t)(hoist_test_random(state) % field->width);
}

static bool is_unread(const dwn_opcode *row, const dwn_field *field)
{
    bool is_so = !field;
    for (size_t i = 0; field && i < HOIST_COUNT_OF(unread); i++) {
        is_so = is_so || (strcmp(unread[i].mnemonic, row->mnemonic) == 0 &&
                          (!unread[i].name || strcmp(unread[i].name, field->name) == 0));
    }
    return is_so;
}

static void change_instruction(hoist_test *t, const opened *base, hoist_mut_bytes copy,
                               const dwn_image *image, uint64_t *state, figures *f)
{
    const dwn_stream *stream = NULL;
    const dwn_instruction *const in = choose(image, state, &stream);
    const dwn_opcode *const row = dwn_opcode_find(in->opcode);
    const uint32_t bit = choose_bit(row, state);
    uint8_t *const at = copy.data + (dwn_instruction_bytes(stream, in).data - copy.data) + bit / 8;
    size_t index = 0;
    const dwn_field *const field = field_at(row, bit, &index);
    const uint8_t mask = (uint8_t)(1U << bit % 8);
    difference d;
    *at ^= mask;
    const bool seen = is_seen(t, base, (hoist_bytes){copy.data, copy.size}, f, &d);
    *at ^= mask;
    f->instructions++;
    const bool is_known = !seen && is_unread(row, field);
    f->unread += is_known;
    if (!seen && !is_known) {
        f->missed++;
        printf("missed: %s %s, bit %u of word %u\n", row->mnemonic,
               field ? field->name : "no field", bit, in->word);
    }
}

// Parameters -------------------------------------------------------------------------------------

// Bytes of an array, all of them inverted.
static const void *inverted(hoist_test *t, const void *array, size_t size)
{
    uint8_t *const copy = array ? hoist_arena_alloc(&t->arena, size) : NULL;
    for (size_t i = 0; copy && i < size; i++) {
        copy[i] = (uint8_t) ~((const uint8_t *)array)[i];
    }
    return copy;
}

// Whether no number of the layer decides on a byte of its block: it fills channels, rows or the
// block.
static bool is_filling(hoist_test *t, const dwn_recovered *layer, uint64_t at)
{
    const size_t size = (size_t)layer->pieces[0].size;
    uint8_t *const blocks[2] = {hoist_arena_alloc(&t->arena, size),
                                hoist_arena_alloc(&t->arena, size)};
    dwn_recovered other = *layer;
    other.weights = inverted(t, layer->weights, (size_t)layer->weight_count);
    other.bias = inverted(t, layer->bias, layer->rows * sizeof(*layer->bias));
    other.multipliers = inverted(t, layer->multipliers, layer->rows * sizeof(*layer->multipliers));
    dwn_block_write(layer, (hoist_mut_bytes){blocks[0], size});
    dwn_block_write(&other, (hoist_mut_bytes){blocks[1], size});
    return blocks[0][at] == blocks[1][at];
}

static void change_parameter(hoist_test *t, const opened *base, hoist_mut_bytes copy,
                             uint64_t *state, figures *f)
{
    const dwn_contents *const contents = &dwn_of(base->module)->packages[0];
    const dwn_recovered *const layer =
        &base->recovery.layers[hoist_test_random(state) % base->recovery.count];
    if (layer->piece_count == 0 || !layer->weights) {
        return;
    }
    const dwn_piece *const piece = &layer->pieces[0];
    const hoist_bytes all = dwn_parameters_of(contents, piece->is_cached);
    const uint64_t in_block = hoist_test_random(state) % piece->size;
    uint8_t *const at = copy.data + (all.data - copy.data) + piece->offset + in_block;
    const uint8_t mask = (uint8_t)(1U << (hoist_test_random(state) & 7));
    difference d;
    *at ^= mask;
    const bool seen = is_seen(t, base, (hoist_bytes){copy.data, copy.size}, f, &d);
    *at ^= mask;
    f->parameters++;
    // A number of one layer, and nothing else.
    HOIST_EXPECT(t, d.constants == 0 || (d.constants == 1 && d.elements == 1 && d.flows == 0));
    const bool is_nothing = !seen && is_filling(t, layer, in_block);
    f->meaningless += is_nothing;
    if (!seen && !is_nothing) {
        f->missed++;
        printf("missed: byte %llu of %s parameters\n",
               (unsigned long long)(piece->offset + in_block),
               piece->is_cached ? "cached" : "streamed");
    }
}

// Files ------------------------------------------------------------------------------------------

static void change_file(hoist_test *t, const char *path, void *self)
{
    figures *const f = self;
    const hoist_bytes file = hoist_test_file(t, path);
    const hoist_mut_bytes copy = {hoist_arena_alloc(&t->arena, file.size), file.size};
    memcpy(copy.data, file.data, file.size);
    opened base;
    open_file(t, (hoist_bytes){copy.data, copy.size}, &base);
    HOIST_EXPECT(t, base.is_read);
    if (base.is_read && base.recovery.gap_count == 0 && base.recovery.count > 0) {
        const dwn_roles roles = dwn_roles_of(&dwn_of(base.module)->packages[0]);
        const size_t changes =
            HOIST_TEST_ROUNDS(getenv("HOIST_TEST_STRESS") ? CHANGES * STRESS : CHANGES);
        uint64_t state = file.size;
        f->files++;
        for (size_t i = 0; i < changes; i++) {
            const bool is_caching = roles.caching_image && i % 8 == 0;
            if (i % 4 == 3) {
                change_parameter(t, &base, copy, &state, f);
            } else {
                change_instruction(t, &base, copy,
                                   is_caching ? roles.caching_image : roles.main_image, &state, f);
            }
        }
    }
    close_file(&base);
}

HOIST_TEST(changed_bits)
{
    figures f = {0};
    const char *const field = hoist_test_corpus(t, "edgetpu-field/compiled");
    if (!edgetpu_each_file(t, change_file, &f) || !field) {
        hoist_test_skip(t, "no compiled models here");
        return;
    }
    (void)hoist_test_each_file(t, field, "_edgetpu.tflite", change_file, &f);
    printf("%zu files; %zu bits of instructions and %zu of parameters: %zu refused, %zu gaps, "
           "%zu guesses, %zu other layers; %zu in what is not read, %zu without a meaning, %zu "
           "missed\n",
           f.files, f.instructions, f.parameters, f.refused, f.gaps, f.guesses, f.others, f.unread,
           f.meaningless, f.missed);
    HOIST_EXPECT(t, f.files >= 20 && f.instructions + f.parameters >= 500 / HOIST_TEST_SHARE);
    HOIST_EXPECT_EQ(t, f.missed, 0);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(changed_bits))
