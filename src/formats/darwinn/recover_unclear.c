// Instructions of which recovery reads less than they have. In: the chunks of a package's
// executables and their decoded operations; out: a range for each that is other than in all known
// programs, of which recover.c makes gaps: what the chip makes of it is unknown, whatever the
// layers look like.
//
// Three readings, none of which knows of layers: the faults that the parse found (faults.inc),
// fields of tensor operations that have one value in all known operations of their mode, and
// instructions that go together. Bits of an operation that no field has, and no known program sets,
// are a guess of its layer: of the files of a compiler that was not seen some have others, and mean
// the same.
#include <string.h>

#include "base/span.h"
#include "formats/darwinn/hints.h"
#include "formats/darwinn/recover_work.h"

// Bits without a field ---------------------------------------------------------------------------

enum { INSTRUCTION = DWN_MAX_WORDS * DWN_WORD_SIZE };

// The bits of tensor operations that no field has and no known program sets.
typedef struct spare_bits {
    uint8_t of[INSTRUCTION];
} spare_bits;

#define AT(word, bit) ((word)*DWN_WORD_BITS + (bit))

// All that no field has but for what varies: what operations wait for, addresses of partial sums. A
// run that was seen to end inside of something that is counted is as long as the space up to the
// next field. [observed in 72 models of five runtime versions]
static void find_spare(spare_bits *out)
{
    static const uint16_t varying[][2] = {
        {AT(1, 46), AT(1, 64)},   {AT(1, 82), AT(1, 82)},    {AT(3, 119), AT(4, 63)},
        {AT(4, 80), AT(4, 80)},   {AT(6, 118), AT(7, 60)},   {AT(9, 51), AT(9, 123)},
        {AT(11, 98), AT(12, 15)}, {AT(12, 40), AT(12, 127)}, {AT(14, 70), AT(14, 77)},
        {AT(14, 94), AT(15, 5)},  {AT(16, 37), AT(16, 63)},
    };
    uint8_t ones[INSTRUCTION];
    memset(ones, UINT8_MAX, sizeof(ones));
    for (size_t i = 0; dwn_opcode_at(i); i++) {
        const dwn_opcode *const row = dwn_opcode_at(i);
        const size_t size = (size_t)row->words * DWN_WORD_SIZE;
        if (row->code == DWN_OP_TENSOR) { // the others have the same fields
            dwn_rest_of(row, (hoist_bytes){ones, size}, (hoist_mut_bytes){out->of, size});
        }
    }
    for (size_t i = 0; i < HOIST_COUNT_OF(varying); i++) {
        for (uint32_t bit = varying[i][0]; bit <= varying[i][1]; bit++) {
            out->of[bit / 8] &= (uint8_t) ~(1U << bit % 8);
        }
    }
}

static bool has_spare(const spare_bits *spare, hoist_bytes instruction)
{
    uint8_t set = 0;
    for (size_t i = 0; i < instruction.size; i++) {
        set |= instruction.data[i] & spare->of[i];
    }
    return set != 0;
}

// Fields of tensor operations --------------------------------------------------------------------

enum { ANY = -1, FLAGGED = 7 }; // loops that have flags

// What all known operations of an opcode and a mode have: the memory that they read, and the flags
// of the loops over what they read and over weights, the same of every loop. `code` is the class.
typedef struct mode_row {
    uint8_t opcode;
    uint16_t mode;
    int32_t code;
    int8_t is_elsewhere;
    int8_t read_flags;
    int8_t weight_flags;
} mode_row;

// The first row that fits holds. [observed in 10,424 operations]
// clang-format off
static const mode_row modes[] = {
    // opcode       mode    class   other  read  weights
    {DWN_OP_TENSOR, 0x0018, ANY,    0,     0,    0  },
    {DWN_OP_TENSOR, 0x0030, ANY,    0,     0,    0  },
    {DWN_OP_TENSOR, 0x0038, ANY,    0,     0,    0  },
    {DWN_OP_TENSOR, 0x0070, ANY,    0,     0,    0  },
    {DWN_OP_TENSOR, 0x00b0, ANY,    0,     ANY,  0  }, // an addition's are read
    {DWN_OP_TENSOR, 0x00f0, ANY,    ANY,   ANY,  ANY},
    {DWN_OP_TENSOR, 0x1870, ANY,    0,     0,    ANY},
    {DWN_OP_TENSOR, 0x1890, ANY,    1,     0,    0  },
    {DWN_OP_TENSOR, 0x1c30, 0x0000, 0,     ANY,  ANY},
    {DWN_OP_TENSOR, 0x1c30, ANY,    ANY,   ANY,  ANY},
    {DWN_OP_MAX,    0x0030, ANY,    0,     ANY,  ANY},
    {DWN_OP_MAX,    0x1c30, ANY,    0,     ANY,  ANY},
    {DWN_OP_SUM,    0x00b0, ANY,    0,     ANY,  ANY},
    {DWN_OP_RESIZE, 0x18b0, ANY,    0,     ANY,  ANY},
};
// clang-format on

static uint32_t field_of(hoist_bytes instruction, size_t field, size_t index)
{
    return dwn_field_load(&dwn_tensor_rows[field], instruction, index);
}

static bool has_flags(hoist_bytes instruction, size_t field, int32_t flags)
{
    bool is_so = true;
    for (size_t i = 0; i < FLAGGED && flags != ANY; i++) {
        is_so = is_so && field_of(instruction, field, i) == (uint32_t)flags;
    }
    return is_so;
}

static bool has_mode(hoist_bytes instruction, const dwn_operation *op)
{
    for (size_t i = 0; i < HOIST_COUNT_OF(modes); i++) {
        const mode_row *const row = &modes[i];
        if (row->opcode == op->opcode && row->mode == op->mode &&
            (row->code == ANY || row->code == op->code)) {
            return (row->is_elsewhere == ANY || op->is_elsewhere == row->is_elsewhere) &&
                   has_flags(instruction, DWN_TENSOR_A_FLAGS, row->read_flags) &&
                   has_flags(instruction, DWN_TENSOR_B_FLAGS, 0) &&
                   has_flags(instruction, DWN_TENSOR_C_FLAGS, row->weight_flags);
        }
    }
    return false;
}

// Groups of rows have 64 of them, but for the last one, or all as many; and what has no upper limit
// has no lower one, and begins with 0.
static bool has_numbers(const dwn_operation *op)
{
    enum { GROUP = 64, CLASS_SPARE = 0xf087, INFINITE = 0x7f800000 };
    const bool is_bound = op->high != INFINITE;
    return (op->full_rows == op->last_rows || op->full_rows == GROUP) &&
           (op->code & CLASS_SPARE) == 0 &&
           (is_bound || (op->low == (UINT32_C(1) << 31 | INFINITE) && op->constant == 0));
}

// Instructions that go together ------------------------------------------------------------------

// Feeds from the host other than of parameters, and what was drained before, are for the tiles that
// took the transfer before. [observed: all 1,035]
static bool is_fed_right(hoist_bytes instruction, uint32_t taken_by)
{
    enum { INPUT = 0x0080, DRAINED = 0x1cb0, PARAMETERS = 0x0480 };
    const uint32_t source = dwn_field_load(&dwn_feed_rows[DWN_FEED_SOURCE], instruction, 0);
    const uint32_t tiles = dwn_field_load(&dwn_feed_rows[DWN_FEED_TILES], instruction, 0);
    return source == PARAMETERS || ((source == INPUT || source == DRAINED) && tiles == taken_by);
}

// The list ---------------------------------------------------------------------------------------

static const char broken[] = "the instruction breaks a rule of instructions";
static const char strange[] = "the operation has fields as no known operation of its mode has";
static const char misplaced[] = "no instruction puts parameters where the operation reads them";
static const char misfed[] = "what is fed to tiles is of another kind, or for other tiles";
static const char other_hints[] =
    "the transfers of the instructions are not those that the file lists";

typedef struct list {
    dwn_gap *items;
    uint32_t count;
    const spare_bits *spare;
    dwn_operations *operations; // NULL: they are not decoded
    uint32_t next;              // operation
    uint32_t taken_by;          // tiles of the last transfer
} list;

// Faults in order of words, `*next` the first that comes: whether the instruction has one that
// matters. That a chunk is large changes nothing, and chunks before the last may end in several
// ways.
static bool has_fault(const dwn_stream *stream, const dwn_instruction *in, bool is_last,
                      size_t *next)
{
    bool has = false;
    while (*next < stream->fault_count &&
           stream->faults[*next].word < in->word + (uint32_t)in->words) {
        const dwn_fault_code code = stream->faults[(*next)++].code;
        has = has || (code != DWN_FAULT_LARGE && code != DWN_FAULT_TILES &&
                      (code != DWN_FAULT_HALT || is_last));
    }
    return has;
}

// The operation that begins at an instruction; NULL: none does, or its kind is unknown anyway.
static dwn_operation *operation_at(list *l, uint32_t chunk, const dwn_instruction *in)
{
    const dwn_operations *const all = l->operations;
    while (all && l->next < all->count &&
           (all->items[l->next].at.chunk < chunk ||
            (all->items[l->next].at.chunk == chunk && all->items[l->next].at.word < in->word))) {
        l->next++;
    }
    dwn_operation *const op = all && l->next < all->count ? &all->items[l->next] : NULL;
    const bool is_it = op && op->at.chunk == chunk && op->at.word == in->word;
    return is_it && dwn_is_tensor(in->opcode) && op->kind != DWN_KIND_UNKNOWN ? op : NULL;
}

// Why an instruction is unclear; NULL: it is not.
static const char *reason_of(list *l, uint32_t chunk, const dwn_instruction *in,
                             hoist_bytes instruction)
{
    dwn_operation *const op = operation_at(l, chunk, in);
    if (op) {
        op->has_spare = has_spare(l->spare, instruction);
    }
    if (op && (!has_mode(instruction, op) || !has_numbers(op))) {
        return strange;
    }
    if (op && op->is_misplaced) {
        return misplaced;
    }
    if (in->opcode == DWN_OP_FEED && l->operations && !is_fed_right(instruction, l->taken_by)) {
        return misfed;
    }
    if (in->opcode == DWN_OP_RING_CONSUMER || in->opcode == DWN_OP_RING_CONSUMER_2) {
        l->taken_by = in->tiles;
    }
    return NULL;
}

// Instructions that follow one another and are unclear for one reason are one gap.
static void add(list *l, const char *reason, dwn_words at)
{
    dwn_gap *const last = l->count > 0 ? &l->items[l->count - 1] : NULL;
    if (last && last->reason == reason && last->words.chunk == at.chunk &&
        last->words.word + last->words.words == at.word) {
        last->words.words += at.words;
    } else {
        l->items[l->count++] = (dwn_gap){.reason = reason, .words = at};
    }
}

static void list_chunk(list *l, const dwn_stream *stream, uint32_t chunk, bool is_last)
{
    size_t fault = 0;
    for (size_t i = 0; i < stream->count; i++) {
        const dwn_instruction *const in = &stream->instructions[i];
        const char *const reason = reason_of(l, chunk, in, dwn_instruction_bytes(stream, in));
        const bool is_broken = has_fault(stream, in, is_last, &fault);
        if (reason || is_broken) {
            add(l, is_broken ? broken : reason, (dwn_words){chunk, in->word, in->words});
        }
    }
    if (stream->parsed < stream->words) {
        add(l, broken, (dwn_words){chunk, stream->parsed, stream->words - stream->parsed});
    }
}

static void list_image(list *l, const dwn_image *image)
{
    for (uint32_t c = 0; c < image->chunk_count; c++) {
        list_chunk(l, &image->chunks[c].stream, c, c + 1 == image->chunk_count);
    }
}

// Whether the file lists other transfers than the scalar core makes: two readings of what is sent.
// A run that does not come to its end says nothing. HOIST_OK, HOIST_NO_MEMORY.
static hoist_status compare_hints(const dwn_image *image, const dwn_program_run *run,
                                  hoist_arena *arena, bool *out_differ)
{
    dwn_hint *hints = NULL;
    size_t count = 0;
    size_t at = 0;
    *out_differ = false;
    if (image->rows->dma_hints) {
        HOIST_TRY(dwn_hints_of(image->rows, arena, &hints, &count));
        *out_differ =
            !dwn_hints_agree(run, hints, count, !image->rows->dma_hints->fully_deterministic, &at);
    }
    return HOIST_OK;
}

static size_t count_instructions(const dwn_image *image)
{
    size_t count = 0;
    for (uint32_t c = 0; c < image->chunk_count; c++) {
        count += image->chunks[c].stream.count + 1; // what could not be parsed
    }
    return count;
}

// The program that fills the memory with parameters is a gap of these as a whole.
static hoist_status list_caching(dwn_walk *w, const dwn_image *image)
{
    const uint64_t size = image->rows->parameters.size;
    list l = {.items = hoist_arena_array(w->scratch, count_instructions(image), sizeof(*l.items))};
    dwn_program_run run;
    bool differ = false;
    if (!l.items) {
        return HOIST_NO_MEMORY;
    }
    list_image(&l, image);
    HOIST_TRY(dwn_program_execute(image->chunks, image->chunk_count, w->scratch, &run));
    HOIST_TRY(compare_hints(image, &run, w->scratch, &differ));
    const char *const reason = l.count > 0 ? l.items[0].reason : differ ? other_hints : NULL;
    if (reason && size > 0) {
        w->unclear[w->unclear_count++] = (dwn_gap){.reason = reason, .piece = {true, 0, size}};
    }
    return HOIST_OK;
}

hoist_status dwn_list_unclear(dwn_walk *w, const dwn_roles *roles, const dwn_program_run *run)
{
    const dwn_image *const image = roles->main_image;
    const size_t most = count_instructions(image) + 2; // hints, and the other program
    spare_bits *const spare = hoist_arena_alloc(w->scratch, sizeof(*spare));
    list l = {.items = hoist_arena_array(w->scratch, most, sizeof(*l.items)),
              .spare = spare,
              .operations = &w->operations};
    bool differ = false;
    if (!spare || !l.items) {
        return HOIST_NO_MEMORY;
    }
    find_spare(spare);
    list_image(&l, image);
    HOIST_TRY(compare_hints(image, run, w->scratch, &differ));
    if (differ && image->chunk_count > 0 && image->chunks[0].stream.words > 0) {
        l.items[l.count++] = (dwn_gap){.reason = other_hints, .words = {0, 0, 1}};
    }
    w->unclear = l.items;
    w->unclear_count = l.count;
    return roles->caching_image ? list_caching(w, roles->caching_image) : HOIST_OK;
}
