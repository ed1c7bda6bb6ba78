// A BUDA netlist as a program: queues are fifos, graphs functions, programs threads.
#include <string.h>

#include "base/alloc.h"
#include "base/span.h"
#include "formats/buda/program.h"
#include "formats/buda/rules.h"
#include "lower/buda_lower.h"
#include "lower/lower.h"
#include "program/names.h"

enum { MAX_TABLE_TILES = 1 << 28 }; // of all tables

void hoist_lower_refuse(hoist_lower *l, hoist_lower_rule_id rule, hoist_pos pos, const char *format,
                        ...)
{
    va_list args;
    va_start(args, format);
    hoist_vreport(l->diag, hoist_lower_rule(rule), hoist_loc_pos(pos), format, args);
    va_end(args);
    l->refused = true;
}

hoist_str hoist_lower_joined(hoist_lower *l, hoist_str front, hoist_str back)
{
    char *name = hoist_arena_alloc(&l->arena, front.size + back.size + 1);
    if (!name) {
        l->status = HOIST_NO_MEMORY;
        return (hoist_str){NULL, 0};
    }
    if (front.size) {
        memcpy(name, front.data, front.size);
    }
    if (back.size) {
        memcpy(name + front.size, back.data, back.size);
    }
    return (hoist_str){name, front.size + back.size};
}

hoist_str hoist_lower_name(hoist_lower *l, hoist_str front, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const hoist_str back = hoist_arena_vformat(&l->scratch, format, args);
    va_end(args);
    if (!back.data) {
        l->status = HOIST_NO_MEMORY;
        return back;
    }
    return hoist_lower_joined(l, front, back);
}

void hoist_lower_clean(hoist_lower *l)
{
    hoist_arena_deinit(&l->scratch);
    hoist_arena_init(&l->scratch, l->arena.alloc);
}

void *hoist_lower_array(hoist_lower *l, size_t count, size_t size)
{
    void *items = hoist_arena_array(&l->arena, count, size);
    if (!items) {
        l->status = HOIST_NO_MEMORY;
    }
    return items;
}

void hoist_lower_spend(hoist_lower *l, uint64_t tiles, hoist_pos pos)
{
    if (l->tiles_left < tiles) {
        hoist_lower_refuse(l, RUN_008, pos,
                           "the tables of tensor manipulations have too many tiles");
        l->status = HOIST_LIMIT;
        return;
    }
    l->tiles_left -= tiles;
}

static hoist_status build_codes(hoist_lower *l, const buda_index *index)
{
    const size_t count = l->module->program_count;
    buda_code *codes = hoist_lower_array(l, count, sizeof *codes);
    for (size_t p = 0; codes && p < count; p++) {
        HOIST_TRY(buda_code_build(index, &l->module->programs[p], &codes[p]));
    }
    l->codes = codes;
    return l->status;
}

static void lower_graphs(hoist_lower *l)
{
    l->colours = hoist_lower_array(l, l->net.op_count, sizeof *l->colours);
    l->results = hoist_lower_array(l, l->net.op_count, sizeof *l->results);
    l->reads = hoist_lower_array(l, l->net.queue_count, sizeof *l->reads);
    l->read_in = hoist_lower_array(l, l->net.queue_count, sizeof *l->read_in);
    l->written_in = hoist_lower_array(l, l->net.queue_count, sizeof *l->written_in);
    for (size_t i = 0; i < l->group_count && l->status == HOIST_OK; i++) {
        if (l->groups[i].executed) {
            hoist_lower_graph(l, &l->groups[i]);
            hoist_lower_clean(l);
        }
    }
}

static hoist_status lower_all(hoist_lower *l, const buda_index *index)
{
    l->index = index;
    HOIST_TRY(build_codes(l, index));
    HOIST_TRY(hoist_lower_memory(l));
    HOIST_TRY(hoist_lower_groups(l));
    HOIST_TRY(hoist_lower_reuse(l));
    HOIST_TRY(hoist_lower_labels(l));
    hoist_lower_clean(l);
    lower_graphs(l);
    if (l->status == HOIST_OK) {
        hoist_lower_programs(l);
    }
    return l->status;
}

static hoist_status lower_net(hoist_lower *l)
{
    buda_index index;
    hoist_status status = buda_index_build(&l->net, &l->arena, &index);
    if (status == HOIST_OK) {
        status = lower_all(l, &index);
    }
    buda_index_deinit(&index);
    if (status == HOIST_OK) {
        status = hoist_builder_status(l->b);
    }
    return status == HOIST_OK && l->refused ? HOIST_UNSUPPORTED : status;
}

static bool refuse_name(hoist_lower *l, const hoist_names *names, uint32_t at, bool empty)
{
    const hoist_str name = hoist_names_at(names, at);
    const hoist_pos pos = hoist_names_loc(names, at, hoist_loc_none()).pos;
    if (empty) {
        hoist_lower_refuse(l, RUN_010, pos, "a name is empty");
    } else {
        hoist_lower_refuse(l, RUN_010, pos, "something else is called '%.*s', too",
                           HOIST_STR_ARGS(name));
    }
    return false;
}

// Names come from the file, from different places of it.
static hoist_status check_names(hoist_lower *l, const hoist_program *program)
{
    static const hoist_name_table tables[] = {HOIST_NAMES_FIFO, HOIST_NAMES_FUNCTION,
                                              HOIST_NAMES_THREAD};
    bool good = true;
    hoist_status status = HOIST_OK;
    for (size_t t = 0; t < HOIST_COUNT_OF(tables); t++) {
        const hoist_names names = hoist_names_of(program, tables[t], NULL, NULL);
        hoist_map map;
        hoist_map_init(&map, l->arena.alloc);
        for (uint32_t i = 0; i < names.count && good && status != HOIST_NO_MEMORY; i++) {
            const hoist_str name = hoist_names_at(&names, i);
            status = hoist_map_add(&map, name, i, NULL);
            good = name.size && status != HOIST_BUSY ? true : refuse_name(l, &names, i, !name.size);
        }
        hoist_map_deinit(&map);
    }
    return status == HOIST_NO_MEMORY ? status : good ? HOIST_OK : HOIST_UNSUPPORTED;
}

// What programs and netlists both have a rule for.
static void map_rules(hoist_builder *b)
{
    static const struct {
        hoist_program_rule program;
        buda_rule netlist;
    } same[] = {
        {HOIST_PRG_006, BUDA_079c}, // inside the channel
        {HOIST_PRG_007, BUDA_079a}, // overlap
        {HOIST_PRG_008, BUDA_019},  // aliases
    };
    for (size_t i = 0; i < HOIST_COUNT_OF(same); i++) {
        hoist_builder_rule(b, same[i].program, &hoist_buda_rules.rules[same[i].netlist]);
    }
}

static hoist_status lower_module(hoist_lower *l, const hoist_lower_file *file,
                                 const hoist_check_options *check)
{
    const buda_cluster *cluster = NULL;
    HOIST_TRY(buda_net_open(l->module, check, NULL, &l->net, &cluster));
    l->check = (buda_check){.module = l->module,
                            .net = &l->net,
                            .cluster = cluster,
                            .options = check,
                            .diag = l->diag,
                            .scratch = &l->scratch,
                            .arch = l->net.arch};
    hoist_status status = hoist_builder_create(file->module->alloc, HOIST_STR("netlist"), &l->b);
    if (status == HOIST_OK) {
        map_rules(l->b);
        hoist_builder_limit(l->b, file->module->deadline);
        hoist_builder_file(l->b, file->name);
        status = lower_net(l);
    }
    buda_net_deinit(&l->net);
    return status;
}

static hoist_status finish(hoist_lower *l, hoist_program **out_program)
{
    HOIST_TRY(hoist_builder_finish(l->b, out_program));
    const hoist_status status = check_names(l, *out_program);
    if (status != HOIST_OK) {
        hoist_program_destroy(*out_program);
        *out_program = NULL;
    }
    return status;
}

hoist_status hoist_lower_buda(const hoist_lower_file *file, const hoist_check_options *check,
                              const hoist_lower_options *options, hoist_diag *diag,
                              hoist_program **out_program)
{
    const hoist_module *module = file->module;
    hoist_lower l = {.module = (const hoist_buda_module *)module,
                     .options = options,
                     .diag = diag,
                     .tiles_left = MAX_TABLE_TILES};
    *out_program = NULL;
    hoist_arena_init(&l.arena, module->alloc);
    hoist_arena_init(&l.scratch, module->alloc);
    hoist_map_init(&l.spaces, module->alloc);
    hoist_status status = lower_module(&l, file, check);
    if (status == HOIST_OK) {
        status = finish(&l, out_program);
    } else {
        hoist_builder_destroy(l.b);
    }
    hoist_map_deinit(&l.spaces);
    hoist_arena_deinit(&l.scratch);
    hoist_arena_deinit(&l.arena);
    return status;
}
