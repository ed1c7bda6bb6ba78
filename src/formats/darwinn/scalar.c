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

typedef struct core {
    const dwn_scalar_options *options;
    hoist_arena *arena;
    value registers[DWN_REGISTERS];
    value predicates[DWN_PREDICATES];
    value descriptor[DWN_DESCRIPTOR_WORDS];
    value *memory; // DWN_SCALAR_WORDS; owned
    pending loads[MAX_LOADS];
    dwn_descriptor *sent; // arena
    size_t count;
    size_t capacity;
    const dwn_stream *chunk;
    uint32_t chunk_index;
    size_t at;   // index of the instruction
    size_t next; // the one that follows
    struct {
        size_t first; // of the body
        size_t last;
        uint32_t left; // iterations after this one
        bool is_on;
    } loop;
    dwn_scalar_end end;
    bool is_over;   // of the run
    bool is_halted; // of the chunk
} core;

static uint32_t load_row(const dwn_field *rows, size_t row, hoist_bytes instruction)
{
    return dwn_field_load(&rows[row], instruction, 0);
}

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

static hoist_status send(core *c)
{
    HOIST_ASSERT(c->at < c->chunk->count && c->count <= c->capacity);
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
    dwn_descriptor made = {.chunk = c->chunk_index, .word = c->chunk->instructions[c->at].word};
    for (size_t i = 0; i < DWN_DESCRIPTOR_WORDS; i++) {
        made.words[i] = c->descriptor[i].bits;
        made.known = (uint8_t)(made.known | (c->descriptor[i].unknown ? 0u : 1u << i));
    }
    c->sent[c->count++] = made;
    return HOIST_OK;
}

static void store_word(core *c, const dwn_bundle *b, value from)
{
    value *word = word_of(c, b->store == DWN_STORE_BY_REGISTER, b->store_to, true);
    if (word) {
        *word = from;
    }
}

static hoist_status store(core *c, const dwn_bundle *b)
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
        return send(c);
    default:
        stop(c, DWN_SCALAR_UNKNOWN_STORE);
    }
    return HOIST_OK;
}

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
static hoist_status run_bundle(core *c, hoist_bytes bytes)
{
    const dwn_bundle b = dwn_bundle_of(bytes);
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
    HOIST_TRY(store(c, &b));
    compute(c, &b);
    if (b.function != DWN_FUNCTION_NONE) { // how the chip rounds them is unknown
        c->registers[b.function_to] = (value){.unknown = true};
    }
    return HOIST_OK;
}

// Branches and loops -----------------------------------------------------------------------------

static void run_branch(core *c, hoist_bytes bytes)
{
    const dwn_branch b = dwn_branch_of(bytes);
    if (b.form != 2) {
        stop(c, DWN_SCALAR_BAD_BRANCH);
        return;
    }
    if (b.conditional && !holds(c, b.predicate, b.sense)) {
        return;
    }
    const int64_t word = (int64_t)c->chunk->instructions[c->at].word + b.offset;
    const dwn_instruction *target =
        word >= 0 && word < c->chunk->words ? dwn_instruction_find(c->chunk, (uint32_t)word) : NULL;
    if (!target) {
        stop(c, DWN_SCALAR_BAD_BRANCH);
        return;
    }
    c->next = (size_t)(target - c->chunk->instructions);
    HOIST_ASSERT(c->next < c->chunk->count);
    c->loop.is_on = c->loop.is_on && c->next >= c->loop.first && c->next <= c->loop.last;
}

static void run_loop(core *c, hoist_bytes bytes)
{
    const uint32_t count = load_row(dwn_loop_rows, DWN_LOOP_COUNT, bytes);
    const uint32_t body = load_row(dwn_loop_rows, DWN_LOOP_BODY, bytes);
    if (count == 0 || body == 0 || c->loop.is_on || body >= c->chunk->count - c->at) {
        stop(c, DWN_SCALAR_BAD_LOOP);
        return;
    }
    c->loop.first = c->at + 1;
    c->loop.last = c->at + body;
    c->loop.left = count - 1;
    c->loop.is_on = true;
}

// At the end of a loop's body, and where no branch left it: once more, or out of it.
static void go_round(core *c)
{
    HOIST_ASSERT(!c->loop.is_on ||
                 (c->loop.first <= c->loop.last && c->loop.last < c->chunk->count));
    if (!c->loop.is_on || c->at != c->loop.last || c->next != c->at + 1) {
        return;
    }
    if (c->loop.left > 0) {
        c->loop.left--;
        c->next = c->loop.first;
    } else {
        c->loop.is_on = false;
    }
}

// Runs -------------------------------------------------------------------------------------------

static hoist_status run_one(core *c)
{
    HOIST_ASSERT(c->at < c->chunk->count);
    const dwn_instruction *instruction = &c->chunk->instructions[c->at];
    const hoist_bytes bytes = dwn_instruction_bytes(c->chunk, instruction);
    const bool follows = c->options->mode == DWN_SCALAR_FOLLOW;
    hoist_status status = HOIST_OK;
    c->next = c->at + 1;
    if (instruction->opcode == DWN_OP_BUNDLE) {
        status = run_bundle(c, bytes);
    } else if (instruction->opcode == DWN_OP_HALT) {
        c->is_halted = true;
    } else if (instruction->opcode == DWN_OP_BRANCH && follows) {
        run_branch(c, bytes);
    } else if (instruction->opcode == DWN_OP_LOOP && follows) {
        run_loop(c, bytes);
    }
    go_round(c);
    return status;
}

static hoist_status run_chunk(core *c, uint64_t max_steps, dwn_scalar_run *run)
{
    c->at = 0;
    c->is_halted = false;
    c->loop.is_on = false;
    while (c->at < c->chunk->count && !c->is_halted) {
        run->word = c->chunk->instructions[c->at].word;
        if (run->steps >= max_steps) {
            stop(c, DWN_SCALAR_STEP_LIMIT);
            return HOIST_OK;
        }
        run->steps++;
        HOIST_TRY(run_one(c));
        if (c->is_over) {
            return HOIST_OK;
        }
        c->at = c->next;
    }
    if (!c->is_halted && c->chunk->parsed < c->chunk->words) {
        run->word = c->chunk->parsed;
        stop(c, DWN_SCALAR_UNPARSED);
    }
    return HOIST_OK;
}

static hoist_status run_chunks(core *c, const dwn_stream *chunks, size_t count, dwn_scalar_run *run)
{
    // Where the caller sets no limit, it is one that is never reached without branches.
    uint64_t max_steps = c->options->max_steps ? c->options->max_steps : DWN_SCALAR_STEPS;
    for (size_t i = 0; i < count && !c->options->max_steps; i++) {
        max_steps += chunks[i].count;
    }
    for (size_t i = 0; i < count && !c->is_over; i++) {
        c->chunk = &chunks[i];
        c->chunk_index = run->chunk = (uint32_t)i;
        HOIST_TRY(run_chunk(c, max_steps, run));
    }
    run->sent = c->sent;
    run->count = c->count;
    run->end = c->end;
    return HOIST_OK;
}

hoist_status dwn_scalar_execute(const dwn_stream *chunks, size_t count,
                                const dwn_scalar_options *options, hoist_arena *arena,
                                dwn_scalar_run *out_run)
{
    const size_t size = DWN_SCALAR_WORDS * sizeof(value);
    dwn_scalar_run run = {0};
    core c = {.options = options, .arena = arena};
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

const char *dwn_scalar_end_text(dwn_scalar_end end)
{
    static const char *const texts[DWN_SCALAR_ENDS] = {
        [DWN_SCALAR_DONE] = "it came to the end of the program",
        [DWN_SCALAR_UNPARSED] = "it came to words that are no known instruction",
        [DWN_SCALAR_STEP_LIMIT] = "it did not come to an end within the limit of steps",
        [DWN_SCALAR_UNKNOWN_ALU] = "it came to an operation of the ALU that is unknown",
        [DWN_SCALAR_UNKNOWN_STORE] = "it came to a store operation that is unknown",
        [DWN_SCALAR_UNKNOWN_PREDICATE] = "its way hangs on a value that only the chip knows",
        [DWN_SCALAR_UNKNOWN_ADDRESS] = "it stores at an address that only the chip knows",
        [DWN_SCALAR_BAD_ADDRESS] = "it used an address outside the scalar memory",
        [DWN_SCALAR_BAD_DESCRIPTOR] = "it wrote a word that descriptors do not have",
        [DWN_SCALAR_BAD_PREDICATE] = "it compared into a predicate that does not exist",
        [DWN_SCALAR_BAD_BRANCH] =
            "it branched to where no instruction begins, or in an unknown way",
        [DWN_SCALAR_BAD_LOOP] = "it came to a loop that is empty or inside another",
    };
    HOIST_ASSERT(end < DWN_SCALAR_ENDS);
    return texts[end];
}
