// hoist recover: the arrays that a file holds, and the layers that its compiled programs compute,
// as one document. Writing the arrays is recover_write.c; a TFLite model is made by the library.
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "base/span.h"
#include "base/tree.h"
#include "recover.h"

enum { SHOWN_NAMES = 8 }; // of one array in a table; JSON has all

// The document -----------------------------------------------------------------------------------

// Opens the document at the first thing to say, so that a file that has no arrays by its format
// gives none.
static hoist_tree_sink *document(recover *r)
{
    hoist_tree_sink *const sink = &r->doc.sink;
    if (!r->begun) {
        tool_document(r->t, &r->doc, false);
        tool_send_file(&r->input, sink);
        if (r->path) {
            hoist_tree_c(sink, r->kind == RECOVER_FOLDER ? "folder" : "output", r->path);
        }
        if (r->model) {
            hoist_tree_c(sink, "model", r->model);
        }
        // Layers come first, as arrays name them. Their status is kept until the arrays were
        // sent: what is intact is recovered whatever the layers are like.
        r->layers = hoist_job_layers(r->input.job, r->input.diag, sink, &r->gaps);
        hoist_tree_list(sink, "arrays");
        r->begun = true;
    }
    return sink;
}

// The same, in the list "missing".
// Lists of a document follow one another, so "arrays" ends here; all arrays have been sent by
// then.
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

// An array that several variables share is one array with several names, the first of which is
// the one of its file.
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

// What says type and shape, each once.
// "size" where neither is known: elements are then as wide as the data allow.
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

// People get at least the width of the elements, programs a null.
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
    hoist_tree_maybe_c(sink, "dtype_from", array->dtype_from);
    hoist_tree_maybe_c(sink, "shape_from", array->shape_from);
    hoist_tree_bool(sink, "big_endian", array->is_big_endian);
    hoist_tree_bool(sink, "fortran_order", array->is_fortran);
    hoist_tree_uint(sink, "offset", array->offset, HOIST_UNIT_NONE);
    // A table for people has one column for the location: the file that was written, else the
    // member.
    sink->audience = file ? HOIST_TREE_FOR_PROGRAMS : HOIST_TREE_FOR_ALL;
    hoist_tree_str(sink, "member", array->member);
    sink->audience = HOIST_TREE_FOR_ALL;
    if (file) {
        hoist_tree_c(sink, "file", file);
    }
    hoist_tree_end(sink);
}

// "sg00/def.json:12:9".
// As findings name locations; people get one text, programs its parts.
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

// The command ------------------------------------------------------------------------------------

// Called for each array in the order of the file. Writing comes before sending, so a document
// has the names of files that exist.
static hoist_status take_array(void *self, const hoist_recovered *array)
{
    recover *const r = self;
    const char *file = NULL;
    hoist_tree_sink *const sink = document(r);
    if (r->path) {
        HOIST_TRY(recover_write(r, array, &file));
    }
    r->arrays++;
    r->bytes += array->bytes.size;
    send_array(array, file, sink);
    return sink->status;
}

// An array that the file should have. It makes the exit code 1, but does not end the recovery.
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

// The result, behind the lists.
// Counts come last, as the lists before them were sent while they were counted.
static tool_exit end_document(recover *r)
{
    hoist_tree_sink *const sink = missing_list(r);
    hoist_tree_end(sink);
    hoist_tree_uint(sink, "recovered", r->arrays, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "bytes", r->bytes, HOIST_UNIT_BYTES);
    hoist_tree_uint(sink, "not_recovered", r->missing, HOIST_UNIT_NONE);
    return tool_document_end(&r->doc);
}

// The findings of a damaged file were printed when it was opened.
static tool_exit run_recover(recover *r, tool_exit code)
{
    const hoist_recovery_sink sink = {r, take_array, take_missing};
    r->t->doing = "recovering from";
    hoist_status status = hoist_job_recover(r->input.job, r->input.diag, &sink);
    // Files appear under their names here, all together.
    if (status == HOIST_OK && r->path) {
        status = recover_end(r);
    }
    if (status == HOIST_OK) {
        (void)document(r); // also for none
        status = r->layers;
    }
    code = tool_report_shown(r->t, status, &r->input, code);
    // A document that was begun is ended, also after a failure.
    if (status == HOIST_OK || r->begun) {
        code = tool_worse(code, end_document(r));
    }
    return tool_worse(code, r->missing || r->gaps ? TOOL_NO : TOOL_OK);
}

// Writes the model that --tflite asks for. Its exit code; what kept it from being made is printed.
// An unsupported part of the program gives TOOL_NO: the answer to "can it be recovered" is no.
static tool_exit write_model(recover *r)
{
    const char *const path = r->t->values[OPT_TFLITE];
    hoist_mut_bytes model = {NULL, 0};
    r->t->doing = "recovering the model of";
    const hoist_status status = hoist_job_recover_model(r->input.job, r->input.diag, &model);
    const tool_exit code = tool_save_made(r->t, &r->input, path, status, model, TOOL_NO);
    r->model = code == TOOL_OK ? path : NULL;
    return code;
}

static tool_exit recover_file(recover *r, tool_exit code)
{
    const char *const model = r->t->values[OPT_TFLITE];
    if (model && code != TOOL_OK) {
        return code; // of a damaged file no model is made
    }
    if (model && !tool_is_stdout(model) && !tool_may_replace(r->t, model)) {
        return TOOL_UNREADABLE;
    }
    const tool_exit made = model ? write_model(r) : TOOL_OK;
    // A model on standard output leaves no place for the document.
    const bool reports = !model || (!tool_is_stdout(model) && made == TOOL_OK);
    return reports ? tool_worse(made, run_recover(r, code)) : made;
}

// That the file itself is not written, whatever --force says.
static bool check_outputs(tool *t)
{
    static const tool_option_id outputs[] = {OPT_TFLITE, OPT_RECOVER_DIR};
    for (size_t i = 0; i < HOIST_COUNT_OF(outputs); i++) {
        const char *const path = t->values[outputs[i]];
        if (path && !tool_spares_inputs(t, path)) {
            return false;
        }
    }
    return true;
}

tool_exit cmd_recover(tool *t)
{
    recover r;
    if (!check_outputs(t)) {
        return TOOL_USAGE;
    }
    recover_init(&r, t);
    tool_exit code = tool_open_file(t, t->arguments[0], &r.input);
    if (tool_can_show(&r.input, code)) {
        code = recover_file(&r, code);
    }
    recover_deinit(&r);
    tool_close(t, &r.input, code);
    return code;
}
