// lower/neff_lower.h - what the parts of lowering NEFFs share.
//
// A job is one file that every rank runs, or one file per rank. What is the same for all ranks that
// run a file (its streams, unrolled; which blocks they release) is found once; everything of a rank
// is built for it alone: ranks share nothing but collectives, the cores of a rank only inputs and
// outputs.
#ifndef HOIST_SRC_LOWER_NEFF_LOWER_H
#define HOIST_SRC_LOWER_NEFF_LOWER_H

#include "base/diag.h"
#include "formats/neff/neff.h"
#include "formats/neff/stream_index.h"
#include "lower/lower.h"
#include "lower/lower_rules.h"
#include "program/builder.h"

enum {
    HOIST_NEFF_MAX_RANKS = HOIST_MAX_RANKS,
    HOIST_NEFF_MAX_CORES = 16, // of a rank: their addresses are 2^40 apart, those of ranks 2^44
    HOIST_NEFF_MAX_DEPTH = 64, // calls of functions in functions
    HOIST_NEFF_MAX_RECORDS = 1 << 20,     // of an engine, calls unrolled
    HOIST_NEFF_MAX_STEPS = 1 << 23,       // of the program
    HOIST_NEFF_SEMAPHORES = 256,          // of a core; as many events
    HOIST_NEFF_REGISTERS = 64,            // of an engine
    HOIST_NEFF_SPARE_REGISTERS = 3,       // ours
    HOIST_NEFF_RING_DEPTH = 64,           // transfers that a ring may hold
    HOIST_NEFF_SBUF_WINDOW = 0x2000000,   // neff reference section 4.1.1
    HOIST_NEFF_ON_CHIP_BYTES = 0x2200000, // with PSUM behind it
};

// A record that an engine comes to, in its order.
typedef struct hoist_neff_turn {
    uint32_t record;
    uint32_t block; // that a trigger releases; NEFF_NONE: none
} hoist_neff_turn;

// What is known of an engine for all ranks.
typedef struct hoist_neff_stream {
    neff_stream index;
    hoist_neff_turn *turns; // owned
    size_t turn_count;
    size_t turn_capacity;
    uint32_t *first_ring; // arena; by block: ring of its first descriptor
    bool *used;           // arena; by block: released by a turn, or pinned
    bool works;           // comes to more than its end
    uint32_t barriers;    // SYNC_BARRIERs among the turns
} hoist_neff_stream;

typedef struct hoist_neff_part { // a subgraph
    enum { HOIST_NEFF_UNKNOWN = 0, HOIST_NEFF_DISJOINT, HOIST_NEFF_SHARING } groups;
    const uint32_t *group_items; // arena; items of replica_groups by group_id; NULL: not listed yet
    hoist_neff_stream streams[NEFF_ENGINE_COUNT];
    bool *written;   // arena; by variable
    bool uses_chip;  // has state-buffer variables
    bool has_pinned; // blocks on pinned queues
} hoist_neff_part;

typedef struct hoist_neff_file {
    const neff_module *module;
    hoist_str name; // of the file
    int generation;
    hoist_neff_part *parts; // arena; by subgraph
    hoist_map entries;      // owned: names of neff.json's entries to index, first of equals
} hoist_neff_file;

// A core of a rank. References are of the program.
typedef struct hoist_neff_core {
    uint32_t rank;
    uint32_t number;
    const hoist_neff_file *file;
    const neff_subgraph *subgraph;
    const hoist_neff_part *part;
    hoist_str prefix; // of names: "rank1/sg01/"; arena
    hoist_ref *vars;  // arena; by variable: its buffer, HOIST_NO_REF: it has none
    hoist_ref chip;   // SBUF and PSUM; HOIST_NO_REF: not used
    hoist_ref space;  // of scratch
    hoist_ref semaphores[HOIST_NEFF_SEMAPHORES];
    hoist_ref events[HOIST_NEFF_SEMAPHORES];
    hoist_ref *rings; // arena; by queue set, then by instance: its first unit
    hoist_ref *functions[NEFF_ENGINE_COUNT]; // arena; by block: function of its first ring
    bool knows_group;                        // the group that it is in, when group_ids do not say:
    uint32_t group;                          // its list in the text of def.json
    const struct hoist_neff_core *peer;      // LNC 2
} hoist_neff_core;

// Where something stands: in a record, a descriptor, a variable, or (with none of them) in a file.
typedef struct hoist_neff_place {
    const hoist_neff_core *core;
    uint32_t member;           // NEFF_NONE: the file
    hoist_loc loc;             // in the member; its source is set
    const neff_engine *engine; // NULL: none
    enum {
        HOIST_NEFF_IN_FILE = 0,
        HOIST_NEFF_IN_RECORD, // `at`: of the engine's stream
        HOIST_NEFF_IN_BLOCK,  // `at`: of the engine
        HOIST_NEFF_IN_DESC,   // `at`: block, `desc`: in it
        HOIST_NEFF_IN_VAR,    // `at`: of the subgraph
    } kind;
    uint32_t at;
    uint32_t desc;
} hoist_neff_place;

// Threads that meet, under one number.
typedef struct hoist_neff_group {
    const uint32_t *members; // arena; ranks, ascending; NULL: a barrier
    uint32_t member_count;
    uint64_t key;          // core of the members, or what meets in the barrier
    uint32_t counted_rank; // whose collectives were counted last,
    uint32_t counted;      // and how many there are
} hoist_neff_group;

// What a group_id means to the rank at hand.
typedef struct hoist_neff_team {
    const uint32_t *members; // arena
    uint32_t count;
} hoist_neff_team;

// A collective of a rank, to compare with those it meets.
typedef struct hoist_neff_meeting {
    uint32_t group;
    uint32_t rank;
    uint32_t number; // of the rank's collectives on the group, from 0
    neff_collective what;
    hoist_neff_place place;
} hoist_neff_meeting;

typedef struct hoist_neff_job {
    const hoist_lower_options *options;
    hoist_diag *diag;
    hoist_builder *b;
    hoist_arena arena;
    hoist_allocator alloc;
    hoist_status status; // HOIST_OK, HOIST_NO_MEMORY, HOIST_LIMIT
    bool refused;
    bool invalid;           // a finding of the format's own rules
    hoist_neff_file *files; // arena
    size_t file_count;
    uint32_t rank_count;
    hoist_neff_core *cores; // arena; of the rank at hand
    uint32_t core_count;
    hoist_ref idle;           // function without steps
    uint64_t steps;           // and turns of engines, which may have none
    const uint32_t *everyone; // arena; all ranks
    hoist_map group_numbers;  // bytes of a group to its number; keys in the arena
    hoist_map team_numbers;   // of the rank at hand: core and group_id to its team; keys too
    hoist_neff_team *teams;   // owned
    size_t team_count;
    size_t team_capacity;
    hoist_neff_group *groups; // owned
    size_t group_count;
    size_t group_capacity;
    hoist_neff_meeting *meetings; // owned
    size_t meeting_count;
    size_t meeting_capacity;
    bool transposes;    // one has been told of
    bool resets;        // a function that resets semaphores has
    hoist_ref *threads; // owned; of the entry
    size_t thread_count;
    size_t thread_capacity;
    hoist_ref *loaders; // owned; threads of what runs once
    size_t loader_count;
    size_t loader_capacity;
} hoist_neff_job;

// Reports that something cannot be run, and why.
void hoist_neff_refuse(hoist_neff_job *j, hoist_lower_rule_id rule, const hoist_neff_place *place,
                       const char *format, ...) HOIST_PRINTF(4, 5);
// The same of a built-in limit, which ends the lowering with HOIST_LIMIT.
void hoist_neff_exceed(hoist_neff_job *j, hoist_lower_rule_id rule, const hoist_neff_place *place,
                       const char *format, ...) HOIST_PRINTF(4, 5);
// The same by a rule of the format: the job has errors.
void hoist_neff_find(hoist_neff_job *j, neff_rule rule, const hoist_neff_place *place,
                     const char *format, ...) HOIST_PRINTF(4, 5);
// A name in the job's arena; empty when out of memory.
hoist_str hoist_neff_name(hoist_neff_job *j, const char *format, ...) HOIST_PRINTF(2, 3);
// Cleared items in the job's arena; NULL when out of memory.
void *hoist_neff_array(hoist_neff_job *j, size_t count, size_t size);
// Adds an item to an owned list; false when out of memory.
bool hoist_neff_add(hoist_neff_job *j, void **items, size_t *count, size_t *capacity,
                    const void *item, size_t size);
// False when something has ended the work.
static inline bool hoist_neff_goes_on(const hoist_neff_job *j)
{
    return j->status == HOIST_OK && !j->refused && !j->invalid;
}
// Whether what is not public becomes steps. Where orders are judged it changes nothing, and is left
// out when it is to be skipped.
static inline bool hoist_neff_has_opaque(const hoist_neff_job *j)
{
    return j->options->on_unknown == HOIST_UNKNOWN_POISON ||
           (j->options->on_unknown == HOIST_UNKNOWN_SKIP && !j->options->control_only);
}
// The number of a member for places of the program (hoist_builder_source).
uint32_t hoist_neff_source(hoist_neff_job *j, const hoist_neff_file *file, uint32_t member);
// Adds a step at `place`; `label` may be empty.
void hoist_neff_step(hoist_neff_job *j, const hoist_neff_place *place, const char *label,
                     hoist_prog_step step);
// A value that is a number, and one that is a register.
static inline hoist_prog_value hoist_neff_number(int64_t number)
{
    return (hoist_prog_value){.reg = HOIST_NO_REF, .number = number};
}
static inline hoist_prog_value hoist_neff_register(hoist_ref reg)
{
    return (hoist_prog_value){.reg = reg};
}
// The core's semaphore or event, made when it is not there yet.
hoist_ref hoist_neff_semaphore(hoist_neff_job *j, const hoist_neff_core *core, uint32_t number);
hoist_ref hoist_neff_event(hoist_neff_job *j, const hoist_neff_core *core, uint32_t number);

// How many ranks the job has, by the options, the files or what the file says (5.2). neff_ranks.c
uint32_t hoist_neff_rank_count(hoist_neff_job *j);
// The ranks that meet in a collective of `core`, ascending, in the arena. False: none, which was
// reported. neff_ranks.c
bool hoist_neff_members(hoist_neff_job *j, const hoist_neff_place *place, uint32_t group_id,
                        hoist_neff_team *out_team);

// Looks over a file: turns of every engine. neff_turns.c
void hoist_neff_survey(hoist_neff_job *j, hoist_neff_file *file);
void hoist_neff_survey_deinit(hoist_neff_job *j, hoist_neff_file *file);
// The place of a record. neff_turns.c
hoist_neff_place hoist_neff_record_place(hoist_neff_job *j, const hoist_neff_core *core,
                                         const neff_engine *engine, uint32_t record);

// Memory of the cores of the rank at hand. neff_memory.c
void hoist_neff_memory(hoist_neff_job *j);
// Units of a core's rings, and the functions of the blocks that it releases. neff_rings.c
void hoist_neff_rings(hoist_neff_job *j, hoist_neff_core *core);
// Posts a block from the thread at hand. neff_rings.c
void hoist_neff_post(hoist_neff_job *j, const hoist_neff_place *place, uint32_t block);
// The thread of what pinned queues do before anything runs. neff_rings.c
void hoist_neff_pinned(hoist_neff_job *j, hoist_neff_core *core);
// Steps of one descriptor, in the function at hand. neff_moves.c
void hoist_neff_move(hoist_neff_job *j, const hoist_neff_place *place, const neff_desc *desc);
// Threads of a core's engines. neff_threads.c
void hoist_neff_threads(hoist_neff_job *j, hoist_neff_core *core);

// Registers of the thread at hand, made when they are used. neff_alu.c
typedef struct hoist_neff_registers {
    hoist_ref refs[HOIST_NEFF_REGISTERS + HOIST_NEFF_SPARE_REGISTERS];
} hoist_neff_registers;
typedef enum hoist_neff_use { HOIST_NEFF_READS, HOIST_NEFF_WRITES } hoist_neff_use;
// HOIST_NO_REF: there is no such register to use, which was reported.
hoist_ref hoist_neff_register_at(hoist_neff_job *j, const hoist_neff_place *place,
                                 hoist_neff_registers *registers, uint32_t number,
                                 hoist_neff_use use);
void hoist_neff_move_registers(hoist_neff_job *j, const hoist_neff_place *place,
                               hoist_neff_registers *registers, const neff_record *record);
void hoist_neff_alu(hoist_neff_job *j, const hoist_neff_place *place,
                    hoist_neff_registers *registers, const neff_record *record);

// neff_collectives.c
void hoist_neff_collective(hoist_neff_job *j, const hoist_neff_place *place,
                           const neff_record *record);
void hoist_neff_core_barrier(hoist_neff_job *j, const hoist_neff_place *place,
                             const neff_record *record);
void hoist_neff_sync_barrier(hoist_neff_job *j, const hoist_neff_place *place);
// Ranks that meet agree about what they do (NEFF-071d).
void hoist_neff_compare_meetings(hoist_neff_job *j);

#endif // HOIST_SRC_LOWER_NEFF_LOWER_H
