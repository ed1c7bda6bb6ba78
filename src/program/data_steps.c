// Counts the data steps of a run without running it (data_steps.h): code is walked once, and counts
// are multiplied by the loops around them. In: a program and the parameters of an entry. Out: a
// number, which is what a session reports its progress against.
#include "program/data_steps.h"

#include "base/alloc.h"
#include "base/checked.h"

// Nested; the stack of a caller may be small.
enum { MAX_CALLS = 16, MAX_LOOPS = 8 };

// Counts of functions: not counted yet, and not known.
static const uint64_t NEW = UINT64_MAX;
static const uint64_t UNKNOWN = UINT64_MAX - 1;

typedef struct counter {
    const hoist_program *program;
    uint64_t *functions; // owned: by function, steps of a call
    const hoist_prog_entry *entry;
    const int64_t *parameters; // of the entry
    size_t depth;              // of calls
} counter;

// Saturating at UNKNOWN: a count that overflows is of no use for progress either.
static uint64_t add(uint64_t a, uint64_t b)
{
    uint64_t sum = 0;
    return a >= UNKNOWN || b >= UNKNOWN || hoist_ckd_add(&sum, a, b) ? UNKNOWN : sum;
}

static uint64_t multiply(uint64_t a, uint64_t b)
{
    uint64_t product = 0;
    return a >= UNKNOWN || b >= UNKNOWN || hoist_ckd_mul(&product, a, b) ? UNKNOWN : product;
}

// A parameter that the code changes is not its initial value any more.
static bool is_written(const hoist_prog_code *code, hoist_ref reg)
{
    bool found = false;
    for (uint32_t i = 0; i < code->step_count && !found; i++) {
        const hoist_prog_step *const step = &code->steps[i];
        found = step->kind == HOIST_STEP_ALU && step->as.alu.destination == reg;
    }
    return found;
}

// How often a loop goes round: a number, or a parameter that the entry gives this thread
// (HOIST_NO_REF: a function's code, of which no register is known).
static uint64_t rounds_of(const counter *c, const hoist_prog_code *code, hoist_ref thread,
                          hoist_prog_value count)
{
    if (count.reg == HOIST_NO_REF) {
        return count.number > 0 ? (uint64_t)count.number : 0;
    }
    for (uint32_t i = 0; thread != HOIST_NO_REF && i < c->entry->parameter_count; i++) {
        const hoist_prog_entry_parameter *const given = &c->entry->parameters[i];
        if (given->thread == thread && given->reg == count.reg && !is_written(code, count.reg)) {
            return c->parameters[i] > 0 ? (uint64_t)c->parameters[i] : 0;
        }
    }
    return UNKNOWN;
}

static uint64_t count_function(counter *c, hoist_ref function);

static uint64_t count_step(counter *c, const hoist_prog_step *step)
{
    switch (step->kind) {
    case HOIST_STEP_ZERO:
    case HOIST_STEP_MOVE:
    case HOIST_STEP_COMPUTE:
        return 1;
    case HOIST_STEP_CALL:
    case HOIST_STEP_POST:
        return count_function(c, step->as.call.target.function);
    // Which steps it skips is known only in a run.
    case HOIST_STEP_BRANCH:
        return UNKNOWN;
    default:
        return 0;
    }
}

static uint64_t count_code(counter *c, const hoist_prog_code *code, hoist_ref thread)
{
    // A loop's body is counted by itself, then multiplied and added to what was before it.
    uint64_t before[MAX_LOOPS]; // steps around each open loop
    uint64_t rounds[MAX_LOOPS];
    size_t loops = 0;
    uint64_t count = 0;
    for (uint32_t i = 0; i < code->step_count && count != UNKNOWN; i++) {
        const hoist_prog_step *const step = &code->steps[i];
        if (step->kind == HOIST_STEP_LOOP) {
            if (loops == MAX_LOOPS) {
                return UNKNOWN;
            }
            before[loops] = count;
            rounds[loops++] = rounds_of(c, code, thread, step->as.loop.count);
            count = 0;
        } else if (step->kind == HOIST_STEP_END && loops > 0) {
            loops--;
            // A loop of unknown rounds without data steps changes nothing.
            count = add(before[loops], count ? multiply(count, rounds[loops]) : 0);
        } else {
            count = add(count, count_step(c, step));
        }
    }
    return count;
}

static uint64_t count_function(counter *c, hoist_ref function)
{
    if (function == HOIST_NO_REF || c->depth == MAX_CALLS) {
        return UNKNOWN;
    }
    // Each function is counted once, however often it is called.
    if (c->functions[function] == NEW) {
        c->functions[function] = UNKNOWN; // for calls of itself
        c->depth++;
        c->functions[function] = count_code(c, &c->program->functions[function].code, HOIST_NO_REF);
        c->depth--;
    }
    return c->functions[function];
}

uint64_t hoist_program_data_steps(const hoist_program *program, hoist_ref entry,
                                  const int64_t *parameters, hoist_allocator alloc)
{
    const size_t size = ((size_t)program->function_count + 1) * sizeof(uint64_t);
    counter c = {.program = program,
                 .functions = hoist_alloc(alloc, size),
                 .entry = &program->entries[entry],
                 .parameters = parameters};
    uint64_t count = c.functions ? 0 : UNKNOWN;
    for (uint32_t i = 0; c.functions && i < program->function_count; i++) {
        c.functions[i] = NEW;
    }
    for (uint32_t i = 0; i < c.entry->thread_count; i++) {
        const hoist_ref thread = c.entry->threads[i];
        count = add(count,
                    c.functions ? count_code(&c, &program->threads[thread].code, thread) : UNKNOWN);
    }
    hoist_free(alloc, c.functions, c.functions ? size : 0);
    return count == UNKNOWN ? 0 : count;
}
