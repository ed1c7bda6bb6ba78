// The keys of device.json that hoist reads (docs/formats/buda-tti.md). Keys without which no reader
// goes on are required (TTI-007); of those that only `info` shows a value of another kind is no
// finding.
#include "formats/tti/fields.h"

#include "base/span.h"
#include "formats/tti/rules.h"

const hoist_rec_own tti_kinds[] = {
    [TTI_KIND_ENUM - HOIST_REC_OWN] = {.expected = "a name",
                                       .place_at = offsetof(hoist_rec_str, pos)},
};

#define KEY HOIST_REC_KEY
#define SLOT(type, member) HOIST_REC_AT(type, member), .places = true
#define NEEDED .need = HOIST_REC_REQUIRED, .missing = TTI_007, .wrong = TTI_007
#define WRONG .wrong = TTI_007
#define SHOWN .wrong = HOIST_REC_NONE // for `info` alone

// clang-format off
#define OBJECT(title, type, rows)                                                                  \
    .what = (title), .fields = (rows), .count = HOIST_COUNT_OF(rows), .rule = TTI_007,             \
    .size = sizeof(type), .present_at = HOIST_REC_NONE, .extra_at = HOIST_REC_NONE, .lenient = true

static const hoist_rec_field graph_rows[] = {
    {KEY("graph_name"), HOIST_REC_STR, SLOT(tti_graph, name), SHOWN,
     .summary = "name of the compiled graph"},
    {KEY("netlist_filename"), HOIST_REC_STR, SLOT(tti_graph, netlist), NEEDED,
     .summary = "path of the netlist; its last part is a file next to device.json"},
    {KEY("microbatch"), HOIST_REC_INT, SLOT(tti_graph, microbatch), SHOWN,
     .summary = "entries of an input in a run"},
    {KEY("ordered_input_names"), HOIST_REC_STRS, SLOT(tti_graph, inputs), NEEDED,
     .summary = "queues that the host fills"},
    {KEY("ordered_output_names"), HOIST_REC_STRS, SLOT(tti_graph, outputs), NEEDED,
     .summary = "queues that the host empties"},
    {KEY("ordered_constant_node_names"), HOIST_REC_STRS, SLOT(tti_graph, constants), NEEDED,
     .summary = "queues of constants"},
    {KEY("ordered_parameter_node_names"), HOIST_REC_STRS, SLOT(tti_graph, parameters), NEEDED,
     .summary = "queues of parameters"},
};
static const hoist_rec_table graph_table = {
    OBJECT("compiled_graph_state", tti_graph, graph_rows), .place_at = offsetof(tti_graph, pos)};

static const hoist_rec_field settings_rows[] = {
    {KEY("backend_cluster_descriptor_path"), HOIST_REC_STR, SLOT(tti_settings, cluster), SHOWN,
     .summary = "the cluster's descriptor, from the archive's folder on"},
    {KEY("backend_device_descriptor_path"), HOIST_REC_STR, SLOT(tti_settings, device), SHOWN,
     .summary = "the device's descriptor, from the archive's folder on"},
    {KEY("tti_dump_format"), HOIST_REC_STR, SLOT(tti_settings, dump_format), SHOWN,
     .summary = "how tensors are stored: DEFAULT (pickles), BACKEND, BACKEND_TILIZED"},
};
static const hoist_rec_table settings_table = {
    OBJECT("compiler_cfg", tti_settings, settings_rows), .place_at = offsetof(tti_settings, pos)};

static const hoist_rec_field state_rows[] = {
    {KEY("version"), HOIST_REC_STR, SLOT(tti_state, version), SHOWN,
     .summary = "version of the format: \"1.1.0\""},
    {KEY("device_image_name"), HOIST_REC_STR, SLOT(tti_state, name), SHOWN,
     .summary = "name of the device in the model's program"},
    {KEY("arch"), TTI_KIND_ENUM, SLOT(tti_state, arch), NEEDED,
     .summary = "Grayskull, Wormhole_B0 or Blackhole"},
    {KEY("devtype"), TTI_KIND_ENUM, SLOT(tti_state, backend), NEEDED,
     .summary = "the backend that it was compiled for: Silicon, Golden"},
    {KEY("chip_ids"), HOIST_REC_INTS, SLOT(tti_state, chips), SHOWN,
     .summary = "numbers of the chips"},
    {KEY("grid_size"), HOIST_REC_INTS, SLOT(tti_state, grid), SHOWN,
     .summary = "rows and columns of worker cores"},
    {KEY("harvested_rows"), HOIST_REC_INTS, SLOT(tti_state, harvested_rows), SHOWN,
     .summary = "rows of cores that are not there, by chip"},
    {KEY("training"), HOIST_REC_BOOL, SLOT(tti_state, training), SHOWN,
     .summary = "compiled for training"},
    {KEY("microbatch_size"), HOIST_REC_INT, SLOT(tti_state, microbatch_size), SHOWN,
     .summary = "entries of an input in a run"},
    {KEY("microbatch_count"), HOIST_REC_INT, SLOT(tti_state, microbatch_count), SHOWN,
     .summary = "runs of a batch"},
    {KEY("pybuda_pip_version_id"), HOIST_REC_STR, SLOT(tti_state, pybuda_version), SHOWN,
     .summary = "version of PyBuda"},
    {KEY("pybuda_commit_hash"), HOIST_REC_STR, SLOT(tti_state, pybuda_commit), SHOWN,
     .summary = "revision of PyBuda"},
    {KEY("budabackend_commit_hash"), HOIST_REC_STR, SLOT(tti_state, backend_commit), SHOWN,
     .summary = "revision of the backend"},
    {KEY("compiler_cfg"), HOIST_REC_TABLE, HOIST_REC_AT(tti_state, settings), WRONG,
     .table = &settings_table, .summary = "settings of the compiler"},
    {KEY("compiled_graph_state"), HOIST_REC_TABLE, HOIST_REC_AT(tti_state, graph), NEEDED,
     .table = &graph_table, .summary = "what the compiler has made"},
};
const hoist_rec_table tti_state_table = {OBJECT("device.json", tti_state, state_rows),
                                         .place_at = HOIST_REC_NONE};

static const hoist_rec_field tensor_rows[] = {
    {KEY("bin"), HOIST_REC_STR, SLOT(tti_tensor, bin), NEEDED,
     .summary = "its file, from the folder of device.json on"},
    {KEY("format"), TTI_KIND_ENUM, SLOT(tti_tensor, format), NEEDED,
     .summary = "data format of its elements; of tiles that of the queue"},
    {KEY("itemsize"), HOIST_REC_INT, SLOT(tti_tensor, itemsize), WRONG,
     .summary = "bytes of an element of the tensor that the compiler had"},
    {KEY("shape"), HOIST_REC_INTS, SLOT(tti_tensor, shape), WRONG,
     .summary = "four extents, outermost first"},
    {KEY("strides"), HOIST_REC_INTS, SLOT(tti_tensor, strides), WRONG,
     .summary = "bytes from one element to the next, by dimension"},
    {KEY("num_buffers"), HOIST_REC_INT, SLOT(tti_tensor, num_buffers), WRONG,
     .summary = "of tiles: buffers of the queue"},
    {KEY("buf_size_bytes"), HOIST_REC_INT, SLOT(tti_tensor, buf_size_bytes), WRONG,
     .summary = "of tiles: bytes of each"},
};
const hoist_rec_table tti_tensor_table = {OBJECT("a tensor", tti_tensor, tensor_rows),
                                          .place_at = HOIST_REC_NONE};
// clang-format on
