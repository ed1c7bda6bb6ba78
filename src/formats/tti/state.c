// device.json: the state of the image and its tensors, by the rows of fields.c. In goes the module
// with its members, out come `json`, `state` and `tensors`; what is missing or of another kind is
// reported (TTI-006, TTI-007), and the rest is read all the same. check.c has the rules that need
// the archive.
#include "base/span.h"
#include "formats/tti/fields.h"
#include "formats/tti/tti.h"

const char *const tti_storage_names[TTI_STORAGE_COUNT] = {
    [TTI_STORED_NONE] = "unknown",
    [TTI_STORED_ROWS] = "rows",
    [TTI_STORED_TILES] = "tiles",
    [TTI_STORED_PICKLE] = "pickle",
};

// The last part of "BackendType.Silicon", as the backend takes it.
static hoist_str last_name(hoist_str text)
{
    size_t start = text.size;
    while (start > 0 && text.data[start - 1] != '.') {
        start--;
    }
    return hoist_str_slice(text, start, text.size - start);
}

static bool read_enum(hoist_rec_reader *r, const hoist_rec_field *field, const hoist_rec_node *node,
                      void *slot)
{
    hoist_rec_str *const out = slot;
    hoist_json_index at = node->at;
    (void)field;
    *out = (hoist_rec_str){.pos = hoist_rec_pos(r, node)};
    if (hoist_json_kind_of(node->json, at) == HOIST_JSON_OBJECT &&
        !hoist_json_find(node->json, at, HOIST_STR("__enum__"), &at)) {
        return false;
    }
    if (hoist_json_kind_of(node->json, at) != HOIST_JSON_STRING) {
        return false;
    }
    out->text = last_name(hoist_json_string(node->json, at, r->arena));
    r->status = out->text.data ? r->status : HOIST_NO_MEMORY;
    return true;
}

static hoist_rec_read_value *const readers[] = {[TTI_KIND_ENUM - HOIST_REC_OWN] = read_enum};

static const hoist_rec_style style = {
    .rules = &hoist_tti_rules,
    .own = tti_kinds,
    .readers = readers,
    .expected = {[HOIST_REC_INT] = "an integer of 64 bits",
                 [HOIST_REC_BOOL] = "true or false",
                 [HOIST_REC_STR] = "a string",
                 [HOIST_REC_INTS] = "a list of integers",
                 [HOIST_REC_STRS] = "a list of strings",
                 [HOIST_REC_TABLE] = "an object"},
    .quote = "'",
    .report = hoist_rec_report,
    .shown = hoist_rec_shown_json,
    .missing = hoist_rec_report_missing,
};

// Tensors -----------------------------------------------------------------------------------------

// By the ending of its file, as the backend does it.
static tti_storage storage_of(hoist_str file)
{
    static const struct {
        const char *end;
        tti_storage storage;
    } rows[] = {
        {".tbin", TTI_STORED_TILES}, {".bin", TTI_STORED_ROWS}, {".pkl", TTI_STORED_PICKLE}};
    for (size_t i = 0; i < HOIST_COUNT_OF(rows); i++) {
        if (hoist_str_ends_with(file, rows[i].end)) {
            return rows[i].storage;
        }
    }
    return TTI_STORED_NONE;
}

// The element types that PyTorch's tensors get (tensor.py, pytorch_tensor_to_tensor_desc).
static hoist_dtype dtype_of(hoist_str format)
{
    static const struct {
        const char *format;
        hoist_dtype dtype;
    } rows[] = {{"Float32", HOIST_DTYPE_F32}, {"Float16_b", HOIST_DTYPE_BF16},
                {"Float16", HOIST_DTYPE_F16}, {"Int32", HOIST_DTYPE_I32},
                {"Int8", HOIST_DTYPE_I8},     {"RawUInt32", HOIST_DTYPE_U32}};
    for (size_t i = 0; i < HOIST_COUNT_OF(rows); i++) {
        if (hoist_str_equal_c(format, rows[i].format)) {
            return rows[i].dtype;
        }
    }
    return HOIST_DTYPE_NONE;
}

// A value of post_const_eval_constants or _parameters: the name of a pickle, or an object.
static void read_tensor(hoist_rec_reader *r, const hoist_rec_node *node, tti_tensor *tensor)
{
    tensor->name = hoist_rec_key(r, node);
    tensor->pos = hoist_rec_pos(r, node);
    tensor->member = TTI_NONE;
    if (hoist_json_kind_of(node->json, node->at) == HOIST_JSON_STRING) {
        tensor->bin =
            (hoist_rec_str){hoist_json_string(node->json, node->at, r->arena), tensor->pos};
        r->status = tensor->bin.text.data ? r->status : HOIST_NO_MEMORY;
    } else {
        hoist_frame frame;
        hoist_diag_push(r->diag, &frame, "reading tensor", tensor->name, tensor->name);
        (void)hoist_rec_read(r, &tti_tensor_table, node, tensor);
        hoist_diag_pop(r->diag, &frame);
    }
    tensor->storage = storage_of(tensor->bin.text);
    tensor->dtype =
        tensor->storage == TTI_STORED_ROWS ? dtype_of(tensor->format.text) : HOIST_DTYPE_NONE;
}

static const char *const tensor_keys[] = {"post_const_eval_constants",
                                          "post_const_eval_parameters"};

// The object that has the tensors; false: there is none, which is reported.
static bool find_tensors(hoist_rec_reader *r, const hoist_json *json, const char *key,
                         hoist_json_index *out_at)
{
    hoist_json_index graph = 0;
    if (!hoist_json_find(json, 0, HOIST_STR("compiled_graph_state"), &graph) ||
        hoist_json_kind_of(json, graph) != HOIST_JSON_OBJECT) {
        return false; // reported with the rows
    }
    const bool is_there = hoist_json_find(json, graph, hoist_str_from(key), out_at);
    if (!is_there || hoist_json_kind_of(json, *out_at) != HOIST_JSON_OBJECT) {
        const hoist_rec_node node = hoist_rec_json(json, is_there ? *out_at : graph);
        hoist_rec_report(r, TTI_007, &node, "compiled_graph_state has no object '%s'", key);
        return false;
    }
    return true;
}

static hoist_status read_tensors(hoist_rec_reader *r, tti_module *m)
{
    const hoist_json *const json = &m->json;
    hoist_json_index objects[HOIST_COUNT_OF(tensor_keys)] = {0};
    size_t count = 0;
    for (size_t i = 0; i < HOIST_COUNT_OF(tensor_keys); i++) {
        hoist_json_index at = 0;
        objects[i] = find_tensors(r, json, tensor_keys[i], &at) ? at : 0; // 0 is the root
        count += objects[i] ? hoist_json_size(json, objects[i]) : 0;
    }
    m->tensors = hoist_arena_array(&m->arena, count, sizeof(m->tensors[0]));
    HOIST_TRY_MEMORY(m->tensors);
    for (size_t i = 0; i < HOIST_COUNT_OF(tensor_keys); i++) {
        const uint32_t own = objects[i] ? hoist_json_size(json, objects[i]) : 0;
        hoist_json_index key = own ? hoist_json_first(json, objects[i]) : 0;
        for (uint32_t k = 0; k < own && r->status == HOIST_OK; k++) {
            hoist_rec_node node = hoist_rec_json(json, hoist_json_next(json, key));
            tti_tensor *const tensor = &m->tensors[m->tensor_count++];
            node.key = key;
            tensor->is_parameter = i == 1;
            read_tensor(r, &node, tensor);
            HOIST_TRY(tti_member_below(m, "", tensor->bin.text, &tensor->member));
            HOIST_TRY(hoist_deadline_look(m->base.deadline));
            key = hoist_json_next(json, node.at);
        }
    }
    return r->status;
}

// The text ----------------------------------------------------------------------------------------

// What the codec found is of its own rules; a text that it cannot read leaves no state.
static hoist_status read_json(tti_module *m, hoist_diag *diag)
{
    const hoist_json_limits limits = {.max_depth = 256,  // one of PyBuda has about ten
                                      .nonfinite = true, // as Python writes them
                                      .deadline = m->base.deadline};
    const hoist_status status =
        hoist_json_read(m->members[m->state_at].bytes, &limits, m->base.alloc, diag, &m->json);
    if (status == HOIST_INVALID || status == HOIST_TRUNCATED) {
        hoist_report(diag, tti_rule_row(TTI_006), hoist_loc_none(),
                     TTI_STATE_NAME " is no JSON, expected an object");
        return HOIST_OK;
    }
    return status;
}

static hoist_status read_state(tti_module *m, hoist_diag *diag)
{
    HOIST_TRY(read_json(m, diag));
    if (m->json.count == 0) {
        return HOIST_OK;
    }
    hoist_rec_reader r = {.style = &style,
                          .self = m,
                          .arena = &m->arena,
                          .diag = diag,
                          .deadline = m->base.deadline,
                          .forms = UINT8_MAX};
    const hoist_rec_node root = hoist_rec_json(&m->json, 0);
    (void)hoist_rec_read(&r, &tti_state_table, &root, &m->state);
    HOIST_TRY(r.status);
    return read_tensors(&r, m);
}

hoist_status tti_read_state(tti_module *m, hoist_diag *diag)
{
    if (m->state_at == TTI_NONE) {
        hoist_report(diag, tti_rule_row(TTI_006), hoist_loc_byte(0),
                     "no member is called " TTI_STATE_NAME
                     ", which names the netlist and the tensors");
        return HOIST_OK;
    }
    tti_enter(m, diag, m->state_at);
    const hoist_status status = read_state(m, diag);
    tti_enter(m, diag, TTI_NONE);
    return status;
}
