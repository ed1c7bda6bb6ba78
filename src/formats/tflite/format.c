// The row of the format for formats/format.h: sniffing, dumping as a tree or as YAML, and the
// fields that a comparison leaves out.
#include "base/diag.h"
#include "base/span.h"
#include "codec/yaml_writer.h"
#include "formats/tflite/rules.h"
#include "formats/tflite/tflite.h"

// The file's name alone is a weak bid: a file whose identifier is damaged is still opened as a
// model, and TFL-001 reports it.
int tflite_sniff(hoist_bytes head, hoist_str file_name)
{
    if (hoist_str_equal_c(hoist_fb_identifier(head), TFLITE_IDENTIFIER)) {
        return 100;
    }
    return hoist_str_ends_with(file_name, ".tflite") ? 10 : 0;
}

// `options` is NULL for the text; `tail` adds keys of the caller to the map, after all fields.
hoist_status tflite_visit(const hoist_module *module, const hoist_dump_options *options,
                          hoist_tree_sink *sink)
{
    const tflite_module *const m = tflite_of(module);
    hoist_tree_map(sink, options && options->key ? options->key : "");
    hoist_status status = hoist_fb_visit(m->file, &tflite_model_type, m->model, sink);
    if (status == HOIST_OK && options && options->tail) {
        status = options->tail(options->tail_self, sink);
    }
    hoist_tree_end(sink);
    return status;
}

// The text for people is the tree as YAML.
hoist_status tflite_text(const hoist_module *module, const hoist_piece_sink *sink)
{
    hoist_buffer text;
    hoist_yaml_writer yaml;
    hoist_buffer_init(&text, module->alloc);
    hoist_yaml_writer_init(&yaml, &text);
    hoist_tree_sink tree = hoist_yaml_writer_sink(&yaml);
    hoist_status status = tflite_visit(module, NULL, &tree);
    hoist_yaml_writer_deinit(&yaml);
    status = status == HOIST_OK ? tree.status : status;
    if (status == HOIST_OK) {
        status = sink->piece(sink->self, hoist_buffer_text(&text));
    }
    hoist_buffer_deinit(&text);
    return status;
}

// With the codecs' rules, since their findings are part of a model's report.
static const hoist_rule_set *const rule_sets[] = {&hoist_tflite_rules, &hoist_fb_rules,
                                                  &hoist_flex_rules, NULL};

// Fields that a comparison passes over: the description names the converter, which changes no
// result. Data of buffers are compared where tensors have them.
static const hoist_diff_rule diff_rules[] = {
    {"description", NULL},
    {NULL, NULL},
};

// Of compiled models: digests of the options of other operators, which the comparison of programs
// has.
static const hoist_diff_rule holder_diff_rules[] = {
    {"subgraphs/*/operators/*/custom_options", NULL},
    {NULL, NULL},
};

const hoist_format hoist_tflite_format = {
    .name = "tflite",
    .title = "TensorFlow Lite model",
    .rule_sets = rule_sets,
    .keeps_bytes = true,
    .max_bytes = SIZE_MAX,
    // An object of the largest table has 25 times the bytes of a table without fields.
    .memory = {.base = (size_t)64 << 20, .factor = 64},
    .sniff = tflite_sniff,
    .read = tflite_read,
    .destroy = tflite_destroy,
    .check = tflite_check,
    .visit = tflite_visit,
    .info = tflite_info,
    .picture = tflite_picture,
    .text = tflite_text,
    .payloads = tflite_payloads,
    .payload_kind = TFLITE_EDGETPU_NAME,
    .entry = TFLITE_FRAME_NAME,
    .unpack = tflite_unpack,
    .pack = tflite_pack,
    .pack_options = HOIST_PACKS_HINTS,
    .diff_rules = diff_rules,
    .holder_diff_rules = holder_diff_rules,
    .shows_broken = true,
    .recover = tflite_recover,
    .facts = tflite_facts,
    .labels = tflite_labels,
    .write = tflite_write,
};
