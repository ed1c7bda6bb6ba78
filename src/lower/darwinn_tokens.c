// Tokens of cached parameters.
#include "lower/darwinn_tokens.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/span.h"

typedef struct cached {
    uint64_t token;
    hoist_ref is_there; // registers: 1 when it was run since the chip has its token, else 0;
    hoist_ref runs;     // and how often in this run of the program
} cached;

struct hoist_darwinn_tokens {
    cached *items; // arena; grows by copies
    uint32_t count;
    uint32_t capacity;
    bool has_registers; // of
    uint32_t thread;    // this thread
    hoist_ref token;    // that the chip has; 0: none
    hoist_ref same;     // whether it is that of the request
    hoist_ref spare;
};

static hoist_darwinn_tokens *tokens_of(hoist_darwinn_chip *chip)
{
    if (!chip->tokens) {
        chip->tokens = hoist_arena_array(chip->arena, 1, sizeof *chip->tokens);
    }
    return chip->tokens;
}

static bool make_room(hoist_darwinn_chip *chip, hoist_darwinn_tokens *t)
{
    if (t->count < t->capacity) {
        return true;
    }
    const uint32_t capacity = t->capacity ? 2 * t->capacity : 4;
    cached *const items = hoist_arena_array(chip->arena, capacity, sizeof *items);
    if (items && t->count > 0) {
        memcpy(items, t->items, t->count * sizeof *items);
    }
    t->items = items ? items : t->items;
    t->capacity = items ? capacity : t->capacity;
    return items != NULL;
}

uint32_t hoist_darwinn_tokens_add(hoist_darwinn_model *model, uint64_t token)
{
    hoist_darwinn_chip *const chip = model->chip;
    hoist_darwinn_tokens *const t = tokens_of(chip);
    if (t && t->count >= HOIST_DARWINN_MAX_CACHING) {
        hoist_darwinn_refuse(model, RUN_008,
                             "its caching executable is one more than the %d that a program may "
                             "have",
                             (int)HOIST_DARWINN_MAX_CACHING);
        return HOIST_NO_REF;
    }
    if (!t || !make_room(chip, t)) {
        chip->status = chip->status == HOIST_OK ? HOIST_NO_MEMORY : chip->status;
        return HOIST_NO_REF;
    }
    t->items[t->count] = (cached){.token = token};
    return t->count++;
}

bool hoist_darwinn_tokens_are_kept(const hoist_darwinn_chip *chip)
{
    return chip->tokens && chip->tokens->count > 0;
}

// Steps -----------------------------------------------------------------------------------------

static hoist_ref add_register(hoist_darwinn_chip *chip, hoist_str name, hoist_lifetime lifetime)
{
    if (!name.data) {
        chip->status = chip->status == HOIST_OK ? HOIST_NO_MEMORY : chip->status;
        return HOIST_NO_REF;
    }
    return hoist_builder_register(chip->b,
                                  &(hoist_prog_register){.name = name, .lifetime = lifetime});
}

static void make_registers(hoist_darwinn_chip *chip, hoist_darwinn_tokens *t)
{
    t->has_registers = true;
    t->thread = chip->thread;
    t->token = add_register(chip, HOIST_STR("token"), HOIST_LIFETIME_SESSION);
    t->same = add_register(chip, HOIST_STR("same_token"), HOIST_LIFETIME_CALL);
    t->spare = add_register(chip, HOIST_STR("spare"), HOIST_LIFETIME_CALL);
    for (uint32_t i = 0; i < t->count; i++) {
        t->items[i].is_there = add_register(
            chip, hoist_arena_format(chip->arena, "cached/%" PRIu32, i), HOIST_LIFETIME_SESSION);
        t->items[i].runs = add_register(
            chip, hoist_arena_format(chip->arena, "caching_runs/%" PRIu32, i), HOIST_LIFETIME_CALL);
    }
}

static hoist_prog_value number(int64_t value)
{
    return (hoist_prog_value){.reg = HOIST_NO_REF, .number = value};
}

// The 64 bits of a token, as registers hold them.
static hoist_prog_value token_of(uint64_t token)
{
    int64_t value = 0;
    memcpy(&value, &token, sizeof value);
    return number(value);
}

static void add_alu(hoist_darwinn_chip *chip, hoist_ref to, hoist_alu_op op, hoist_prog_value a,
                    hoist_prog_value b)
{
    (void)hoist_builder_step(
        chip->b, &(hoist_prog_step){.kind = HOIST_STEP_ALU,
                                    .loc = hoist_loc_none(),
                                    .as.alu = {.op = op, .destination = to, .a = a, .b = b}});
}

void hoist_darwinn_tokens_compare(hoist_darwinn_chip *chip, uint64_t token)
{
    hoist_darwinn_tokens *const t = tokens_of(chip);
    if (!t) {
        chip->status = chip->status == HOIST_OK ? HOIST_NO_MEMORY : chip->status;
        return;
    }
    if (!t->has_registers || t->thread != chip->thread) {
        make_registers(chip, t);
    }
    const hoist_prog_value now = {.reg = t->token};
    const hoist_prog_value same = {.reg = t->same};
    if (token == 0) {
        add_alu(chip, t->same, HOIST_ALU_SET, number(0), number(0));
    } else {
        add_alu(chip, t->same, HOIST_ALU_EQ, now, token_of(token));
    }
    add_alu(chip, t->token, HOIST_ALU_MUL, now, same);
    for (uint32_t i = 0; i < t->count; i++) {
        const hoist_prog_value there = {.reg = t->items[i].is_there};
        add_alu(chip, there.reg, HOIST_ALU_AND, there, same);
    }
}

void hoist_darwinn_tokens_enter(hoist_darwinn_chip *chip, uint32_t number_of_it)
{
    const hoist_darwinn_tokens *const t = chip->tokens;
    const hoist_prog_value there = {.reg = t->items[number_of_it].is_there};
    add_alu(chip, t->spare, HOIST_ALU_EQ, there, number(0));
    // A loop of 0 or 1 turns is an if.
    (void)hoist_builder_step(chip->b, &(hoist_prog_step){.kind = HOIST_STEP_LOOP,
                                                         .loc = hoist_loc_none(),
                                                         .label = HOIST_STR("not cached"),
                                                         .as.loop.count = {.reg = t->spare}});
}

void hoist_darwinn_tokens_leave(hoist_darwinn_chip *chip, uint32_t number_of_it)
{
    const hoist_darwinn_tokens *const t = chip->tokens;
    const cached *const c = &t->items[number_of_it];
    const hoist_prog_value runs = {.reg = c->runs};
    add_alu(chip, t->token, HOIST_ALU_SET, token_of(c->token), number(0));
    add_alu(chip, c->is_there, HOIST_ALU_SET, number(1), number(0));
    add_alu(chip, c->runs, HOIST_ALU_ADD, runs, number(1));
    (void)hoist_builder_step(chip->b,
                             &(hoist_prog_step){.kind = HOIST_STEP_END, .loc = hoist_loc_none()});
}

hoist_prog_value hoist_darwinn_tokens_runs(const hoist_darwinn_chip *chip, uint32_t number_of_it)
{
    return (hoist_prog_value){.reg = chip->tokens->items[number_of_it].runs};
}

hoist_ref hoist_darwinn_tokens_spare(const hoist_darwinn_chip *chip)
{
    return chip->tokens->spare;
}
