// hoist version: the version, the formats and the number of rules of this build.
// Bug reports are expected to have this output: it names what differs between builds.
#include "tool.h"

tool_exit cmd_version(tool *t)
{
    hoist_document doc;
    // The first line alone names the version, as of most tools: "hoist 1.2.3".
    if (!tool_given(t, OPT_JSON)) {
        hoist_output_format(t->out, "hoist %s\n", hoist_version());
    }
    tool_document(t, &doc, false);
    if (tool_given(t, OPT_JSON)) {
        hoist_tree_c(&doc.sink, "version", hoist_version());
    }
    hoist_tree_c(&doc.sink, "mpi", hoist_comm_mpi() ? hoist_comm_mpi() : "none");
    hoist_tree_c(&doc.sink, "fast_products",
                 hoist_fast_products() ? hoist_fast_products() : "none");
    hoist_tree_list(&doc.sink, "formats");
    for (size_t i = 0; i < hoist_format_count(); i++) {
        hoist_tree_c(&doc.sink, "", hoist_format_name(i));
    }
    hoist_tree_end(&doc.sink);
    hoist_tree_map(&doc.sink, "rules");
    for (size_t i = 0; i < hoist_rule_set_count(); i++) {
        const hoist_rule_set *set = hoist_rule_set_at(i);
        hoist_tree_uint(&doc.sink, set->name, set->count, HOIST_UNIT_NONE);
    }
    hoist_tree_end(&doc.sink);
    return tool_document_end(&doc);
}
