// What is known to be done when a block is triggered is a set of blocks: those that the engine has
// waited for, all that was known when these were triggered, and what is before them in their
// queue. A block that conflicts with an earlier one outside of this set needs a wait for it.
#include "testing/neff_programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hoist/neff.h"

#include "base/span.h"
#include "testing/test.h"

enum {
    ENGINES = 5,
    MOST_ACTIONS = 24,
    BUFFERS = 5,
    WINDOWS = 4,
    WINDOW = 64,
    INPUT = 0,
    OUTPUT = 4
};

typedef struct action {
    size_t engine;
    size_t from, to; // window of all buffers
    size_t index;    // in the engine's list
    uint32_t known;  // bit i: action i is done when this one is triggered
    uint32_t waits;  // bit i: for action i
} action;

typedef struct programmer {
    uint64_t random;
    const neff_program_options *options;
    neff_program_file *file;
    hoist_neff *neff;
    size_t engines;
    size_t rings[ENGINES];
    bool counts[ENGINES]; // the set's semaphore counts the blocks
    bool in_function[ENGINES];
    size_t blocks[ENGINES];
    action actions[MOST_ACTIONS];
    size_t count;
    bool filled[BUFFERS * WINDOWS];
    uint8_t memory[BUFFERS * WINDOWS][WINDOW];
    size_t unsignalled; // action whose signal never comes; MOST_ACTIONS: none
    hoist_buffer code[ENGINES];
} programmer;

static const char *const keys[] = {"pe", "act", "pool", "dve", "sp"};
static const char *const names[BUFFERS] = {"input", "t0", "t1", "t2", "output"};

static size_t pick(programmer *p, size_t count)
{
    return (size_t)(hoist_test_random(&p->random) % count);
}

static void must(hoist_status status)
{
    if (status != HOIST_OK) {
        abort();
    }
}

// Actions ----------------------------------------------------------------------------------------

static void add_action(programmer *p, size_t to)
{
    size_t from = pick(p, sizeof(p->filled));
    while (!p->filled[from] || from == to) {
        from = pick(p, sizeof(p->filled));
    }
    const size_t engine = pick(p, p->engines);
    p->actions[p->count++] = (action){engine, from, to, p->blocks[engine]++, 0, 0};
    p->filled[to] = true;
    memcpy(p->memory[to], p->memory[from], WINDOW);
}

static void draw_actions(programmer *p)
{
    const size_t inner = 4 + pick(p, MOST_ACTIONS - WINDOWS - 4);
    for (size_t i = 0; i < WINDOWS; i++) {
        p->filled[INPUT * (size_t)WINDOWS + i] = true;
        for (size_t k = 0; k < WINDOW; k++) {
            const uint8_t byte = (uint8_t)hoist_test_random(&p->random);
            p->memory[INPUT * (size_t)WINDOWS + i][k] = byte;
            p->file->input[i * (size_t)WINDOW + k] = byte;
        }
    }
    for (size_t i = 0; i < inner; i++) {
        add_action(p, (1 + pick(p, BUFFERS - 1)) * WINDOWS + pick(p, WINDOWS));
    }
    for (size_t i = 0; i < WINDOWS; i++) {
        add_action(p, OUTPUT * (size_t)WINDOWS + i);
        memcpy(p->file->output + i * (size_t)WINDOW, p->memory[OUTPUT * (size_t)WINDOWS + i],
               WINDOW);
    }
}

// Order ------------------------------------------------------------------------------------------

static bool conflicts(const action *a, const action *b)
{
    return a->to == b->to || a->to == b->from || a->from == b->to;
}

// In a queue of one ring a block follows those before it.
static bool follows(const programmer *p, const action *before, const action *after)
{
    return before->engine == after->engine && p->rings[before->engine] == 1;
}

// `i` knows that `j` is done, and so all that `j` knew. Every ring of a queue counts every block,
// so what its queue had before is done, too.
static void know(programmer *p, size_t i, size_t j)
{
    p->actions[i].known |= p->actions[j].known | UINT32_C(1) << j;
    for (size_t k = 0; k < j; k++) {
        if (p->actions[k].engine == p->actions[j].engine) {
            p->actions[i].known |= UINT32_C(1) << k;
        }
    }
}

// What was known to those before it on its engine.
static void inherit(programmer *p, size_t i)
{
    p->actions[i].known = 0;
    for (size_t k = 0; k < i; k++) {
        if (p->actions[k].engine == p->actions[i].engine) {
            p->actions[i].known |= p->actions[k].known;
        }
    }
}

static bool is_ordered(const programmer *p, size_t j, size_t i)
{
    return p->actions[i].known >> j & 1 || follows(p, &p->actions[j], &p->actions[i]) ||
           !conflicts(&p->actions[j], &p->actions[i]);
}

static void draw_waits(programmer *p)
{
    for (size_t i = 0; i < p->count; i++) {
        inherit(p, i);
        for (size_t j = i; j-- > 0;) {
            if (!is_ordered(p, j, i)) {
                p->actions[i].waits |= UINT32_C(1) << j;
                know(p, i, j);
            }
        }
    }
}

// Pairs that are not ordered when `at` does not wait for `left_out`.
static size_t count_races(programmer *p, size_t at, size_t left_out)
{
    size_t races = 0;
    for (size_t i = 0; i < p->count; i++) {
        inherit(p, i);
        for (size_t j = 0; j < i; j++) {
            if (p->actions[i].waits >> j & 1 && !(i == at && j == left_out)) {
                know(p, i, j);
            }
        }
        for (size_t j = 0; j < i; j++) {
            races += is_ordered(p, j, i) ? 0 : 1;
        }
    }
    return races;
}

// Waits ------------------------------------------------------------------------------------------

enum { FIRST_SET_SEMAPHORE = 100, NO_SEMAPHORE = 200 };

static size_t semaphore_of(const programmer *p, size_t i)
{
    const size_t engine = p->actions[i].engine;
    return p->counts[engine] ? FIRST_SET_SEMAPHORE + engine : i;
}

static size_t count_of(const programmer *p, size_t i)
{
    const size_t engine = p->actions[i].engine;
    return p->counts[engine] ? p->actions[i].index + 1 : p->rings[engine];
}

static void name_action(const action *a, char out[24])
{
    (void)snprintf(out, 24, "%s/dma/%zu", keys[a->engine], a->index);
}

// True when it is the wait to leave out. Blocks of one queue may be in order by the rings that they
// happen to be on, so waits of an engine for its own are not left out.
static bool is_left_out(programmer *p, size_t i, size_t j)
{
    if (p->actions[i].engine == p->actions[j].engine || ++p->file->waits != p->options->leave_out) {
        return false;
    }
    name_action(&p->actions[j], p->file->first);
    name_action(&p->actions[i], p->file->second);
    p->file->is_only_race = count_races(p, i, j) == 1;
    return true;
}

static void add_wait(programmer *p, size_t i, size_t j)
{
    // A set's semaphore counts on: later blocks would make up for one that does not signal.
    if (!p->counts[p->actions[j].engine] && ++p->file->signals == p->options->leave_signal) {
        p->unsignalled = j;
    }
    if (!is_left_out(p, i, j)) {
        hoist_buffer_format(&p->code[p->actions[i].engine], "EVENT_SEMAPHORE $S[%zu]>=%zu;\n",
                            semaphore_of(p, j), count_of(p, j));
    }
}

static void add_trigger(programmer *p, size_t i)
{
    const action *const a = &p->actions[i];
    hoist_buffer_format(&p->code[a->engine], "PSEUDO_DMA_TRIGGER q_%s block_id=%zu;\n",
                        keys[a->engine], i);
}

static void write_code(programmer *p)
{
    for (size_t i = 0; i < p->count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (p->actions[i].waits >> j & 1) {
                add_wait(p, i, j);
            }
        }
        add_trigger(p, i);
    }
}

// The file ---------------------------------------------------------------------------------------

static void add_variables(programmer *p)
{
    static const char *const types[BUFFERS] = {"input", "tmp-buf", "tmp-buf", "tmp-buf", "output"};
    for (size_t i = 0; i < BUFFERS; i++) {
        const hoist_neff_variable var = {.struct_size = sizeof(var),
                                         .name = names[i],
                                         .type = types[i],
                                         .size = NEFF_PROGRAM_BYTES};
        must(hoist_neff_add_variable(p->neff, 0, &var));
    }
}

static void add_queues(programmer *p)
{
    for (size_t e = 0; e < p->engines; e++) {
        char name[16];
        (void)snprintf(name, sizeof(name), "q_%s", keys[e]);
        const hoist_neff_queue_set set = {.struct_size = sizeof(set),
                                          .name = name,
                                          .type = "data",
                                          .owner = keys[e],
                                          .num_queues = (int64_t)p->rings[e],
                                          .has_semaphore = p->counts[e],
                                          .semaphore = FIRST_SET_SEMAPHORE + (int64_t)e};
        must(hoist_neff_add_queue_set(p->neff, 0, &set));
    }
}

// The window in pieces, so that several rings have work.
static void add_block(programmer *p, size_t i)
{
    enum { PIECES = 4 };
    const action *const a = &p->actions[i];
    const size_t pieces = (size_t)1 << pick(p, 3);
    const int64_t size = WINDOW / (int64_t)pieces;
    const int64_t one = 1;
    hoist_neff_pattern from[PIECES];
    hoist_neff_desc descs[PIECES];
    char queue[16];
    char function[16];
    (void)snprintf(queue, sizeof(queue), "q_%s", keys[a->engine]);
    (void)snprintf(function, sizeof(function), "f_%s", keys[a->engine]);
    for (size_t k = 0; k < pieces; k++) {
        from[k] =
            (hoist_neff_pattern){.variable = names[a->from / WINDOWS],
                                 .off = (int64_t)(a->from % WINDOWS) * WINDOW + (int64_t)k * size,
                                 .sizes = {&size, 1},
                                 .steps = {&one, 1}};
        descs[k] = (hoist_neff_desc){
            .struct_size = sizeof(descs[k]), .from = &from[k], .from_count = 1, .to = from[k]};
        descs[k].to.variable = names[a->to / WINDOWS];
        descs[k].to.off = (int64_t)(a->to % WINDOWS) * WINDOW + (int64_t)k * size;
    }
    const bool silent = i == p->unsignalled;
    const hoist_neff_block block = {
        .struct_size = sizeof(block),
        .id = (int64_t)i,
        .queue = queue,
        .function_start = p->in_function[a->engine] && a->index == 0 ? function : NULL,
        .has_semaphore = !p->counts[a->engine] || silent,
        .semaphore = silent ? NO_SEMAPHORE : (int64_t)i,
        .desc = descs,
        .desc_count = pieces};
    must(hoist_neff_add_block(p->neff, 0, (hoist_neff_engine)a->engine, &block));
}

static void add_code(programmer *p, size_t e)
{
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    if (p->in_function[e] && p->blocks[e]) {
        hoist_buffer_format(&text,
                            "PSEUDO_FUNCTION_CALL f_%s args_table=0;\nPSEUDO_INST EXIT;\n"
                            "PSEUDO_FUNCTION_BEGIN f_%s reset_semaphores=0 return=$R[1],$R[2];\n",
                            keys[e], keys[e]);
        hoist_buffer_str(&text, hoist_buffer_text(&p->code[e]));
        hoist_buffer_c(&text, "PSEUDO_FUNCTION_RETURN;\n");
    } else {
        hoist_buffer_str(&text, hoist_buffer_text(&p->code[e]));
        hoist_buffer_c(&text, "PSEUDO_INST EXIT;\n");
    }
    hoist_buffer_char(&text, '\0');
    must(text.failed ? HOIST_NO_MEMORY : HOIST_OK);
    must(
        hoist_neff_add_code(p->neff, 0, (hoist_neff_engine)e, hoist_buffer_text(&text).data, NULL));
    hoist_buffer_deinit(&text);
}

static void build(programmer *p)
{
    const hoist_neff_options options = {.struct_size = sizeof(options), .target = "sunda"};
    hoist_bytes bytes;
    must(hoist_neff_create(&options, &p->neff));
    must(hoist_neff_add_subgraph(p->neff, NULL));
    add_variables(p);
    add_queues(p);
    for (size_t i = 0; i < p->count; i++) {
        add_block(p, i);
    }
    for (size_t e = 0; e < p->engines; e++) {
        add_code(p, e);
    }
    must(hoist_neff_finish(p->neff, NULL, &bytes));
    hoist_buffer_add(&p->file->bytes, bytes);
    must(p->file->bytes.failed ? HOIST_NO_MEMORY : HOIST_OK);
    hoist_neff_destroy(p->neff);
}

void neff_program_generate(const neff_program_options *options, neff_program_file *out_file)
{
    static const size_t rings[] = {1, 1, 2, 16};
    uint64_t state = options->seed;
    programmer p = {.random = hoist_test_random(&state),
                    .options = options,
                    .file = out_file,
                    .unsignalled = MOST_ACTIONS};
    memset(out_file, 0, sizeof(*out_file));
    hoist_buffer_init(&out_file->bytes, hoist_allocator_system());
    p.engines = 2 + pick(&p, ENGINES - 1);
    for (size_t e = 0; e < ENGINES; e++) {
        hoist_buffer_init(&p.code[e], hoist_allocator_system());
        p.rings[e] = rings[pick(&p, HOIST_COUNT_OF(rings))];
        p.counts[e] = p.rings[e] == 1 && pick(&p, 2) == 0;
        p.in_function[e] = pick(&p, 4) == 0;
    }
    draw_actions(&p);
    draw_waits(&p);
    write_code(&p);
    build(&p);
    for (size_t e = 0; e < ENGINES; e++) {
        hoist_buffer_deinit(&p.code[e]);
    }
}
