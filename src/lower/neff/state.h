// lower/neff/state.h - what the parts of lowering NEFFs share.
//
// A job is one file that every rank runs, or one file per rank. What is the same for all ranks that
// run a file (its streams, unrolled; which blocks they release) is found once; everything of a rank
// is built for it alone: ranks share nothing but collectives, the cores of a rank only inputs and
// outputs.
#ifndef HOIST_SRC_LOWER_NEFF_STATE_H
#define HOIST_SRC_LOWER_NEFF_STATE_H

#include "formats/neff/neff.h"
#include "formats/neff/stream_index.h"
#include "lower/context.h"

enum {
    NEFF_LOWER_MAX_RANKS = HOIST_MAX_RANKS,
    NEFF_LOWER_MAX_CORES = 16, // of a rank: their addresses are 2^40 apart, those of ranks 2^44
    NEFF_LOWER_MAX_DEPTH = 64, // calls of functions in functions
    NEFF_LOWER_MAX_RECORDS = 1 << 20,     // of an engine, calls unrolled
    NEFF_LOWER_MAX_STEPS = 1 << 23,       // of the program
    NEFF_LOWER_SEMAPHORES = 256,          // of a core; as many events
    NEFF_LOWER_REGISTERS = 64,            // of an engine
    NEFF_LOWER_SPARE_REGISTERS = 3,       // ours
    NEFF_LOWER_RING_DEPTH = 64,           // transfers that a ring may hold
    NEFF_LOWER_SBUF_WINDOW = 0x2000000,   // neff reference section 4.1.1
    NEFF_LOWER_ON_CHIP_BYTES = 0x2200000, // with PSUM after it
};

// A record that an engine comes to, in its order.
typedef struct neff_lower_turn {
    uint32_t record;
    uint32_t block; // that a trigger releases; NEFF_NONE: none
} neff_lower_turn;

// What is known of an engine for all ranks.
typedef struct neff_lower_stream {
    neff_stream index;
    neff_lower_turn *turns; // owned
    size_t turn_count;
    size_t turn_capacity;
    uint32_t *first_ring; // arena; by block: ring of its first descriptor
    bool *used;           // arena; by block: released by a turn, or pinned
    bool works;           // comes to more than its end
    uint32_t barriers;    // SYNC_BARRIERs among the turns
} neff_lower_stream;

typedef struct neff_lower_part { // a subgraph
    enum { NEFF_LOWER_UNKNOWN = 0, NEFF_LOWER_DISJOINT, NEFF_LOWER_SHARING } groups;
    const uint32_t *group_items; // arena; items of replica_groups by group_id; NULL: not listed yet
    neff_lower_stream streams[NEFF_ENGINE_COUNT];
    bool *written;   // arena; by variable
    bool uses_chip;  // has state-buffer variables
    bool has_pinned; // blocks on pinned queues
} neff_lower_part;

typedef struct neff_lower_file {
    const neff_module *module;
    hoist_str name; // of the file
    int generation;
    neff_lower_part *parts; // arena; by subgraph
    hoist_map entries;      // owned: names of neff.json's entries to index, first of equals
} neff_lower_file;

// A core of a rank. References are of the program.
typedef struct neff_lower_core {
    uint32_t rank;
    uint32_t number;
    const neff_lower_file *file;
    const neff_subgraph *subgraph;
    const neff_lower_part *part;
    hoist_str prefix; // of names: "rank1/sg01/"; arena
    hoist_ref *vars;  // arena; by variable: its buffer, HOIST_NO_REF: it has none
    hoist_ref chip;   // SBUF and PSUM; HOIST_NO_REF: not used
    hoist_ref space;  // of scratch
    hoist_ref semaphores[NEFF_LOWER_SEMAPHORES];
    hoist_ref events[NEFF_LOWER_SEMAPHORES];
    hoist_ref *rings; // arena; by queue set, then by instance: its first unit
    hoist_ref *functions[NEFF_ENGINE_COUNT]; // arena; by block: function of its first ring
    bool knows_group;                        // the group that it is in, when group_ids do not say:
    uint32_t group;                          // its list in the text of def.json
    const struct neff_lower_core *peer;      // LNC 2
} neff_lower_core;

// The place of something: in a record, a descriptor, a variable, or (with none of them) in a file.
typedef struct neff_lower_place {
    const neff_lower_core *core;
    uint32_t member;           // NEFF_NONE: the file
    hoist_loc loc;             // in the member; its source is set
    const neff_engine *engine; // NULL: none
    enum {
        NEFF_LOWER_IN_FILE = 0,
        NEFF_LOWER_IN_RECORD, // `at`: of the engine's stream
        NEFF_LOWER_IN_BLOCK,  // `at`: of the engine
        NEFF_LOWER_IN_DESC,   // `at`: block, `desc`: in it
        NEFF_LOWER_IN_VAR,    // `at`: of the subgraph
    } kind;
    uint32_t at;
    uint32_t desc;
} neff_lower_place;

// Threads that meet, under one number.
typedef struct neff_lower_group {
    const uint32_t *members; // arena; ranks, ascending; NULL: a barrier
    uint32_t member_count;
    uint64_t key;          // core of the members, or what meets in the barrier
    uint32_t counted_rank; // whose collectives were counted last,
    uint32_t counted;      // and how many there are
} neff_lower_group;

// What a group_id means to the rank at hand.
typedef struct neff_lower_team {
    const uint32_t *members; // arena
    uint32_t count;
} neff_lower_team;

// A collective of a rank, to compare with those it meets.
typedef struct neff_lower_meeting {
    uint32_t group;
    uint32_t rank;
    uint32_t number; // of the rank's collectives on the group, from 0
    neff_collective what;
    neff_lower_place place;
} neff_lower_meeting;

typedef struct neff_lower_job {
    hoist_lower_context c;
    neff_lower_file *files; // arena
    size_t file_count;
    neff_lower_core *cores; // arena; of the rank at hand
    uint32_t core_count;
    hoist_ref idle;           // function without steps
    uint64_t steps;           // and turns of engines, which may have none
    const uint32_t *everyone; // arena; all ranks
    hoist_map group_numbers;  // bytes of a group to its number; keys in the arena
    hoist_map team_numbers;   // of the rank at hand: core and group_id to its team; keys too
    neff_lower_team *teams;   // owned
    size_t team_count;
    size_t team_capacity;
    neff_lower_group *groups; // owned
    size_t group_count;
    size_t group_capacity;
    neff_lower_meeting *meetings; // owned
    size_t meeting_count;
    size_t meeting_capacity;
    bool transposes;    // one has been reported
    bool resets;        // a function that resets semaphores has
    hoist_ref *threads; // owned; of the entry
    size_t thread_count;
    size_t thread_capacity;
    hoist_ref *loaders; // owned; threads of what runs once
    size_t loader_count;
    size_t loader_capacity;
} neff_lower_job;

// Reports that something cannot be run, and why.
void neff_lower_refuse(neff_lower_job *j, hoist_lower_rule_id rule, const neff_lower_place *place,
                       const char *format, ...) HOIST_PRINTF(4, 5);
// The same of a built-in limit, which ends the lowering with HOIST_LIMIT.
#define neff_lower_exceed(j, rule, place, ...)                                                     \
    (neff_lower_refuse(j, rule, place, __VA_ARGS__), hoist_lower_fail(&(j)->c, HOIST_LIMIT))
// The same by a rule of the format: the job has errors.
void neff_lower_find(neff_lower_job *j, neff_rule rule, const neff_lower_place *place,
                     const char *format, ...) HOIST_PRINTF(4, 5);
// False when a failure or a finding of the format's own rules has ended the work; errors of ours do
// not, so that all that cannot be run is reported in one go.
static inline bool neff_lower_is_valid(const neff_lower_job *j)
{
    return j->c.status == HOIST_OK && !j->c.invalid;
}
// Whether what is not public becomes steps. Where orders are checked it changes nothing, and is
// left out when it is to be skipped.
static inline bool neff_lower_has_opaque(const neff_lower_job *j)
{
    return j->c.options->on_unknown == HOIST_UNKNOWN_POISON ||
           (j->c.options->on_unknown == HOIST_UNKNOWN_SKIP && !j->c.options->control_only);
}
// The number of a member for places of the program (hoist_builder_source).
uint32_t neff_lower_source(neff_lower_job *j, const neff_lower_file *file, uint32_t member);
// Adds a step at `place`; `label` may be empty.
void neff_lower_step(neff_lower_job *j, const neff_lower_place *place, const char *label,
                     hoist_prog_step step);
// The core's semaphore or event, made when it is not there yet.
hoist_ref neff_lower_semaphore(neff_lower_job *j, const neff_lower_core *core, uint32_t number);
hoist_ref neff_lower_event(neff_lower_job *j, const neff_lower_core *core, uint32_t number);

// How many ranks the job has, by the options, the files or what the file says (5.2). ranks.c
uint32_t neff_lower_rank_count(neff_lower_job *j);
// The ranks that meet in a collective of `core`, ascending, in the arena. False: none, which was
// reported. ranks.c
bool neff_lower_members(neff_lower_job *j, const neff_lower_place *place, uint32_t group_id,
                        neff_lower_team *out_team);

// Looks over a file: turns of every engine. turns.c
void neff_lower_survey(neff_lower_job *j, neff_lower_file *file);
void neff_lower_survey_deinit(neff_lower_job *j, neff_lower_file *file);
// The place of a record. turns.c
neff_lower_place neff_lower_record_place(neff_lower_job *j, const neff_lower_core *core,
                                         const neff_engine *engine, uint32_t record);

// Memory of the cores of the rank at hand. memory.c
void neff_lower_memory(neff_lower_job *j);
// Units of a core's rings, and the functions of the blocks that it releases. rings.c
void neff_lower_rings(neff_lower_job *j, neff_lower_core *core);
// Posts a block from the thread at hand. rings.c
void neff_lower_post(neff_lower_job *j, const neff_lower_place *place, uint32_t block);
// The thread of what pinned queues do before anything runs. rings.c
void neff_lower_pinned(neff_lower_job *j, neff_lower_core *core);
// Steps of one descriptor, in the function at hand. moves.c
void neff_lower_move(neff_lower_job *j, const neff_lower_place *place, const neff_desc *desc);
// Threads of a core's engines. threads.c
void neff_lower_threads(neff_lower_job *j, neff_lower_core *core);

// Registers of the thread at hand, made when they are used. alu.c
typedef struct neff_lower_registers {
    hoist_ref refs[NEFF_LOWER_REGISTERS + NEFF_LOWER_SPARE_REGISTERS];
} neff_lower_registers;
typedef enum neff_lower_use { NEFF_LOWER_READS, NEFF_LOWER_WRITES } neff_lower_use;
// HOIST_NO_REF: there is no such register to use, which was reported.
hoist_ref neff_lower_register_at(neff_lower_job *j, const neff_lower_place *place,
                                 neff_lower_registers *registers, uint32_t number,
                                 neff_lower_use use);
void neff_lower_move_registers(neff_lower_job *j, const neff_lower_place *place,
                               neff_lower_registers *registers, const neff_record *record);
void neff_lower_alu(neff_lower_job *j, const neff_lower_place *place,
                    neff_lower_registers *registers, const neff_record *record);

// collectives.c
void neff_lower_collective(neff_lower_job *j, const neff_lower_place *place,
                           const neff_record *record);
void neff_lower_core_barrier(neff_lower_job *j, const neff_lower_place *place,
                             const neff_record *record);
void neff_lower_sync_barrier(neff_lower_job *j, const neff_lower_place *place);
// Ranks that meet agree about what they do (NEFF-071d).
void neff_lower_compare_meetings(neff_lower_job *j);

#endif // HOIST_SRC_LOWER_NEFF_STATE_H
