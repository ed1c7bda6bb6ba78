// Blocks of parameters: where they are, and their arrays (darwinn reference sections 9 and 16.5).
//
// Blocks come in the order of the layers, padded with zeros to 64 bytes: from the parameters that
// are streamed to the main executable, where its next transfers are as many bytes, else from those
// of the caching one.
#include <string.h>

#include "base/assert.h"
#include "base/checked.h"
#include "base/reader.h"
#include "formats/darwinn/recover_block.h"

// Of section 9: bytes of a block's alignment, rows of a full group, what the rows of a smaller one
// are rounded up to, bytes of a word of four channels.
enum { BLOCK_ALIGNMENT = 64, ROWS_OF_GROUP = 64, ROW_STEP = 16, WORD_BYTES = 4 };

// Sources ----------------------------------------------------------------------------------------

// Transfers from `next` on that add up to `size`; 0: they do not.
static size_t transfers_for(const dwn_sources *s, uint64_t size)
{
    uint64_t sum = 0;
    for (size_t i = s->next; i < s->transfer_count && sum < size; i++) {
        sum += s->transfers[i];
        if (sum == size) {
            return i + 1 - s->next;
        }
    }
    return 0;
}

// The piece has the padding to 64 bytes, and begins where the last block ended. A streamed one has
// to be of whole transfers.
bool dwn_block_find(const dwn_sources *s, uint64_t size, bool is_streamed, dwn_piece *out)
{
    uint64_t padded = 0;
    *out = (dwn_piece){0};
    if (size == 0 || hoist_ckd_align(&padded, size, BLOCK_ALIGNMENT)) {
        return false;
    }
    const dwn_source *source = is_streamed ? &s->streamed : &s->cached;
    if (padded > source->bytes.size - source->at ||
        (is_streamed && transfers_for(s, padded) == 0)) {
        return false;
    }
    *out = (dwn_piece){!is_streamed, source->at, padded};
    return true;
}

// A piece that was found is inside.
hoist_bytes dwn_block_bytes(const dwn_sources *s, const dwn_piece *piece)
{
    const hoist_bytes from = piece->is_cached ? s->cached.bytes : s->streamed.bytes;
    return (hoist_bytes){from.data + piece->offset, (size_t)piece->size};
}

// What is before `at` belongs to layers; pieces are taken in the order in which they were found.
void dwn_block_take(dwn_sources *s, const dwn_piece *piece)
{
    dwn_source *source = piece->is_cached ? &s->cached : &s->streamed;
    if (!piece->is_cached) {
        s->next += transfers_for(s, piece->size);
    }
    source->at += piece->size;
}

// Layout -----------------------------------------------------------------------------------------

// Where things are in a block: groups of rows, in each the arrays and then the weights, step by
// step of all rows of the group.
typedef struct layout {
    uint64_t groups; // of rows
    uint64_t rows;   // that a group stores
    uint64_t real;   // rows in all
    uint64_t steps;  // weights of a row, in words
    uint64_t inner;  // of the shape
    uint64_t array;  // bytes of an array of a group
    uint64_t head;   // bytes of all arrays of a group
    uint64_t group;  // bytes of a group
    uint64_t period; // of the shape
    uint64_t kept;
} layout;

// Sizes may wrap around for shapes of hostile files: dwn_block_size() comes first, and is checked.
static layout layout_of(const dwn_block_shape *shape)
{
    layout l = {.real = shape->rows,
                .steps = shape->steps,
                .inner = shape->inner,
                .period = shape->period,
                .kept = shape->kept};
    l.rows = shape->rows_of_group;
    if (l.rows == 0) {
        const uint64_t steps = (l.real + ROW_STEP - 1) / ROW_STEP;
        // Several groups are of 64 rows each, the last one, too; a single one is rounded up.
        l.rows = l.real > ROWS_OF_GROUP ? ROWS_OF_GROUP : steps * ROW_STEP;
    }
    l.groups = (l.real + l.rows - 1) / l.rows;
    l.array = l.rows * sizeof(uint32_t);
    l.head = l.array * ((uint64_t)shape->has_multipliers + shape->has_bias + shape->has_zeros);
    l.group = l.head + l.rows * WORD_BYTES * l.steps; // wraps around where no block is found
    return l;
}

uint64_t dwn_block_size(const dwn_block_shape *shape)
{
    HOIST_ASSERT(shape->rows > 0);
    const layout l = layout_of(shape);
    uint64_t size = 0;
    if (hoist_ckd_mul(&size, l.rows * WORD_BYTES, l.steps) || hoist_ckd_add(&size, size, l.head) ||
        hoist_ckd_mul(&size, size, l.groups)) {
        return 0;
    }
    return size;
}

bool dwn_block_is_supplied(const dwn_block_shape *shape, const dwn_supply *supply)
{
    const layout l = layout_of(shape);
    const bool is_known =
        supply->source == DWN_SUPPLY_CACHED || supply->source == DWN_SUPPLY_STREAMED;
    return is_known && dwn_block_size(shape) > 0 && l.groups > 1 && supply->last >= supply->first &&
           supply->last - supply->first == (l.groups - 1) * l.group;
}

// The row of the block that is row `index` of the layer.
static uint64_t stored_row(const layout *l, uint64_t index)
{
    return l->period ? index / l->kept * l->period + index % l->kept : index;
}

// Rows of the block that may be of the layer.
static uint64_t kept_rows(const layout *l)
{
    return l->period ? l->real / l->period * l->kept : l->real;
}

// A word of an array: `index` counts the arrays of a group.
static uint32_t array_word(const layout *l, hoist_bytes block, uint64_t index, uint64_t row)
{
    const uint64_t at =
        row / l->rows * l->group + index * l->array + row % l->rows * sizeof(uint32_t);
    return hoist_load_u32le(block.data + at);
}

// The weight of a row at byte `column` of word `step`.
static uint8_t weight_at(const layout *l, hoist_bytes block, uint64_t row, uint64_t step,
                         uint64_t column)
{
    const uint64_t at =
        row / l->rows * l->group + l->head + (step * l->rows + row % l->rows) * WORD_BYTES + column;
    return block.data[at];
}

// The step of a word of a tap, of `words` in each: weights lie as the loops go through them, some
// channels of each tap and then the others.
static uint64_t step_of(const layout *l, uint64_t words, uint64_t tap, uint64_t word)
{
    const uint64_t inner = l->inner ? l->inner : words;
    return (word / inner * (l->steps / words) + tap) * inner + word % inner;
}

// Arrays -----------------------------------------------------------------------------------------

// An array of words of 4 bytes, of any type; NULL: out of memory.
static void *read_words(const layout *l, hoist_bytes block, uint64_t index, hoist_arena *arena)
{
    const uint64_t rows = kept_rows(l);
    uint8_t *words = hoist_arena_array(arena, (size_t)rows, sizeof(uint32_t));
    for (uint64_t row = 0; words && row < rows; row++) {
        const uint32_t word = array_word(l, block, index, stored_row(l, row));
        memcpy(words + row * sizeof(word), &word, sizeof(word));
    }
    return words;
}

// In the order of the block: multipliers, bias, zero points. False: out of memory.
static bool read_heads(const layout *l, const dwn_block_shape *shape, hoist_bytes block,
                       hoist_arena *arena, dwn_recovered *layer)
{
    uint64_t index = 0;
    layer->multipliers = shape->has_multipliers ? read_words(l, block, index++, arena) : NULL;
    layer->bias = shape->has_bias ? read_words(l, block, index++, arena) : NULL;
    const uint64_t rows = kept_rows(l);
    uint8_t *zeros = shape->has_zeros ? hoist_arena_alloc(arena, (size_t)rows) : NULL;
    for (uint64_t row = 0; zeros && row < rows; row++) {
        // Stored as numbers of 32 bits, of which the lowest 8 count.
        zeros[row] = (uint8_t)array_word(l, block, index, stored_row(l, row));
    }
    layer->weight_zeros = zeros;
    return (layer->multipliers || !shape->has_multipliers) && (layer->bias || !shape->has_bias) &&
           (zeros || !shape->has_zeros);
}

// Of the model's row, not of the block's.
static uint8_t zero_of(const dwn_recovered *layer, uint64_t row)
{
    return layer->weight_zeros ? layer->weight_zeros[row] : layer->weight_zero;
}

// Rows of weights [O][taps][C], without the channels that fill the last word. Word by word, as all
// bytes of the blob go through here.
static void read_rows(const layout *l, hoist_bytes block, uint64_t channels, uint8_t *out)
{
    const uint64_t words = channels / WORD_BYTES + (channels % WORD_BYTES != 0);
    for (uint64_t index = 0; index < kept_rows(l); index++) {
        const uint64_t row = stored_row(l, index);
        const uint8_t *const first =
            block.data + row / l->rows * l->group + l->head + row % l->rows * WORD_BYTES;
        for (uint64_t tap = 0; tap < l->steps / words; tap++) {
            for (uint64_t word = 0; word < words; word++) {
                const uint64_t left = channels - word * WORD_BYTES;
                const size_t size = left < WORD_BYTES ? (size_t)left : WORD_BYTES;
                memcpy(out, first + step_of(l, words, tap, word) * l->rows * WORD_BYTES, size);
                out += size;
            }
        }
    }
}

// Diagonals [taps][C].
static void read_diagonals(const layout *l, hoist_bytes block, uint64_t channels, uint8_t *out)
{
    for (uint64_t tap = 0; tap < l->steps; tap++) {
        for (uint64_t c = 0; c < channels; c++) {
            *out++ = weight_at(l, block, c, tap, c % WORD_BYTES);
        }
    }
}

// The same from the block itself, for rows that are not read yet.
static uint8_t zero_in(const layout *l, const dwn_block_shape *shape, hoist_bytes block,
                       uint64_t row, uint8_t weight_zero)
{
    const uint64_t zeros_at = (uint64_t)shape->has_multipliers + shape->has_bias;
    return shape->has_zeros ? (uint8_t)array_word(l, block, zeros_at, row) : weight_zero;
}

// Whether a row is nothing but zero points, and has no bias.
static bool is_empty(const layout *l, const dwn_block_shape *shape, hoist_bytes block, uint64_t row,
                     uint8_t weight_zero)
{
    const uint8_t zero = zero_in(l, shape, block, row, weight_zero);
    bool is_so = !shape->has_bias || array_word(l, block, shape->has_multipliers, row) == 0;
    for (uint64_t i = 0; is_so && i < l->steps * WORD_BYTES; i++) {
        is_so = weight_at(l, block, row, i / WORD_BYTES, i % WORD_BYTES) == zero;
    }
    return is_so;
}

uint32_t dwn_block_padding(const dwn_block_shape *shape, hoist_bytes block, uint32_t period,
                           uint8_t weight_zero)
{
    const layout l = layout_of(shape);
    uint32_t least = WORD_BYTES - 1; // a word has one channel at least
    for (uint64_t end = period; end <= l.real && least > 0; end += period) {
        uint32_t empty = 0;
        while (empty < least && empty + 1 < period &&
               is_empty(&l, shape, block, end - 1 - empty, weight_zero)) {
            empty++;
        }
        least = empty;
    }
    return least;
}

// Rows without those at the end, at most three, that are nothing but zero points: they fill the
// last word of four channels. One row stays at least.
static uint32_t count_real_rows(const layout *l, const dwn_block_shape *shape, hoist_bytes block,
                                uint8_t weight_zero)
{
    uint64_t rows = l->real;
    while (rows > 1 && l->real - rows < WORD_BYTES - 1 &&
           is_empty(l, shape, block, rows - 1, weight_zero)) {
        rows--;
    }
    return (uint32_t)rows;
}

// Bytes beside the diagonal of each 4 x 4 matrix.
bool dwn_block_is_diagonal(const dwn_block_shape *shape, hoist_bytes block, uint8_t weight_zero)
{
    const layout l = layout_of(shape);
    for (uint64_t row = 0; row < l.real; row++) {
        const uint8_t zero = zero_in(&l, shape, block, row, weight_zero);
        for (uint64_t i = 0; i < l.steps * WORD_BYTES; i++) {
            if (i % WORD_BYTES != row % WORD_BYTES &&
                weight_at(&l, block, row, i / WORD_BYTES, i % WORD_BYTES) != zero) {
                return false;
            }
        }
    }
    return true;
}

// Whether bytes `first` to 3 of the last of each `words` words of a row are at its zero point.
static bool is_row_filled(const layout *l, hoist_bytes block, uint64_t row, uint64_t words,
                          uint64_t first, uint8_t zero)
{
    for (uint64_t tap = 0; tap < l->steps / words; tap++) {
        const uint64_t step = step_of(l, words, tap, words - 1);
        for (uint64_t i = first; i < WORD_BYTES; i++) {
            if (weight_at(l, block, row, step, i) != zero) {
                return false;
            }
        }
    }
    return true;
}

bool dwn_block_is_filled(const dwn_block_shape *shape, hoist_bytes block, uint32_t channels,
                         uint8_t weight_zero)
{
    const layout l = layout_of(shape);
    const uint64_t words = shape->is_diagonal ? 1 : dwn_words_of(channels);
    const uint64_t first = shape->is_diagonal ? 0 : channels % WORD_BYTES;
    const bool is_whole = channels % WORD_BYTES == 0;
    for (uint64_t row = shape->is_diagonal ? channels : 0; !is_whole && row < l.real; row++) {
        if (!is_row_filled(&l, block, row, words, first,
                           zero_in(&l, shape, block, row, weight_zero))) {
            return false;
        }
    }
    return true;
}

// Where the row has its only 1 among zeros; UINT64_MAX: it has none such.
static uint64_t only_one(const layout *l, hoist_bytes block, uint64_t row)
{
    uint64_t found = UINT64_MAX;
    for (uint64_t i = 0; i < l->steps * WORD_BYTES; i++) {
        const uint8_t w = weight_at(l, block, row, i / WORD_BYTES, i % WORD_BYTES);
        if (w == 0) {
            continue;
        }
        if (w != 1 || found != UINT64_MAX) {
            return UINT64_MAX;
        }
        found = i;
    }
    return found;
}

// Words are those of the pixels again and again; what fills the last of a pixel has no row.
bool dwn_block_is_gather(const dwn_block_shape *shape, hoist_bytes block, const uint32_t *channels,
                         size_t count)
{
    const layout l = layout_of(shape);
    uint64_t row = 0;
    uint64_t word = 0;
    for (uint64_t i = 0; shape->has_bias && i < l.real; i++) {
        if (array_word(&l, block, shape->has_multipliers, i) != 0) {
            return false;
        }
    }
    for (size_t i = 0; word < l.steps && count > 0; i = (i + 1) % count) {
        for (uint32_t c = 0; c < channels[i]; c++, row++) {
            if (row >= l.real || only_one(&l, block, row) != word * WORD_BYTES + c) {
                return false;
            }
        }
        word += dwn_words_of(channels[i]);
    }
    return word == l.steps && l.real - row < WORD_BYTES;
}

bool dwn_block_selects(const dwn_block_shape *shape, hoist_bytes block, uint32_t *out_from)
{
    const layout l = layout_of(shape);
    for (uint64_t row = 0; row < l.real; row++) {
        const uint64_t from = only_one(&l, block, row);
        if (from >= DWN_NONE && !is_empty(&l, shape, block, row, 0)) {
            return false;
        }
        if (shape->has_bias && array_word(&l, block, shape->has_multipliers, row) != 0) {
            return false;
        }
        out_from[row] = from < DWN_NONE ? (uint32_t)from : DWN_NONE;
    }
    return true;
}

// False: out of memory.
static bool read_weights(const layout *l, const dwn_block_shape *shape, hoist_bytes block,
                         uint32_t channels, hoist_arena *arena, dwn_recovered *layer)
{
    uint8_t *weights = hoist_arena_alloc(arena, (size_t)layer->weight_count);
    layer->weights = weights;
    if (weights && shape->is_diagonal) {
        read_diagonals(l, block, channels, weights);
    } else if (weights) {
        read_rows(l, block, channels, weights);
    }
    return weights != NULL;
}

hoist_status dwn_block_read(const dwn_block_shape *shape, hoist_bytes block, uint32_t channels,
                            hoist_arena *arena, dwn_recovered *layer)
{
    const layout l = layout_of(shape);
    const uint64_t words = shape->is_diagonal ? 1 : dwn_words_of(channels);
    layer->rows = (uint32_t)kept_rows(&l);
    // Diagonals have one weight per tap and channel.
    layer->weight_count = l.steps / words * (shape->is_diagonal ? 1 : layer->rows) * channels;
    if ((!shape->is_brief && !read_weights(&l, shape, block, channels, arena, layer)) ||
        !read_heads(&l, shape, block, arena, layer)) {
        return HOIST_NO_MEMORY;
    }
    if (shape->is_diagonal || shape->period) {
        return HOIST_OK;
    }
    layer->rows = count_real_rows(&l, shape, block, layer->weight_zero);
    if (layer->rows < l.real) {
        layer->heuristics |= 1u << DWN_GUESS_ROWS;
        layer->weight_count = layer->weight_count / l.real * layer->rows; // rows are of equal size
    }
    return HOIST_OK;
}

// Writing ----------------------------------------------------------------------------------------

// An array as it is in the file: row by row, four bytes each.
static void write_words(const layout *l, hoist_mut_bytes block, uint64_t index, const void *in,
                        uint64_t rows)
{
    for (uint64_t row = 0; row < rows; row++) {
        uint32_t word = 0;
        memcpy(&word, (const uint8_t *)in + row * sizeof(word), sizeof(word));
        const uint64_t to = stored_row(l, row);
        hoist_store_u32le(block.data + to / l->rows * l->group + index * l->array +
                              to % l->rows * sizeof(word),
                          word);
    }
}

// The arrays that the layer has are those of the block's shape, in its order.
static void write_heads(const layout *l, const dwn_recovered *layer, hoist_mut_bytes block)
{
    uint64_t index = 0;
    if (layer->multipliers) {
        write_words(l, block, index++, layer->multipliers, layer->rows);
    }
    if (layer->bias) {
        write_words(l, block, index++, layer->bias, layer->rows);
    }
    for (uint64_t row = 0; layer->weight_zeros && row < layer->rows; row++) {
        const uint64_t to = stored_row(l, row);
        hoist_store_u32le(block.data + to / l->rows * l->group + index * l->array +
                              to % l->rows * sizeof(uint32_t),
                          layer->weight_zeros[row]);
    }
}

// Words of a row; channels that fill the last one are at the zero point.
static void write_rows(const layout *l, const dwn_recovered *layer, hoist_mut_bytes block)
{
    const uint64_t channels = layer->block_channels;
    const uint64_t words = dwn_words_of(layer->block_channels);
    const uint8_t *in = layer->weights;
    for (uint64_t row = 0; row < layer->rows; row++) {
        const uint64_t to = stored_row(l, row);
        uint8_t *const first =
            block.data + to / l->rows * l->group + l->head + to % l->rows * WORD_BYTES;
        for (uint64_t i = 0; i < l->steps; i++) {
            const uint64_t word = i % words;
            const uint64_t left = channels - word * WORD_BYTES;
            const size_t size = left < WORD_BYTES ? (size_t)left : WORD_BYTES;
            uint8_t *const out = first + step_of(l, words, i / words, word) * l->rows * WORD_BYTES;
            memset(out, zero_of(layer, row), WORD_BYTES);
            memcpy(out, in, size);
            in += size;
        }
    }
}

// Diagonals; the rest of their rows is at the zero point.
static void write_diagonals(const layout *l, const dwn_recovered *layer, hoist_mut_bytes block)
{
    const uint8_t *in = layer->weights;
    for (uint64_t tap = 0; tap < l->steps; tap++) {
        for (uint64_t c = 0; c < layer->block_channels; c++) {
            uint8_t *const out = block.data + c / l->rows * l->group + l->head +
                                 (tap * l->rows + c % l->rows) * WORD_BYTES;
            memset(out, zero_of(layer, c), WORD_BYTES);
            out[c % WORD_BYTES] = *in++;
        }
    }
}

// What is written is what dwn_block_read() reads; everything else of the block stays.
void dwn_block_write(const dwn_recovered *layer, hoist_mut_bytes block)
{
    const layout l = layout_of(&layer->block);
    HOIST_ASSERT(layer->block.rows && layer->weights && block.size >= l.groups * l.group);
    write_heads(&l, layer, block);
    if (layer->block.is_diagonal) {
        write_diagonals(&l, layer, block);
    } else {
        write_rows(&l, layer, block);
    }
}
