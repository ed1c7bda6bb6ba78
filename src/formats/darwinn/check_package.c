// Packages and executables as the driver registers them: rules 12 to 14, 19 to 32, 77 to 79. One
// call for the package, then one for each executable, which notes the first executable and the
// types that there were.
#include <inttypes.h>

#include "base/span.h"
#include "formats/darwinn/check.h"

enum {
    OLDEST_RUNTIME = 10,
    NEWEST_RUNTIME = 14,
    NARROW_MEMORY = 196608,         // bytes of a tile
    CACHED_BYTES = 8 * 1024 * 1024, // what a chip keeps of parameters
};

// Where a member of the package at hand is stored.
#define PACKAGE_PLACE(c, member)                                                                   \
    DWN_FIELD_PLACE((c)->module, (c)->contents->bytes, package, (c)->contents->rows, member)

static const char *type_name(int16_t type)
{
    const char *const name = hoist_fb_word_name(dwn_executable_types, type);
    return name ? name : "of an unknown type";
}

// The types of the package's executables as bits: 1 << type, 8 for unknown ones. False: a type
// occurs twice, or an executable could not be read, so that rule 21 has no meaning.
static bool types_of(const dwn_contents *contents, unsigned *out_types)
{
    *out_types = 0;
    for (uint32_t i = 0; i < contents->image_count; i++) {
        const dwn_executable *const e = contents->images[i].rows;
        if (!e) {
            return false;
        }
        const unsigned bit = e->type >= 0 && e->type <= DWN_EXECUTION_ONLY ? 1U << e->type : 8U;
        if (*out_types & bit) {
            return false;
        }
        *out_types |= bit;
    }
    return true;
}

// Rules 20 and 22. `types` has a bit for any int16 number, since the file's may be any.
static void check_type(dwn_check *c)
{
    const int16_t type = c->image->rows->type;
    uint8_t *const types = &c->types[(uint16_t)type / 8];
    const uint8_t bit = (uint8_t)(1U << (uint16_t)type % 8);
    if (*types & bit) {
        dwn_report(c->diag, DWN_020, DWN_PLACE(c, executable, c->image->rows, type),
                   "the executable is %s, as one before it", type_name(type));
    }
    *types |= bit;
    if (c->contents->image_count == 1 && type != DWN_STAND_ALONE) {
        dwn_report(c->diag, DWN_022, DWN_PLACE(c, executable, c->image->rows, type),
                   "the only executable is %s", type_name(type));
    }
}

// Rules 23 to 25: the executables of a package share one token, which a caching one needs.
static void check_token(const dwn_check *c)
{
    const dwn_executable *const e = c->image->rows;
    const uint64_t first = c->first->parameter_caching_token;
    const hoist_loc place = DWN_PLACE(c, executable, c->image->rows, parameter_caching_token);
    if (e->type == DWN_PARAMETER_CACHING && e->parameter_caching_token == 0) {
        dwn_report(c->diag, DWN_023, place, "the PARAMETER_CACHING executable has no token");
    }
    if (e->parameter_caching_token != first) {
        dwn_report(c->diag, DWN_024, place,
                   "the token is %016" PRIx64 ", that of the first executable %016" PRIx64,
                   e->parameter_caching_token, first);
    }
    if (e->type == DWN_STAND_ALONE && e->parameter_caching_token) {
        dwn_report(c->diag, DWN_025, place, "a STAND_ALONE executable has the token %016" PRIx64,
                   e->parameter_caching_token);
    }
}

// Rule 26. The driver's own check accepts all names.
static void check_chip(const dwn_check *c)
{
    const hoist_str chip = c->image->rows->chip;
    const hoist_str first = c->first->chip;
    const hoist_loc place = DWN_PLACE(c, executable, c->image->rows, chip);
    if (!hoist_str_equal_c(chip, "beagle") && !hoist_str_equal_c(chip, "beagle_fpga")) {
        dwn_report(c->diag, DWN_026a, place, "the chip is '%.*s'", HOIST_STR_ARGS(chip));
    }
    if (!hoist_str_equal(chip, first)) {
        dwn_report(c->diag, DWN_026b, place,
                   "the chip is '%.*s', that of the first executable '%.*s'", HOIST_STR_ARGS(chip),
                   HOIST_STR_ARGS(first));
    }
}

// Rules 78 and 79: what the compiler reports as on-chip and off-chip memory.
static void check_memory(const dwn_check *c)
{
    const dwn_roles roles = dwn_roles_of(c->contents);
    const dwn_image *const main = roles.main_image;
    const dwn_image *const caching = roles.caching_image;
    if (!main) {
        return;
    }
    const size_t cached = caching ? caching->rows->parameters.size : 0;
    dwn_report(c->diag, DWN_078,
               DWN_FIELD_PLACE(c->module, main->bytes, executable, main->rows, parameters),
               "%zu bytes of parameters are kept on the chip, %zu are sent in every run", cached,
               main->rows->parameters.size);
    if (cached > CACHED_BYTES) {
        dwn_report(
            c->diag, DWN_079,
            DWN_FIELD_PLACE(c->module, caching->bytes, executable, caching->rows, parameters),
            "%zu bytes of parameters are to be kept on the chip, expected at most %d", cached,
            CACHED_BYTES);
    }
}

// The order of the driver (LE driver/package_registry.cc), which stops at the first refusal; here
// all are reported.
void dwn_check_package(dwn_check *c)
{
    const dwn_contents *const k = c->contents;
    // 12 to 14, 28, 29.
    const dwn_package *const p = c->contents->rows;
    if (p->min_runtime_version < OLDEST_RUNTIME) {
        dwn_report(c->diag, DWN_012, PACKAGE_PLACE(c, min_runtime_version),
                   "min_runtime_version is %" PRId32 ", expected 10 or more",
                   p->min_runtime_version);
    } else if (p->min_runtime_version > NEWEST_RUNTIME) {
        dwn_report(c->diag, DWN_013, PACKAGE_PLACE(c, min_runtime_version),
                   "the package requires runtime version %" PRId32
                   ", and the newest public one is 14",
                   p->min_runtime_version);
    }
    if (p->virtual_chip_id == -1) {
        dwn_report(c->diag, DWN_014, PACKAGE_PLACE(c, virtual_chip_id),
                   "this is a bundle of packages for %" PRIu32 " chips", c->contents->chip_count);
    }
    if (p->signature.size) {
        dwn_report(c->diag, DWN_028, PACKAGE_PLACE(c, signature),
                   "the signature has %zu bytes, which cannot be checked", p->signature.size);
    }
    if (p->keypair_version) {
        dwn_report(c->diag, DWN_029, PACKAGE_PLACE(c, keypair_version),
                   "keypair_version is %" PRId32 ", expected 0", p->keypair_version);
    }
    if (k->bytes.size % DWN_PAGE) {
        dwn_report(c->diag, DWN_030, dwn_place_in_file(c->module, k->bytes.data),
                   "the package has %zu bytes, expected a multiple of 4096", k->bytes.size);
    }
    // 21: what is there together.
    const unsigned pair = 1U << DWN_PARAMETER_CACHING | 1U << DWN_EXECUTION_ONLY;
    unsigned types = 0;
    if (k->image_count > 1 && types_of(k, &types) && types != pair &&
        types != (pair | 1U << DWN_STAND_ALONE)) {
        dwn_report(c->diag, DWN_021, PACKAGE_PLACE(c, serialized_multi_executable),
                   "%" PRIu32 " executables, which are no such set", k->image_count);
    }
    check_memory(c);
}

// Rule 30. The driver maps parameters in place, in whole pages; `whole` also asks for the end.
static void check_pages(const dwn_check *c, hoist_bytes slice, bool whole, const char *what)
{
    if (!slice.data) {
        return;
    }
    const size_t at = (size_t)(slice.data - c->contents->bytes.data);
    if (at % DWN_PAGE || (whole && slice.size % DWN_PAGE)) {
        dwn_report(c->diag, DWN_030, dwn_place_in_file(c->module, slice.data),
                   "%s: %zu bytes at byte %zu of the package, expected pages of 4096", what,
                   slice.size, at);
    }
}

void dwn_check_executable(dwn_check *c)
{
    const dwn_executable *const e = c->image->rows;
    c->first = c->first ? c->first : e;
    check_type(c);
    check_token(c);
    check_chip(c);
    // 19, 27, 31, 77.
    if (e->version) {
        dwn_report(c->diag, DWN_027, DWN_PLACE(c, executable, e, version),
                   "the version is %" PRId32 ", expected 0", e->version);
    }
    if (e->batch_size < 1) {
        dwn_report(c->diag, DWN_019, DWN_PLACE(c, executable, e, batch_size),
                   "batch_size is %" PRId32 ", expected 1 or more", e->batch_size);
    }
    if (e->scratch_size_bytes < 0) {
        dwn_report(c->diag, DWN_031, DWN_PLACE(c, executable, e, scratch_size_bytes),
                   "scratch_size_bytes is %" PRId32, e->scratch_size_bytes);
    }
    if (e->used_narrow_memory_bytes_per_tile > NARROW_MEMORY) {
        dwn_report(c->diag, DWN_077, DWN_PLACE(c, executable, e, used_narrow_memory_bytes_per_tile),
                   "%" PRId32 " bytes of narrow memory are used in a tile, which has %d",
                   e->used_narrow_memory_bytes_per_tile, NARROW_MEMORY);
    }
    if (c->image->chunk_count == 0) {
        dwn_report(c->diag, DWN_032, DWN_PLACE(c, executable, e, instruction_bitstreams),
                   "there are no instruction chunks");
    }
    check_pages(c, c->image->bytes, true, "the executable");
    check_pages(c, e->parameters, false, "the parameters");
}
