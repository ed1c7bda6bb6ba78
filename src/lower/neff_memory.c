// Variables as buffers, at the addresses that we give out (neff reference section 4.1): in each
// area of a core the scratchpads, then the variables by rising var_id.
#include <inttypes.h>
#include <string.h>

#include "base/checked.h"
#include "base/span.h"
#include "formats/neff/constant.h"
#include "lower/neff_lower.h"

enum { SCRATCHPAD_ROUND = 64 * 1024, MIN_ALIGNMENT = 64 };
#define MAIN_BASE UINT64_C(0x1000000000)
#define ALT_BASE UINT64_C(0x2000000000)
#define AREA_BYTES UINT64_C(0x1000000000) // up to the next one

// An area of a core.
typedef struct area {
    hoist_neff_job *j;
    hoist_neff_core *core;
    neff_fabric fabric;
    hoist_ref space;
    uint64_t base;
    uint64_t next; // address
    neff_cursor cursor;
} area;

static hoist_neff_place place_of(area *a, uint32_t var)
{
    const hoist_neff_core *core = a->core;
    const neff_subgraph *s = core->subgraph;
    hoist_neff_place place = {
        .core = core, .member = s->def.member, .kind = HOIST_NEFF_IN_VAR, .at = var};
    if (s->def.member != NEFF_NONE) {
        const hoist_bytes text = core->file->module->members[s->def.member].bytes;
        place.loc = hoist_loc_pos(neff_place(&a->cursor, text, s->vars[var].at));
    }
    place.loc.source = hoist_neff_source(a->j, core->file, s->def.member);
    return place;
}

static bool is_in(const area *a, const neff_var *var)
{
    return (var->fabric == NEFF_FABRIC_ALT) == (a->fabric == NEFF_FABRIC_ALT);
}

// The address of the next `size` bytes of the area.
static bool take(area *a, uint32_t var, uint64_t size, uint64_t alignment, uint64_t *out_address)
{
    uint64_t end = 0;
    const bool wraps =
        hoist_ckd_align(out_address, a->next, alignment) || hoist_ckd_add(&end, *out_address, size);
    if (wraps || end - a->base > AREA_BYTES) {
        const hoist_neff_place place = place_of(a, var);
        hoist_neff_refuse(a->j, RUN_024, &place,
                          "the variables up to this one need more than the %" PRIu64
                          " bytes of their area",
                          AREA_BYTES);
        return false;
    }
    a->next = end;
    return true;
}

static hoist_str name_of(area *a, const neff_var *var, bool shared)
{
    hoist_str front = a->core->prefix;
    if (shared) { // without the core
        front = a->j->rank_count > 1 ? hoist_neff_name(a->j, "rank%" PRIu32 "/", a->core->rank)
                                     : HOIST_STR("");
    }
    return hoist_neff_name(a->j, "%.*s%.*s", HOIST_STR_ARGS(front), HOIST_STR_ARGS(var->name));
}

// Scratchpads ------------------------------------------------------------------------------------

static bool shares_scratchpad(const area *a, const neff_var *var, const neff_var *other)
{
    return other->type == NEFF_VAR_VIRTUAL && is_in(a, other) &&
           hoist_str_equal(other->backing_buf, var->backing_buf);
}

// True when no variable before `var` lies in the same scratchpad.
static bool is_first(const area *a, uint32_t at)
{
    const neff_subgraph *s = a->core->subgraph;
    const neff_var *var = &s->vars[s->by_id[at]];
    for (uint32_t i = 0; i < at; i++) {
        if (shares_scratchpad(a, var, &s->vars[s->by_id[i]])) {
            return false;
        }
    }
    return var->type == NEFF_VAR_VIRTUAL && is_in(a, var);
}

static uint64_t extent_of(const area *a, const neff_var *var)
{
    const neff_subgraph *s = a->core->subgraph;
    uint64_t extent = 0;
    for (uint32_t i = 0; i < s->var_count; i++) {
        const neff_var *other = &s->vars[i];
        const bool sound = other->backing_variable_off >= 0 && other->size > 0;
        const uint64_t end = (uint64_t)other->backing_variable_off + (uint64_t)other->size;
        if (sound && shares_scratchpad(a, var, other) && end > extent) {
            extent = end;
        }
    }
    return extent;
}

static void add_windows(area *a, const neff_var *first, hoist_ref scratchpad, uint64_t address)
{
    const neff_subgraph *s = a->core->subgraph;
    for (uint32_t i = 0; i < s->var_count; i++) {
        const neff_var *var = &s->vars[s->by_id[i]];
        if (!shares_scratchpad(a, first, var) || var->size <= 0 || var->backing_variable_off < 0) {
            continue;
        }
        a->core->vars[s->by_id[i]] = hoist_builder_buffer(
            a->j->b, &(hoist_prog_buffer){.name = name_of(a, var, false),
                                          .loc = place_of(a, s->by_id[i]).loc,
                                          .space = a->space,
                                          .size = (uint64_t)var->size,
                                          .alignment = 1,
                                          .placed = true,
                                          .address = address + (uint64_t)var->backing_variable_off,
                                          .window_of = scratchpad,
                                          .window_offset = (uint64_t)var->backing_variable_off,
                                          .lifetime = HOIST_LIFETIME_RUN});
    }
}

// The scratchpad of the variables that share one with `at`.
static void add_scratchpad(area *a, uint32_t at)
{
    const neff_var *var = &a->core->subgraph->vars[a->core->subgraph->by_id[at]];
    const uint64_t extent = extent_of(a, var);
    uint64_t address = 0;
    uint64_t rounded = 0;
    if (extent == 0 || hoist_ckd_align(&rounded, extent, SCRATCHPAD_ROUND) ||
        !take(a, a->core->subgraph->by_id[at], rounded, MIN_ALIGNMENT, &address)) {
        return;
    }
    const hoist_str name =
        hoist_neff_name(a->j, "%.*sscratchpad.%s%s%.*s", HOIST_STR_ARGS(a->core->prefix),
                        neff_fabrics.names[a->fabric], var->backing_buf.size ? "." : "",
                        HOIST_STR_ARGS(var->backing_buf));
    const hoist_ref scratchpad =
        hoist_builder_buffer(a->j->b, &(hoist_prog_buffer){.name = name,
                                                           .space = a->space,
                                                           .size = extent,
                                                           .alignment = MIN_ALIGNMENT,
                                                           .placed = true,
                                                           .address = address,
                                                           .window_of = HOIST_NO_REF,
                                                           .lifetime = HOIST_LIFETIME_RUN});
    add_windows(a, var, scratchpad, address);
}

// Variables of their own -------------------------------------------------------------------------

static const neff_var *var_named(const neff_subgraph *s, hoist_str name, neff_var_type type)
{
    size_t found = 0;
    const bool there = hoist_map_find(&s->var_names, name, &found);
    return there && s->vars[found].type == (int32_t)type ? &s->vars[found] : NULL;
}

// True when a core before this one has the variable; then its buffer is this one's too.
static bool find_shared(area *a, uint32_t at)
{
    const neff_var *var = &a->core->subgraph->vars[at];
    for (uint32_t i = 0; i < a->core->number; i++) {
        const hoist_neff_core *other = &a->j->cores[i];
        const neff_var *same = var_named(other->subgraph, var->name, NEFF_VAR_INPUT);
        same = same ? same : var_named(other->subgraph, var->name, NEFF_VAR_OUTPUT);
        if (!same) {
            continue;
        }
        if (same->size != var->size) {
            const hoist_neff_place place = place_of(a, at);
            hoist_neff_refuse(a->j, RUN_024, &place,
                              "'%.*s' has %" PRId64 " bytes here, and %" PRId64 " in '%.*s'",
                              HOIST_STR_ARGS(var->name), var->size, same->size,
                              HOIST_STR_ARGS(other->subgraph->name));
        }
        a->core->vars[at] = other->vars[same - other->subgraph->vars];
        return true;
    }
    return false;
}

// Some core of the rank has it as that type.
static bool is_for_some(const area *a, hoist_str name, neff_var_type type)
{
    for (uint32_t i = 0; i < a->j->core_count; i++) {
        if (var_named(a->j->cores[i].subgraph, name, type)) {
            return true;
        }
    }
    return false;
}

// The type that neff.json gives to an input or output, when its bytes are the variable's.
static void set_type(area *a, const neff_var *var, hoist_prog_buffer *row)
{
    const neff_graph *graph = &a->core->file->module->graph;
    for (uint32_t i = 0; i < graph->entry_count; i++) {
        const neff_entry *entry = &graph->entries[i];
        hoist_prog_layout layout = {.kind = HOIST_LAYOUT_STRIDED};
        if (!hoist_str_equal(entry->name, var->name) || entry->dtype < 0 ||
            hoist_shape_init(entry->shape.items, entry->shape.count, &layout.shape) != HOIST_OK) {
            continue;
        }
        const neff_dtype_row *dtype = &neff_dtypes[entry->dtype];
        int64_t stride = dtype->bytes;
        for (int k = layout.shape.rank - 1; k >= 0; k--) {
            layout.stride[k] = stride;
            stride *= layout.shape.dim[k] > 0 ? layout.shape.dim[k] : 1;
        }
        if (hoist_shape_count(&layout.shape) == (int64_t)(row->size / dtype->bytes) &&
            row->size % dtype->bytes == 0) {
            row->typed = true;
            row->dtype = dtype->dtype;
            row->layout = hoist_builder_layout(a->j->b, &layout);
            return;
        }
    }
}

static void set_constant(area *a, uint32_t at, hoist_prog_buffer *row)
{
    const neff_var *var = &a->core->subgraph->vars[at];
    neff_constant constant;
    if (var->member == NEFF_NONE) {
        const hoist_neff_place place = place_of(a, at);
        hoist_neff_find(a->j, NEFF_031a, &place, "the constant's member is missing");
        return;
    }
    const hoist_status status =
        neff_constant_read(a->core->file->module, var->member, &a->j->arena, &constant);
    if (status != HOIST_OK) {
        a->j->status = status;
        return;
    }
    if (constant.problem.size || constant.data.size != (uint64_t)var->size) {
        const hoist_neff_place place = place_of(a, at);
        hoist_neff_find(a->j, NEFF_031a, &place,
                        "the constant has %zu bytes, the variable %" PRId64, constant.data.size,
                        var->size);
        return;
    }
    const bool written = a->core->part->written[at];
    row->contents = a->j->options->control_only ? HOIST_CONTENTS_ZERO : HOIST_CONTENTS_BYTES;
    if (row->contents == HOIST_CONTENTS_BYTES) {
        row->bytes = constant.data;
    }
    row->lifetime = written ? HOIST_LIFETIME_SESSION : HOIST_LIFETIME_CONSTANT;
}

static void set_contents(area *a, uint32_t at, hoist_prog_buffer *row)
{
    const neff_var *var = &a->core->subgraph->vars[at];
    switch (var->type) {
    case NEFF_VAR_INPUT:
    case NEFF_VAR_OUTPUT:
        row->output = is_for_some(a, var->name, NEFF_VAR_OUTPUT);
        if (is_for_some(a, var->name, NEFF_VAR_INPUT)) {
            row->contents = HOIST_CONTENTS_CALLER;
        }
        set_type(a, var, row);
        break;
    case NEFF_VAR_FILE:
        set_constant(a, at, row);
        break;
    case NEFF_VAR_POINTER:
    case NEFF_VAR_DGE_TABLE:
        row->contents = HOIST_CONTENTS_ZERO;
        row->lifetime = HOIST_LIFETIME_SESSION;
        break;
    default:
        break;
    }
}

static bool has_own_memory(const neff_var *var)
{
    return var->type == NEFF_VAR_INPUT || var->type == NEFF_VAR_OUTPUT ||
           var->type == NEFF_VAR_FILE || var->type == NEFF_VAR_TMP_BUF ||
           var->type == NEFF_VAR_POINTER || var->type == NEFF_VAR_DGE_TABLE;
}

static void add_variable(area *a, uint32_t at)
{
    const neff_var *var = &a->core->subgraph->vars[at];
    const bool shared = var->type == NEFF_VAR_INPUT || var->type == NEFF_VAR_OUTPUT;
    if (!has_own_memory(var) || !is_in(a, var) || var->size <= 0 ||
        (shared && find_shared(a, at))) {
        return;
    }
    const bool aligned = var->alignment > MIN_ALIGNMENT && var->alignment <= INT64_C(1) << 31 &&
                         (var->alignment & (var->alignment - 1)) == 0;
    const uint32_t alignment = aligned ? (uint32_t)var->alignment : MIN_ALIGNMENT;
    hoist_prog_buffer row = {.name = name_of(a, var, shared),
                             .loc = place_of(a, at).loc,
                             .space = a->space,
                             .size = (uint64_t)var->size,
                             .alignment = alignment,
                             .placed = true,
                             .window_of = HOIST_NO_REF,
                             .lifetime = HOIST_LIFETIME_RUN};
    set_contents(a, at, &row);
    if (take(a, at, row.size, alignment, &row.address)) {
        a->core->vars[at] = hoist_builder_buffer(a->j->b, &row);
    }
}

static void add_area(hoist_neff_job *j, hoist_neff_core *core, neff_fabric fabric)
{
    const neff_subgraph *s = core->subgraph;
    bool used = false;
    for (uint32_t i = 0; i < s->var_count; i++) {
        const bool alt = s->vars[i].fabric == NEFF_FABRIC_ALT;
        used = used || (alt == (fabric == NEFF_FABRIC_ALT) &&
                        (has_own_memory(&s->vars[i]) || s->vars[i].type == NEFF_VAR_VIRTUAL));
    }
    if (!used) {
        return;
    }
    const uint64_t base = (fabric == NEFF_FABRIC_ALT ? ALT_BASE : MAIN_BASE) +
                          ((uint64_t)core->number << 40) + ((uint64_t)core->rank << 44);
    const hoist_str name =
        hoist_neff_name(j, "%.*s%s", HOIST_STR_ARGS(core->prefix), neff_fabrics.names[fabric]);
    area a = {.j = j, .core = core, .fabric = fabric, .base = base, .next = base};
    a.space =
        hoist_builder_space(j->b, &(hoist_prog_space){.name = name, .alignment = MIN_ALIGNMENT});
    for (uint32_t i = 0; i < s->var_count && hoist_neff_goes_on(j); i++) {
        if (is_first(&a, i)) {
            add_scratchpad(&a, i);
        }
    }
    for (uint32_t i = 0; i < s->var_count && hoist_neff_goes_on(j); i++) {
        add_variable(&a, s->by_id[i]);
    }
}

// On the chip ------------------------------------------------------------------------------------

// SBUF and PSUM behind it. What pinned queues bring stays for the session, and with it all else.
static void add_chip(hoist_neff_job *j, hoist_neff_core *core)
{
    const bool poison = j->options->on_unknown == HOIST_UNKNOWN_POISON;
    const neff_subgraph *s = core->subgraph;
    const hoist_str name = hoist_neff_name(j, "%.*schip", HOIST_STR_ARGS(core->prefix));
    core->space = hoist_builder_space(j->b, &(hoist_prog_space){.name = name, .alignment = 1});
    if (!core->part->uses_chip && !poison) {
        return;
    }
    const hoist_lifetime lifetime =
        core->part->has_pinned ? HOIST_LIFETIME_SESSION : HOIST_LIFETIME_RUN;
    hoist_prog_buffer row = {.name = hoist_neff_name(j, "%.*schip", HOIST_STR_ARGS(core->prefix)),
                             .space = core->space,
                             .size = HOIST_NEFF_ON_CHIP_BYTES,
                             .alignment = 1,
                             .placed = true,
                             .window_of = HOIST_NO_REF,
                             .lifetime = lifetime};
    core->chip = hoist_builder_buffer(j->b, &row);
    area a = {.j = j, .core = core};
    for (uint32_t i = 0; i < s->var_count; i++) {
        if (s->vars[i].type == NEFF_VAR_STATE_BUFFER) {
            row.name = name_of(&a, &s->vars[i], false);
            row.loc = place_of(&a, i).loc;
            row.window_of = core->chip;
            core->vars[i] = hoist_builder_buffer(j->b, &row);
        }
    }
}

// Addresses --------------------------------------------------------------------------------------

static void add_address(area *a, uint32_t at, uint64_t entry, uint32_t target)
{
    const hoist_ref buffer = a->core->vars[at];
    const hoist_ref of = target == NEFF_NONE ? HOIST_NO_REF : a->core->vars[target];
    const hoist_neff_place place = place_of(a, at);
    if (buffer == HOIST_NO_REF) {
        return;
    }
    if (of == HOIST_NO_REF) {
        hoist_neff_refuse(a->j, RUN_024, &place,
                          "entry %" PRIu64 " is to a variable without memory", entry);
        return;
    }
    hoist_builder_relocation(
        a->j->b, &(hoist_prog_relocation){
                     .loc = place.loc, .buffer = buffer, .bit_offset = 64 * entry, .target = of});
}

static void add_addresses(hoist_neff_job *j, hoist_neff_core *core)
{
    const neff_subgraph *s = core->subgraph;
    area a = {.j = j, .core = core};
    for (uint32_t i = 0; i < s->var_count && hoist_neff_goes_on(j); i++) {
        const neff_var *var = &s->vars[i];
        if (var->type == NEFF_VAR_POINTER) {
            add_address(&a, i, 0, var->referenced);
        }
        for (uint32_t k = 0; var->type == NEFF_VAR_DGE_TABLE && k < var->list.count; k++) {
            add_address(&a, i, k, neff_var_by_id(s, var->list.items[k]));
        }
    }
}

void hoist_neff_memory(hoist_neff_job *j)
{
    for (uint32_t i = 0; i < j->core_count && hoist_neff_goes_on(j); i++) {
        add_area(j, &j->cores[i], NEFF_FABRIC_MAIN);
        add_area(j, &j->cores[i], NEFF_FABRIC_ALT);
        add_chip(j, &j->cores[i]);
    }
    for (uint32_t i = 0; i < j->core_count && hoist_neff_goes_on(j); i++) {
        add_addresses(j, &j->cores[i]);
    }
}
