// The context of lowering (context.h): begins and finishes the program, keeps names unique, hands
// out arena memory and reports findings at locations of the job's files. Used by lower/buda,
// lower/neff, lower/darwinn and lower/tflite.
#include "lower/context.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/progress.h"
#include "base/span.h"

// The program -----------------------------------------------------------------------------------

hoist_status hoist_lower_begin(hoist_lower_context *c, hoist_str name, const hoist_file *file,
                               const hoist_lower_options *options, hoist_diag *diag)
{
    const hoist_module *module = file->module;
    *c = (hoist_lower_context){
        .options = options, .diag = diag, .deadline = module->deadline, .file = file->name};
    hoist_arena_init(&c->arena, module->alloc);
    hoist_arena_init(&c->scratch, module->alloc);
    hoist_map_init(&c->names, module->alloc);
    HOIST_TRY(hoist_builder_create(module->alloc, name, &c->b));
    // Progress and cancelling reach the program's verifier through the builder.
    hoist_builder_limit(c->b, module->deadline);
    hoist_str path = file->name;
    if (file->member.size) {
        path = hoist_arena_format(&c->scratch, "%.*s!%.*s", HOIST_STR_ARGS(file->name),
                                  HOIST_STR_ARGS(file->member));
        HOIST_TRY_MEMORY(path.data);
    }
    hoist_builder_file(c->b, path);
    return HOIST_OK;
}

void hoist_lower_deinit(hoist_lower_context *c)
{
    hoist_builder_destroy(c->b);
    hoist_map_deinit(&c->names);
    hoist_arena_deinit(&c->scratch);
    hoist_arena_deinit(&c->arena);
}

// A failure comes before findings: findings of a job that ran out of memory are incomplete.
hoist_status hoist_lower_status(hoist_lower_context *c)
{
    if (c->b) {
        hoist_lower_fail(c, hoist_builder_status(c->b));
    }
    return c->status != HOIST_OK ? c->status
           : c->invalid          ? HOIST_INVALID
           : c->errors           ? HOIST_UNSUPPORTED
                                 : HOIST_OK;
}

// The program's verifier does not know the file's places, so names are compared here: those of the
// `unique` tables come from different parts of files.
static void check_names(hoist_lower_context *c, const hoist_program *program,
                        hoist_name_table table)
{
    const hoist_names names = hoist_names_of(program, table, NULL, NULL);
    hoist_map map;
    hoist_map_init(&map, c->arena.alloc);
    for (uint32_t i = 0; i < names.count && hoist_lower_goes_on(c); i++) {
        const hoist_str name = hoist_names_at(&names, i);
        hoist_lower_place place = {.loc = hoist_names_loc(&names, i, hoist_loc_none())};
        if (place.loc.source) { // in a member of one of the files: what is wrong is in several
            place.loc = hoist_loc_none();
        }
        const hoist_status status = hoist_map_add(&map, name, i, NULL);
        if (status == HOIST_NO_MEMORY) {
            hoist_lower_fail(c, status);
        } else if (!name.size) {
            hoist_lower_refuse(c, RUN_010, &place, "one of the %s has an empty name",
                               hoist_name_table_many(table));
        } else if (status != HOIST_OK) {
            hoist_lower_refuse(c, RUN_010, &place, "two %s are called '%.*s'",
                               hoist_name_table_many(table), HOIST_STR_ARGS(name));
        }
    }
    hoist_map_deinit(&map);
}

hoist_status hoist_lower_finish(hoist_lower_context *c, const hoist_name_table *unique,
                                size_t count, hoist_program **out_program)
{
    HOIST_TRY(hoist_lower_status(c));
    hoist_builder *b = c->b; // a builder that failed is finished, too, and gone
    c->b = NULL;             // gone, whatever comes of it
    HOIST_TRY(hoist_builder_finish(b, out_program));
    for (size_t i = 0; i < count && hoist_lower_goes_on(c); i++) {
        check_names(c, *out_program, unique[i]);
    }
    const hoist_status status = hoist_lower_status(c);
    if (status != HOIST_OK) {
        hoist_program_destroy(*out_program);
        *out_program = NULL;
    }
    return status;
}

// Progress --------------------------------------------------------------------------------------

// Called with the operators or instructions of each file before they are lowered.
void hoist_lower_expect(hoist_lower_context *c, uint64_t more)
{
    hoist_stage_expect(c->deadline, HOIST_STAGE_LOWERING, more);
}

void hoist_lower_count(hoist_lower_context *c)
{
    hoist_stage_add(c->deadline, HOIST_STAGE_LOWERING, 1);
}

// Memory ----------------------------------------------------------------------------------------

// Arrays of the program under construction; they live until the program is finished.
void *hoist_lower_array(hoist_lower_context *c, size_t count, size_t size)
{
    void *items = hoist_arena_array(&c->arena, count, size);
    hoist_lower_fail(c, items ? HOIST_OK : HOIST_NO_MEMORY);
    return items;
}

// For tables of one graph or function, forgotten by hoist_lower_clean() before the next.
void *hoist_lower_scratch(hoist_lower_context *c, size_t count, size_t size)
{
    void *items = hoist_arena_array(&c->scratch, count, size);
    hoist_lower_fail(c, items ? HOIST_OK : HOIST_NO_MEMORY);
    return items;
}

void hoist_lower_clean(hoist_lower_context *c)
{
    const hoist_allocator alloc = c->arena.alloc;
    hoist_arena_deinit(&c->scratch);
    hoist_arena_init(&c->scratch, alloc);
}

bool hoist_lower_add(hoist_lower_context *c, void **items, size_t *count, size_t *capacity,
                     const void *item, size_t size)
{
    HOIST_ASSERT(*count <= *capacity && item);
    if (!hoist_grow(c->arena.alloc, items, capacity, *count + 1, size)) {
        hoist_lower_fail(c, HOIST_NO_MEMORY);
        return false;
    }
    memcpy((uint8_t *)*items + *count * size, item, size);
    ++*count;
    return true;
}

// Names -----------------------------------------------------------------------------------------

// `front` and formatted text. `front` may have any bytes, NUL included, so it is copied and not
// printed. Data NULL: no memory, or the format failed.
HOIST_PRINTF(3, 0)
static hoist_str named(hoist_lower_context *c, hoist_str front, const char *format, va_list args)
{
    va_list again; // the list is read twice: for the length, and to print
    va_copy(again, args);
    const int size = vsnprintf(NULL, 0, format, args);
    const size_t total = front.size + (size_t)(size < 0 ? 0 : size);
    char *name = size < 0 ? NULL : hoist_arena_alloc(&c->arena, total + 1);
    if (name && front.size) {
        memcpy(name, front.data, front.size);
    }
    if (name) {
        (void)vsnprintf(name + front.size, (size_t)size + 1, format, again);
    }
    va_end(again);
    hoist_lower_fail(c, name ? HOIST_OK : HOIST_NO_MEMORY);
    return (hoist_str){name, name ? total : 0};
}

hoist_str hoist_lower_format(hoist_lower_context *c, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const hoist_str text = named(c, HOIST_STR(""), format, args);
    va_end(args);
    return text;
}

hoist_str hoist_lower_name(hoist_lower_context *c, hoist_str front, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const hoist_str name = named(c, front, format, args);
    va_end(args);
    return name;
}

hoist_str hoist_lower_joined(hoist_lower_context *c, hoist_str front, hoist_str back)
{
    char *name = hoist_arena_alloc(&c->arena, front.size + back.size + 1);
    if (!name) {
        hoist_lower_fail(c, HOIST_NO_MEMORY);
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

// Names of buffers are unique in a program; keys are not copied.
bool hoist_lower_claim(hoist_lower_context *c, hoist_str name)
{
    const hoist_status status =
        name.data ? hoist_map_add(&c->names, name, 0, NULL) : HOIST_NO_MEMORY;
    hoist_lower_fail(c, status == HOIST_NO_MEMORY ? status : HOIST_OK);
    return status == HOIST_OK;
}

// The counter is the caller's, so that n names take n steps and not n * n.
hoist_str hoist_lower_numbered(hoist_lower_context *c, hoist_str front, uint64_t *next)
{
    hoist_str name = {NULL, 0};
    do {
        name = hoist_lower_name(c, front, "/%" PRIu64, (*next)++);
    } while (!hoist_lower_claim(c, name) && c->status == HOIST_OK);
    return c->status == HOIST_OK ? name : (hoist_str){NULL, 0};
}

// Jobs of one rank keep the names of the file.
hoist_str hoist_lower_rank(hoist_lower_context *c, uint32_t rank)
{
    return c->rank_count > 1 ? hoist_lower_format(c, "rank%" PRIu32 "/", rank) : HOIST_STR("");
}

// Findings --------------------------------------------------------------------------------------

void hoist_lower_vrefuse(hoist_lower_context *c, const hoist_rule *rule,
                         const hoist_lower_place *place, const char *format, va_list args)
{
    const bool is_error = rule->severity == HOIST_ERROR;
    const hoist_str text = named(c, HOIST_STR(""), format, args);
    (void)hoist_lower_status(c); // findings of a failed lowering are noise
    if (c->status != HOIST_OK) {
        return;
    }
    hoist_frame frames[HOIST_LOWER_SEGMENTS];
    hoist_loc loc = place->loc;
    loc.source = 0; // the diag's source names the file
    for (int i = 0; i < HOIST_LOWER_SEGMENTS; i++) {
        hoist_diag_push(c->diag, &frames[i], NULL, HOIST_STR(""), place->path[i]);
    }
    // Members of archives have a source of their own while this finding is reported.
    if (place->file.size) {
        hoist_diag_source(c->diag, place->file, place->member);
    }
    hoist_report(c->diag, rule, loc, "%.*s%.*s%.*s", (int)place->front.size, place->front.data,
                 (int)text.size, text.data, is_error ? (int)place->part.size : 0, place->part.data);
    if (place->file.size) {
        hoist_diag_source(c->diag, c->file, HOIST_STR(""));
    }
    for (int i = HOIST_LOWER_SEGMENTS - 1; i >= 0; i--) {
        hoist_diag_pop(c->diag, &frames[i]);
    }
    c->errors += is_error;
}

void hoist_lower_refuse(hoist_lower_context *c, hoist_lower_rule_id rule,
                        const hoist_lower_place *place, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    hoist_lower_vrefuse(c, hoist_lower_rule(rule), place, format, args);
    va_end(args);
}
