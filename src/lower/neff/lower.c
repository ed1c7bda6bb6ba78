// NEFFs as a program: engines are threads, rings of queue sets units, blocks of descriptors
// functions of moves. In go the modules of a job (formats/neff), out comes a program; turns.c looks
// files over, memory.c, rings.c, moves.c, threads.c and collectives.c build a rank each, report.c
// has findings.
#include "lower/neff/lower.h"

#include <inttypes.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/span.h"
#include "lower/neff/state.h"

// What a file is ---------------------------------------------------------------------------------

// Bits without name and meaning: what the file needs is not known, so nothing of it is run. Named
// bits do not block by themselves (5.5.1), their records do.
static void check_features(neff_lower_job *j, const neff_lower_file *file,
                           const neff_lower_place *place)
{
    for (unsigned bit = 0; bit < 64; bit++) {
        if (file->module->header.feature_bits >> bit & 1 && !neff_features[bit].name &&
            !neff_features[bit].summary) {
            neff_lower_refuse(j, RUN_020, place, "feature bit %u is set, its meaning is not known",
                              bit);
        }
    }
}

// The complete file is a program of its cores: RUN-018 names each part that the host or a library
// would run, and subgraphs that are missing or too many.
static void check_file(neff_lower_job *j, const neff_lower_file *file)
{
    const neff_module *module = file->module;
    // A place needs a core; this one has only the file.
    const neff_lower_core nowhere = {.file = file};
    const neff_lower_place place = {.core = &nowhere, .member = NEFF_NONE};
    check_features(j, file, &place);
    if (module->subgraph_count == 0) {
        neff_lower_refuse(j, RUN_018, &place, "there is no subgraph");
    } else if (module->header.lnc_size > module->subgraph_count) {
        neff_lower_refuse(j, RUN_018, &place, "lnc_size is %" PRIu32 ", there %s %" PRIu32 " %s",
                          module->header.lnc_size, module->subgraph_count == 1 ? "is" : "are",
                          module->subgraph_count,
                          module->subgraph_count == 1 ? "subgraph" : "subgraphs");
    }
    if (module->subgraph_count > NEFF_LOWER_MAX_CORES) {
        neff_lower_refuse(j, RUN_018, &place, "%" PRIu32 " subgraphs, expected at most %d",
                          module->subgraph_count, NEFF_LOWER_MAX_CORES);
    }
    for (uint32_t i = 0; i < module->graph.node_count; i++) {
        const neff_node *node = &module->graph.nodes[i];
        if (!node->is_kelf && !node->is_null) {
            neff_lower_refuse(j, RUN_018, &place, "node '%.*s' is a '%.*s', which runs on the host",
                              HOIST_STR_ARGS(node->name), HOIST_STR_ARGS(node->op));
        }
    }
    for (uint32_t i = 0; i < module->member_count; i++) {
        if (module->members[i].role == NEFF_ROLE_LIBRARY) {
            neff_lower_refuse(j, RUN_018, &place, "member '%.*s' is a library of custom operations",
                              HOIST_STR_ARGS(module->members[i].name));
        }
    }
}

// Ranks ------------------------------------------------------------------------------------------

// Names of a rank's rows: "", "rank1/", "sg01/" or "rank1/sg01/".
static hoist_str prefix_of(neff_lower_job *j, uint32_t rank, const neff_subgraph *subgraph)
{
    const hoist_str of_rank = hoist_lower_rank(&j->c, rank);
    return subgraph ? hoist_lower_name(&j->c, of_rank, "%.*s/", HOIST_STR_ARGS(subgraph->name))
                    : of_rank;
}

// An array of references to nothing; zero would be a valid reference.
static void *empty_refs(neff_lower_job *j, size_t count)
{
    hoist_ref *refs = hoist_lower_array(&j->c, count, sizeof *refs);
    for (size_t i = 0; refs && i < count; i++) {
        refs[i] = HOIST_NO_REF;
    }
    return refs;
}

// False when out of memory. The rings of sets come first, those of instances after them.
static bool init_core(neff_lower_job *j, neff_lower_core *core, uint32_t rank, uint32_t number)
{
    HOIST_ASSERT(rank < j->c.rank_count && number < j->core_count);
    const neff_lower_file *file = &j->files[j->file_count > 1 ? rank : 0];
    const neff_subgraph *s = &file->module->subgraphs[number];
    *core = (neff_lower_core){.rank = rank,
                              .number = number,
                              .file = file,
                              .subgraph = s,
                              .part = &file->parts[number],
                              .chip = HOIST_NO_REF,
                              .space = HOIST_NO_REF};
    core->prefix = prefix_of(j, rank, file->module->subgraph_count > 1 ? s : NULL);
    // Only a pair has remote semaphores.
    core->peer = j->core_count == 2 ? &j->cores[1 - number] : NULL;
    core->vars = empty_refs(j, s->var_count);
    core->rings = empty_refs(j, (size_t)s->queue_count + s->instance_count);
    for (int i = 0; i < NEFF_LOWER_SEMAPHORES; i++) {
        core->semaphores[i] = HOIST_NO_REF;
        core->events[i] = HOIST_NO_REF;
    }
    for (int i = 0; i < NEFF_ENGINE_COUNT; i++) {
        core->functions[i] = empty_refs(j, s->engines[i].block_count);
    }
    return j->c.status == HOIST_OK;
}

// One rank after the other: tables of a rank are in the arena, but the job holds those of the rank
// at hand only.
static void lower_rank(neff_lower_job *j, uint32_t rank)
{
    const neff_lower_file *file = &j->files[j->file_count > 1 ? rank : 0];
    j->transposes = j->transposes && j->file_count == 1; // reported once in each file
    j->core_count = file->module->subgraph_count;
    hoist_map_deinit(&j->team_numbers); // teams are those of a rank
    hoist_map_init(&j->team_numbers, j->c.arena.alloc);
    j->team_count = 0;
    j->cores = hoist_lower_array(&j->c, j->core_count, sizeof *j->cores);
    for (uint32_t i = 0; j->cores && i < j->core_count; i++) {
        if (!init_core(j, &j->cores[i], rank, i)) {
            return;
        }
    }
    if (j->cores) {
        neff_lower_memory(j);
    }
    // Memory of all cores first: outputs are shared, and pointers may be to any variable.
    for (uint32_t i = 0; i < j->core_count && hoist_lower_goes_on(&j->c); i++) {
        neff_lower_rings(j, &j->cores[i]);
    }
    for (uint32_t i = 0; i < j->core_count && hoist_lower_goes_on(&j->c); i++) {
        neff_lower_pinned(j, &j->cores[i]);
    }
    // Errors of one core do not keep those of the others from being found.
    const uint64_t ignored = j->c.ignored;
    for (uint32_t i = 0; i < j->core_count && neff_lower_is_valid(j); i++) {
        j->c.ignored = j->c.errors; // of all cores, before it ends the work
        neff_lower_threads(j, &j->cores[i]);
    }
    j->c.ignored = ignored;
}

// What a ring runs that has no descriptors of a block, but has to signal its end.
static void add_idle(neff_lower_job *j)
{
    j->idle =
        hoist_builder_begin_function(j->c.b, &(hoist_prog_function){.name = HOIST_STR("nothing")});
    hoist_builder_end_code(j->c.b);
}

static void add_entries(neff_lower_job *j)
{
    if (j->thread_count == 0) { // all streams are empty: an entry needs a thread
        const hoist_ref thread =
            hoist_builder_begin_thread(j->c.b, &(hoist_prog_thread){.name = HOIST_STR("nothing")});
        hoist_builder_end_code(j->c.b);
        (void)hoist_lower_add(&j->c, (void **)&j->threads, &j->thread_count, &j->thread_capacity,
                              &thread, sizeof thread);
    }
    // Pinned queues run once in a session, before any run.
    if (j->loader_count > 0) {
        (void)hoist_builder_entry(j->c.b,
                                  &(hoist_prog_entry){.name = HOIST_STR("load"),
                                                      .once = true,
                                                      .threads = j->loaders,
                                                      .thread_count = (uint32_t)j->loader_count});
    }
    (void)hoist_builder_entry(j->c.b,
                              &(hoist_prog_entry){.name = HOIST_STR("run"),
                                                  .threads = j->threads,
                                                  .thread_count = (uint32_t)j->thread_count});
}

// Facts for which programs and NEFFs both have a rule: findings of the program's verifier and of
// the machine are shown under the format's id.
static const struct {
    hoist_program_rule program;
    neff_rule neff;
} same_rules[] = {
    {HOIST_PRG_018, NEFF_055},  // bounds
    {HOIST_PRG_038, NEFF_063},  // reads of what was never written
    {HOIST_PRG_104, NEFF_063},  // the same, in some order
    {HOIST_PRG_102, NEFF_072a}, // a run ends
    {HOIST_PRG_105, NEFF_072b}, // the answer is not known
    {HOIST_PRG_108, NEFF_072c}, // no wait for it
    {HOIST_PRG_101, NEFF_075a}, // races
    {HOIST_PRG_106, NEFF_075b}, // the answer is not known
    {HOIST_PRG_107, NEFF_075c}, // the same, where no order can be found
};

const hoist_rule *neff_lower_rule(hoist_program_rule rule)
{
    for (size_t i = 0; i < HOIST_COUNT_OF(same_rules); i++) {
        if (same_rules[i].program == rule) {
            return neff_rule_row(same_rules[i].neff);
        }
    }
    return NULL;
}

static void map_rules(hoist_builder *b)
{
    for (size_t i = 0; i < HOIST_COUNT_OF(same_rules); i++) {
        hoist_builder_rule(b, same_rules[i].program, neff_rule_row(same_rules[i].neff));
    }
}

// Looks all files over. What was found in one file does not end the work on the next one.
static void survey_files(neff_lower_job *j)
{
    const uint64_t ignored = j->c.ignored;
    for (size_t i = 0; i < j->file_count && j->c.status == HOIST_OK; i++) {
        j->c.ignored = j->c.errors;
        j->resets = false; // reported once in each file
        neff_lower_survey(j, &j->files[i]);
    }
    j->c.ignored = ignored;
}

// Progress counts records, calls unrolled, of every rank.
static void expect_turns(neff_lower_job *j, const neff_lower_file *file)
{
    for (uint32_t i = 0; i < file->module->subgraph_count; i++) {
        for (int e = 0; e < NEFF_ENGINE_COUNT; e++) {
            hoist_lower_expect(&j->c, file->parts[i].streams[e].turn_count);
        }
    }
}

// All ranks in order. Errors in a rank with a file of its own do not end the work on the next;
// ranks of one file would only repeat them.
static void lower_ranks(neff_lower_job *j)
{
    const uint64_t ignored = j->c.ignored;
    for (uint32_t rank = 0; rank < j->c.rank_count; rank++) {
        expect_turns(j, &j->files[j->file_count > 1 ? rank : 0]);
    }
    for (uint32_t rank = 0; rank < j->c.rank_count && hoist_lower_goes_on(&j->c); rank++) {
        lower_rank(j, rank);
        if (hoist_builder_status(j->c.b) != HOIST_OK) { // memory, time, or a limit of programs
            return;
        }
        j->c.ignored = j->file_count > 1 ? j->c.errors : ignored;
    }
    j->c.ignored = ignored;
}

// From general to particular: each part relies on what came before, so errors end the work between
// them.
static void lower_job(neff_lower_job *j)
{
    for (size_t i = 0; i < j->file_count; i++) {
        check_file(j, &j->files[i]);
    }
    if (hoist_lower_goes_on(&j->c)) {
        j->c.rank_count = neff_lower_rank_count(j);
    }
    if (hoist_lower_goes_on(&j->c)) {
        survey_files(j);
    }
    if (!hoist_lower_goes_on(&j->c)) {
        return;
    }
    map_rules(j->c.b);
    add_idle(j);
    lower_ranks(j);
    if (hoist_lower_goes_on(&j->c)) {
        neff_lower_compare_meetings(j); // all collectives are known now
        add_entries(j);
    }
}

// Names and generations are borrowed from the caller and the modules.
static void init_files(neff_lower_job *j, const hoist_file *files, size_t count,
                       const hoist_check_options *check)
{
    bool given = false;
    j->files = hoist_lower_array(&j->c, count, sizeof *j->files);
    j->file_count = j->files ? count : 0;
    for (size_t i = 0; i < j->file_count; i++) {
        const neff_module *module = neff_of(files[i].module);
        j->files[i] = (neff_lower_file){.module = module,
                                        .name = files[i].name,
                                        .generation = neff_generation_for(module, check, &given)};
    }
}

// Also after a failure at any point: lists that were never begun are empty.
static void deinit(neff_lower_job *j)
{
    for (size_t i = 0; i < j->file_count; i++) {
        neff_lower_survey_deinit(j, &j->files[i]);
    }
    const hoist_allocator alloc = j->c.arena.alloc;
    hoist_map_deinit(&j->group_numbers);
    hoist_map_deinit(&j->team_numbers);
    hoist_free(alloc, j->teams, j->team_capacity * sizeof *j->teams);
    hoist_free(alloc, j->groups, j->group_capacity * sizeof *j->groups);
    hoist_free(alloc, j->meetings, j->meeting_capacity * sizeof *j->meetings);
    hoist_free(alloc, j->threads, j->thread_capacity * sizeof *j->threads);
    hoist_free(alloc, j->loaders, j->loader_capacity * sizeof *j->loaders);
    hoist_lower_deinit(&j->c);
}

hoist_status neff_lower(const hoist_file *files, size_t count, const hoist_check_options *check,
                        const hoist_lower_options *options, hoist_diag *diag,
                        hoist_program **out_program)
{
    static const hoist_name_table unique[] = {HOIST_NAMES_BUFFER, HOIST_NAMES_UNIT,
                                              HOIST_NAMES_FUNCTION};
    neff_lower_job j = {0};
    *out_program = NULL;
    hoist_status status = hoist_lower_begin(&j.c, HOIST_STR("neff"), files, options, diag);
    hoist_map_init(&j.group_numbers, j.c.arena.alloc);
    hoist_map_init(&j.team_numbers, j.c.arena.alloc);
    init_files(&j, files, count, check);
    if (status == HOIST_OK) {
        lower_job(&j);
        status = hoist_lower_finish(&j.c, unique, HOIST_COUNT_OF(unique), out_program);
    }
    deinit(&j);
    return status;
}
