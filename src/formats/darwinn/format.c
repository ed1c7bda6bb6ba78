// The row of the format for formats/format.h: sniffing, reading (read_custom.c, read_package.c),
// freeing, and the paths of the dump that comparisons leave out.
#include "base/alloc.h"
#include "base/reader.h"
#include "base/span.h"
#include "formats/darwinn/darwinn.h"
#include "formats/darwinn/package_parts.h"
#include "formats/darwinn/read.h"
#include "formats/darwinn/recover_send.h"

#define OPERATOR "edgetpu-custom-op" // custom_code of the operator (1.1)

// Payloads are known by the operator's name, files by the identifier: a package's first bytes are
// an offset, which says nothing.
int dwn_sniff(hoist_bytes head, hoist_str file_name)
{
    if (hoist_str_equal_c(file_name, OPERATOR)) {
        return 100;
    }
    return hoist_str_equal_c(hoist_fb_identifier(head), "DWN1") ? 95 : 0;
}

// One package, which is the entire file; without its rows there is nothing to show.
static hoist_status read_bare(dwn_reader *r)
{
    dwn_module *const m = r->module;
    m->packages = hoist_arena_array(r->arena, 1, sizeof(*m->packages));
    if (!m->packages) {
        return HOIST_NO_MEMORY;
    }
    m->package_count = 1;
    HOIST_TRY(dwn_read_package(r, m->bytes, 0, &m->packages[0]));
    return m->packages[0].rows ? HOIST_OK : HOIST_INVALID;
}

// custom_options have no magic number: a payload that is no package has to be such a map.
static hoist_status read_all(dwn_reader *r, bool is_payload)
{
    dwn_module *const m = r->module;
    const hoist_str identifier = hoist_fb_identifier(m->bytes);
    if (m->bytes.size < 8) {
        return dwn_fail(r->diag, HOIST_TRUNCATED, DWN_001, hoist_loc_byte(m->base_offset),
                        "%zu bytes, expected 8 or more", m->bytes.size);
    }
    if (!is_payload && hoist_str_equal_c(identifier, "TFL3")) {
        return dwn_fail(
            r->diag, HOIST_INVALID, DWN_003, hoist_loc_none(),
            "this is a TFLite model; packages in it are found when it is opened as one");
    }
    const bool is_package = hoist_str_equal_c(identifier, "DWN1");
    m->is_custom = !is_package && (is_payload || dwn_is_custom(m->bytes));
    return m->is_custom ? dwn_read_custom(r) : read_bare(r);
}

hoist_status dwn_read(hoist_bytes bytes, const hoist_read_options *options, hoist_diag *diag,
                      hoist_module **out_module)
{
    *out_module = NULL;
    if (!options->keep) {      // the caller keeps the bytes
        return HOIST_INTERNAL; // vectors are slices of the bytes
    }
    dwn_module *const m = hoist_alloc_zero(options->alloc, 1, sizeof(*m));
    if (!m) {
        return HOIST_NO_MEMORY;
    }
    // Bytes of a payload begin at its offset in the model's file.
    m->base = (hoist_module){&hoist_darwinn_format, options->alloc, options->deadline};
    m->bytes = bytes;
    m->base_offset = options->payload ? options->payload->offset : 0;
    m->payload = options->payload;
    hoist_arena_init(&m->arena, options->alloc);
    dwn_reader r = {.module = m, .diag = diag, .arena = &m->arena};
    const hoist_status status = read_all(&r, options->payload != NULL);
    if (status != HOIST_OK) {
        dwn_destroy(&m->base);
        return status;
    }
    *out_module = &m->base;
    return HOIST_OK;
}

void dwn_destroy(hoist_module *module)
{
    if (!module) {
        return;
    }
    // The base is the first member, so both have one address.
    dwn_module *const m = (dwn_module *)module;
    hoist_arena_deinit(&m->arena);
    hoist_free(m->base.alloc, m, sizeof(*m));
}

// The bytes that were read: packing writes changed ones (package_pack.c).
hoist_status dwn_write(const hoist_module *module, hoist_buffer *out)
{
    hoist_buffer_add(out, dwn_of(module)->bytes);
    return out->failed ? HOIST_NO_MEMORY : HOIST_OK;
}

// Names of chips (2.1, item 9).
static const char *const chips[] = {"beagle", "beagle_fpga"};

hoist_target dwn_target(const hoist_module *module, const hoist_check_options *options)
{
    (void)options;
    const dwn_image *const main = dwn_roles_of(dwn_of(module)->packages).main_image;
    const hoist_str chip = main ? main->rows->chip : HOIST_STR("");
    for (size_t i = 0; i < HOIST_COUNT_OF(chips); i++) {
        if (hoist_str_equal_c(chip, chips[i])) {
            return (hoist_target){chips[i], "file"};
        }
    }
    return (hoist_target){NULL, NULL};
}

static const hoist_rule_set *const rule_sets[] = {&hoist_darwinn_rules, &hoist_folder_rules, NULL};

// Fields that a comparison passes over: positions and sizes in the file do not change what a
// program does; parameters and instructions are compared by their content (hoist_job_compare).
static const hoist_diff_rule diff_rules[] = {
    {"packages/*/size_bytes", NULL},
    {"packages/*/serialized_multi_executable", NULL}, // its content is compared
    {"packages/*/executables/*/size_bytes", NULL},
    {"packages/*/executables/*/parameters", NULL},
    {"packages/*/executables/*/instruction_bitstreams/*/bitstream", NULL},
    {"packages/*/executables/*/instruction_bitstreams/*/field_offsets", NULL},
    {"packages/*/chips/*/size_bytes", NULL},
    {"packages/*/chips/*/serialized_multi_executable", NULL},
    {"packages/*/chips/*/executables/*/size_bytes", NULL},
    {"packages/*/chips/*/executables/*/parameters", NULL},
    {"packages/*/chips/*/executables/*/instruction_bitstreams/*/bitstream", NULL},
    {"packages/*/chips/*/executables/*/instruction_bitstreams/*/field_offsets", NULL},
    {NULL, NULL},
};

static const char *const members[] = {"custom_options.bin", "packages/0/package.bin", NULL};

// Fields of one package that differ between a model and a file of its own.
static const hoist_diff_rule content_rules[] = {
    {"custom_options", NULL},
    {"packages/*/size_bytes", NULL},
    {"packages/*/signature", NULL},
    {"packages/*/serialized_multi_executable", NULL}, // its content has a digest
    {"packages/*/executables/*/size_bytes", NULL},
    {"packages/*/chips/*/size_bytes", NULL},
    {"packages/*/chips/*/serialized_multi_executable", NULL},
    {"packages/*/chips/*/executables/*/size_bytes", NULL},
    {NULL, NULL},
};

const hoist_format hoist_darwinn_format = {
    .name = "darwinn",
    .title = "Edge TPU package (DarwiNN)",
    .rule_sets = rule_sets,
    .keeps_bytes = true,
    .max_bytes = INT32_MAX,
    .memory = {.base = (size_t)64 << 20, .factor = 40},
    .sniff = dwn_sniff,
    .read = dwn_read,
    .destroy = dwn_destroy,
    .target = dwn_target,
    .check = dwn_check_all,
    .visit = dwn_visit,
    .info = dwn_info,
    .picture = dwn_picture,
    .disasm = dwn_disasm,
    .write = dwn_write,
    .entry = DWN_MANIFEST_NAME,
    .members = members,
    .unpack = dwn_unpack,
    .pack = dwn_pack,
    .pack_options = HOIST_PACKS_HINTS,
    .marks = dwn_marks,
    .mark_name = "the token",
    .mark_rule = &dwn_rule_table[DWN_080],
    .token = dwn_token_at,
    .recover = dwn_recover_module,
    .layers = dwn_send_layers,
    .link = dwn_link_module,
    .exchange = dwn_exchange,
    .stream = dwn_stream_module,
    .diff_rules = diff_rules,
    .content_rules = content_rules,
    .shows_broken = true,
};
