// One bit of a sound program is changed: an instruction that no known program has is a gap, a bit
// that no field has a guess of its layer, and what only fences and counters have is neither.
#include <math.h>
#include <string.h>

#include "formats/darwinn/recover_testing.h"

// The instructions of the program, in their order; tile 0 takes parameters, gets an input, lays it
// out, and multiplies.
enum { START, TAKEN, FED, LAYOUT, DENSE, SENT, HALT, PROGRAM };
enum { BLOCK = 128, WORD = DWN_WORD_BITS };

#define BROKEN "the instruction breaks a rule of instructions"
#define STRANGE "the operation has fields as no known operation of its mode has"
#define MISPLACED "no instruction puts parameters where the operation reads them"
#define GUESSED "" // that the bit means nothing
#define MISFED "what is fed to tiles is of another kind, or for other tiles"

// clang-format off
static const struct {
    const char *name;
    int instruction;
    uint32_t bit;
    const char *reason; // NULL: none of those above
} cases[] = {
    {"nothing",                  PROGRAM, 0,            NULL     },
    {"a number out of order",    DENSE,   46,           BROKEN   },
    {"a count",                  DENSE,   1289,         BROKEN   },
    {"a halt",                   HALT,    14,           BROKEN   },
    {"before the tiles",         DENSE,   0,            GUESSED  },
    {"behind the arrays",        DENSE,   16 * WORD + 100, GUESSED },
    {"what an operation waits for", DENSE, WORD + 50,   NULL     },
    {"where partial sums are",   DENSE,   9 * WORD + 110, NULL   },
    {"the memory",               DENSE,   209,          STRANGE  },
    {"flags of the input",       DENSE,   246,          STRANGE  },
    {"flags of the output",      DENSE,   629 + 37,     STRANGE  },
    {"flags of weights",         DENSE,   1000 + 29,    STRANGE  },
    {"the class",                DENSE,   1560 + 15,    STRANGE  },
    {"the loop of the class",    DENSE,   1560 + 4,     NULL     },
    {"rows of the last group",   DENSE,   1934,         STRANGE  },
    {"a lower limit alone",      LAYOUT,  2013 + 20,    STRANGE  },
    {"a constant of a move",     LAYOUT,  2045,         STRANGE  },
    {"where weights are",        DENSE,   957,          MISPLACED},
    {"another address of these", DENSE,   957 + 3,      MISPLACED},
    {"where they were put",      TAKEN,   62,           MISPLACED},
    {"the source of a feed",     FED,     304 + 1,      MISFED   },
    {"the tiles of a feed",      FED,     409 + 2,      MISFED   },
    {"where an input begins",    FED,     320,          NULL     },
};
// clang-format on

static void make_program(dwn_maker *m)
{
    dwn_make_begin(m);
    (void)dwn_make_add(m, DWN_OP_RING_CONSUMER);
    const hoist_mut_bytes fed = dwn_make_add(m, DWN_OP_FEED);
    dwn_make_set(fed, &dwn_feed_rows[DWN_FEED_SOURCE], 0, 0x80);
    dwn_make_set(fed, &dwn_feed_rows[DWN_FEED_TILES], 0, 1);
    dwn_make_operation(m, &(dwn_sketch){.mode = 0x1c30,
                                        .code = 0x38,
                                        .multiplier = 1,
                                        .high = INFINITY,
                                        .rest = 2,
                                        .a = {{2, 1}}});
    dwn_make_operation(m, &(dwn_sketch){.reduction = 2, .output_zero = 5, .a = {{2, 1}}});
    dwn_make_supply(m, false, 0);
    (void)dwn_make_end(m, false);
}

static void flip(dwn_maker *m, hoist_test *t, int instruction, uint32_t bit)
{
    const dwn_stream stream = dwn_test_stream(t, (hoist_bytes){m->bytes, (size_t)m->words * 16});
    if (instruction < PROGRAM) {
        const size_t at = (size_t)stream.instructions[instruction].word * WORD + bit;
        m->bytes[at / 8] ^= (uint8_t)(1U << at % 8);
    }
}

static const char *const reasons[] = {BROKEN, STRANGE, MISPLACED, MISFED};

HOIST_TEST_TABLE(changed_bits, cases)
{
    static const uint8_t bytes[BLOCK];
    dwn_maker main = {.next_id = 0};
    dwn_maker caching = {.next_id = 0};
    dwn_model model = {0};
    dwn_recovery r;
    make_program(&main);
    flip(&main, t, row->instruction, row->bit);
    dwn_make_begin(&caching);
    dwn_make_run(&caching, 0);
    dwn_test_border(&model.input, &model.numerics[0], (dwn_extent){1, 1, 8}, 0);
    dwn_test_border(&model.output, &model.numerics[1], (dwn_extent){1, 1, 4}, 5);
    dwn_test_model(t, &model, (hoist_bytes){main.bytes, (size_t)main.words * DWN_WORD_SIZE},
                   (hoist_bytes){bytes, sizeof(bytes)});
    dwn_test_runs(t, &model, dwn_make_end(&caching, false));
    HOIST_EXPECT_EQ(t, dwn_recover(&model.contents, &t->arena, &r), HOIST_OK);
    for (size_t i = 0; i < HOIST_COUNT_OF(reasons); i++) {
        bool is_there = false;
        for (uint32_t k = 0; k < r.gap_count; k++) {
            is_there = is_there || strcmp(r.gaps[k].reason, reasons[i]) == 0;
        }
        HOIST_EXPECT_EQ(t, is_there, row->reason && strcmp(row->reason, reasons[i]) == 0);
    }
    uint32_t guesses = 0;
    for (uint32_t i = 0; i < r.count; i++) {
        guesses |= r.layers[i].heuristics;
    }
    HOIST_EXPECT_EQ(t, guesses >> DWN_GUESS_SPARE & 1, row->reason && !*row->reason);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(changed_bits))
