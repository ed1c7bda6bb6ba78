// hoist diff --run: both files run with the same inputs by the driver of `hoist run` (run_files.c),
// with the tensors between their layers as outputs; those that belong together are compared element
// by element. A compiled model's layers go with the operators of its source by
// hoist_job_match_layers(), all other tensors by their names. Where layers differ the compiled
// model runs once more, each layer alone with what the source's operators made before it: steps
// that only follow from earlier ones are not there then.
#include "diff_run.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/span.h"
#include "run.h"

// Indices of diff_runs.sides: the two files, then the compiled one again with layers alone.
// SIDES counts files, RUNS runs.
enum { OLD, NOW, SIDES, ALONE = SIDES, RUNS };

// A tensor of one file after its run.
typedef struct diff_tensor {
    hoist_str name; // arena
    bool is_input;
    bool is_matched;   // it is in a pair
    hoist_array array; // the data are in the arena
    size_t count;      // elements
} diff_tensor;

typedef struct diff_layer {
    size_t tensor;   // its index in diff_side.tensors
    uint32_t number; // over all packages of the file
} diff_layer;

typedef struct diff_side {
    diff_tensor *tensors; // arena
    size_t count;
    diff_layer *layers; // arena: tensors of layers
    size_t layer_count;
} diff_side;

// Two tensors that belong together.
typedef struct diff_pair {
    size_t tensor[SIDES];
    hoist_layer_match match; // of a layer; texts are in the arena
    bool is_layer;
    size_t alone; // of a layer, its tensor where layers run alone
} diff_pair;

struct diff_runs {
    tool *t;
    hoist_arena arena;
    diff_side sides[RUNS];
    size_t at;                        // the side that runs
    bool is_alone;                    // layers have run alone
    diff_pair *pairs;                 // arena
    size_t pair_count, pair_capacity; //
    bool is_text;                     // the report is for people
};

// How two tensors differ.
typedef struct diff_result {
    bool same_size;     // else nothing was compared
    uint64_t differing; // elements
    uint64_t first;     // element, where some differ
    double greatest;    // difference
} diff_result;

// Running ---------------------------------------------------------------------------------------

// "edgetpu/0/layer/3": the names that hoist_lower_options.layers gives to layers, and those of what
// layers read when they run alone. `*out_package`: "edgetpu/0".
// The digits at the end are the number: "edgetpu/0/layer/12" with the word "/layer/" gives 12.
// Names are the file's own, so the number may be too large, which is no layer.
static bool is_layer_name(hoist_str name, const char *word, hoist_str *out_package,
                          uint32_t *out_number)
{
    const size_t size = strlen(word);
    size_t end = name.size;
    while (end > 0 && name.data[end - 1] >= '0' && name.data[end - 1] <= '9') {
        end--;
    }
    uint64_t number = 0;
    for (size_t i = end; i < name.size && number <= UINT32_MAX; i++) {
        number = 10 * number + (uint64_t)(name.data[i] - '0');
    }
    if (end == name.size || number > UINT32_MAX || end < size ||
        memcmp(name.data + end - size, word, size) != 0) {
        return false;
    }
    *out_package = (hoist_str){name.data, end - size};
    *out_number = (uint32_t)number;
    return true;
}

// Layers are numbered through all packages, which come in the order of the file.
static void number_layers(diff_side *side)
{
    hoist_str last = {NULL, 0};
    uint32_t base = 0;
    uint32_t next = 0; // after all layers so far
    for (size_t i = 0; i < side->count; i++) {
        hoist_str package;
        uint32_t number = 0;
        if (side->tensors[i].is_input ||
            !is_layer_name(side->tensors[i].name, "/layer/", &package, &number)) {
            continue;
        }
        // Tensors of a package come together, but not all layers need to have one: the base of
        // the next package is after the greatest number seen.
        base = last.data && !hoist_str_equal(package, last) ? next : base;
        last = package;
        next = base + number >= next ? base + number + 1 : next;
        side->layers[side->layer_count++] = (diff_layer){i, base + number};
    }
}

// The tensor of a layer; `count`: it has none.
static size_t find_layer(const diff_side *side, uint32_t number)
{
    // The usual case needs no search.
    size_t i = number; // its place where no layer is without a tensor
    if (i < side->layer_count && side->layers[i].number == number) {
        return side->layers[i].tensor;
    }
    for (i = 0; i < side->layer_count && side->layers[i].number != number;) {
        i++;
    }
    return i < side->layer_count ? side->layers[i].tensor : side->count;
}

// Elements in the program's own type: converting them could hide a difference of one bit.
static hoist_status read_tensor(diff_runs *d, run *r, size_t index, diff_tensor *tensor)
{
    const run_output *output = &r->outputs[index];
    const hoist_port *port = &output->port;
    const hoist_dtype dtype = port->host_dtype;
    tensor->name = hoist_arena_str(&d->arena, port->name);
    tensor->is_input = port->input;
    tensor->count = (size_t)run_entry_elements(port);
    const size_t size = tensor->count * hoist_array_element_size(dtype);
    uint8_t *data = hoist_arena_array(&d->arena, size + 1, 1);
    if (!data || !tensor->name.data) {
        return HOIST_NO_MEMORY;
    }
    tensor->array = (hoist_array){
        .dtype = dtype, .rank = 1, .shape = {(int64_t)tensor->count}, .data = {data, size}};
    return hoist_session_read(r->session, output->name, 0, dtype, (hoist_mut_bytes){data, size});
}

// Keeps all tensors of the run; queues have none.
static tool_exit keep_tensors(run *r)
{
    diff_runs *d = r->own;
    diff_side *side = &d->sides[d->at];
    side->tensors = hoist_arena_array(&d->arena, r->output_count + 1, sizeof(*side->tensors));
    side->layers = hoist_arena_array(&d->arena, r->output_count + 1, sizeof(*side->layers));
    if (!side->tensors || !side->layers) {
        return TOOL_LIMIT;
    }
    for (size_t i = 0; i < r->output_count; i++) {
        const hoist_port *port = &r->outputs[i].port;
        if (!port->is_buffer || (!port->result && !port->input)) {
            continue;
        }
        const hoist_status status = read_tensor(d, r, i, &side->tensors[side->count]);
        if (status != HOIST_OK) {
            return tool_report(r->t, status, r->file);
        }
        side->count++;
    }
    number_layers(side);
    return TOOL_OK;
}

// The driver calls all functions of a command; a comparison has nothing to do in these.
static tool_exit prepare(run *r)
{
    (void)r;
    return TOOL_OK;
}

static hoist_status iterate(run *r)
{
    run_cost cost;
    return run_once(r, &cost);
}

static void close_nothing(run *r)
{
    (void)r;
}

// Pairs -----------------------------------------------------------------------------------------

// A tensor that is none of the inputs; `count`: there is none of the name.
static size_t find(const diff_side *side, hoist_str name)
{
    size_t i = 0;
    while (i < side->count &&
           (side->tensors[i].is_input || !hoist_str_equal(side->tensors[i].name, name))) {
        i++;
    }
    return i;
}

// The arena cannot grow an array in place, so the pairs move, and the old ones stay until its
// end.
static hoist_status add_pair(diff_runs *d, const diff_pair *pair)
{
    if (d->pair_count == d->pair_capacity) {
        const size_t capacity = 2 * d->pair_capacity + 64;
        diff_pair *larger = hoist_arena_array(&d->arena, capacity, sizeof(*larger));
        if (!larger) {
            return HOIST_NO_MEMORY;
        }
        for (size_t i = 0; i < d->pair_count; i++) {
            larger[i] = d->pairs[i];
        }
        d->pairs = larger;
        d->pair_capacity = capacity;
    }
    d->pairs[d->pair_count++] = *pair;
    for (size_t i = 0; i < SIDES; i++) {
        d->sides[i].tensors[pair->tensor[i]].is_matched = true;
    }
    return HOIST_OK;
}

// The source's tensor has its own name, or its number where that is taken.
// The library matches layers by their meaning, without values; the tensors of both are looked
// up here. A match whose tensor the run does not have is dropped: it was fused or is a
// constant.
static hoist_status take_match(void *self, const hoist_layer_match *match)
{
    diff_runs *d = self;
    const size_t source_side = match->is_source_old ? OLD : NOW;
    const diff_side *source = &d->sides[source_side];
    const diff_side *compiled = &d->sides[SIDES - 1 - source_side];
    const hoist_str number = hoist_arena_format(&d->arena, "0/%u", (unsigned)match->tensor);
    diff_pair pair = {.match = *match, .is_layer = true};
    pair.match.kind = hoist_arena_str(&d->arena, match->kind);
    pair.match.operator_name = hoist_arena_str(&d->arena, match->operator_name);
    if (!number.data || !pair.match.kind.data || !pair.match.operator_name.data) {
        return HOIST_NO_MEMORY;
    }
    size_t tensor = find(source, number);
    tensor = tensor < source->count ? tensor : find(source, match->tensor_name);
    const size_t layer = find_layer(compiled, match->layer);
    if (tensor == source->count || layer == compiled->count) {
        return HOIST_OK;
    }
    pair.tensor[source_side] = tensor;
    pair.tensor[SIDES - 1 - source_side] = layer;
    return add_pair(d, &pair);
}

// After the layers, because names of a compiled model are those of the package's inputs and
// outputs, which its source has, too.
static hoist_status match_names(diff_runs *d)
{
    for (size_t i = 0; i < d->sides[OLD].count; i++) {
        const diff_tensor *tensor = &d->sides[OLD].tensors[i];
        const size_t other = find(&d->sides[NOW], tensor->name);
        const diff_pair pair = {.tensor = {i, other}};
        const bool is_there = !tensor->is_input && other < d->sides[NOW].count;
        // An output of a compiled model is a copy of what its last layer makes.
        if (is_there && !(tensor->is_matched && d->sides[NOW].tensors[other].is_matched)) {
            HOIST_TRY(add_pair(d, &pair));
        }
    }
    return HOIST_OK;
}

// HOIST_UNSUPPORTED: the files are no compiled model and source, so names have to do.
static hoist_status match_tensors(diff_runs *d, const tool_input inputs[SIDES])
{
    const hoist_status status =
        hoist_job_match_layers(inputs[OLD].job, inputs[NOW].job, take_match, d);
    return status == HOIST_OK || status == HOIST_UNSUPPORTED ? match_names(d) : status;
}

// Comparing -------------------------------------------------------------------------------------

// `n` elements from `at` on.
static void read_floats(const diff_tensor *tensor, size_t at, size_t n, float *out)
{
    const size_t size = hoist_array_element_size(tensor->array.dtype);
    const hoist_array part = {.dtype = tensor->array.dtype,
                              .rank = 1,
                              .shape = {(int64_t)n},
                              .data = {tensor->array.data.data + at * size, n * size}};
    if (hoist_array_floats(&part, out) != HOIST_OK) {
        memset(out, 0, n * sizeof(*out)); // bit patterns, which have no value
    }
}

static bool is_float(const diff_tensor *tensor)
{
    return hoist_dtype_get(tensor->array.dtype)->kind == HOIST_CLASS_FLOAT;
}

// Numbers of one integer type by their bytes; others by their values, NaN like NaN.
// float32 has 24 bits, so integers of 32 bits that differ could be equal as floats.
static bool is_same(const diff_tensor *a, const diff_tensor *b, size_t at, float x, float y)
{
    const size_t size = hoist_array_element_size(a->array.dtype);
    return a->array.dtype == b->array.dtype && !is_float(a)
               ? memcmp(a->array.data.data + at * size, b->array.data.data + at * size, size) == 0
               : x == y || (isnan(x) && isnan(y));
}

static diff_result compare(const diff_tensor *a, const diff_tensor *b)
{
    // Converted in parts on the stack: a tensor as float32 may be four times its size.
    enum { PART = 1024 };
    diff_result result = {.same_size = a->count == b->count};
    for (size_t at = 0; result.same_size && at < a->count; at += PART) {
        const size_t n = a->count - at < PART ? a->count - at : PART;
        float x[PART];
        float y[PART];
        read_floats(a, at, n, x);
        read_floats(b, at, n, y);
        for (size_t i = 0; i < n; i++) {
            if (is_same(a, b, at + i, x[i], y[i])) {
                continue;
            }
            const double difference = fabs((double)x[i] - (double)y[i]);
            result.first = result.differing++ ? result.first : at + i;
            result.greatest = difference > result.greatest ? difference : result.greatest;
        }
    }
    return result;
}

// Layers alone ------------------------------------------------------------------------------------

// The side of the compiled model; SIDES: the files are no model and its source.
// Pairs of layers come first, so the first one has the answer.
static size_t compiled_side(const diff_runs *d)
{
    for (size_t i = 0; i < d->pair_count; i++) {
        if (d->pairs[i].is_layer) {
            return d->pairs[i].match.is_source_old ? NOW : OLD;
        }
    }
    return SIDES;
}

// The numbers that layers read in place of those of a layer's tensor: the source's, or, of layers
// that no operator of the source has, those that it had itself.
// Of another type or size nothing can be given; the layer's own values are then used.
static const diff_tensor *given_for(const diff_runs *d, size_t compiled, size_t tensor)
{
    const diff_tensor *own = &d->sides[compiled].tensors[tensor];
    for (size_t i = 0; i < d->pair_count; i++) {
        const diff_pair *pair = &d->pairs[i];
        if (pair->is_layer && pair->tensor[compiled] == tensor) {
            const size_t at = pair->tensor[SIDES - 1 - compiled];
            const diff_tensor *source = &d->sides[SIDES - 1 - compiled].tensors[at];
            const bool fits =
                source->array.dtype == own->array.dtype && source->count == own->count;
            return fits ? source : own;
        }
    }
    return own;
}

// "edgetpu/0/given/3" is given what belongs to "edgetpu/0/layer/3".
static tool_exit give_alone(run *r)
{
    const diff_runs *d = r->own;
    const size_t compiled = compiled_side(d);
    const diff_side *side = &d->sides[compiled];
    for (size_t i = 0; i < r->input_count; i++) {
        run_input *input = &r->inputs[i];
        hoist_str package;
        uint32_t number = 0;
        if (!is_layer_name(input->port.name, "/given/", &package, &number)) {
            continue;
        }
        const hoist_str name = hoist_arena_format(&r->arena, "%.*s/layer/%u",
                                                  HOIST_STR_ARGS(package), (unsigned)number);
        const size_t tensor = name.data ? find(side, name) : side->count;
        // The lowering made both names from one number, so a missing one is a fault of hoist.
        if (!name.data || tensor == side->count) {
            return name.data ? TOOL_INTERNAL : TOOL_LIMIT;
        }
        const diff_tensor *given = given_for(d, compiled, tensor);
        input->source = RUN_SOURCE_ARRAY;
        input->dtype = given->array.dtype;
        input->elements = given->array.data;
        input->entry_size = given->array.data.size;
        input->entries = 1;
    }
    return TOOL_OK;
}

// layers_alone makes the lowering give each layer inputs of its own, "given", in place of the
// tensors of earlier layers.
static tool_exit run_alone(diff_runs *d, tool_input inputs[SIDES], const run_command *both)
{
    const size_t compiled = compiled_side(d);
    run_command command = *both;
    command.prepare = give_alone;
    d->at = ALONE;
    d->t->layers_alone = true;
    const tool_exit code = run_file(d->t, &command, d, &inputs[compiled]);
    d->t->layers_alone = false;
    for (size_t i = 0; code == TOOL_OK && i < d->pair_count; i++) {
        diff_pair *pair = &d->pairs[i];
        pair->alone = pair->is_layer ? find_layer(&d->sides[ALONE], pair->match.layer)
                                     : d->sides[ALONE].count;
    }
    d->is_alone = code == TOOL_OK;
    return code;
}

// Both files have to have got the same numbers: an input has its name in both.
// random:1 depends on seed and name, so equal names with equal shapes have equal numbers; other
// shapes or types have not, and comparing results would make no sense.
static tool_exit check_inputs(diff_runs *d, const tool_input inputs[SIDES])
{
    for (size_t side = 0; side < SIDES; side++) {
        for (size_t i = 0; i < d->sides[side].count; i++) {
            const diff_tensor *own = &d->sides[side].tensors[i];
            const diff_side *other = &d->sides[SIDES - 1 - side];
            bool found = !own->is_input;
            for (size_t k = 0; k < other->count && !found; k++) {
                const diff_tensor *tensor = &other->tensors[k];
                found = tensor->is_input && hoist_str_equal(tensor->name, own->name) &&
                        compare(own, tensor).same_size && compare(own, tensor).differing == 0;
            }
            if (!found) {
                tool_complain(d->t, "'%s' has no input '%.*s' with the numbers that '%s' has there",
                              inputs[SIDES - 1 - side].path, HOIST_STR_ARGS(own->name),
                              inputs[side].path);
                return TOOL_UNSUPPORTED;
            }
        }
    }
    return TOOL_OK;
}

// The report ------------------------------------------------------------------------------------

static hoist_str path_of(diff_runs *d, const diff_pair *pair)
{
    const hoist_str name = d->sides[OLD].tensors[pair->tensor[OLD]].name;
    return pair->is_layer
               ? hoist_arena_format(&d->arena, "layers/%u/values", (unsigned)pair->match.layer)
               : hoist_arena_format(&d->arena, "tensors/%.*s", HOIST_STR_ARGS(name));
}

static void send_names(const diff_runs *d, const diff_pair *pair, hoist_tree_sink *sink)
{
    hoist_tree_str(sink, "old_tensor", d->sides[OLD].tensors[pair->tensor[OLD]].name);
    hoist_tree_str(sink, "new_tensor", d->sides[NOW].tensors[pair->tensor[NOW]].name);
}

// How a layer differs from its operator where both read the same numbers. Where no layer differs
// that was the case anyway.
// Both columns are null for pairs that are no layers.
static void send_alone(const diff_runs *d, const diff_pair *pair, hoist_tree_sink *sink)
{
    const diff_side *side = &d->sides[ALONE];
    const size_t source = pair->match.is_source_old ? OLD : NOW;
    diff_result result = {.same_size = pair->is_layer && !d->is_alone};
    if (pair->is_layer && d->is_alone && pair->alone < side->count) {
        result =
            compare(&side->tensors[pair->alone], &d->sides[source].tensors[pair->tensor[source]]);
    }
    hoist_tree_maybe_uint(sink, "alone", result.same_size, result.differing, HOIST_UNIT_NONE);
    hoist_tree_maybe_float(sink, d->is_text ? "by" : "alone_greatest", result.differing > 0,
                           result.greatest, HOIST_UNIT_NONE);
    if (!d->is_text) {
        hoist_tree_maybe_uint(sink, "inexact", pair->match.channels > 0, pair->match.inexact,
                              HOIST_UNIT_NONE);
    }
}

static void send_pair(const diff_runs *d, const diff_pair *pair, const diff_result *result,
                      bool has_layers, hoist_tree_sink *sink)
{
    const diff_tensor *old = &d->sides[OLD].tensors[pair->tensor[OLD]];
    const bool differs = result->differing > 0;
    hoist_tree_map(sink, "");
    hoist_tree_maybe_uint(sink, "layer", pair->is_layer, pair->match.layer, HOIST_UNIT_NONE);
    hoist_tree_maybe_uint(sink, "operator", pair->is_layer, pair->match.source_operator,
                          HOIST_UNIT_NONE);
    hoist_tree_str(sink, "name", pair->is_layer ? pair->match.operator_name : old->name);
    if (!d->is_text) {
        send_names(d, pair, sink);
    }
    hoist_tree_maybe_uint(sink, "elements", result->same_size, old->count, HOIST_UNIT_NONE);
    hoist_tree_maybe_uint(sink, "different", result->same_size, result->differing, HOIST_UNIT_NONE);
    hoist_tree_maybe_float(sink, "greatest", differs, result->greatest, HOIST_UNIT_NONE);
    if (!has_layers || !d->is_text) { // a line has no space for both
        hoist_tree_maybe_uint(sink, "first", differs, result->first, HOIST_UNIT_NONE);
    }
    if (has_layers) {
        send_alone(d, pair, sink);
    }
    hoist_tree_end(sink);
}

// Channels whose multiplier in the file, of 24 bits, is not the one of 31 bits that TFLite takes
// from the source: there results may be a step apart.
static void send_multipliers(const diff_runs *d, hoist_tree_sink *sink)
{
    uint64_t channels = 0;
    uint64_t inexact = 0;
    for (size_t i = 0; i < d->pair_count; i++) {
        channels += d->pairs[i].is_layer ? d->pairs[i].match.channels : 0;
        inexact += d->pairs[i].is_layer ? d->pairs[i].match.inexact : 0;
    }
    if (d->is_text) {
        char line[96];
        (void)snprintf(line, sizeof line, "of 24 bits; %" PRIu64 " of %" PRIu64 " are not TFLite's",
                       inexact, channels);
        hoist_tree_c(sink, "multipliers", line);
        return;
    }
    hoist_tree_map(sink, "multipliers");
    hoist_tree_uint(sink, "channels", channels, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "inexact", inexact, HOIST_UNIT_NONE);
    hoist_tree_end(sink);
}

static bool differs(const diff_result *result)
{
    return !result->same_size || result->differing > 0;
}

// Tensors of one file that are none of the other's.
static size_t unmatched(const diff_side *side)
{
    size_t count = 0;
    for (size_t i = 0; i < side->count; i++) {
        count += !side->tensors[i].is_input && !side->tensors[i].is_matched;
    }
    return count;
}

// Compares all pairs; `*out_first` is the first that differs.
static diff_result *compare_pairs(diff_runs *d, const diff_pair **out_first, size_t *out_count)
{
    diff_result *results = hoist_arena_array(&d->arena, d->pair_count + 1, sizeof(*results));
    *out_first = NULL;
    for (size_t i = 0; results && i < d->pair_count; i++) {
        const diff_pair *pair = &d->pairs[i];
        results[i] = compare(&d->sides[OLD].tensors[pair->tensor[OLD]],
                             &d->sides[NOW].tensors[pair->tensor[NOW]]);
        *out_first = !*out_first && differs(&results[i]) ? pair : *out_first;
        *out_count += differs(&results[i]);
    }
    return results;
}

// False: no memory.
// Paths are of the old file's tensors, for a stable order of lines.
static bool send_path(diff_runs *d, const char *key, const diff_pair *pair, hoist_tree_sink *sink)
{
    const hoist_str path = path_of(d, pair);
    if (path.data) {
        hoist_tree_str(sink, key, path);
    }
    return path.data != NULL;
}

static bool send_differences(diff_runs *d, const diff_result *results, hoist_tree_sink *sink)
{
    bool complete = true;
    hoist_tree_list(sink, "differences");
    for (size_t i = 0; i < d->pair_count; i++) {
        if (differs(&results[i])) {
            hoist_tree_map(sink, "");
            complete = send_path(d, "path", &d->pairs[i], sink) && complete;
            hoist_tree_c(sink, "kind", "changed");
            hoist_tree_end(sink);
        }
    }
    hoist_tree_end(sink);
    return complete;
}

hoist_status diff_run_send(diff_runs *d, bool is_text, hoist_tree_sink *sink, size_t *out_count)
{
    const char *rounding = d->t->values[OPT_ROUNDING];
    const diff_pair *first = NULL;
    const diff_result *results = compare_pairs(d, &first, out_count);
    d->is_text = is_text;
    if (!results || !send_differences(d, results, sink)) {
        return HOIST_NO_MEMORY;
    }
    hoist_tree_uint(sink, "count", *out_count, HOIST_UNIT_NONE);
    hoist_tree_c(sink, "rounding", rounding ? rounding : "double");
    if (!first) {
        hoist_tree_null(sink, "first_difference");
    } else if (!send_path(d, "first_difference", first, sink)) {
        return HOIST_NO_MEMORY;
    }
    const bool has_layers = compiled_side(d) < SIDES;
    if (has_layers) {
        send_multipliers(d, sink);
    }
    hoist_tree_list(sink, "compared");
    for (size_t i = 0; i < d->pair_count; i++) {
        send_pair(d, &d->pairs[i], &results[i], has_layers, sink);
    }
    hoist_tree_end(sink);
    hoist_tree_uint(sink, "old_only", unmatched(&d->sides[OLD]), HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "new_only", unmatched(&d->sides[NOW]), HOIST_UNIT_NONE);
    return sink->status;
}

// Whether a layer differs from its operator.
static bool layers_differ(const diff_runs *d)
{
    bool found = false;
    for (size_t i = 0; i < d->pair_count && !found; i++) {
        const diff_pair *pair = &d->pairs[i];
        const diff_result result = compare(&d->sides[OLD].tensors[pair->tensor[OLD]],
                                           &d->sides[NOW].tensors[pair->tensor[NOW]]);
        found = pair->is_layer && differs(&result);
    }
    return found;
}

static tool_exit run_and_match(diff_runs *d, tool_input inputs[SIDES])
{
    static const run_command command = {.otherwise = "random:1",
                                        .iterations = 1,
                                        .prepare = prepare,
                                        .iterate = iterate,
                                        .give_out = keep_tensors,
                                        .close = close_nothing};
    tool_exit code = TOOL_OK;
    // One after the other: two programs of models may not fit into memory together.
    for (d->at = 0; d->at < SIDES && code == TOOL_OK; d->at++) {
        code = run_file(d->t, &command, d, &inputs[d->at]);
    }
    code = code == TOOL_OK ? check_inputs(d, inputs) : code;
    if (code == TOOL_OK) {
        d->t->doing = "comparing";
        code = tool_exit_of(match_tensors(d, inputs));
    }
    if (code == TOOL_OK && d->pair_count == 0) {
        tool_complain(d->t, "'%s' and '%s' have no tensor in common", inputs[OLD].path,
                      inputs[NOW].path);
        return TOOL_UNSUPPORTED;
    }
    return code == TOOL_OK && layers_differ(d) ? run_alone(d, inputs, &command) : code;
}

tool_exit diff_run_begin(tool *t, tool_input inputs[SIDES], diff_runs **out_runs)
{
    diff_runs *d = hoist_alloc_zero(t->alloc, 1, sizeof(*d));
    *out_runs = d;
    if (!d) {
        return TOOL_LIMIT;
    }
    d->t = t;
    hoist_arena_init(&d->arena, t->alloc);
    return run_and_match(d, inputs);
}

void diff_run_end(diff_runs *d)
{
    if (d) {
        hoist_arena_deinit(&d->arena);
        hoist_free(d->t->alloc, d, sizeof(*d));
    }
}
