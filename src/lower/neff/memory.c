// Variables as buffers, at the addresses that we give out (neff reference section 4.1): in each
// area of a core the scratchpads, then the variables by rising var_id. In goes a rank's cores, out
// come the references in neff_lower_core.vars. Addresses do not depend on anything but the file,
// the core and the rank, so that pointers in outputs are the same in every run.
//
//     0x10_0000_0000 + core << 40 + rank << 44   main: scratchpads, variables
//     0x20_0000_0000 + core << 40 + rank << 44   alt
#include <inttypes.h>
#include <string.h>

#include "base/assert.h"
#include "base/checked.h"
#include "base/span.h"
#include "formats/neff/constant.h"
#include "lower/neff/state.h"

enum { SCRATCHPAD_ROUND = 64 * 1024, MIN_ALIGNMENT = 64 }; // of 4.1, bytes
#define MAIN_BASE UINT64_C(0x1000000000)
#define ALT_BASE UINT64_C(0x2000000000)
#define AREA_BYTES UINT64_C(0x1000000000) // up to the next one

// An area of a core.
typedef struct area {
    neff_lower_job *j;
    neff_lower_core *core;
    neff_fabric fabric;
    hoist_ref space;
    uint64_t base;
    uint64_t next;      // address of the first free byte
    neff_cursor cursor; // of def.json, for places
} area;

// At the variable in def.json.
static neff_lower_place place_of(area *a, uint32_t var)
{
    const neff_lower_core *core = a->core;
    const neff_subgraph *s = core->subgraph;
    neff_lower_place place = {
        .core = core, .member = s->def.member, .kind = NEFF_LOWER_IN_VAR, .at = var};
    if (s->def.member != NEFF_NONE) {
        const hoist_bytes text = core->file->module->members[s->def.member].bytes;
        place.loc = hoist_loc_pos(neff_place(&a->cursor, text, s->vars[var].at));
    }
    place.loc.source = neff_lower_source(a->j, core->file, s->def.member);
    return place;
}

// An unknown fabric path counts as main.
static bool is_in(const area *a, const neff_var *var)
{
    return (var->fabric == NEFF_FABRIC_ALT) == (a->fabric == NEFF_FABRIC_ALT);
}

// The address of the next `size` bytes of the area; false when they are not in it, which was
// reported.
static bool take(area *a, uint32_t var, uint64_t size, uint64_t alignment, uint64_t *out_address)
{
    uint64_t end = 0;
    const bool wraps =
        hoist_ckd_align(out_address, a->next, alignment) || hoist_ckd_add(&end, *out_address, size);
    if (wraps || end - a->base > AREA_BYTES) {
        const neff_lower_place place = place_of(a, var);
        neff_lower_refuse(a->j, RUN_024, &place,
                          "the variables up to this one need more than the %" PRIu64
                          " bytes of their area",
                          AREA_BYTES);
        return false;
    }
    a->next = end;
    return true;
}

// Inputs and outputs are the rank's: both cores have the same buffer under one name.
static hoist_str name_of(area *a, const neff_var *var, bool shared)
{
    hoist_lower_context *c = &a->j->c;
    return hoist_lower_joined(c, shared ? hoist_lower_rank(c, a->core->rank) : a->core->prefix,
                              var->name);
}

// A name for memory that is no variable's: `what`, with as many apostrophes as no variable has.
static hoist_str own_name(neff_lower_job *j, const neff_lower_core *core, hoist_str what)
{
    size_t at = 0;
    while (what.data && hoist_map_find(&core->subgraph->var_names, what, &at)) {
        what = hoist_lower_name(&j->c, what, "'");
    }
    return hoist_lower_joined(&j->c, core->prefix, what);
}

// Scratchpads ------------------------------------------------------------------------------------

// Memory that the `virtual` variables with one `backing_buf` share.
typedef struct scratchpad {
    uint32_t first; // variable with the lowest var_id: places of findings
    uint64_t extent;
    uint64_t address;
    hoist_ref buffer;
} scratchpad;

// Empty ones need no memory; those with other faults have findings.
static bool lies_in_scratchpad(const area *a, const neff_var *var)
{
    return var->type == NEFF_VAR_VIRTUAL && is_in(a, var) && var->size > 0 &&
           var->backing_variable_off >= 0;
}

// Maps need a key that is not NULL, though it may be empty.
static hoist_str pad_key(const neff_var *var)
{
    return var->backing_buf.data ? var->backing_buf : HOIST_STR("");
}

// Scratchpads by `backing_buf`, in the order of their first variables; how many there are.
static uint32_t measure_scratchpads(area *a, hoist_map *names, scratchpad *all)
{
    const neff_subgraph *s = a->core->subgraph;
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->var_count; i++) {
        const neff_var *var = &s->vars[s->by_id[i]];
        size_t at = count;
        if (!lies_in_scratchpad(a, var)) {
            continue;
        }
        const hoist_status status = hoist_map_add(names, pad_key(var), count, &at);
        if (status == HOIST_NO_MEMORY) {
            a->j->c.status = status;
            return 0;
        }
        if (status == HOIST_OK) {
            at = count++;
            all[at] = (scratchpad){.first = s->by_id[i], .buffer = HOIST_NO_REF};
        }
        const uint64_t end = (uint64_t)var->backing_variable_off + (uint64_t)var->size;
        all[at].extent = end > all[at].extent ? end : all[at].extent;
    }
    return count;
}

// One buffer for all slices: overlaps are meant, and the verifier sees them through windows.
static void place_scratchpad(area *a, scratchpad *pad)
{
    const neff_var *var = &a->core->subgraph->vars[pad->first];
    uint64_t rounded = 0;
    // The next address is rounded up (4.1); the buffer has the extent only.
    if (hoist_ckd_align(&rounded, pad->extent, SCRATCHPAD_ROUND) ||
        !take(a, pad->first, rounded, MIN_ALIGNMENT, &pad->address)) {
        return;
    }
    const hoist_str name =
        hoist_lower_format(&a->j->c, "scratchpad.%s%s%.*s", neff_fabrics.names[a->fabric],
                           var->backing_buf.size ? "." : "", HOIST_STR_ARGS(var->backing_buf));
    pad->buffer =
        hoist_builder_buffer(a->j->c.b, &(hoist_prog_buffer){.name = own_name(a->j, a->core, name),
                                                             .space = a->space,
                                                             .size = pad->extent,
                                                             .alignment = MIN_ALIGNMENT,
                                                             .placed = true,
                                                             .address = pad->address,
                                                             .window_of = HOIST_NO_REF,
                                                             // Slices are undefined when a run
                                                             // begins.
                                                             .lifetime = HOIST_LIFETIME_RUN});
}

// A variable as a window of its scratchpad, at its offset.
static void add_window(area *a, uint32_t at, const scratchpad *pad)
{
    const neff_var *var = &a->core->subgraph->vars[at];
    const uint64_t offset = (uint64_t)var->backing_variable_off;
    a->core->vars[at] =
        hoist_builder_buffer(a->j->c.b, &(hoist_prog_buffer){.name = name_of(a, var, false),
                                                             .loc = place_of(a, at).loc,
                                                             .space = a->space,
                                                             .size = (uint64_t)var->size,
                                                             .alignment = 1,
                                                             .placed = true,
                                                             .address = pad->address + offset,
                                                             .window_of = pad->buffer,
                                                             .window_offset = offset,
                                                             .lifetime = HOIST_LIFETIME_RUN});
}

// All scratchpads get addresses before any variable, in the order of var_ids.
static void add_scratchpads(area *a)
{
    const neff_subgraph *s = a->core->subgraph;
    hoist_map names;
    hoist_map_init(&names, a->j->c.arena.alloc);
    scratchpad *all = hoist_lower_array(&a->j->c, s->var_count, sizeof *all);
    const uint32_t count = all ? measure_scratchpads(a, &names, all) : 0;
    for (uint32_t i = 0; i < count && hoist_lower_goes_on(&a->j->c); i++) {
        place_scratchpad(a, &all[i]);
    }
    for (uint32_t i = 0; i < s->var_count && hoist_lower_goes_on(&a->j->c); i++) {
        const neff_var *var = &s->vars[s->by_id[i]];
        size_t at = 0;
        if (all && lies_in_scratchpad(a, var) && hoist_map_find(&names, pad_key(var), &at)) {
            add_window(a, s->by_id[i], &all[at]);
        }
    }
    hoist_map_deinit(&names);
}

// Variables of their own -------------------------------------------------------------------------

// NULL: the core has no variable of that name and type.
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
        const neff_lower_core *other = &a->j->cores[i];
        const neff_var *same = var_named(other->subgraph, var->name, NEFF_VAR_INPUT);
        same = same ? same : var_named(other->subgraph, var->name, NEFF_VAR_OUTPUT);
        if (!same) {
            continue;
        }
        // The first core's buffer is used; a size that differs has no meaning for it.
        if (same->size != var->size) {
            const neff_lower_place place = place_of(a, at);
            neff_lower_refuse(a->j, RUN_024, &place,
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

// Sets the type that neff.json gives to an input or output, when its bytes are the variable's; else
// callers pass bytes.
static void set_type(area *a, const neff_var *var, hoist_prog_buffer *row)
{
    const neff_lower_file *file = a->core->file;
    hoist_prog_layout layout = {.kind = HOIST_LAYOUT_STRIDED};
    size_t found = 0;
    if (!hoist_map_find(&file->entries, var->name, &found)) {
        return;
    }
    const neff_entry *entry = &file->module->graph.entries[found];
    if (entry->dtype < 0 ||
        hoist_shape_init(entry->shape.items, entry->shape.count, &layout.shape) != HOIST_OK) {
        return;
    }
    const neff_dtype_row *dtype = &neff_dtypes[entry->dtype];
    int64_t stride = dtype->bytes;
    if (row->size % dtype->bytes != 0 ||
        hoist_shape_count(&layout.shape) != (int64_t)(row->size / dtype->bytes)) {
        return;
    }
    for (int k = layout.shape.rank - 1; k >= 0; k--) { // dense, outermost first
        layout.stride[k] = stride;
        stride *= layout.shape.dim[k];
    }
    row->typed = true;
    row->dtype = dtype->dtype;
    row->layout = hoist_builder_layout(a->j->c.b, &layout);
}

// The bytes of the member. Big-endian or Fortran-order arrays are taken as they are, as the loader
// does.
static void set_constant(area *a, uint32_t at, hoist_prog_buffer *row)
{
    const neff_var *var = &a->core->subgraph->vars[at];
    neff_constant constant;
    if (var->member == NEFF_NONE) {
        const neff_lower_place place = place_of(a, at);
        neff_lower_find(a->j, NEFF_031a, &place, "the constant's member is missing");
        return;
    }
    const hoist_status status =
        neff_constant_read(a->core->file->module, var->member, &a->j->c.arena, &constant);
    if (status != HOIST_OK) {
        a->j->c.status = status;
        return;
    }
    if (constant.problem.size || constant.data.size != (uint64_t)var->size) {
        const neff_lower_place place = place_of(a, at);
        neff_lower_find(a->j, NEFF_031a, &place,
                        "the constant has %zu bytes, the variable %" PRId64, constant.data.size,
                        var->size);
        return;
    }
    // Programs may write constants (rule 63 warns); then every session has a copy of its own.
    const bool written = a->core->part->written[at];
    // Orders do not depend on data.
    row->contents = a->j->c.options->control_only ? HOIST_CONTENTS_ZERO : HOIST_CONTENTS_BYTES;
    if (row->contents == HOIST_CONTENTS_BYTES) {
        row->bytes = constant.data;
    }
    row->lifetime = written ? HOIST_LIFETIME_SESSION : HOIST_LIFETIME_CONSTANT;
}

// What a buffer holds at first: the caller's bytes, a constant, or zeros under relocations. A name
// that is an input of one core and an output of another is both.
static void set_contents(area *a, uint32_t at, hoist_prog_buffer *row)
{
    HOIST_ASSERT(at < a->core->subgraph->var_count);
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
        row->contents = HOIST_CONTENTS_ZERO; // relocations fill it
        row->lifetime = HOIST_LIFETIME_SESSION;
        break;
    default: // tmp-buf: undefined (4.1)
        break;
    }
}

// Types that get an address; undocumented ones have none, and a move to them is refused.
static bool has_own_memory(const neff_var *var)
{
    return var->type == NEFF_VAR_INPUT || var->type == NEFF_VAR_OUTPUT ||
           var->type == NEFF_VAR_FILE || var->type == NEFF_VAR_TMP_BUF ||
           var->type == NEFF_VAR_POINTER || var->type == NEFF_VAR_DGE_TABLE;
}

static void add_variable(area *a, uint32_t at)
{
    HOIST_ASSERT(at < a->core->subgraph->var_count);
    const neff_var *var = &a->core->subgraph->vars[at];
    const bool shared = var->type == NEFF_VAR_INPUT || var->type == NEFF_VAR_OUTPUT;
    if (!has_own_memory(var) || !is_in(a, var) || var->size <= 0 ||
        (shared && find_shared(a, at))) {
        return;
    }
    // A wrong alignment is rule 29's.
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
        a->core->vars[at] = hoist_builder_buffer(a->j->c.b, &row);
    }
}

// No space at all for an area without variables.
static void add_area(neff_lower_job *j, neff_lower_core *core, neff_fabric fabric)
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
    // "main", "rank1/sg01/alt".
    const hoist_str name = hoist_lower_name(&j->c, core->prefix, "%s", neff_fabrics.names[fabric]);
    area a = {.j = j, .core = core, .fabric = fabric, .base = base, .next = base};
    a.space =
        hoist_builder_space(j->c.b, &(hoist_prog_space){.name = name, .alignment = MIN_ALIGNMENT});
    add_scratchpads(&a);
    for (uint32_t i = 0; i < s->var_count && hoist_lower_goes_on(&j->c); i++) {
        add_variable(&a, s->by_id[i]);
    }
}

// On the chip ------------------------------------------------------------------------------------

// SBUF and PSUM after it, as one buffer; state-buffer variables are windows that are all of it.
// What pinned queues bring stays for the session, and with it all else.
static void add_chip(neff_lower_job *j, neff_lower_core *core)
{
    const bool opaque = neff_lower_has_opaque(j);
    const neff_subgraph *s = core->subgraph;
    const hoist_str name = own_name(j, core, HOIST_STR("chip"));
    core->space = hoist_builder_space(j->c.b, &(hoist_prog_space){.name = name, .alignment = 1});
    if (!core->part->uses_chip && !opaque) { // opaque instructions write to it
        return;
    }
    const hoist_lifetime lifetime =
        core->part->has_pinned ? HOIST_LIFETIME_SESSION : HOIST_LIFETIME_RUN;
    hoist_prog_buffer row = {.name = name,
                             .space = core->space,
                             .size = NEFF_LOWER_ON_CHIP_BYTES,
                             .alignment = 1,
                             .placed = true,
                             .window_of = HOIST_NO_REF,
                             .lifetime = lifetime};
    core->chip = hoist_builder_buffer(j->c.b, &row);
    area a = {.j = j, .core = core};
    for (uint32_t i = 0; i < s->var_count; i++) {
        if (s->vars[i].type == NEFF_VAR_STATE_BUFFER) {
            row.name = name_of(&a, &s->vars[i], false);
            row.loc = place_of(&a, i).loc;
            row.window_of = core->chip;
            core->vars[i] = hoist_builder_buffer(j->c.b, &row);
        }
    }
}

// Addresses --------------------------------------------------------------------------------------

// An entry of a pointer or table: 64 bits that hold the target's address once it is placed.
static void add_address(area *a, uint32_t at, uint64_t entry, uint32_t target)
{
    HOIST_ASSERT(target == NEFF_NONE || target < a->core->subgraph->var_count);
    const hoist_ref buffer = a->core->vars[at];
    const hoist_ref of = target == NEFF_NONE ? HOIST_NO_REF : a->core->vars[target];
    const neff_lower_place place = place_of(a, at);
    if (buffer == HOIST_NO_REF) { // without memory: reported
        return;
    }
    if (of == HOIST_NO_REF) {
        neff_lower_refuse(a->j, RUN_024, &place,
                          "entry %" PRIu64 " is to a variable without memory", entry);
        return;
    }
    // Entries of 64 bits each [inferred for dge-table].
    hoist_builder_relocation(
        a->j->c.b, &(hoist_prog_relocation){
                       .loc = place.loc, .buffer = buffer, .bit_offset = 64 * entry, .target = of});
}

static void add_addresses(neff_lower_job *j, neff_lower_core *core)
{
    const neff_subgraph *s = core->subgraph;
    area a = {.j = j, .core = core};
    for (uint32_t i = 0; i < s->var_count && hoist_lower_goes_on(&j->c); i++) {
        const neff_var *var = &s->vars[i];
        if (var->type == NEFF_VAR_POINTER) {
            add_address(&a, i, 0, var->referenced);
        }
        for (uint32_t k = 0; var->type == NEFF_VAR_DGE_TABLE && k < var->list.count; k++) {
            add_address(&a, i, k, neff_var_by_id(s, var->list.items[k]));
        }
    }
}

// Addresses last, as pointers may be to variables of either area.
void neff_lower_memory(neff_lower_job *j)
{
    for (uint32_t i = 0; i < j->core_count && hoist_lower_goes_on(&j->c); i++) {
        add_area(j, &j->cores[i], NEFF_FABRIC_MAIN);
        add_area(j, &j->cores[i], NEFF_FABRIC_ALT);
        add_chip(j, &j->cores[i]);
    }
    for (uint32_t i = 0; i < j->core_count && hoist_lower_goes_on(&j->c); i++) {
        add_addresses(j, &j->cores[i]);
    }
}
