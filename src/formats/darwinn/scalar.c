// The interpreter of the scalar core (darwinn reference sections 8.4 and 8.5). In: parsed chunks;
// out: the DMA descriptors that they send. A value is 32 bits and whether they are known: special
// loads give unknown values, which pass through the ALU (scalar_alu.c) and end the run where
// control depends on them.
#include "formats/darwinn/scalar.h"

#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "formats/darwinn/scalar_alu.h"

enum { MAX_LOADS = DWN_LOAD_DELAY }; // on their way at a time: one per bundle

typedef struct value {
    uint32_t bits;
    bool unknown; // only the chip knows it
} value;

typedef struct pending { // a load on its way
    value what;
    uint8_t to;
    uint8_t left; // bundles; 0: none
} pending;

// The state of the core, all 0 and known at the start. It lasts from chunk to chunk: the two chunks
// of one DeepLab program need that.
typedef struct core {
    hoist_arena *arena;
    value registers[DWN_REGISTERS];
    value predicates[DWN_PREDICATES];
    value descriptor[DWN_DESCRIPTOR_WORDS];
    value *memory;            // DWN_SCALAR_WORDS; owned
    pending loads[MAX_LOADS]; // free where `left` is 0
    dwn_descriptor *sent;     // arena
    size_t count;
    size_t capacity;
    const dwn_stream *chunk;
    dwn_scalar_end end;
    bool is_over; // of the run
} core;

// Row `row` of a family, from the one word of the instruction.
static uint32_t load_row(const dwn_field *rows, size_t row, hoist_bytes instruction)
{
    return dwn_field_load(&rows[row], instruction, 0);
}

// Every field is loaded as it is: codes that have no meaning are for the one who runs or shows it.
dwn_bundle dwn_bundle_of(hoist_bytes b)
{
    const dwn_field *rows = dwn_bundle_rows;
    return (dwn_bundle){
        .predicated = load_row(rows, DWN_BUNDLE_PREDICATED, b) != 0,
        .predicate = (uint8_t)load_row(rows, DWN_BUNDLE_PREDICATE, b),
        .sense = load_row(rows, DWN_BUNDLE_SENSE, b) != 0,
        .load = (uint8_t)load_row(rows, DWN_BUNDLE_LOAD, b),
        .load_to = (uint8_t)load_row(rows, DWN_BUNDLE_LOAD_TO, b),
        .load_from = (uint16_t)load_row(rows, DWN_BUNDLE_LOAD_FROM, b),
        .store = (uint8_t)load_row(rows, DWN_BUNDLE_STORE, b),
        .store_to = (uint16_t)load_row(rows, DWN_BUNDLE_STORE_TO, b),
        .store_from = (uint8_t)load_row(rows, DWN_BUNDLE_STORE_FROM, b),
        .alu = (uint8_t)load_row(rows, DWN_BUNDLE_ALU, b),
        .by_immediate = load_row(rows, DWN_BUNDLE_IMMEDIATE_USED, b) != 0,
        .to = (uint8_t)load_row(rows, DWN_BUNDLE_TO, b),
        .first = (uint8_t)load_row(rows, DWN_BUNDLE_FIRST, b),
        .immediate = load_row(rows, DWN_BUNDLE_IMMEDIATE, b),
        .function = (uint8_t)load_row(rows, DWN_BUNDLE_FUNCTION, b),
        .function_to = (uint8_t)load_row(rows, DWN_BUNDLE_FUNCTION_TO, b),
        .function_of = (uint8_t)load_row(rows, DWN_BUNDLE_FUNCTION_OF, b),
    };
}

bool dwn_bundle_moves_immediate(const dwn_bundle *bundle)
{
    return bundle->alu == DWN_ALU_MOVE && bundle->by_immediate;
}

dwn_branch dwn_branch_of(hoist_bytes b)
{
    const dwn_field *rows = dwn_branch_rows;
    return (dwn_branch){
        .conditional = load_row(rows, DWN_BRANCH_CONDITIONAL, b) != 0,
        .predicate = (uint8_t)load_row(rows, DWN_BRANCH_PREDICATE, b),
        .sense = load_row(rows, DWN_BRANCH_SENSE, b) != 0,
        .offset = (int32_t)dwn_field_value(&rows[DWN_BRANCH_OFFSET], b, 0),
        .form = (uint8_t)load_row(rows, DWN_BRANCH_FORM, b),
    };
}

// The first reason ends the run: each caller returns after it, or finds `is_over` after the bundle.
static void stop(core *c, dwn_scalar_end end)
{
    c->end = end;
    c->is_over = true;
}

// Slots of a bundle: each takes registers as they were before it -------------------------------

// The word of memory that a load or store names; NULL: none, and the run may be over.
static value *word_of(core *c, bool by_register, uint16_t address, bool is_store)
{
    uint32_t index = address;
    if (by_register) {
        const value *at = &c->registers[address % DWN_REGISTERS];
        index = at->bits;
        if (at->unknown) {
            if (is_store) { // nothing in memory would be known any more
                stop(c, DWN_SCALAR_UNKNOWN_ADDRESS);
            }
            return NULL;
        }
    }
    if (index >= DWN_SCALAR_WORDS) {
        stop(c, DWN_SCALAR_BAD_ADDRESS);
        return NULL;
    }
    return &c->memory[index];
}

// Slot of the load. The value is taken at once, before the bundle's own store, and lands later. A
// load through an unknown register is unknown, not an error: it may never be used.
static void start_load(core *c, const dwn_bundle *b)
{
    HOIST_ASSERT(b->load_to < DWN_REGISTERS);
    value what = {.unknown = true};
    if (b->load != DWN_LOAD_SPECIAL) {
        const value *word = word_of(c, b->load == DWN_LOAD_BY_REGISTER, b->load_from, false);
        what = word ? *word : what;
    }
    for (size_t i = 0; i < MAX_LOADS; i++) {
        if (c->loads[i].left == 0) {
            c->loads[i] = (pending){.what = what, .to = b->load_to, .left = DWN_LOAD_DELAY};
            return;
        }
    }
    HOIST_ASSERT(false); // a load lands before the second bundle after it begins another
}

// Slot of the store, SEND. The descriptor keeps its words: what the next one shares need not be
// written again. Capacity doubles; the arena keeps the smaller lists, as much again at most.
static hoist_status send(core *c, const dwn_scalar_run *run)
{
    HOIST_ASSERT(c->count <= c->capacity);
    if (c->count == c->capacity) {
        const size_t capacity = c->capacity ? 2 * c->capacity : 16;
        dwn_descriptor *bigger = hoist_arena_array(c->arena, capacity, sizeof(*bigger));
        if (!bigger) {
            return HOIST_NO_MEMORY;
        }
        if (c->count > 0) {
            memcpy(bigger, c->sent, c->count * sizeof(*bigger));
        }
        c->sent = bigger;
        c->capacity = capacity;
    }
    dwn_descriptor made = {.chunk = run->chunk, .word = run->word};
    for (size_t i = 0; i < DWN_DESCRIPTOR_WORDS; i++) {
        made.words[i] = c->descriptor[i].bits;
        made.known = (uint8_t)(made.known | (c->descriptor[i].unknown ? 0u : 1u << i));
    }
    c->sent[c->count++] = made;
    return HOIST_OK;
}

// The whole word: there are no narrower stores.
static void store_word(core *c, const dwn_bundle *b, value from)
{
    value *word = word_of(c, b->store == DWN_STORE_BY_REGISTER, b->store_to, true);
    if (word) {
        *word = from;
    }
}

// Slot of the store. SPECIAL and PUSH go to queues of the chip, which no descriptor depends on.
static hoist_status store(core *c, const dwn_bundle *b, const dwn_scalar_run *run)
{
    HOIST_ASSERT(b->store_from < DWN_REGISTERS);
    const value from = c->registers[b->store_from];
    switch (b->store) {
    case DWN_STORE_NONE:
    case DWN_STORE_SPECIAL:
    case DWN_STORE_PUSH:
        break;
    case DWN_STORE_DIRECT:
    case DWN_STORE_BY_REGISTER:
        store_word(c, b, from);
        break;
    case DWN_STORE_DESCRIPTOR:
        if (b->store_to >= DWN_DESCRIPTOR_WORDS) {
            stop(c, DWN_SCALAR_BAD_DESCRIPTOR);
        } else {
            c->descriptor[b->store_to] = from;
        }
        break;
    case DWN_STORE_SEND:
        return send(c, run);
    default:
        stop(c, DWN_SCALAR_UNKNOWN_STORE);
    }
    return HOIST_OK;
}

// Slot of the ALU. A result is unknown where one of its operands is, even where it does not matter
// (0 * unknown): nothing is concluded that the chip might not do.
static void compute(core *c, const dwn_bundle *b)
{
    HOIST_ASSERT(b->first < DWN_REGISTERS && b->to < DWN_REGISTERS);
    const dwn_alu *alu = dwn_alu_find(b->alu);
    if (!alu) {
        stop(c, DWN_SCALAR_UNKNOWN_ALU);
        return;
    }
    if (alu->kind == DWN_ALU_NONE) {
        return;
    }
    const value first = c->registers[b->first];
    // A register is named by the low 5 bits of the immediate's field.
    const value operand = b->by_immediate ? (value){.bits = b->immediate}
                                          : c->registers[b->immediate % DWN_REGISTERS];
    const value made = {.bits = alu->run(first.bits, operand.bits),
                        .unknown =
                            operand.unknown || (first.unknown && alu->kind != DWN_ALU_UNARY)};
    if (alu->kind != DWN_ALU_COMPARE) {
        c->registers[b->to] = made;
    } else if (b->to < DWN_PREDICATES) {
        c->predicates[b->to] = made;
    } else {
        stop(c, DWN_SCALAR_BAD_PREDICATE);
    }
}

// Whether predicate `index` is as `sense`; false, too, when it is unknown, which ends the run.
static bool holds(core *c, uint8_t index, bool sense)
{
    HOIST_ASSERT(index < DWN_PREDICATES);
    const value *predicate = &c->predicates[index];
    if (predicate->unknown) {
        stop(c, DWN_SCALAR_UNKNOWN_PREDICATE);
        return false;
    }
    return (predicate->bits != 0) == sense;
}

// Stores and loads come before the ALU writes: a value loaded earlier has landed by then.
static hoist_status run_bundle(core *c, hoist_bytes bytes, const dwn_scalar_run *run)
{
    const dwn_bundle b = dwn_bundle_of(bytes);
    // Loads that land in this bundle are seen by all of its slots.
    for (size_t i = 0; i < MAX_LOADS; i++) {
        pending *load = &c->loads[i];
        if (load->left > 0 && --load->left == 0) {
            c->registers[load->to] = load->what;
        }
    }
    if (b.predicated && !holds(c, b.predicate, b.sense)) {
        return HOIST_OK;
    }
    if (b.load != DWN_LOAD_NONE) {
        start_load(c, &b); // before a store of the same bundle
    }
    HOIST_TRY(store(c, &b, run));
    compute(c, &b);
    if (b.function != DWN_FUNCTION_NONE) { // how the chip rounds them is unknown
        c->registers[b.function_to] = (value){.unknown = true};
    }
    return HOIST_OK;
}

// Runs -------------------------------------------------------------------------------------------

// One pass over the instructions: branches fall through, loops are run once, and instructions of
// the tiles do nothing to the core's state.
static hoist_status run_chunk(core *c, dwn_scalar_run *run)
{
    for (size_t i = 0; i < c->chunk->count; i++) {
        const dwn_instruction *instruction = &c->chunk->instructions[i];
        run->word = instruction->word;
        if (instruction->opcode == DWN_OP_HALT) { // the chunk's; the next one goes on
            return HOIST_OK;
        }
        if (instruction->opcode == DWN_OP_BUNDLE) {
            HOIST_TRY(run_bundle(c, dwn_instruction_bytes(c->chunk, instruction), run));
        }
        if (c->is_over) {
            return HOIST_OK;
        }
    }
    if (c->chunk->parsed < c->chunk->words) {
        run->word = c->chunk->parsed;
        stop(c, DWN_SCALAR_UNPARSED);
    }
    return HOIST_OK;
}

// Fills `run` also where the run ended early.
static hoist_status run_chunks(core *c, const dwn_stream *chunks, size_t count, dwn_scalar_run *run)
{
    for (size_t i = 0; i < count && !c->is_over; i++) {
        c->chunk = &chunks[i];
        run->chunk = (uint32_t)i;
        HOIST_TRY(run_chunk(c, run));
    }
    run->sent = c->sent;
    run->count = c->count;
    run->end = c->end;
    return HOIST_OK;
}

hoist_status dwn_scalar_execute(const dwn_stream *chunks, size_t count, hoist_arena *arena,
                                dwn_scalar_run *out_run)
{
    const size_t size = DWN_SCALAR_WORDS * sizeof(value);
    dwn_scalar_run run = {0};
    core c = {.arena = arena};
    *out_run = run;
    // Not of the arena, which lives on: the programs of a file may be thousands.
    c.memory = hoist_alloc_zero(arena->alloc, DWN_SCALAR_WORDS, sizeof(value));
    if (!c.memory) {
        return HOIST_NO_MEMORY;
    }
    const hoist_status status = run_chunks(&c, chunks, count, &run);
    hoist_free(arena->alloc, c.memory, size);
    if (status == HOIST_OK) {
        *out_run = run;
    }
    return status;
}

// Texts of the listing's last line and of findings: "the scalar core was not run to the end: ...".
const char *dwn_scalar_end_text(dwn_scalar_end end)
{
    static const char *const texts[DWN_SCALAR_ENDS] = {
        [DWN_SCALAR_DONE] = "it came to the end of the program",
        [DWN_SCALAR_UNPARSED] = "it came to words that are no known instruction",
        [DWN_SCALAR_UNKNOWN_ALU] = "it came to an operation of the ALU that is unknown",
        [DWN_SCALAR_UNKNOWN_STORE] = "it came to a store operation that is unknown",
        [DWN_SCALAR_UNKNOWN_PREDICATE] = "its way hangs on a value that only the chip knows",
        [DWN_SCALAR_UNKNOWN_ADDRESS] = "it stores at an address that only the chip knows",
        [DWN_SCALAR_BAD_ADDRESS] = "it used an address outside the scalar memory",
        [DWN_SCALAR_BAD_DESCRIPTOR] = "it wrote a word that descriptors do not have",
        [DWN_SCALAR_BAD_PREDICATE] = "it compared into a predicate that does not exist",
    };
    HOIST_ASSERT(end < DWN_SCALAR_ENDS);
    return texts[end];
}
