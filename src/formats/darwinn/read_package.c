// From a package to its executables: FlatBuffers in vectors and strings of FlatBuffers (darwinn
// reference sections 1.3 and 2). In: the bytes of a package; out: dwn_contents with the executables
// that can be read. What has faults is reported and left out; what shares its bytes with others is
// read once.
#include <inttypes.h>
#include <stdio.h>

#include "base/reader.h"
#include "base/span.h"
#include "formats/darwinn/read.h"

// Where the member of a table is stored; where it is absent, the table itself.
hoist_loc dwn_field_place(const dwn_module *module, hoist_bytes buffer, const hoist_fb_type *type,
                          const void *object, size_t member)
{
    return dwn_place_in_file(module,
                             buffer.data + hoist_fb_member_place(buffer, type, object, member));
}

// Reads a buffer by its rows. `*out_object` is NULL when it has faults, which were reported.
static hoist_status read_rows(dwn_reader *r, hoist_bytes bytes, const hoist_fb_type *type,
                              dwn_rule rule, void **out_object)
{
    const hoist_loc place = dwn_place_in_file(r->module, bytes.data);
    const hoist_fb_options options = {.base_offset = place.offset,
                                      .deadline = r->module->base.deadline};
    const hoist_status status = hoist_fb_read(bytes, type, &options, r->arena, r->diag, out_object);
    // Faults of the buffer are no failure.
    if (status == HOIST_NO_MEMORY || status == HOIST_LIMIT || status == HOIST_CANCELLED) {
        return status;
    }
    const hoist_fb_table *const head = *out_object;
    if (status != HOIST_OK) {
        dwn_report(r->diag, rule, place, "%zu bytes are no buffer of type %s", bytes.size,
                   type->name);
    } else if (head->faults) {
        dwn_report(r->diag, rule, place, "the buffer of type %s has %" PRIu32 " fault%s",
                   type->name, head->faults, head->faults == 1 ? "" : "s");
        *out_object = NULL;
    }
    return HOIST_OK;
}

// `left` is how many bytes the images still to be read may have when none shares bytes with
// another.
static hoist_status read_image(dwn_reader *r, hoist_bytes bytes, size_t *left, dwn_image *image)
{
    image->bytes = bytes;
    if (bytes.size > *left) {
        dwn_report(r->diag, DWN_018, dwn_place_in_file(r->module, bytes.data),
                   "%zu bytes, which executables share: it is not read", bytes.size);
        return HOIST_OK;
    }
    *left -= bytes.size;
    void *rows = NULL;
    HOIST_TRY(read_rows(r, bytes, &dwn_executable_rows, DWN_018, &rows));
    image->rows = rows;
    return rows ? dwn_read_chunks(r, image) : HOIST_OK;
}

// The images of contents->multi, each in a string that is a FlatBuffer of its own (no identifier).
// Images that cannot be read stay in the array, with `rows` NULL, so that indices match the file.
static hoist_status read_images(dwn_reader *r, dwn_contents *contents)
{
    const dwn_multi_executable *const multi = contents->multi;
    const uint32_t count = multi->serialized_executables.count;
    contents->images = hoist_arena_array(r->arena, count, sizeof(dwn_image));
    if (!contents->images) {
        return HOIST_NO_MEMORY;
    }
    contents->image_count = count;
    size_t left = contents->rows->serialized_multi_executable.size;
    for (uint32_t i = 0; i < count; i++) {
        hoist_frame frame;
        hoist_diag_push_item(r->diag, &frame, "executables", i);
        const hoist_status status = read_image(
            r, dwn_text_bytes(multi->serialized_executables.items[i]), &left, &contents->images[i]);
        hoist_diag_pop(r->diag, &frame);
        HOIST_TRY(status);
    }
    return HOIST_OK;
}

// The usual package: programs for one chip. What is missing is reported, and contents->multi stays
// NULL.
static hoist_status read_multi(dwn_reader *r, dwn_contents *contents)
{
    const dwn_package *const package = contents->rows;
    const hoist_bytes bytes = package->serialized_multi_executable;
    const hoist_loc place =
        DWN_FIELD_PLACE(r->module, contents->bytes, package, package, serialized_multi_executable);
    if (bytes.size == 0) {
        dwn_report(r->diag, DWN_016, place, "serialized_multi_executable is %s",
                   bytes.data ? "empty" : "absent");
        return HOIST_OK;
    }
    void *rows = NULL;
    HOIST_TRY(read_rows(r, bytes, &dwn_multi_executable_rows, DWN_016, &rows));
    contents->multi = rows;
    if (!rows) {
        return HOIST_OK;
    }
    if (contents->multi->serialized_executables.count == 0) {
        dwn_report(r->diag, DWN_017, place, "the package has no executable");
    }
    return read_images(r, contents);
}

// The package of chip `index` of the bundle `outer`; `left` as above.
static hoist_status read_chip(dwn_reader *r, const dwn_contents *outer, uint32_t index,
                              size_t *left, dwn_contents *contents)
{
    const dwn_serialized_package *const chip = &outer->rows->multi_chip_package.items[index];
    const size_t size = chip->serialized_package.size;
    const hoist_loc place =
        DWN_FIELD_PLACE(r->module, outer->bytes, serialized_package, chip, serialized_package);
    hoist_frame frame;
    hoist_diag_push_item(r->diag, &frame, "chips", index);
    hoist_status status = HOIST_OK;
    if (size == 0 || size > *left) {
        dwn_report(r->diag, DWN_015, place,
                   size ? "chip %" PRIu32 " shares its bytes with others: it is not read"
                        : "chip %" PRIu32 " has no package",
                   index);
    } else {
        *left -= size;
        status = dwn_read_package(r, chip->serialized_package, 1, contents);
        if (status == HOIST_OK && !contents->rows) {
            dwn_report(r->diag, DWN_015, place, "what chip %" PRIu32 " has is no package", index);
        }
    }
    hoist_diag_pop(r->diag, &frame);
    return status;
}

// A bundle for several chips: each has a package of its own. `depth` keeps a bundle inside a bundle
// from recursing, which the schema would allow to any depth.
static hoist_status read_chips(dwn_reader *r, dwn_contents *contents, unsigned depth)
{
    const dwn_package *const package = contents->rows;
    const hoist_loc place =
        DWN_FIELD_PLACE(r->module, contents->bytes, package, package, virtual_chip_id);
    if (depth > 0) {
        dwn_report(r->diag, DWN_015, place, "a package of a bundle is a bundle itself");
        return HOIST_OK;
    }
    const uint32_t count = package->multi_chip_package.count;
    if (count == 0) {
        dwn_report(r->diag, DWN_015, place, "virtual_chip_id is -1, and there are no packages");
    }
    contents->chips = hoist_arena_array(r->arena, count, sizeof(dwn_contents));
    if (!contents->chips) {
        return HOIST_NO_MEMORY;
    }
    contents->chip_count = count;
    size_t left = contents->bytes.size; // chips' packages are inside the bundle, and disjoint
    for (uint32_t i = 0; i < count; i++) {
        HOIST_TRY(read_chip(r, contents, i, &left, &contents->chips[i]));
    }
    return HOIST_OK;
}

// Every failure of the content is a finding and leaves `rows` NULL; a status other than HOIST_OK is
// of memory, limits or the deadline.
hoist_status dwn_read_package(dwn_reader *r, hoist_bytes bytes, unsigned depth,
                              dwn_contents *contents)
{
    contents->bytes = bytes;
    const hoist_str identifier = hoist_fb_identifier(bytes);
    // Another identifier is a warning: the runtime goes on, too.
    if (identifier.size && !hoist_str_equal_c(identifier, "DWN1")) {
        dwn_report(r->diag, DWN_010, dwn_place_in_file(r->module, identifier.data),
                   "the identifier is '%.*s', expected 'DWN1'", HOIST_STR_ARGS(identifier));
    }
    void *rows = NULL;
    HOIST_TRY(read_rows(r, bytes, &dwn_package_rows, DWN_011, &rows));
    contents->rows = rows;
    if (!rows) {
        return HOIST_OK;
    }
    return contents->rows->virtual_chip_id == -1 ? read_chips(r, contents, depth)
                                                 : read_multi(r, contents);
}

// The first image of that type that could be read; DWN_NONE: there is none. The types of a package
// differ (DWN-020), so the first is the only one.
static uint32_t image_of(const dwn_contents *contents, dwn_executable_type type)
{
    for (uint32_t i = 0; i < contents->image_count; i++) {
        if (contents->images[i].rows && contents->images[i].rows->type == (int16_t)type) {
            return i;
        }
    }
    return DWN_NONE;
}

// The runtime's choice (section 2.1, item 8): a single executable is run, whatever its type; of
// several STAND_ALONE is preferred, which needs no caching; else EXECUTION_ONLY, whose parameters
// PARAMETER_CACHING loads.
dwn_roles dwn_roles_of(const dwn_contents *contents)
{
    dwn_roles roles = {.main = image_of(contents, DWN_STAND_ALONE), .caching = DWN_NONE};
    if (contents->image_count == 1) {
        roles.main = contents->images[0].rows ? 0 : DWN_NONE;
    } else if (roles.main == DWN_NONE) {
        roles.main = image_of(contents, DWN_EXECUTION_ONLY);
        roles.caching = image_of(contents, DWN_PARAMETER_CACHING);
    }
    roles.main_image = roles.main == DWN_NONE ? NULL : &contents->images[roles.main];
    roles.caching_image = roles.caching == DWN_NONE ? NULL : &contents->images[roles.caching];
    return roles;
}

// Parameters that stay in the chip belong to the caching executable, those that are sent in every
// run to the main one.
hoist_bytes dwn_parameters_of(const dwn_contents *contents, bool is_cached)
{
    const dwn_roles roles = dwn_roles_of(contents);
    const dwn_image *const image = is_cached ? roles.caching_image : roles.main_image;
    return image ? image->rows->parameters : (hoist_bytes){NULL, 0};
}

uint64_t dwn_token_of(const dwn_contents *contents)
{
    const dwn_image *const main = dwn_roles_of(contents).main_image;
    return main ? main->rows->parameter_caching_token : 0;
}
