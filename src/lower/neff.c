// NEFFs as a program: engines are threads, rings of queue sets units, blocks of descriptors
// functions of moves.
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/map.h"
#include "base/span.h"
#include "lower/neff_lower.h"
#include "program/names.h"

// Reporting and building ------------------------------------------------------------------------

// In its member, as the rules of the format tell it: "record 12", "dma/3/desc/0", "var/input".
static hoist_str path_of(hoist_neff_job *j, const hoist_neff_place *place)
{
    switch (place->kind) {
    case HOIST_NEFF_IN_RECORD:
        return hoist_neff_name(j, "record %" PRIu32, place->at);
    case HOIST_NEFF_IN_BLOCK:
        return hoist_neff_name(j, "dma/%" PRIu32, place->at);
    case HOIST_NEFF_IN_DESC:
        return hoist_neff_name(j, "dma/%" PRIu32 "/desc/%" PRIu32, place->at, place->desc);
    case HOIST_NEFF_IN_VAR:
        HOIST_ASSERT(place->core && place->core->subgraph);
        return hoist_neff_name(j, "var/%.*s",
                               HOIST_STR_ARGS(place->core->subgraph->vars[place->at].name));
    case HOIST_NEFF_IN_FILE:
        break;
    }
    return place->core && place->core->subgraph ? place->core->subgraph->name : HOIST_STR("");
}

// What is missing for want of memory is no fault of the file.
static bool has_memory(hoist_neff_job *j)
{
    const hoist_status building = j->b ? hoist_builder_status(j->b) : HOIST_OK;
    j->status = j->status == HOIST_OK ? building : j->status;
    return j->status == HOIST_OK;
}

// What a refusal is about, in words: its place is a byte or a line.
static hoist_str part_of(hoist_neff_job *j, const hoist_neff_place *place)
{
    switch (place->kind) {
    case HOIST_NEFF_IN_RECORD:
        return hoist_neff_name(j, " (record %" PRIu32 ")", place->at);
    case HOIST_NEFF_IN_DESC:
        return hoist_neff_name(j, " (descriptor %" PRIu32 " of the block with id %" PRId64 ")",
                               place->desc, place->engine->blocks[place->at].id);
    case HOIST_NEFF_IN_BLOCK:
        return hoist_neff_name(j, " (the block with id %" PRId64 ")",
                               place->engine->blocks[place->at].id);
    case HOIST_NEFF_IN_VAR:
    case HOIST_NEFF_IN_FILE:
        break;
    }
    return HOIST_STR("");
}

// `part`: what follows the text.
HOIST_PRINTF(5, 0)
static void report(hoist_neff_job *j, const hoist_rule *rule, const hoist_neff_place *place,
                   hoist_str part, const char *format, va_list args)
{
    const hoist_str text = hoist_arena_vformat(&j->arena, format, args);
    j->status = text.data ? j->status : HOIST_NO_MEMORY;
    if (!has_memory(j)) {
        return;
    }
    hoist_frame frame;
    hoist_diag_push(j->diag, &frame, NULL, HOIST_STR(""), path_of(j, place));
    if (place->core) {
        hoist_diag_source(j->diag, place->core->file->name, HOIST_STR(""));
        neff_enter(place->core->file->module, j->diag, place->member);
    }
    hoist_loc loc = place->loc;
    loc.source = 0;
    hoist_report(j->diag, rule, loc, "%.*s%.*s", (int)text.size, text.data, (int)part.size,
                 part.data);
    hoist_diag_source(j->diag, j->files[0].name, HOIST_STR(""));
    hoist_diag_pop(j->diag, &frame);
}

void hoist_neff_refuse(hoist_neff_job *j, hoist_lower_rule_id rule, const hoist_neff_place *place,
                       const char *format, ...)
{
    const hoist_rule *row = hoist_lower_rule(rule);
    va_list args;
    va_start(args, format);
    report(j, row, place, row->severity == HOIST_ERROR ? part_of(j, place) : HOIST_STR(""), format,
           args);
    va_end(args);
    j->refused = j->refused || row->severity == HOIST_ERROR;
}

void hoist_neff_exceed(hoist_neff_job *j, hoist_lower_rule_id rule, const hoist_neff_place *place,
                       const char *format, ...)
{
    va_list args;
    va_start(args, format);
    report(j, hoist_lower_rule(rule), place, part_of(j, place), format, args);
    va_end(args);
    j->status = j->status == HOIST_OK ? HOIST_LIMIT : j->status;
}

void hoist_neff_find(hoist_neff_job *j, neff_rule rule, const hoist_neff_place *place,
                     const char *format, ...)
{
    va_list args;
    va_start(args, format);
    report(j, neff_rule_row(rule), place, HOIST_STR(""), format, args);
    va_end(args);
    j->invalid = true;
}

hoist_str hoist_neff_name(hoist_neff_job *j, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const hoist_str name = hoist_arena_vformat(&j->arena, format, args);
    va_end(args);
    if (!name.data) {
        j->status = HOIST_NO_MEMORY;
    }
    return name;
}

void *hoist_neff_array(hoist_neff_job *j, size_t count, size_t size)
{
    void *items = hoist_arena_array(&j->arena, count, size);
    if (!items) {
        j->status = HOIST_NO_MEMORY;
    }
    return items;
}

bool hoist_neff_add(hoist_neff_job *j, void **items, size_t *count, size_t *capacity,
                    const void *item, size_t size)
{
    HOIST_ASSERT(*count <= *capacity && item);
    if (!hoist_grow(j->alloc, items, capacity, *count + 1, size)) {
        j->status = HOIST_NO_MEMORY;
        return false;
    }
    memcpy((uint8_t *)*items + *count * size, item, size);
    ++*count;
    return true;
}

uint32_t hoist_neff_source(hoist_neff_job *j, const hoist_neff_file *file, uint32_t member)
{
    HOIST_ASSERT(member == NEFF_NONE || member < file->module->member_count);
    if (member == NEFF_NONE) {
        return 0;
    }
    const neff_member *m = &file->module->members[member];
    const uint32_t records = m->role == NEFF_ROLE_STREAM ? NEFF_RECORD_SIZE : 0;
    return hoist_builder_source(j->b, (hoist_source){file->name, m->name, records});
}

void hoist_neff_step(hoist_neff_job *j, const hoist_neff_place *place, const char *label,
                     hoist_prog_step step)
{
    step.loc = place->loc;
    step.label = hoist_str_from(label);
    if (++j->steps > HOIST_NEFF_MAX_STEPS) {
        hoist_neff_exceed(j, RUN_022, place, "the program has more than %d steps",
                          HOIST_NEFF_MAX_STEPS);
        return;
    }
    (void)hoist_builder_step(j->b, &step);
}

static hoist_ref semaphore(hoist_neff_job *j, hoist_ref *slot, hoist_str name, int64_t maximum)
{
    if (*slot == HOIST_NO_REF) {
        *slot = hoist_builder_semaphore(j->b,
                                        &(hoist_prog_semaphore){.name = name, .maximum = maximum});
    }
    return *slot;
}

hoist_ref hoist_neff_semaphore(hoist_neff_job *j, const hoist_neff_core *core, uint32_t number)
{
    HOIST_ASSERT(number < HOIST_NEFF_SEMAPHORES && core->number < j->core_count);
    hoist_neff_core *own = &j->cores[core->number];
    const hoist_str name = hoist_neff_name(j, "%.*ss%u", HOIST_STR_ARGS(core->prefix), number);
    return semaphore(j, &own->semaphores[number], name, 0);
}

hoist_ref hoist_neff_event(hoist_neff_job *j, const hoist_neff_core *core, uint32_t number)
{
    HOIST_ASSERT(number < HOIST_NEFF_SEMAPHORES && core->number < j->core_count);
    hoist_neff_core *own = &j->cores[core->number];
    const hoist_str name = hoist_neff_name(j, "%.*se%u", HOIST_STR_ARGS(core->prefix), number);
    return semaphore(j, &own->events[number], name, 1);
}

// What a file is ---------------------------------------------------------------------------------

static void judge_features(hoist_neff_job *j, const hoist_neff_file *file,
                           const hoist_neff_place *place)
{
    for (unsigned bit = 0; bit < 64; bit++) {
        if (file->module->header.feature_bits >> bit & 1 && !neff_features[bit].name &&
            !neff_features[bit].summary) {
            hoist_neff_refuse(j, RUN_020, place, "feature bit %u is set, its meaning is not known",
                              bit);
        }
    }
}

// The whole file is a program of its cores.
static void judge_file(hoist_neff_job *j, const hoist_neff_file *file)
{
    const neff_module *module = file->module;
    const hoist_neff_core nowhere = {.file = file};
    const hoist_neff_place place = {.core = &nowhere, .member = NEFF_NONE};
    judge_features(j, file, &place);
    if (module->subgraph_count == 0) {
        hoist_neff_refuse(j, RUN_018, &place, "there is no subgraph");
    } else if (module->header.lnc_size > module->subgraph_count) {
        hoist_neff_refuse(j, RUN_018, &place, "lnc_size is %" PRIu32 ", there %s %" PRIu32 " %s",
                          module->header.lnc_size, module->subgraph_count == 1 ? "is" : "are",
                          module->subgraph_count,
                          module->subgraph_count == 1 ? "subgraph" : "subgraphs");
    }
    if (module->subgraph_count > HOIST_NEFF_MAX_CORES) {
        hoist_neff_refuse(j, RUN_018, &place, "%" PRIu32 " subgraphs, wanted at most %d",
                          module->subgraph_count, HOIST_NEFF_MAX_CORES);
    }
    for (uint32_t i = 0; i < module->graph.node_count; i++) {
        const neff_node *node = &module->graph.nodes[i];
        if (!node->is_kelf && !node->is_null) {
            hoist_neff_refuse(j, RUN_018, &place, "node '%.*s' is a '%.*s', which runs on the host",
                              HOIST_STR_ARGS(node->name), HOIST_STR_ARGS(node->op));
        }
    }
    for (uint32_t i = 0; i < module->member_count; i++) {
        if (module->members[i].role == NEFF_ROLE_LIBRARY) {
            hoist_neff_refuse(j, RUN_018, &place, "member '%.*s' is a library of custom operations",
                              HOIST_STR_ARGS(module->members[i].name));
        }
    }
}

// Ranks ------------------------------------------------------------------------------------------

static hoist_str prefix_of(hoist_neff_job *j, uint32_t rank, const neff_subgraph *subgraph)
{
    const hoist_str of_rank =
        j->rank_count > 1 ? hoist_neff_name(j, "rank%" PRIu32 "/", rank) : HOIST_STR("");
    return subgraph ? hoist_neff_name(j, "%.*s%.*s/", HOIST_STR_ARGS(of_rank),
                                      HOIST_STR_ARGS(subgraph->name))
                    : of_rank;
}

static void *empty_refs(hoist_neff_job *j, size_t count)
{
    hoist_ref *refs = hoist_neff_array(j, count, sizeof *refs);
    for (size_t i = 0; refs && i < count; i++) {
        refs[i] = HOIST_NO_REF;
    }
    return refs;
}

static bool init_core(hoist_neff_job *j, hoist_neff_core *core, uint32_t rank, uint32_t number)
{
    HOIST_ASSERT(rank < j->rank_count && number < j->core_count);
    const hoist_neff_file *file = &j->files[j->file_count > 1 ? rank : 0];
    const neff_subgraph *s = &file->module->subgraphs[number];
    *core = (hoist_neff_core){.rank = rank,
                              .number = number,
                              .file = file,
                              .subgraph = s,
                              .part = &file->parts[number],
                              .chip = HOIST_NO_REF,
                              .space = HOIST_NO_REF};
    core->prefix = prefix_of(j, rank, file->module->subgraph_count > 1 ? s : NULL);
    core->peer = j->core_count == 2 ? &j->cores[1 - number] : NULL;
    core->vars = empty_refs(j, s->var_count);
    core->rings = empty_refs(j, (size_t)s->queue_count + s->instance_count);
    for (int i = 0; i < HOIST_NEFF_SEMAPHORES; i++) {
        core->semaphores[i] = HOIST_NO_REF;
        core->events[i] = HOIST_NO_REF;
    }
    for (int i = 0; i < NEFF_ENGINE_COUNT; i++) {
        core->functions[i] = empty_refs(j, s->engines[i].block_count);
    }
    return j->status == HOIST_OK;
}

static void lower_rank(hoist_neff_job *j, uint32_t rank)
{
    const hoist_neff_file *file = &j->files[j->file_count > 1 ? rank : 0];
    j->transposes = j->transposes && j->file_count == 1; // told of once in each file
    j->core_count = file->module->subgraph_count;
    hoist_map_deinit(&j->team_numbers);
    hoist_map_init(&j->team_numbers, j->alloc);
    j->team_count = 0;
    j->cores = hoist_neff_array(j, j->core_count, sizeof *j->cores);
    for (uint32_t i = 0; j->cores && i < j->core_count; i++) {
        if (!init_core(j, &j->cores[i], rank, i)) {
            return;
        }
    }
    if (j->cores) {
        hoist_neff_memory(j);
    }
    for (uint32_t i = 0; i < j->core_count && hoist_neff_goes_on(j); i++) {
        hoist_neff_rings(j, &j->cores[i]);
    }
    for (uint32_t i = 0; i < j->core_count && hoist_neff_goes_on(j); i++) {
        hoist_neff_pinned(j, &j->cores[i]);
    }
    bool refused = j->refused; // of all cores, before it ends the work
    for (uint32_t i = 0; i < j->core_count && hoist_neff_goes_on(j); i++) {
        hoist_neff_threads(j, &j->cores[i]);
        refused = refused || j->refused;
        j->refused = false;
    }
    j->refused = refused;
}

static void add_idle(hoist_neff_job *j)
{
    j->idle =
        hoist_builder_begin_function(j->b, &(hoist_prog_function){.name = HOIST_STR("nothing")});
    hoist_builder_end_code(j->b);
}

static void add_entries(hoist_neff_job *j)
{
    if (j->thread_count == 0) { // all streams are empty
        const hoist_ref thread =
            hoist_builder_begin_thread(j->b, &(hoist_prog_thread){.name = HOIST_STR("nothing")});
        hoist_builder_end_code(j->b);
        (void)hoist_neff_add(j, (void **)&j->threads, &j->thread_count, &j->thread_capacity,
                             &thread, sizeof thread);
    }
    if (j->loader_count > 0) {
        (void)hoist_builder_entry(j->b,
                                  &(hoist_prog_entry){.name = HOIST_STR("load"),
                                                      .once = true,
                                                      .threads = j->loaders,
                                                      .thread_count = (uint32_t)j->loader_count});
    }
    (void)hoist_builder_entry(j->b, &(hoist_prog_entry){.name = HOIST_STR("run"),
                                                        .threads = j->threads,
                                                        .thread_count = (uint32_t)j->thread_count});
}

// What programs and NEFFs both have a rule for.
static const struct {
    hoist_program_rule program;
    neff_rule neff;
} same_rules[] = {
    {HOIST_PRG_018, NEFF_055},  // bounds
    {HOIST_PRG_038, NEFF_063},  // reads of what was never written
    {HOIST_PRG_104, NEFF_063},  // the same, in some order
    {HOIST_PRG_102, NEFF_072a}, // a run ends
    {HOIST_PRG_105, NEFF_072b}, // that is not known
    {HOIST_PRG_108, NEFF_072c}, // nobody waits
    {HOIST_PRG_101, NEFF_075a}, // races
    {HOIST_PRG_106, NEFF_075b}, // that is not known
    {HOIST_PRG_107, NEFF_075c}, // and cannot be
};

const hoist_rule *hoist_lower_neff_rule(hoist_program_rule rule)
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

// What was found in one file does not end the work on the next one.
static void survey_files(hoist_neff_job *j)
{
    bool invalid = false;
    for (size_t i = 0; i < j->file_count && hoist_neff_goes_on(j); i++) {
        j->resets = false; // told of once in each file
        hoist_neff_survey(j, &j->files[i]);
        invalid = invalid || j->invalid;
        j->invalid = false;
    }
    j->invalid = invalid;
}

// The same of ranks that have a file each. Of those of one file the first one says it all.
static void lower_ranks(hoist_neff_job *j)
{
    bool refused = false;
    bool invalid = false;
    for (uint32_t rank = 0; rank < j->rank_count && hoist_neff_goes_on(j); rank++) {
        lower_rank(j, rank);
        if (hoist_builder_status(j->b) != HOIST_OK) {
            return;
        }
        refused = refused || j->refused;
        invalid = invalid || j->invalid;
        j->refused = j->refused && j->file_count == 1;
        j->invalid = j->invalid && j->file_count == 1;
    }
    j->refused = refused;
    j->invalid = invalid;
}

static void lower_job(hoist_neff_job *j)
{
    for (size_t i = 0; i < j->file_count; i++) {
        judge_file(j, &j->files[i]);
    }
    if (hoist_neff_goes_on(j)) {
        j->rank_count = hoist_neff_rank_count(j);
    }
    if (hoist_neff_goes_on(j)) {
        survey_files(j);
    }
    if (!hoist_neff_goes_on(j)) {
        return;
    }
    map_rules(j->b);
    hoist_builder_file(j->b, j->files[0].name);
    add_idle(j);
    lower_ranks(j);
    if (hoist_neff_goes_on(j)) {
        hoist_neff_compare_meetings(j);
        add_entries(j);
    }
}

// Two things of one name come from names with slashes in them.
static bool names_differ(hoist_neff_job *j, const hoist_program *program, hoist_name_table table)
{
    const hoist_names names = hoist_names_of(program, table, NULL, NULL);
    const hoist_neff_core core = {.file = j->files};
    hoist_map map;
    hoist_map_init(&map, j->alloc);
    for (uint32_t i = 0; i < names.count && j->status == HOIST_OK && !j->refused; i++) {
        const hoist_str name = hoist_names_at(&names, i);
        const hoist_status status = name.size ? hoist_map_add(&map, name, i, NULL) : HOIST_INVALID;
        const hoist_neff_place place = {.core = &core, .member = NEFF_NONE};
        if (status == HOIST_NO_MEMORY) {
            j->status = status;
        } else if (status != HOIST_OK) {
            hoist_neff_refuse(j, RUN_010, &place, "two %s are called '%.*s'",
                              hoist_name_table_many(table), HOIST_STR_ARGS(name));
        }
    }
    hoist_map_deinit(&map);
    return j->status == HOIST_OK && !j->refused;
}

static hoist_status finish(hoist_neff_job *j, hoist_program **out_program)
{
    hoist_program *program = NULL;
    hoist_builder *b = j->b;
    j->b = NULL; // gone, whatever comes of it
    HOIST_TRY(hoist_builder_finish(b, &program));
    const bool good = names_differ(j, program, HOIST_NAMES_BUFFER) &&
                      names_differ(j, program, HOIST_NAMES_UNIT) &&
                      names_differ(j, program, HOIST_NAMES_FUNCTION);
    if (!good) {
        hoist_program_destroy(program);
        return j->status != HOIST_OK ? j->status : HOIST_UNSUPPORTED;
    }
    *out_program = program;
    return HOIST_OK;
}

static hoist_status status_of(hoist_neff_job *j)
{
    if (!has_memory(j)) {
        return j->status;
    }
    return j->invalid ? HOIST_INVALID : j->refused ? HOIST_UNSUPPORTED : HOIST_OK;
}

static hoist_status init_files(hoist_neff_job *j, const hoist_lower_file *files, size_t count,
                               const hoist_check_options *check)
{
    bool given = false;
    j->files = hoist_neff_array(j, count, sizeof *j->files);
    if (!j->files) {
        return HOIST_NO_MEMORY;
    }
    j->file_count = count;
    for (size_t i = 0; i < count; i++) {
        const neff_module *module = neff_of(files[i].module);
        j->files[i] = (hoist_neff_file){.module = module,
                                        .name = files[i].name,
                                        .generation = neff_generation_for(module, check, &given)};
    }
    HOIST_TRY(hoist_builder_create(j->alloc, HOIST_STR("neff"), &j->b));
    hoist_builder_limit(j->b, files[0].module->deadline);
    return HOIST_OK;
}

static void deinit(hoist_neff_job *j)
{
    for (size_t i = 0; i < j->file_count; i++) {
        hoist_neff_survey_deinit(j, &j->files[i]);
    }
    hoist_map_deinit(&j->group_numbers);
    hoist_map_deinit(&j->team_numbers);
    hoist_free(j->alloc, j->teams, j->team_capacity * sizeof *j->teams);
    hoist_free(j->alloc, j->groups, j->group_capacity * sizeof *j->groups);
    hoist_free(j->alloc, j->meetings, j->meeting_capacity * sizeof *j->meetings);
    hoist_free(j->alloc, j->threads, j->thread_capacity * sizeof *j->threads);
    hoist_free(j->alloc, j->loaders, j->loader_capacity * sizeof *j->loaders);
    hoist_builder_destroy(j->b);
    hoist_arena_deinit(&j->arena);
}

hoist_status hoist_lower_neff(const hoist_lower_file *files, size_t count,
                              const hoist_check_options *check, const hoist_lower_options *options,
                              hoist_diag *diag, hoist_program **out_program)
{
    *out_program = NULL;
    hoist_neff_job j = {.options = options, .diag = diag, .alloc = files[0].module->alloc};
    hoist_arena_init(&j.arena, j.alloc);
    hoist_map_init(&j.group_numbers, j.alloc);
    hoist_map_init(&j.team_numbers, j.alloc);
    hoist_status status = init_files(&j, files, count, check);
    if (status == HOIST_OK) {
        lower_job(&j);
        status = status_of(&j);
    }
    if (status == HOIST_OK) {
        status = finish(&j, out_program);
    }
    deinit(&j);
    return status;
}
