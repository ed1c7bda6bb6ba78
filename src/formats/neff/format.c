// The row of the format: sniffing, reading in its order, freeing. load/formats.c has the row in its
// table; header.c and container.c are the first steps of reading, read_members.c the rest.
#include "base/alloc.h"
#include "base/reader.h"
#include "base/span.h"
#include "codec/gzip.h"
#include "codec/tar.h"
#include "formats/neff/neff.h"
#include "formats/neff/pack.h"

// There is no magic number (1.1): the packaging's version, the header's size and the first bytes of
// the archive are what files have in common. 95 for all of it, less for a part, so that a damaged
// file is still taken for one; 10 for its name alone.
int neff_sniff(hoist_bytes head, hoist_str file_name)
{
    const int by_name = hoist_str_ends_with(file_name, ".neff") ? 10 : 0;
    hoist_reader r = hoist_reader_init(head);
    const uint64_t pkg_version = hoist_read_u64le(&r);
    const uint64_t header_size = hoist_read_u64le(&r);
    hoist_reader_seek(&r, NEFF_HEADER_SIZE); // fails when the file ends before
    if (r.failed) {
        return by_name;
    }
    const hoist_bytes archive = {head.data + NEFF_HEADER_SIZE, head.size - NEFF_HEADER_SIZE};
    const bool packed = hoist_gzip_is(archive) || hoist_tar_is(archive);
    const bool version = pkg_version == 1 || pkg_version == 2;
    const bool size = header_size == NEFF_HEADER_SIZE;
    const int bid = (version && size ? 60 : 0) + (packed && (version || size) ? 35 : 0);
    return bid ? bid : by_name;
}

// Findings of the header do not count as flaws: the file was read on after them.
static hoist_status read_all(neff_reader *r)
{
    HOIST_TRY(neff_read_header(r));
    const size_t kept = hoist_diag_kept(r->diag); // findings and errors of others, from before
    const size_t errors = hoist_diag_count(r->diag, HOIST_ERROR);
    HOIST_TRY(neff_read_container(r));
    const hoist_status status = r->options->container_only ? HOIST_OK : neff_read_members(r);
    neff_enter(r->module, r->diag, NEFF_NONE);
    HOIST_TRY(status);
    if (hoist_diag_count(r->diag, HOIST_ERROR) > errors) {
        // The first error in words, for `info`, which gets no findings of reading.
        r->module->flaw = neff_first_error(r->diag, kept, r->arena);
    }
    return r->module->flaw.data || hoist_diag_count(r->diag, HOIST_ERROR) == errors
               ? HOIST_OK
               : HOIST_NO_MEMORY;
}

// Findings are looked at without a reporter of the caller's as well, so there is a collector in any
// case.
static hoist_status read_module(neff_reader *r)
{
    hoist_diag *own = NULL;
    if (!r->diag) {
        HOIST_TRY(hoist_diag_create(r->module->base.alloc, NULL, &own));
        r->diag = own;
    }
    const hoist_status status = read_all(r);
    hoist_diag_destroy(own);
    return status;
}

hoist_status neff_read(hoist_bytes bytes, const hoist_read_options *options, hoist_diag *diag,
                       hoist_module **out_module)
{
    *out_module = NULL;
    if (!options->keep) {
        return HOIST_INTERNAL; // members are slices of the bytes
    }
    neff_module *const m = neff_module_create(options->alloc, bytes);
    HOIST_TRY_MEMORY(m);
    m->base.format = &hoist_neff_format;
    m->base.deadline = options->deadline;
    neff_reader r = {.module = m,
                     .diag = diag,
                     .options = options,
                     .arena = &m->arena,
                     .lenient = options->lenient};
    const hoist_status status = read_module(&r);
    if (status != HOIST_OK) {
        neff_destroy(&m->base); // whatever of it was read
        return status;
    }
    *out_module = &m->base;
    return HOIST_OK;
}

static const hoist_rule_set *const rule_sets[] = {&hoist_neff_rules, &hoist_neff_pack_rules,
                                                  &hoist_json_rules, NULL};

// Paths of the dump that comparisons leave out: who made a file, when, from what and how it is
// packed says nothing of what it does. Members are matched by name, since their order is the
// archive's.
static const hoist_diff_rule diff_rules[] = {
    {"header/uuid", NULL},
    {"header/hash", NULL},
    {"header/data_size", NULL},
    {"header/neff_build_version", NULL},
    {"header/pkg_version", NULL},
    {"gzip", NULL},
    {"members", "name"},
    {"members/*/tar", NULL},
    {"members/*/size_bytes", NULL}, // that of JSON is its layout's
    {"members/*/records/*/offset", NULL},
    {NULL, NULL},
};

const hoist_format hoist_neff_format = {
    .name = "neff",
    .title = "AWS Neuron executable (NEFF)",
    .rule_sets = rule_sets,
    .keeps_bytes = true,   // members are slices of the file
    .max_bytes = SIZE_MAX, // only the machine limits it
    // JSON in gzip is about 1:20, and rows and tape of it three times that again.
    .memory = {.base = (size_t)256 << 20, .factor = 100},
    .sniff = neff_sniff,
    .read = neff_read,
    .destroy = neff_destroy,
    .target = neff_target,
    .check = neff_check_all,
    .visit = neff_visit,
    .info = neff_info,
    .picture = neff_picture,
    .text = neff_dump,
    .diff_rules = diff_rules,
    .shows_broken = true, // info, dump and graph take files with errors
    .disasm = neff_disasm,
    .write = neff_write,
    .entry = NEFF_MANIFEST_NAME, // a folder with this file is packed as a NEFF
    .unpack = neff_unpack,
    .pack = neff_pack,
    .pack_options = HOIST_PACKS_VERSION | HOIST_PACKS_LEVEL | HOIST_PACKS_REDACTED,
    .recover = neff_recover,
    .verify = neff_verify,
};
