// Which runtimes and devices take a file, by the gates of neff reference 1.4 and 3.1.1. In go
// header, target and the first flaw (info_flaw.c), out come the lists "runtimes" and "devices" with
// a reason for each refusal. What is known of runtimes is described by third parties.
#include <inttypes.h>
#include <stdio.h>

#include "base/buffer.h"
#include "base/span.h"
#include "formats/neff/info.h"

// A generation of the runtime, by what it supports.
typedef struct runtime_row {
    const char *name;
    uint64_t major;    // highest neff_version_major
    uint64_t features; // bits; bit 63 is never looked at
    bool validates_hash;
} runtime_row;

// From the sources of 1.4: 27 bits in libnrt 2.31, 8 bits in the message of a public issue,
// versions up to 1.1 in the troubleshooting guide.
static const runtime_row runtimes[] = {
    {"libnrt 2.31", 2, 0x7ffffff, false},
    {"libnrt 2.31, hash checked", 2, 0x7ffffff, true},
    {"older libnrt, 8 feature bits", 2, 0xff, false},
    {"first ones, up to version 1.1", 1, UINT64_MAX, false},
};

static const uint64_t NEVER_TESTED = UINT64_C(1) << 63;

static void write_features(hoist_buffer *out, uint64_t bits)
{
    bool several = false;
    hoist_buffer_c(out, (bits & (bits - 1)) ? "feature bits " : "feature bit ");
    for (unsigned bit = 0; bit < 64; bit++) {
        if (bits >> bit & 1) {
            const char *const name = neff_features[bit].name;
            hoist_buffer_format(out, "%s%u", several ? ", " : "", bit);
            if (name) {
                hoist_buffer_format(out, " (%s)", name);
            }
            several = true;
        }
    }
}

// The first gate that stops the file, in the runtime's order, with its status; then the flaw of
// what is after the header. Nothing when the runtime loads the file. At most one reason: a runtime
// stops at the first.
static void write_refusal(const neff_info_writer *w, const runtime_row *row, hoist_str flaw,
                          hoist_buffer *out)
{
    const neff_header *const h = &w->module->header;
    const uint64_t behind = w->module->file.size - NEFF_HEADER_SIZE; // a module has a full header
    const uint64_t features = h->feature_bits & ~row->features & ~NEVER_TESTED;
    if (h->pkg_version < 1 || h->pkg_version > 2) {
        hoist_buffer_format(out, "pkg_version %" PRIu64 " (status 10)", h->pkg_version);
    } else if (h->header_size >= w->module->file.size) {
        hoist_buffer_format(out, "header_size %" PRIu64 " (status 2)", h->header_size);
    } else if (behind < h->data_size) {
        hoist_buffer_c(out, "data_size is beyond the file (status 2)");
    } else if (h->version_major > row->major) {
        hoist_buffer_format(out, "version %" PRIu64 ".%" PRIu64 " (status 10)", h->version_major,
                            h->version_minor);
    } else if (h->version_major == 2 && features) {
        write_features(out, features);
        hoist_buffer_c(out, " (status 10)");
    } else if (row->validates_hash && w->hash_known && !w->hash_right) {
        hoist_buffer_c(out, "the stored hash is wrong, NEURON_RT_VALIDATE_HASH=true (status 2)");
    } else {
        hoist_buffer_str(out, flaw);
    }
}

// One row: name, whether it loads, and the reason when it does not.
static void send_verdict(const neff_info_writer *w, const char *kind, const char *name,
                         const hoist_buffer *refusal)
{
    hoist_tree_map(w->sink, "");
    hoist_tree_c(w->sink, kind, name);
    hoist_tree_bool(w->sink, "loads", refusal->size == 0);
    hoist_tree_maybe_str(w->sink, "reason",
                         refusal->size ? hoist_buffer_text(refusal) : (hoist_str){NULL, 0});
    hoist_tree_end(w->sink);
}

// A device refuses another generation's target, and a logical core that it has not got. An older
// generation has cores of one physical core only.
static void write_device_refusal(const neff_info_writer *w, int device, hoist_str flaw,
                                 hoist_buffer *out)
{
    const neff_module *const m = w->module;
    const int own = neff_generation_of_file(m);
    const hoist_str target = m->kelf_count ? m->kelfs[0].target : HOIST_STR("");
    if (flaw.size) {
        hoist_buffer_str(out, flaw);
        return;
    }
    const bool is_other = own != NEFF_ANY_GENERATION && own != device;
    const bool lacks_cores = neff_header_lnc(&m->header) > 1 && device < NEFF_GEN3;
    if (is_other) {
        hoist_buffer_format(out, "target '%.*s'", HOIST_STR_ARGS(target));
    }
    if (is_other && !lacks_cores) { // else the switch does not help
        hoist_buffer_c(out, "; NEURON_RT_ALLOW_LEGACY_NEFF=1 passes over it, as described");
    }
    if (lacks_cores) {
        hoist_buffer_format(out, "%slnc_size %" PRIu32 ", there are no logical cores",
                            is_other ? "; " : "", m->header.lnc_size);
    }
}

// `reason` is a buffer that is used again for each row.
static void send_loads(const neff_info_writer *w, hoist_str flaw, hoist_buffer *reason)
{
    hoist_tree_list(w->sink, "runtimes");
    for (size_t i = 0; i < HOIST_COUNT_OF(runtimes); i++) {
        reason->size = 0;
        write_refusal(w, &runtimes[i], flaw, reason);
        send_verdict(w, "runtime", runtimes[i].name, reason);
    }
    hoist_tree_end(w->sink);
    hoist_tree_list(w->sink, "devices");
    for (int i = NEFF_GEN1; i <= NEFF_GEN4; i++) {
        char name[32];
        const neff_generation_row *const row = &neff_generations[i];
        (void)snprintf(name, sizeof(name), "%s%s%s", row->target, row->alias ? ", " : "",
                       row->alias ? row->alias : "");
        reason->size = 0;
        write_device_refusal(w, i, flaw, reason);
        send_verdict(w, "device", name, reason);
    }
    hoist_tree_end(w->sink);
}

// HOIST_LIMIT of a check is passed on: the answer would be a guess.
hoist_status neff_info_loads(const neff_info_writer *w)
{
    hoist_str flaw;
    hoist_buffer reason;
    HOIST_TRY(neff_info_flaw(w, &flaw));
    hoist_buffer_init(&reason, w->module->base.alloc);
    send_loads(w, flaw, &reason);
    const hoist_status status = reason.failed ? HOIST_NO_MEMORY : w->sink->status;
    hoist_buffer_deinit(&reason);
    return status;
}
