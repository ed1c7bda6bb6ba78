// The whole module as a tree (`hoist dump`): the map of custom_options, packages and executables,
// field by field as the rows of schema.c name them. In: a module; out: one map into a sink. What
// could not be read is there with its size only.
#include "base/tree.h"
#include "formats/darwinn/darwinn.h"

// Executables in the order of the file, so that indices are those of findings.
static hoist_status visit_images(const dwn_contents *contents, hoist_tree_sink *sink)
{
    hoist_tree_list(sink, "executables");
    for (uint32_t i = 0; i < contents->image_count; i++) {
        const dwn_image *const image = &contents->images[i];
        hoist_tree_map(sink, "");
        hoist_tree_uint(sink, "size_bytes", image->bytes.size, HOIST_UNIT_BYTES);
        if (image->rows) {
            HOIST_TRY(hoist_fb_visit(image->bytes, &dwn_executable_rows, image->rows, sink));
        }
        hoist_tree_end(sink);
    }
    hoist_tree_end(sink);
    return HOIST_OK;
}

// Packages, or the chips of a bundle, which has packages in place of executables. Bundles are not
// nested (read_package.c), so the recursion is one deep.
static hoist_status visit_packages(const dwn_contents *packages, uint32_t count, const char *key,
                                   hoist_tree_sink *sink)
{
    hoist_tree_list(sink, key);
    for (uint32_t i = 0; i < count; i++) {
        const dwn_contents *const contents = &packages[i];
        hoist_tree_map(sink, "");
        hoist_tree_uint(sink, "size_bytes", contents->bytes.size, HOIST_UNIT_BYTES);
        if (contents->rows) {
            HOIST_TRY(hoist_fb_visit(contents->bytes, &dwn_package_rows, contents->rows, sink));
        }
        if (contents->chips) {
            HOIST_TRY(visit_packages(contents->chips, contents->chip_count, "chips", sink));
        } else {
            HOIST_TRY(visit_images(contents, sink));
        }
        hoist_tree_end(sink);
    }
    hoist_tree_end(sink);
    return HOIST_OK;
}

// The members are in the order of the file's parts; absent ones of the map are left out.
hoist_status dwn_visit(const hoist_module *module, const hoist_dump_options *options,
                       hoist_tree_sink *sink)
{
    const dwn_module *const m = dwn_of(module);
    hoist_tree_map(sink, options->key ? options->key : "");
    if (m->is_custom) {
        hoist_tree_map(sink, "custom_options");
        hoist_tree_int(sink, "version", m->custom.version);
        if (m->custom.chip_name.data) {
            hoist_tree_str(sink, "chip_name", m->custom.chip_name);
        }
        if (m->custom.legacy.data) {
            hoist_tree_uint(sink, "legacy_bytes", m->custom.legacy.size, HOIST_UNIT_BYTES);
        }
        hoist_tree_int(sink, "execution_preference", m->custom.preference);
        if (m->custom.chips) {
            hoist_tree_short_list(sink, "chips");
            for (uint32_t i = 0; i < m->custom.chip_count; i++) {
                hoist_tree_int(sink, "", m->custom.chips[i]);
            }
            hoist_tree_end(sink);
        }
        hoist_tree_end(sink);
    }
    HOIST_TRY(visit_packages(m->packages, m->package_count, "packages", sink));
    hoist_tree_end(sink);
    return sink->status;
}
