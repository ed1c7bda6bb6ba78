// lower/context.h - what lowering a job needs, whatever its format: the builder of the program, an
// arena, names, and where findings go. The state of each format has one, or points to one.
//
// In: the files of a job and the options of the caller. Out: a program, or a status and findings of
// lower_rules.inc and of the format. Neighbours: program/builder.h, which it drives, and views.h
// and quant.h, which add steps by it.
//
//     hoist_lower_context c;
//     hoist_status status = hoist_lower_begin(&c, HOIST_STR("neff"), &files[0], options, diag);
//     if (status == HOIST_OK) {
//         ...                                   // as long as hoist_lower_goes_on(&c)
//         status = hoist_lower_finish(&c, out_program);
//     }
//     hoist_lower_deinit(&c);
//
// Failures are sticky: the first status that is not HOIST_OK stays, and from then on nothing is
// reported any more, since what is missing because memory ran out is no fault of the file.
#ifndef HOIST_SRC_LOWER_CONTEXT_H
#define HOIST_SRC_LOWER_CONTEXT_H

#include "base/diag.h"
#include "base/map.h"
#include "lower/lower.h"
#include "lower/lower_rules.h"
#include "program/builder.h"
#include "program/names.h"

typedef struct hoist_lower_context {
    const hoist_lower_options *options; // borrowed; some tests of parts have none
    hoist_diag *diag;                   // borrowed
    hoist_deadline *deadline;           // borrowed, of the first file; NULL: none
    hoist_builder *b;                   // owned until hoist_lower_finish()
    hoist_arena arena;                  // names and tables; lives until the program is finished
    hoist_arena scratch;                // what hoist_lower_clean() forgets
    hoist_map names;                    // owned: of buffers; keys live in the arena or the files
    hoist_str file;                     // borrowed: the file that findings are in by default
    uint64_t constants;                 // names of constants tried so far (lower/quant.h)
    uint32_t rank_count;                // of the job; 0 and 1: names have no rank
    hoist_status status;                // HOIST_OK, HOIST_NO_MEMORY, HOIST_LIMIT, HOIST_CANCELLED,
                                        // HOIST_NOT_FOUND, HOIST_INTERNAL
    uint64_t errors;                    // findings of severity error so far,
    uint64_t ignored;                   // those that do not end the work at hand,
    bool invalid;                       // and whether one is by a rule of the format
} hoist_lower_context;

enum { HOIST_LOWER_SEGMENTS = 3 };

// Where a finding is. Strings are borrowed for the call.
typedef struct hoist_lower_place {
    hoist_loc loc;    // its source does not count
    hoist_str file;   // empty: as hoist_diag_source() has it
    hoist_str member; // of `file`
    // Of the object: "subgraphs/0", "operators/3"; those that are empty are left out.
    hoist_str path[HOIST_LOWER_SEGMENTS];
    // Before the text, "operator 3 (ADD): ", and after that of errors, " (record 3)"; may be
    // empty.
    hoist_str front, part;
} hoist_lower_place;

// Begins a program called `name` of a job whose first file is `file`. HOIST_OK, HOIST_NO_MEMORY;
// hoist_lower_deinit() is needed in any case.
HOIST_NODISCARD hoist_status hoist_lower_begin(hoist_lower_context *c, hoist_str name,
                                               const hoist_file *file,
                                               const hoist_lower_options *options,
                                               hoist_diag *diag);
void hoist_lower_deinit(hoist_lower_context *c);
// What came of it so far: a failure of the context or of the builder, else HOIST_INVALID or
// HOIST_UNSUPPORTED where there are errors.
hoist_status hoist_lower_status(hoist_lower_context *c);
// The program, which the caller owns, or the status above, that of hoist_builder_finish(), or
// HOIST_UNSUPPORTED: rows of the `count` tables `unique` have no name or that of another (RUN-010).
HOIST_NODISCARD hoist_status hoist_lower_finish(hoist_lower_context *c,
                                                const hoist_name_table *unique, size_t count,
                                                hoist_program **out_program);
// Keeps the first failure.
static inline void hoist_lower_fail(hoist_lower_context *c, hoist_status status)
{
    c->status = c->status == HOIST_OK ? status : c->status;
}
// False when something has ended the work: a failure, or an error that is not ignored. What can go
// on after errors, so that all of them are found in one go, sets `ignored` to `errors` meanwhile.
static inline bool hoist_lower_goes_on(const hoist_lower_context *c)
{
    return c->status == HOIST_OK && c->errors == c->ignored;
}

// Progress: `more` parts of the files (operators, instructions, ops) will be lowered; a part is.
void hoist_lower_expect(hoist_lower_context *c, uint64_t more);
void hoist_lower_count(hoist_lower_context *c);

// Reports that something cannot be lowered; an error of these rules keeps the program from being
// made, a note does not.
void hoist_lower_refuse(hoist_lower_context *c, hoist_lower_rule_id rule,
                        const hoist_lower_place *place, const char *format, ...) HOIST_PRINTF(4, 5);
// The same by any rule, with the arguments of a format's own function.
void hoist_lower_vrefuse(hoist_lower_context *c, const hoist_rule *rule,
                         const hoist_lower_place *place, const char *format, va_list args)
    HOIST_PRINTF(4, 0);

// A value that is a number, and one that is a register.
static inline hoist_prog_value hoist_lower_number(int64_t number)
{
    return (hoist_prog_value){.reg = HOIST_NO_REF, .number = number};
}
static inline hoist_prog_value hoist_lower_register(hoist_ref reg)
{
    return (hoist_prog_value){.reg = reg};
}

// Zeroed items in the arena; NULL when out of memory, which stays in `status`.
void *hoist_lower_array(hoist_lower_context *c, size_t count, size_t size);
// The same of the scratch arena, and what forgets all that is in it.
void *hoist_lower_scratch(hoist_lower_context *c, size_t count, size_t size);
void hoist_lower_clean(hoist_lower_context *c);
// Adds an item to an owned list of the context's allocator; false when out of memory, likewise.
bool hoist_lower_add(hoist_lower_context *c, void **items, size_t *count, size_t *capacity,
                     const void *item, size_t size);

// Text in the arena; data NULL when out of memory, which stays in `status`.
hoist_str hoist_lower_format(hoist_lower_context *c, const char *format, ...) HOIST_PRINTF(2, 3);
// `front` and `back` as one name in the arena, whatever bytes they have; likewise.
hoist_str hoist_lower_joined(hoist_lower_context *c, hoist_str front, hoist_str back);
// `front` and what the format gives; likewise.
hoist_str hoist_lower_name(hoist_lower_context *c, hoist_str front, const char *format, ...)
    HOIST_PRINTF(3, 4);
// Keeps a name for a buffer. False: another one has it, or there is no memory, as above.
bool hoist_lower_claim(hoist_lower_context *c, hoist_str name);
// A name that no buffer has, kept likewise: "FRONT/12", where the number is *next or the first one
// above it that is free; *next is then one more. Data NULL as above.
hoist_str hoist_lower_numbered(hoist_lower_context *c, hoist_str front, uint64_t *next);
// What names of a rank begin with: "rank1/", or nothing where the job has one rank.
hoist_str hoist_lower_rank(hoist_lower_context *c, uint32_t rank);

#endif // HOIST_SRC_LOWER_CONTEXT_H
