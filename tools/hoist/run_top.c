// hoist run: the greatest elements of each output (--top) with what they stand for (--labels), as
// rows that run_text.c and run_report.c send. A file of labels has one in each line; of lines that
// all begin with a number, as those of pycoral do, it is the label of that number. Without --labels
// those that a model has for an output are taken, when there is one for each index.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/span.h"
#include "run.h"

enum { DEFAULT_TOP = 5, MOST_LABELS = 1 << 20 };

// Labels -----------------------------------------------------------------------------------------

// The next line, without its end; false: there is none.
// Lines may end in "\r\n"; the last one may have no end.
static bool next_line(hoist_str *rest, hoist_str *out_line)
{
    if (rest->size == 0) {
        return false;
    }
    const char *const end = memchr(rest->data, '\n', rest->size);
    const size_t size = end ? (size_t)(end - rest->data) : rest->size;
    *out_line = hoist_str_slice(*rest, 0, size);
    *rest = hoist_str_slice(*rest, end ? size + 1 : size, rest->size);
    if (out_line->size && out_line->data[out_line->size - 1] == '\r') {
        out_line->size--;
    }
    return true;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

// "12 cat", "12: cat" or "12\tcat" in its parts. False: the line does not begin with a number.
// At most nine digits, which fit into 32 bits; longer ones are no index of anything.
static bool split_number(hoist_str line, uint64_t *out_number, hoist_str *out_label)
{
    size_t at = 0;
    *out_number = 0;
    while (at < line.size && at < 9 && line.data[at] >= '0' && line.data[at] <= '9') {
        *out_number = *out_number * 10 + (uint64_t)(line.data[at++] - '0');
    }
    const bool ends = at < line.size && (is_blank(line.data[at]) || line.data[at] == ':');
    if (at == 0 || !ends) {
        return false;
    }
    at++;
    while (at < line.size && is_blank(line.data[at])) {
        at++;
    }
    *out_label = hoist_str_slice(line, at, line.size);
    return true;
}

// Whether all lines but empty ones begin with a number; `*out_count`: of labels that follow.
// One line that does not begin with a number makes all lines plain labels: "7 seas" may be one.
static bool has_numbers(hoist_str text, size_t *out_count)
{
    hoist_str line;
    size_t lines = 0;
    uint64_t most = 0;
    bool numbered = true;
    while (next_line(&text, &line)) {
        uint64_t number = 0;
        hoist_str label;
        numbered = numbered && (line.size == 0 || split_number(line, &number, &label));
        most = number > most ? number : most;
        lines++;
    }
    *out_count = numbered ? (size_t)most + 1 : lines;
    return numbered && lines > 0;
}

static uint64_t classes_of(const hoist_port *port)
{
    return port->rank ? (uint64_t)port->shape[port->rank - 1] : 1;
}

// Numbers may leave gaps, whose labels stay empty, and may come in any order.
static void fill_labels(hoist_str text, bool numbered, hoist_str *labels)
{
    hoist_str line;
    for (size_t i = 0; next_line(&text, &line); i++) {
        uint64_t number = i;
        hoist_str label = line;
        if (!numbered || split_number(line, &number, &label)) {
            labels[number] = label;
        }
    }
}

// The labels that the model has for the output.
// Metadata of TFLite has files for many purposes; one with fewer lines than the output has
// classes is no list of labels.
static tool_exit open_own_labels(run *r, run_output *output)
{
    const hoist_status status =
        hoist_job_port_labels(r->file->job, output->port.name, &output->label_text);
    if (status != HOIST_OK) {
        return status == HOIST_NOT_FOUND ? TOOL_OK : tool_report(r->t, status, r->file);
    }
    const hoist_str text = {(const char *)output->label_text.data, output->label_text.size};
    size_t count = 0;
    const bool numbered = has_numbers(text, &count);
    if (count < classes_of(&output->port) || count > MOST_LABELS) {
        return TOOL_OK; // a text of another kind
    }
    output->labels = hoist_arena_array(&r->arena, count, sizeof(output->labels[0]));
    if (!output->labels) {
        return TOOL_LIMIT;
    }
    output->label_count = count;
    fill_labels(text, numbered, output->labels);
    r->has_labels = true;
    return TOOL_OK;
}

tool_exit run_open_labels(run *r)
{
    const char *path = r->t->values[OPT_LABELS];
    tool_exit code = TOOL_OK;
    r->top = tool_count_of(r->t, OPT_TOP, path ? DEFAULT_TOP : 0);
    for (size_t i = 0; r->top && !path && code == TOOL_OK && i < r->output_count; i++) {
        // --labels takes precedence over what the model has.
        code = r->outputs[i].wanted ? open_own_labels(r, &r->outputs[i]) : TOOL_OK;
    }
    if (!path) {
        return code;
    }
    if (!tool_reads(r->t, path)) {
        return TOOL_LIMIT;
    }
    hoist_diag *const diag = r->file->diag;
    hoist_diag_source(diag, hoist_str_from(path), HOIST_STR(""));
    const hoist_status status = hoist_file_read(path, 0, r->t->alloc, diag, &r->label_file);
    hoist_diag_source(diag, hoist_str_from(r->file->path), HOIST_STR(""));
    if (status != HOIST_OK) {
        return tool_report(r->t, status, r->file);
    }
    const hoist_str text = {(const char *)r->label_file.data, r->label_file.size};
    const bool numbered = has_numbers(text, &r->label_count);
    if (r->label_count > MOST_LABELS) {
        tool_complain(r->t, "%s: %zu labels, expected at most %d", path, r->label_count,
                      MOST_LABELS);
        return TOOL_USAGE;
    }
    r->labels = hoist_arena_array(&r->arena, r->label_count, sizeof(r->labels[0]));
    if (!r->labels) {
        return TOOL_LIMIT;
    }
    fill_labels(text, numbered, r->labels);
    r->has_labels = true;
    return TOOL_OK;
}

void run_close_labels(run *r)
{
    hoist_free(r->t->alloc, r->label_file.data, r->label_file.size);
    for (size_t i = 0; i < r->output_count; i++) {
        hoist_job_free_text(r->file->job, r->outputs[i].label_text);
    }
}

// The greatest -----------------------------------------------------------------------------------

typedef struct place {
    uint64_t index; // in the entry
    float value;
} place;

// The greatest of an entry's numbers, of equal ones the first, in descending order. Returns how
// many: NaN does not count.
// Insertion into a short sorted list: `most` is small, so no heap is needed. `>` keeps the
// first of equal ones in front.
static size_t greatest(const float *values, size_t count, place *places, size_t most)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        if (isnan(values[i]) || (found == most && !(values[i] > places[most - 1].value))) {
            continue;
        }
        size_t at = found < most ? found++ : most - 1;
        for (; at > 0 && values[i] > places[at - 1].value; at--) {
            places[at] = places[at - 1];
        }
        places[at] = (place){i, values[i]};
    }
    return found;
}

// "7", or of several dimensions that have more than one index "3,7".
// Dimensions of 1 are left out: [1, 1, 1, 1000] is a list of classes.
static void send_index(const hoist_port *port, uint64_t index, hoist_tree_sink *sink)
{
    char text[HOIST_ARRAY_MAX_RANK * 24];
    size_t used = 0;
    uint64_t size = run_entry_elements(port);
    text[0] = '\0';
    for (uint32_t i = 0; i < port->rank; i++) {
        index %= size;
        size /= (uint64_t)port->shape[i];
        if (port->shape[i] > 1) {
            used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%" PRIu64,
                                     used ? "," : "", index / size);
        }
    }
    hoist_tree_c(sink, "index", used ? text : "0");
}

// What `index` stands for: the last index, which counts classes.
static hoist_str label_of(const run *r, const run_output *output, uint64_t index)
{
    const uint64_t number = index % classes_of(&output->port);
    if (output->labels) {
        return number < output->label_count ? output->labels[number] : HOIST_STR("");
    }
    return number < r->label_count ? r->labels[number] : HOIST_STR("");
}

// "label" is a column of all rows or of none.
static void send_place(const run *r, const run_output *output, uint64_t entry, const place *at,
                       hoist_tree_sink *sink)
{
    hoist_tree_map(sink, "");
    hoist_tree_str(sink, "output", output->port.name);
    hoist_tree_uint(sink, "entry", entry, HOIST_UNIT_NONE);
    send_index(&output->port, at->index, sink);
    hoist_tree_float(sink, "value", (double)at->value, HOIST_UNIT_NONE);
    if (r->has_labels) {
        hoist_tree_str(sink, "label", label_of(r, output, at->index));
    }
    hoist_tree_end(sink);
}

static hoist_status send_output(const run *r, const run_output *output, float *values,
                                place *places, hoist_tree_sink *sink)
{
    const size_t count = output->size / hoist_array_element_size(output->dtype);
    const size_t elements = (size_t)run_entry_elements(&output->port);
    const hoist_array array = {.dtype = output->dtype, .data = {output->data, output->size}};
    if (hoist_array_floats(&array, values) != HOIST_OK) {
        return HOIST_OK; // bit patterns have no order
    }
    for (size_t i = 0; elements && (i + 1) * elements <= count; i++) {
        const size_t found = greatest(values + i * elements, elements, places, (size_t)r->top);
        for (size_t k = 0; k < found; k++) {
            send_place(r, output, i, &places[k], sink);
        }
    }
    return sink->status;
}

hoist_status run_send_top(const run *r, hoist_tree_sink *sink)
{
    const hoist_allocator alloc = r->t->alloc;
    place *places = hoist_alloc_zero(alloc, (size_t)r->top + 1, sizeof(*places));
    hoist_status status = places ? HOIST_OK : HOIST_NO_MEMORY;
    for (size_t i = 0; status == HOIST_OK && i < r->output_count; i++) {
        const run_output *output = &r->outputs[i];
        if (!output->wanted || !output->size) {
            continue;
        }
        const size_t count = output->size / hoist_array_element_size(output->dtype);
        // All entries of one output as float32, one output after the other.
        float *values = hoist_alloc_zero(alloc, count, sizeof(*values));
        status = values ? send_output(r, output, values, places, sink) : HOIST_NO_MEMORY;
        hoist_free(alloc, values, count * sizeof(*values));
    }
    hoist_free(alloc, places, ((size_t)r->top + 1) * sizeof(*places));
    return status;
}
