// Writes a module as a netlist in the vendor's layout: a queue, an op and an instruction to a line.
// In: a module. Out: YAML that reads back as the same module; the walk is walk.c's, the text
// codec/yaml_writer.h's.
#include "codec/yaml_writer.h"
#include "formats/buda/buda.h"
#include "formats/buda/walk.h"

// Trees keep the form that they were read in. Values of unknown keys are written as the file has
// them.
static void write_tree(const hoist_rec_walk *walk, const hoist_rec_node *node)
{
    hoist_tree_sink *const sink = walk->sink; // the sink is the YAML writer's
    if (sink->status == HOIST_OK) {
        sink->status = hoist_yaml_write_node(sink->self, node->yaml);
    }
}

// HOIST_OK or HOIST_NO_MEMORY: a module from a file has nothing that cannot be written.
hoist_status buda_write(const hoist_module *module, hoist_buffer *out)
{
    hoist_yaml_writer yaml;
    hoist_yaml_writer_init(&yaml, out);
    hoist_tree_sink sink = hoist_yaml_writer_sink(&yaml);
    const hoist_rec_walk walk = {.own = buda_kinds,
                                 .senders = buda_senders,
                                 .sink = &sink,
                                 .object_line = true,
                                 .tree = write_tree};
    hoist_tree_map(&sink, NULL);
    buda_walk_sections(&walk, (const hoist_buda_module *)module);
    hoist_tree_end(&sink);
    hoist_yaml_writer_deinit(&yaml);
    return sink.status;
}
