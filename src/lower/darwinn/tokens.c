// What the driver remembers of parameters on the chip (tokens.h), as registers and steps of the
// thread. In: tokens of caching executables. Out: a condition around each run of one. drive.c is
// the user.
#include "lower/darwinn/tokens.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/span.h"

typedef struct cached {
    uint64_t token;
    hoist_ref epoch; // registers: in which it was run last; 0: never;
    hoist_ref runs;  // and how often in this run of the program
} cached;

struct darwinn_lower_tokens {
    cached *items; // arena; grows by copies
    uint32_t count;
    uint32_t capacity;
    bool has_registers; // of
    uint32_t thread;    // this thread
    hoist_ref token;    // that the chip has; 0: none
    hoist_ref same;     // whether it is that of the request
    hoist_ref epoch;    // how often everything was forgotten; what was run in another is forgotten
    hoist_ref spare;
};

// Made at the first use; NULL: out of memory.
static darwinn_lower_tokens *tokens_of(darwinn_lower_chip *chip)
{
    if (!chip->tokens) {
        chip->tokens = hoist_lower_array(chip->c, 1, sizeof *chip->tokens);
    }
    return chip->tokens;
}

// Lists double in the arena; false: out of memory.
static bool reserve(darwinn_lower_chip *chip, darwinn_lower_tokens *t)
{
    if (t->count < t->capacity) {
        return true;
    }
    const uint32_t capacity = t->capacity ? 2 * t->capacity : 4;
    cached *const items = hoist_lower_array(chip->c, capacity, sizeof *items);
    if (items && t->count > 0) {
        memcpy(items, t->items, t->count * sizeof *items);
    }
    t->items = items ? items : t->items;
    t->capacity = items ? capacity : t->capacity;
    return items != NULL;
}

uint32_t darwinn_lower_tokens_add(darwinn_lower_model *model, uint64_t token)
{
    darwinn_lower_chip *const chip = model->chip;
    darwinn_lower_tokens *const t = tokens_of(chip);
    if (!t || !reserve(chip, t)) {
        hoist_lower_fail(chip->c, HOIST_NO_MEMORY);
        return HOIST_NO_REF;
    }
    t->items[t->count] = (cached){.token = token};
    return t->count++;
}

bool darwinn_lower_tokens_are_kept(const darwinn_lower_chip *chip)
{
    return chip->tokens && chip->tokens->count > 0;
}

// Steps -----------------------------------------------------------------------------------------

static hoist_ref add_register(darwinn_lower_chip *chip, hoist_str name, hoist_lifetime lifetime)
{
    return name.data ? hoist_builder_register(
                           chip->c->b, &(hoist_prog_register){.name = name, .lifetime = lifetime})
                     : HOIST_NO_REF;
}

// Session registers keep their numbers from run to run, as the chip keeps its parameters; the
// others are of one run.
static void make_registers(darwinn_lower_chip *chip, darwinn_lower_tokens *t)
{
    t->has_registers = true;
    t->thread = chip->thread;
    t->token = add_register(chip, HOIST_STR("token"), HOIST_LIFETIME_SESSION);
    t->same = add_register(chip, HOIST_STR("same_token"), HOIST_LIFETIME_CALL);
    t->epoch = add_register(chip, HOIST_STR("epoch"), HOIST_LIFETIME_SESSION);
    t->spare = add_register(chip, HOIST_STR("spare"), HOIST_LIFETIME_CALL);
    for (uint32_t i = 0; i < t->count; i++) {
        t->items[i].epoch = add_register(chip, hoist_lower_format(chip->c, "cached/%" PRIu32, i),
                                         HOIST_LIFETIME_SESSION);
        t->items[i].runs = add_register(
            chip, hoist_lower_format(chip->c, "caching_runs/%" PRIu32, i), HOIST_LIFETIME_CALL);
    }
}

// Registers are signed; only equality of tokens counts.
static hoist_prog_value token_of(uint64_t token)
{
    int64_t value = 0;
    memcpy(&value, &token, sizeof value);
    return hoist_lower_number(value);
}

static void add_alu(darwinn_lower_chip *chip, hoist_ref to, hoist_alu_op op, hoist_prog_value a,
                    hoist_prog_value b)
{
    (void)hoist_builder_step(
        chip->c->b, &(hoist_prog_step){.kind = HOIST_STEP_ALU,
                                       .loc = hoist_loc_none(),
                                       .as.alu = {.op = op, .destination = to, .a = a, .b = b}});
}

// Without branches: the token is multiplied by `same`, so that another request's token leaves 0,
// and the epoch grows by 1 - same.
void darwinn_lower_tokens_compare(darwinn_lower_chip *chip, uint64_t token)
{
    darwinn_lower_tokens *const t = tokens_of(chip);
    if (!t) {
        hoist_lower_fail(chip->c, HOIST_NO_MEMORY);
        return;
    }
    if (!t->has_registers || t->thread != chip->thread) {
        make_registers(chip, t);
    }
    const hoist_prog_value now = hoist_lower_register(t->token);
    const hoist_prog_value same = hoist_lower_register(t->same);
    const hoist_prog_value epoch = hoist_lower_register(t->epoch);
    if (token == 0) {
        add_alu(chip, t->same, HOIST_ALU_SET, hoist_lower_number(0), hoist_lower_number(0));
    } else {
        add_alu(chip, t->same, HOIST_ALU_EQ, now, token_of(token));
    }
    add_alu(chip, t->token, HOIST_ALU_MUL, now, same);
    // One more unless it is the same: steps as many as there are executables would be too many.
    add_alu(chip, t->epoch, HOIST_ALU_ADD, epoch, hoist_lower_number(1));
    add_alu(chip, t->epoch, HOIST_ALU_SUB, epoch, same);
}

// What was run in an earlier epoch has been forgotten.
void darwinn_lower_tokens_enter(darwinn_lower_chip *chip, uint32_t number_of_it)
{
    const darwinn_lower_tokens *const t = chip->tokens;
    const hoist_prog_value then = hoist_lower_register(t->items[number_of_it].epoch);
    add_alu(chip, t->spare, HOIST_ALU_LT, then, hoist_lower_register(t->epoch));
    // A loop of 0 or 1 turns is an if.
    (void)hoist_builder_step(chip->c->b, &(hoist_prog_step){.kind = HOIST_STEP_LOOP,
                                                            .loc = hoist_loc_none(),
                                                            .label = HOIST_STR("not cached"),
                                                            .as.loop.count = {.reg = t->spare}});
}

void darwinn_lower_tokens_leave(darwinn_lower_chip *chip, uint32_t number_of_it)
{
    const darwinn_lower_tokens *const t = chip->tokens;
    const cached *const c = &t->items[number_of_it];
    const hoist_prog_value runs = hoist_lower_register(c->runs);
    add_alu(chip, t->token, HOIST_ALU_SET, token_of(c->token), hoist_lower_number(0));
    add_alu(chip, c->epoch, HOIST_ALU_SET, hoist_lower_register(t->epoch), hoist_lower_number(0));
    add_alu(chip, c->runs, HOIST_ALU_ADD, runs, hoist_lower_number(1));
    (void)hoist_builder_step(chip->c->b,
                             &(hoist_prog_step){.kind = HOIST_STEP_END, .loc = hoist_loc_none()});
}

hoist_prog_value darwinn_lower_tokens_runs(const darwinn_lower_chip *chip, uint32_t number_of_it)
{
    return (hoist_prog_value){.reg = chip->tokens->items[number_of_it].runs};
}

hoist_ref darwinn_lower_tokens_spare(const darwinn_lower_chip *chip)
{
    return chip->tokens->spare;
}
