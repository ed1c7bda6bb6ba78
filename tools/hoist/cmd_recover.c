// hoist recover: the arrays that a file holds, as .npy files in a folder, or a list of them.
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/checked.h"
#include "base/diag.h"
#include "base/map.h"
#include "base/span.h"
#include "base/tree.h"
#include "os/folder.h"
#include "tool.h"

enum {
    SHOWN_NAMES = 8,         // of one array in a table; JSON has all
    MAX_NAME = 255 - 4 - 16, // of a file, without its ending and what keeps long names apart
};

typedef struct recover {
    tool *t;
    tool_input input;
    const char *path;    // of the folder; NULL: nothing is written
    hoist_folder folder; // fd -1: not open
    hoist_arena arena;   // names of files
    hoist_map files;     // their names
    hoist_document doc;
    bool begun;      // the document
    bool in_missing; // its list "missing" is open, else "arrays"
    uint64_t arrays;
    uint64_t bytes;
    uint64_t missing;
} recover;

// The document -----------------------------------------------------------------------------------

// Opens the document at the first thing to say, so that a file that has no arrays by its format
// gives none.
static hoist_tree_sink *document(recover *r)
{
    hoist_tree_sink *const sink = &r->doc.sink;
    if (!r->begun) {
        tool_document(r->t, &r->doc, false);
        hoist_tree_c(sink, "file", r->input.path);
        hoist_tree_c(sink, "format", hoist_job_format(r->input.job));
        if (r->path) {
            hoist_tree_c(sink, "folder", r->path);
        }
        hoist_tree_list(sink, "arrays");
        r->begun = true;
    }
    return sink;
}

// The same, in the list "missing".
static hoist_tree_sink *missing_list(recover *r)
{
    hoist_tree_sink *const sink = document(r);
    if (!r->in_missing) {
        hoist_tree_end(sink);
        hoist_tree_list(sink, "missing");
        r->in_missing = true;
    }
    return sink;
}

static void send_names(const hoist_recovered *array, hoist_tree_sink *sink)
{
    hoist_tree_str(sink, "name", array->names[0]);
    sink->audience = HOIST_TREE_FOR_PROGRAMS;
    hoist_tree_list(sink, "names");
    for (size_t i = 0; i < array->name_count; i++) {
        hoist_tree_str(sink, "", array->names[i]);
    }
    hoist_tree_end(sink);
    sink->audience = HOIST_TREE_FOR_PEOPLE;
    if (array->name_count > 1) {
        const size_t count = array->name_count - 1;
        hoist_tree_short_list(sink, "also");
        for (size_t i = 0; i < count && i < SHOWN_NAMES; i++) {
            hoist_tree_str(sink, "", array->names[i + 1]);
        }
        if (count > SHOWN_NAMES) {
            char more[32];
            (void)snprintf(more, sizeof(more), "%zu more", count - SHOWN_NAMES);
            hoist_tree_c(sink, "", more);
        }
        hoist_tree_end(sink);
    }
    sink->audience = HOIST_TREE_FOR_ALL;
}

// A text, or null.
static void send_words(hoist_tree_sink *sink, const char *key, const char *words)
{
    if (words) {
        hoist_tree_c(sink, key, words);
    } else {
        hoist_tree_null(sink, key);
    }
}

// What says type and shape, each once.
static void send_sources(const hoist_recovered *array, hoist_tree_sink *sink)
{
    const char *const dtype = array->dtype_from;
    const char *const shape = array->shape_from;
    hoist_tree_short_list(sink, "known_from");
    if (dtype) {
        hoist_tree_c(sink, "", dtype);
    }
    if (shape && (!dtype || strcmp(dtype, shape) != 0)) {
        hoist_tree_c(sink, "", shape);
    }
    if (!dtype && !shape) {
        hoist_tree_c(sink, "", "size");
    }
    hoist_tree_end(sink);
}

static void send_dtype(const hoist_recovered *array, hoist_tree_sink *sink)
{
    if (array->dtype) {
        hoist_tree_c(sink, "dtype", hoist_dtype_get(array->dtype)->name);
        return;
    }
    char words[32];
    (void)snprintf(words, sizeof(words), "%u bits", 8 * array->element_size);
    sink->audience = HOIST_TREE_FOR_PEOPLE;
    hoist_tree_c(sink, "dtype", words);
    sink->audience = HOIST_TREE_FOR_PROGRAMS;
    hoist_tree_null(sink, "dtype");
    sink->audience = HOIST_TREE_FOR_ALL;
}

static void send_array(const hoist_recovered *array, const char *file, hoist_tree_sink *sink)
{
    hoist_tree_map(sink, "");
    send_names(array, sink);
    send_dtype(array, sink);
    hoist_tree_short_list(sink, "shape");
    for (uint32_t i = 0; i < array->rank; i++) {
        hoist_tree_int(sink, "", array->shape[i]);
    }
    hoist_tree_end(sink);
    hoist_tree_uint(sink, "size_bytes", array->bytes.size, HOIST_UNIT_BYTES);
    sink->audience = HOIST_TREE_FOR_PEOPLE;
    send_sources(array, sink);
    sink->audience = HOIST_TREE_FOR_PROGRAMS;
    hoist_tree_uint(sink, "element_bytes", array->element_size, HOIST_UNIT_NONE);
    send_words(sink, "dtype_from", array->dtype_from);
    send_words(sink, "shape_from", array->shape_from);
    hoist_tree_bool(sink, "big_endian", array->is_big_endian);
    hoist_tree_bool(sink, "fortran_order", array->is_fortran);
    hoist_tree_uint(sink, "offset", array->offset, HOIST_UNIT_NONE);
    sink->audience = file ? HOIST_TREE_FOR_PROGRAMS : HOIST_TREE_FOR_ALL;
    hoist_tree_str(sink, "member", array->member);
    sink->audience = HOIST_TREE_FOR_ALL;
    if (file) {
        hoist_tree_c(sink, "file", file);
    }
    hoist_tree_end(sink);
}

// "sg00/def.json:12:9".
static hoist_status send_place(recover *r, const hoist_unrecovered *missing, hoist_tree_sink *sink)
{
    const hoist_loc loc = missing->loc;
    hoist_buffer place;
    hoist_buffer_init(&place, r->t->alloc);
    hoist_buffer_str(&place, missing->member);
    if (loc.kind == HOIST_LOC_TEXT) {
        hoist_buffer_format(&place, ":%u:%u", loc.pos.line, loc.pos.column);
    } else if (loc.kind == HOIST_LOC_BYTE) {
        hoist_buffer_format(&place, ":+0x%llx", (unsigned long long)loc.offset);
    }
    sink->audience = HOIST_TREE_FOR_PEOPLE;
    hoist_tree_str(sink, "place", hoist_buffer_text(&place));
    sink->audience = HOIST_TREE_FOR_PROGRAMS;
    hoist_tree_str(sink, "member", missing->member);
    if (loc.kind == HOIST_LOC_TEXT) {
        hoist_tree_uint(sink, "line", loc.pos.line, HOIST_UNIT_NONE);
        hoist_tree_uint(sink, "column", loc.pos.column, HOIST_UNIT_NONE);
    } else if (loc.kind == HOIST_LOC_BYTE) {
        hoist_tree_uint(sink, "offset", loc.offset, HOIST_UNIT_NONE);
    }
    sink->audience = HOIST_TREE_FOR_ALL;
    const bool failed = place.failed;
    hoist_buffer_deinit(&place);
    return failed ? HOIST_NO_MEMORY : HOIST_OK;
}

// Files ------------------------------------------------------------------------------------------

// The name of the array's file: that of the array, where it fits and no other array has it, else
// its beginning and "%~" with the array's number. No name that is written whole has "%~".
static hoist_status choose_file(recover *r, hoist_str name, const char **out_file)
{
    hoist_buffer file;
    hoist_buffer_init(&file, r->t->alloc);
    tool_file_name(name, &file);
    hoist_str kept = hoist_arena_str(&r->arena, hoist_buffer_text(&file));
    hoist_status status = file.failed || !kept.data ? HOIST_NO_MEMORY
                          : kept.size > MAX_NAME    ? HOIST_BUSY
                                                    : hoist_map_add(&r->files, kept, 0, NULL);
    if (status == HOIST_BUSY) {
        const hoist_str start = {kept.data, hoist_str_cut(kept, MAX_NAME)};
        hoist_buffer_deinit(&file);
        hoist_buffer_str(&file, start);
        hoist_buffer_format(&file, "%%~%llu", (unsigned long long)r->arrays + 1);
        kept = hoist_buffer_text(&file);
        status = HOIST_OK;
    }
    const hoist_str whole = hoist_arena_format(&r->arena, "%.*s.npy", (int)kept.size, kept.data);
    *out_file = whole.data;
    status = status == HOIST_OK && (file.failed || !whole.data) ? HOIST_NO_MEMORY : status;
    hoist_buffer_deinit(&file);
    return status;
}

// Opens the folder, and names it in what writing may report.
static hoist_status open_folder(recover *r)
{
    if (r->folder.fd >= 0) {
        return HOIST_OK;
    }
    hoist_diag_source(r->input.diag, hoist_str_from(r->path), HOIST_STR(""));
    return hoist_folder_create(&r->folder, r->path, r->input.diag);
}

static hoist_status write_file(recover *r, const hoist_array *array, const char *name)
{
    uint8_t header[HOIST_NPY_MAX_HEADER];
    size_t size = 0;
    HOIST_TRY(hoist_npy_begin(array, r->t->alloc, r->input.diag, header, &size));
    const hoist_folder_write_options options = {.head = {header, size},
                                                .replace = tool_given(r->t, OPT_FORCE)};
    return hoist_folder_write(&r->folder, hoist_str_from(name), array->data, &options,
                              r->input.diag);
}

// True for floats that NumPy has not got, and half precision, which goes with them.
static bool is_widened(const recover *r, hoist_dtype dtype)
{
    return tool_bits_dtype(dtype) != dtype && !tool_given(r->t, OPT_RAW_BITS);
}

// Writes the elements as float32, which has all values of smaller floats.
static hoist_status write_floats(recover *r, const hoist_array *array, const char *name)
{
    const uint64_t count = array->data.size / hoist_array_element_size(array->dtype);
    const bool is_big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    uint64_t size = 0;
    if (hoist_ckd_mul(&size, count, sizeof(float)) || size > SIZE_MAX) {
        return HOIST_LIMIT;
    }
    float *const floats = size ? hoist_alloc(r->t->alloc, (size_t)size) : NULL;
    if (size && !floats) {
        return HOIST_NO_MEMORY;
    }
    hoist_array wide = *array;
    wide.dtype = HOIST_DTYPE_F32;
    wide.data = (hoist_bytes){(const uint8_t *)floats, (size_t)size};
    wide.owned = NULL;
    hoist_status status = size ? hoist_array_floats(array, floats) : HOIST_OK;
    if (status == HOIST_OK) {
        status = hoist_array_from_stored(&wide, is_big_endian, false, r->t->alloc);
    }
    if (status == HOIST_OK) {
        status = write_file(r, &wide, name);
    }
    hoist_array_deinit(&wide, r->t->alloc);
    hoist_free(r->t->alloc, floats, (size_t)size);
    return status;
}

// DIR/NAME.npy.
static hoist_status write_array(recover *r, const hoist_recovered *from, const char *name)
{
    static const hoist_dtype unknown[] = {
        [1] = HOIST_DTYPE_U8, [2] = HOIST_DTYPE_U16, [4] = HOIST_DTYPE_U32, [8] = HOIST_DTYPE_U64};
    hoist_array array = {.dtype = from->dtype ? from->dtype : unknown[from->element_size],
                         .rank = from->rank,
                         .data = from->bytes};
    for (uint32_t i = 0; i < from->rank; i++) {
        array.shape[i] = from->shape[i];
    }
    HOIST_TRY(hoist_array_from_stored(&array, from->is_big_endian, from->is_fortran, r->t->alloc));
    hoist_status status = HOIST_OK;
    if (is_widened(r, array.dtype)) {
        status = write_floats(r, &array, name);
    } else {
        array.dtype = tool_bits_dtype(array.dtype);
        status = write_file(r, &array, name);
    }
    hoist_array_deinit(&array, r->t->alloc);
    return status;
}

// The command ------------------------------------------------------------------------------------

static hoist_status take_array(void *self, const hoist_recovered *array)
{
    recover *const r = self;
    const char *file = NULL;
    hoist_tree_sink *const sink = document(r);
    if (r->path) {
        HOIST_TRY(open_folder(r));
        HOIST_TRY(choose_file(r, array->names[0], &file));
        HOIST_TRY(write_array(r, array, file));
    }
    r->arrays++;
    r->bytes += array->bytes.size;
    send_array(array, file, sink);
    return sink->status;
}

static hoist_status take_missing(void *self, const hoist_unrecovered *missing)
{
    recover *const r = self;
    hoist_tree_sink *const sink = missing_list(r);
    r->missing++;
    hoist_tree_map(sink, "");
    hoist_tree_str(sink, "name", missing->name);
    HOIST_TRY(send_place(r, missing, sink));
    hoist_tree_str(sink, "reason", missing->reason);
    hoist_tree_end(sink);
    return sink->status;
}

// What came of it, behind the lists.
static tool_exit end_document(recover *r)
{
    hoist_tree_sink *const sink = missing_list(r);
    hoist_tree_end(sink);
    hoist_tree_uint(sink, "recovered", r->arrays, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "bytes", r->bytes, HOIST_UNIT_BYTES);
    hoist_tree_uint(sink, "not_recovered", r->missing, HOIST_UNIT_NONE);
    return tool_document_end(r->t, &r->doc);
}

static tool_exit run_recover(recover *r, tool_exit code)
{
    const hoist_recovery_sink sink = {r, take_array, take_missing};
    r->t->doing = "recovering from";
    hoist_status status = hoist_job_recover(r->input.job, r->input.diag, &sink);
    if (status == HOIST_OK && r->path) {
        status = open_folder(r); // also for none
    }
    code = tool_judge_shown(r->t, status, &r->input, code);
    if (status == HOIST_OK || r->begun) {
        code = tool_worse(code, end_document(r));
    }
    return tool_worse(code, r->missing ? TOOL_NO : TOOL_OK);
}

tool_exit cmd_recover(tool *t)
{
    recover r = {.t = t, .folder = {-1}};
    r.path = tool_given(t, OPT_LIST) ? NULL : t->values[OPT_RECOVER_DIR];
    hoist_arena_init(&r.arena, t->alloc);
    hoist_map_init(&r.files, t->alloc);
    const hoist_status status = tool_open(t, t->arguments[0], &r.input);
    tool_exit code = r.input.diag ? tool_judge(t, status, &r.input) : TOOL_LIMIT;
    if (tool_can_show(&r.input, code)) {
        code = run_recover(&r, code);
    }
    hoist_folder_close(&r.folder);
    hoist_map_deinit(&r.files);
    hoist_arena_deinit(&r.arena);
    tool_close(t, &r.input, code);
    return code;
}
