// Constants as arrays (neff reference 6.1, 6.2): of `file` variables, each member once, and of .npy
// members that no variable names; then what the file should hold or leaves to the framework. In
// goes a module, possibly a damaged one, out come arrays and gaps to a sink (load/parts.c);
// constant.c reads the members. What the file does not state is left open: a dtype is never
// guessed.
#include <inttypes.h>
#include <string.h>

#include "base/checked.h"
#include "base/diag.h"
#include "base/span.h"
#include "formats/neff/constant.h"
#include "formats/neff/neff.h"
#include "formats/neff/tape.h"
#include "tensor/npy_code.h"

static const char from_header[] = "npy header"; // what dtype_from and shape_from may be
static const char from_definition[] = "def.json";

// A `file` variable.
typedef struct recover_file {
    const neff_subgraph *subgraph;
    const neff_var *var;
    uint32_t next; // index of the next variable of the same member; NEFF_NONE: the last
} recover_file;

// A member as a constant.
typedef struct recover_member {
    uint32_t first; // of its variables, in `files`; NEFF_NONE
    uint32_t last;
    hoist_str problem; // why it is none; arena
} recover_member;

typedef struct recovery {
    const neff_module *module;
    const hoist_recovery_sink *sink;
    hoist_arena arena;
    recover_file *files; // arena; in the order of subgraphs and variables
    uint32_t file_count;
    recover_member *members; // arena; as the module's
    hoist_str *names;        // arena; capacity for those of any one array
    neff_cursor cursor;      // of the text of the last gap
} recovery;

// Variables --------------------------------------------------------------------------------------

static uint32_t count_files(const neff_module *m)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->subgraph_count; i++) {
        for (uint32_t k = 0; k < m->subgraphs[i].var_count; k++) {
            count += m->subgraphs[i].vars[k].type == NEFF_VAR_FILE;
        }
    }
    return count;
}

// A row for the variable, linked to the others of its member: constants are shared, and one array
// has the names of all of them.
static void add_file(recovery *r, const neff_subgraph *subgraph, const neff_var *var)
{
    const uint32_t index = r->file_count++;
    r->files[index] = (recover_file){subgraph, var, NEFF_NONE};
    if (var->member == NEFF_NONE) { // it has no member: reported as a gap
        return;
    }
    recover_member *const member = &r->members[var->member];
    if (member->first == NEFF_NONE) {
        member->first = index;
    } else {
        r->files[member->last].next = index;
    }
    member->last = index;
}

static hoist_status list_files(recovery *r)
{
    const neff_module *const m = r->module;
    const uint32_t count = count_files(m);
    r->files = hoist_arena_array(&r->arena, count, sizeof(r->files[0]));
    // One more, for a stray member's name.
    r->names = hoist_arena_array(&r->arena, (size_t)count + 1, sizeof(r->names[0]));
    r->members = hoist_arena_array(&r->arena, m->member_count, sizeof(r->members[0]));
    HOIST_TRY_MEMORY(r->files && r->names && r->members);
    for (uint32_t i = 0; i < m->member_count; i++) {
        r->members[i] = (recover_member){NEFF_NONE, NEFF_NONE, HOIST_STR("")};
    }
    for (uint32_t i = 0; i < m->subgraph_count; i++) {
        for (uint32_t k = 0; k < m->subgraphs[i].var_count; k++) {
            if (m->subgraphs[i].vars[k].type == NEFF_VAR_FILE) {
                add_file(r, &m->subgraphs[i], &m->subgraphs[i].vars[k]);
            }
        }
    }
    return HOIST_OK;
}

// The variable's name, which of several subgraphs is "sg00/NAME", as names need not differ between
// them. NULL data: out of memory.
static hoist_str name_of(recovery *r, const recover_file *file)
{
    const hoist_str folder = file->subgraph->name;
    const hoist_str own = file->var->name;
    if (r->module->subgraph_count < 2) {
        return own;
    }
    char *const name = hoist_arena_alloc(&r->arena, folder.size + 1 + own.size);
    if (!name) {
        return (hoist_str){NULL, 0};
    }
    memcpy(name, folder.data, folder.size);
    name[folder.size] = '/';
    memcpy(name + folder.size + 1, own.data, own.size);
    return (hoist_str){name, folder.size + 1 + own.size};
}

// Types and shapes -------------------------------------------------------------------------------

// NULL: no type is declared, or an unknown one.
static const neff_dtype_row *declared_dtype(const neff_var *var)
{
    const int word = var->dtype.size ? hoist_rec_word_find(&neff_dtype_words, var->dtype) : -1;
    return word < 0 ? NULL : &neff_dtypes[word];
}

// Takes the type that a variable of the member declares where the bytes hold whole elements of it.
// In an .npy they are of the header's size, and bit patterns, or unsigned integers for a float:
// NumPy has no small floats, so bfloat16 is stored as "V2" or "u2".
static void take_dtype(const recovery *r, const recover_member *member, hoist_recovered *array)
{
    const uint32_t size = array->dtype_from ? array->element_size : 0;
    const hoist_dtype_class kind = hoist_dtype_get(array->dtype)->kind;
    if (size && kind != HOIST_CLASS_RAW && kind != HOIST_CLASS_UNSIGNED) {
        return;
    }
    for (uint32_t i = member->first; i != NEFF_NONE; i = r->files[i].next) {
        const neff_dtype_row *const row = declared_dtype(r->files[i].var);
        const bool is_float = row && hoist_dtype_get(row->dtype)->kind == HOIST_CLASS_FLOAT;
        if (row && array->bytes.size % row->bytes == 0 && (!size || size == row->bytes) &&
            (is_float || kind != HOIST_CLASS_UNSIGNED)) {
            array->dtype = row->dtype;
            array->element_size = row->bytes;
            array->dtype_from = from_definition;
            return;
        }
    }
}

// Sizes that an element can have; others would make a shape fit by accident.
static bool is_element_size(uint64_t size)
{
    return size == 1 || size == 2 || size == 4 || size == 8;
}

// True when `shape` has elements of 1, 2, 4 or 8 bytes; of `*size` bytes when that is not 0. Sets
// `*size` to what was found.
static bool fits(const neff_ints *shape, uint64_t bytes, uint64_t *size)
{
    uint64_t count = 1;
    if (shape->count == 0 || shape->count > HOIST_RECOVERED_MAX_RANK) {
        return false;
    }
    for (uint32_t i = 0; i < shape->count; i++) {
        if (shape->items[i] < 0 || hoist_ckd_mul(&count, count, (uint64_t)shape->items[i])) {
            return false;
        }
    }
    // An empty array states no element size.
    if (count == 0 || bytes % count != 0 || !is_element_size(bytes / count)) {
        return false;
    }
    const bool right = *size == 0 || bytes / count == *size;
    *size = right ? bytes / count : *size;
    return right;
}

// The shape that one of the member's variables declares and that the bytes fill; when nothing
// states how large an element is, that follows. Without a shape the array is flat, of `*flat`
// elements.
static void take_shape(const recovery *r, const recover_member *member, hoist_recovered *array,
                       int64_t *flat)
{
    uint64_t size = array->dtype_from ? array->element_size : 0;
    for (uint32_t i = member->first; i != NEFF_NONE && !array->shape_from; i = r->files[i].next) {
        const neff_var *const var = r->files[i].var;
        const uint64_t own = is_element_size((uint64_t)var->element_size) && !size
                                 ? (uint64_t)var->element_size
                                 : size;
        // `shape` before `internal_shape`, which has leading ones.
        const neff_ints *const shapes[] = {&var->shape, &var->internal_shape};
        for (size_t k = 0; k < HOIST_COUNT_OF(shapes) && !array->shape_from; k++) {
            uint64_t found = own;
            if (fits(shapes[k], array->bytes.size, &found)) {
                array->shape = shapes[k]->items;
                array->rank = (uint32_t)shapes[k]->count;
                array->shape_from = from_definition;
                size = found;
            }
        }
    }
    array->element_size = size ? (uint32_t)size : 1;
    if (!array->shape_from) {
        *flat = (int64_t)(array->bytes.size / array->element_size);
        array->shape = flat;
        array->rank = 1;
    }
}

// Arrays -----------------------------------------------------------------------------------------

// Why an .npy gives no array; empty: it does. NULL data: out of memory. A part of an array is none:
// its reader could not detect that the rest is missing.
static hoist_str problem_of(recovery *r, const neff_constant *constant)
{
    const hoist_str descr = constant->header.descr;
    bool is_big_endian = false;
    if (constant->problem.size) {
        return constant->problem;
    }
    if (constant->data.size < constant->size) {
        return hoist_arena_format(
            &r->arena, "cut off: %zu %s of the array's %" PRIu64, constant->data.size,
            hoist_plural(constant->data.size, "byte", "bytes"), constant->size);
    }
    if (hoist_npy_dtype(descr, &is_big_endian) == HOIST_DTYPE_NONE) { // records, texts, objects
        const char *const meaning = hoist_npy_refused(descr);
        return hoist_arena_format(&r->arena, "descr '%.*s' means %s, expected plain numbers",
                                  HOIST_STR_ARGS(descr), meaning ? meaning : "no type");
    }
    return HOIST_STR("");
}

// Takes what the header of an .npy without a problem states.
static void take_header(const neff_constant *constant, hoist_recovered *array)
{
    bool is_big_endian = false;
    array->dtype = hoist_npy_dtype(constant->header.descr, &is_big_endian);
    array->offset = constant->header.data_offset;
    array->element_size = (uint32_t)constant->header.item_size;
    array->rank = constant->header.rank;
    array->shape = constant->header.shape;
    array->is_big_endian = neff_constant_is_big_endian(constant);
    array->is_fortran = neff_constant_is_fortran(constant);
    array->dtype_from = from_header;
    array->shape_from = from_header;
}

// Sends one member as an array, by the `count` names in r->names, or keeps the reason why it is
// none.
static hoist_status send_array(recovery *r, uint32_t index, size_t count)
{
    const neff_member *const member = &r->module->members[index];
    recover_member *const row = &r->members[index];
    neff_constant constant;
    int64_t flat = 0;
    HOIST_TRY(neff_constant_read(r->module, index, &r->arena, &constant));
    hoist_recovered array = {
        .names = r->names, .name_count = count, .member = member->name, .bytes = constant.data};
    if (constant.is_npy) {
        row->problem = problem_of(r, &constant);
        if (row->problem.size || !row->problem.data) {
            return row->problem.data ? HOIST_OK : HOIST_NO_MEMORY;
        }
        take_header(&constant, &array);
    }
    take_dtype(r, row, &array);
    if (!array.shape_from) { // a raw member, or an .npy: its own shape counts
        take_shape(r, row, &array, &flat);
    }
    // A type of raw bits states a size only: whoever gets the array is not to take it for a dtype.
    if (hoist_dtype_get(array.dtype)->kind == HOIST_CLASS_RAW) {
        array.dtype = HOIST_DTYPE_NONE;
        array.dtype_from = NULL;
    }
    return r->sink->array(r->sink->self, &array);
}

// Each member at the first variable that names it, with the names of all.
static hoist_status send_files(recovery *r)
{
    for (uint32_t i = 0; i < r->file_count; i++) {
        const uint32_t member = r->files[i].var->member;
        size_t count = 0;
        if (member == NEFF_NONE || r->members[member].first != i) {
            continue;
        }
        for (uint32_t k = i; k != NEFF_NONE; k = r->files[k].next) {
            r->names[count] = name_of(r, &r->files[k]);
            HOIST_TRY_MEMORY(r->names[count++].data);
        }
        HOIST_TRY(send_array(r, member, count));
    }
    return HOIST_OK;
}

// The name of a member that is_stray().
static hoist_str stray_name(const recovery *r, uint32_t member)
{
    const hoist_str name = r->module->members[member].name;
    return hoist_str_slice(name, 0, name.size - strlen(".npy"));
}

// An .npy that nothing refers to. It describes itself, and in a damaged file there may be nothing
// else that does.
static bool is_stray(const recovery *r, uint32_t member)
{
    return r->members[member].first == NEFF_NONE &&
           r->module->members[member].role == NEFF_ROLE_UNKNOWN &&
           hoist_str_ends_with(r->module->members[member].name, ".npy");
}

static hoist_status send_strays(recovery *r)
{
    for (uint32_t i = 0; i < r->module->member_count; i++) {
        if (is_stray(r, i)) {
            r->names[0] = stray_name(r, i);
            HOIST_TRY(send_array(r, i, 1));
        }
    }
    return HOIST_OK;
}

// What is missing --------------------------------------------------------------------------------

// Why the variable has no array; empty: it has one. NULL data: out of memory.
static hoist_str reason_of(recovery *r, const neff_var *var)
{
    if (var->member != NEFF_NONE) {
        const recover_member *const member = &r->members[var->member];
        return member->problem.size
                   ? hoist_arena_format(&r->arena, "'%.*s': %.*s", HOIST_STR_ARGS(var->file_name),
                                        HOIST_STR_ARGS(member->problem))
                   : HOIST_STR("");
    }
    return var->file_name.size ? hoist_arena_format(&r->arena, "'%.*s' is not in the archive",
                                                    HOIST_STR_ARGS(var->file_name))
                               : HOIST_STR("no 'file_name' states where its values are");
}

// At the key that should name the values, in def.json.
static hoist_status miss_files(recovery *r)
{
    for (uint32_t i = 0; i < r->file_count; i++) {
        const recover_file *const file = &r->files[i];
        const neff_text *const def = &file->subgraph->def;
        const hoist_str reason = reason_of(r, file->var);
        if (reason.data && !reason.size) {
            continue;
        }
        const hoist_unrecovered missing = {
            .name = name_of(r, file),
            .member = r->module->members[def->member].name,
            .loc = neff_key_loc(&r->cursor, &def->json, file->var->at, "file_name"),
            .reason = reason};
        HOIST_TRY_MEMORY(missing.name.data && reason.data);
        HOIST_TRY(r->sink->missing(r->sink->self, &missing));
    }
    return HOIST_OK;
}

static hoist_status miss_strays(recovery *r)
{
    for (uint32_t i = 0; i < r->module->member_count; i++) {
        const hoist_str problem = r->members[i].problem;
        if (is_stray(r, i) && problem.size) {
            const hoist_unrecovered missing = {.name = stray_name(r, i),
                                               .member = r->module->members[i].name,
                                               .loc = hoist_loc_byte(0),
                                               .reason = problem};
            HOIST_TRY(r->sink->missing(r->sink->self, &missing));
        }
    }
    return HOIST_OK;
}

// True for a node whose attribute `is_param`, a text as all of them, is 1; other writers may give
// it as a boolean or number.
static bool is_parameter(const hoist_json *json, hoist_json_index node)
{
    const hoist_json_index attrs = neff_tape_find(json, node, "attrs");
    const hoist_json_index value = attrs ? neff_tape_find(json, attrs, "is_param") : 0;
    uint64_t number = 0;
    switch (value ? hoist_json_kind_of(json, value) : HOIST_JSON_NULL) {
    case HOIST_JSON_STRING:
        return hoist_json_string_is(json, value, HOIST_STR("1"));
    case HOIST_JSON_TRUE:
        return true;
    default:
        return value && hoist_json_u64(json, value, &number) && number == 1;
    }
}

// Inputs that the graph calls parameters: the framework passes their values at each execution, so
// the file has none.
static hoist_status miss_parameters(recovery *r)
{
    const neff_graph *const graph = &r->module->graph;
    const hoist_json *const json = &graph->text.json;
    for (uint32_t i = 0; i < graph->node_count; i++) {
        const neff_node *const node = &graph->nodes[i];
        const hoist_json_index at = neff_tape_at(json, node->at);
        if (!node->is_null || !is_parameter(json, at)) {
            continue;
        }
        const hoist_unrecovered missing = {
            .name = node->name,
            .member = r->module->members[graph->text.member].name,
            .loc = neff_tape_loc(&r->cursor, json, at),
            .reason = HOIST_STR("a parameter that is an input: the framework has its values")};
        HOIST_TRY(r->sink->missing(r->sink->self, &missing));
    }
    return HOIST_OK;
}

static hoist_status send_all(recovery *r)
{
    HOIST_TRY(list_files(r));
    HOIST_TRY(send_files(r));
    HOIST_TRY(send_strays(r));
    HOIST_TRY(miss_files(r));
    HOIST_TRY(miss_strays(r));
    return miss_parameters(r);
}

hoist_status neff_recover(const hoist_module *module, const hoist_recovery_sink *sink)
{
    recovery r = {.module = neff_of(module), .sink = sink};
    hoist_arena_init(&r.arena, module->alloc);
    const hoist_status status = send_all(&r);
    hoist_arena_deinit(&r.arena);
    return status;
}
