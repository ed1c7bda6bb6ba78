// Netlists in the vendor's habit: a queue, an op and an instruction to a line.
#include "codec/yaml_writer.h"
#include "formats/buda/buda.h"
#include "formats/buda/walk.h"

// Trees keep the form that they were read in.
static void write_tree(const buda_walk *walk, const hoist_yaml_node *node)
{
    hoist_tree_sink *const sink = walk->sink;
    if (sink->status == HOIST_OK) {
        sink->status = hoist_yaml_write_node(sink->self, node);
    }
}

hoist_status buda_write(const hoist_module *module, hoist_buffer *out)
{
    hoist_yaml_writer yaml;
    hoist_yaml_writer_init(&yaml, out);
    hoist_tree_sink sink = hoist_yaml_writer_sink(&yaml);
    const buda_walk walk = {.sink = &sink, .object_line = true, .tree = write_tree};
    buda_walk_module(&walk, (const hoist_buda_module *)module);
    hoist_yaml_writer_deinit(&yaml);
    return sink.status;
}
