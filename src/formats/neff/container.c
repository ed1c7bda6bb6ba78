// The payload: a tar archive, raw or in gzip, and its members by name (neff reference 2). In goes
// the module with its header (header.c), out come `archive`, `tar` and `members`, from which
// read_members.c goes on; check_container.c has the rules that need all members.
//
// Nothing here touches the bytes of members, so that listing a file of any size stays cheap.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/progress.h"
#include "base/span.h"
#include "codec/gzip.h"
#include "codec/hash.h"
#include "formats/neff/header.h"
#include "formats/neff/neff.h"
#include "formats/part_name.h"

// Section 2.3: a gzip of a few megabytes may inflate to terabytes. 64 GiB by default, and deflate's
// own bound of about 1,032 to 1 with some margin.
static const uint64_t DEFAULT_MAX_EXPANDED = (uint64_t)64 << 30;
enum { MAX_RATIO = 1100 };

// The tar: a slice of the file, or inflated. `*out_whole` is false when its end is known to be
// missing. HOIST_OK also for a broken gzip of which something came out: its members are worth a
// look.
static hoist_status inflate(neff_reader *r, bool *out_whole)
{
    neff_module *const m = r->module;
    *out_whole = m->payload.size == m->header.data_size;
    if (!m->gzip) {
        m->archive = m->payload;
        return HOIST_OK;
    }
    const uint64_t most = r->options ? r->options->max_expanded : 0; // 0: the default
    const hoist_gzip_options options = {
        .rules = {.broken = neff_rule_row(NEFF_015a), // header, CRC, ISIZE, or cut off
                  .trailing = neff_rule_row(NEFF_015c),
                  .limit = neff_rule_row(NEFF_020)}, // this one stays a failure: HOIST_LIMIT
        .base_offset = NEFF_HEADER_SIZE,
        .max_bytes = most ? most : DEFAULT_MAX_EXPANDED,
        .max_ratio = MAX_RATIO,
        .deadline = m->base.deadline,
    };
    hoist_deadline *const deadline = m->base.deadline;
    // Inflating counts its own bytes in the progress that users see; OPENING goes on after it.
    hoist_stage_turn(deadline, HOIST_STAGE_OPENING, HOIST_STAGE_INFLATING, m->payload.size);
    const hoist_status status =
        hoist_gzip_read(m->payload, &options, m->base.alloc, r->diag, &m->inflated);
    hoist_stage_turn(deadline, HOIST_STAGE_INFLATING, HOIST_STAGE_OPENING, 0);
    m->archive = (hoist_bytes){m->inflated.data, m->inflated.size};
    *out_whole = *out_whole && status == HOIST_OK;
    const bool some = (status == HOIST_INVALID || status == HOIST_TRUNCATED) && m->archive.size;
    return some ? HOIST_OK : status;
}

// The members as slices of the archive. Missing end blocks are not reported of an archive that is
// cut off.
static hoist_status read_tar(neff_reader *r, bool whole)
{
    neff_module *const m = r->module;
    const hoist_tar_options options = {
        .rules = {.broken = neff_rule_row(NEFF_016a),
                  .end = whole ? neff_rule_row(NEFF_016b) : NULL,
                  .limit = neff_rule_row(NEFF_020)},
        // Offsets of findings are those of the file for a raw tar, and those of archive.tar in a
        // gzip.
        .base_offset = m->gzip ? 0 : NEFF_HEADER_SIZE,
        .deadline = m->base.deadline,
    };
    const size_t errors = hoist_diag_count(r->diag, HOIST_ERROR);
    const hoist_status status = hoist_tar_read(m->archive, &options, r->arena, r->diag, &m->tar);
    // No header block was found at all: the codec has reported nothing then.
    if (status == HOIST_INVALID && hoist_diag_count(r->diag, HOIST_ERROR) == errors) {
        neff_report(r->diag, NEFF_016a, hoist_loc_byte(options.base_offset),
                    "there is no tar archive, expected one%s",
                    m->gzip ? " in the gzip" : ", plain or in gzip");
    }
    return status;
}

// Members ----------------------------------------------------------------------------------------

// Where the header block of a member is, in the file or in the inflated archive.
static hoist_loc member_place(const neff_module *m, const hoist_tar_member *tar)
{
    return hoist_loc_byte((m->gzip ? 0 : NEFF_HEADER_SIZE) + tar->header_at);
}

// In words for rule 17, by the flag of the tar header.
static const char *type_name(char flag)
{
    static const struct {
        char flag;
        const char *name;
    } types[] = {{'1', "a hard link"},
                 {'2', "a symbolic link"},
                 {'3', "a character device"},
                 {'4', "a block device"},
                 {'6', "a FIFO"}};
    for (size_t i = 0; i < HOIST_COUNT_OF(types); i++) {
        if (types[i].flag == flag) {
            return types[i].name;
        }
    }
    return "of an unknown type";
}

// The loader strips a leading "./" too; more than one only makes the name unreachable for it.
static hoist_str without_dot(hoist_str name)
{
    while (hoist_str_starts_with(name, "./")) {
        name = hoist_str_slice(name, 2, name.size - 2);
    }
    return name;
}

// Members that nothing has to refer to (2.4), by the last part of their names.
static const struct { // "": any
    const char *start;
    const char *end; // NULL: `start` is all of it
    neff_role role;
} known_names[] = {
    {"cpu.so", NULL, NEFF_ROLE_LIBRARY},
    {"debug_info_backend_", ".dbg", NEFF_ROLE_METADATA},
    {"global_metric_store.json", NULL, NEFF_ROLE_METADATA},
    {"hlo_metrics.json", NULL, NEFF_ROLE_METADATA},
    {"hlo_stats.json", NULL, NEFF_ROLE_METADATA},
    {"icMetadata.json", NULL, NEFF_ROLE_METADATA},
    {"info.json", NULL, NEFF_ROLE_METADATA},
    {"tensor_map.json", NULL, NEFF_ROLE_METADATA},
    {"ucode_lib.json", NULL, NEFF_ROLE_METADATA},
    {"wavegraph-bin.json", NULL, NEFF_ROLE_METADATA},
    {"", ".asm", NEFF_ROLE_METADATA},
};

neff_role neff_known_role(hoist_str name)
{
    // memrchr takes no NULL, which an empty name may have.
    const char *const slash = name.size ? memrchr(name.data, '/', name.size) : NULL;
    const size_t folder = slash ? (size_t)(slash - name.data) + 1 : 0;
    const hoist_str last = hoist_str_slice(name, folder, name.size - folder);
    for (size_t i = 0; i < HOIST_COUNT_OF(known_names); i++) {
        const bool known = known_names[i].end ? hoist_str_starts_with(last, known_names[i].start) &&
                                                    hoist_str_ends_with(last, known_names[i].end)
                                              : hoist_str_equal_c(last, known_names[i].start);
        if (known) {
            return known_names[i].role;
        }
    }
    return NEFF_ROLE_UNKNOWN;
}

// Rule 18: names are unique. The first one is found by name afterwards; it is not public which of
// them a loader takes.
static hoist_status name_member(neff_reader *r, uint32_t index)
{
    neff_module *const m = r->module;
    const neff_member *const member = &m->members[index];
    size_t first = 0;
    const hoist_status status = hoist_map_add(&m->member_names, member->name, index, &first);
    if (status == HOIST_BUSY) {
        neff_report(r->diag, NEFF_018, member_place(m, member->tar),
                    "member '%.*s' is there again, the first is at +0x%" PRIx64,
                    HOIST_STR_ARGS(member->name), member_place(m, m->members[first].tar).offset);
        return HOIST_OK;
    }
    return status;
}

// Rule 18, a file where another member has a folder: "a" and "a/b" cannot both be unpacked.
static void check_folders(const neff_reader *r)
{
    const neff_module *const m = r->module;
    for (uint32_t i = 0; i < m->member_count; i++) {
        const neff_member *const member = &m->members[i];
        const bool is_path = !hoist_part_unsafe(member->name); // else rule 17 has reported it
        // Every prefix that ends before a slash is looked up, the shortest first.
        for (size_t k = 1; is_path && k < member->name.size; k++) {
            size_t file = 0;
            if (member->name.data[k] != '/' ||
                !hoist_map_find(&m->member_names, hoist_str_slice(member->name, 0, k), &file)) {
                continue;
            }
            neff_report(r->diag, NEFF_018, member_place(m, member->tar),
                        "member '%.*s' is in a folder, but '%.*s' at +0x%" PRIx64 " is a file",
                        HOIST_STR_ARGS(member->name), HOIST_STR_ARGS(m->members[file].name),
                        member_place(m, m->members[file].tar).offset);
            break;
        }
    }
}

// Files become members; folders are only checked, links and devices are refused or left out.
static hoist_status make_members(neff_reader *r)
{
    neff_module *const m = r->module;
    // As many as there are headers: folders leave places at the end unused.
    m->members = hoist_arena_array(r->arena, m->tar.count, sizeof(m->members[0]));
    HOIST_TRY_MEMORY(m->members);
    for (size_t i = 0; i < m->tar.count; i++) {
        const hoist_tar_member *const tar = &m->tar.members[i];
        // Rule 17, names; folders count, too.
        const char *const why = hoist_part_unsafe(tar->name);
        if (why) {
            neff_report(
                r->diag, NEFF_017, member_place(r->module, tar),
                "the name of member '%.*s' %s, expected a relative path that stays below its "
                "folder",
                HOIST_STR_ARGS(tar->name), why);
        }
        if (tar->type == HOIST_TAR_FILE) {
            const hoist_str name = without_dot(tar->name); // the name of findings has it still
            m->members[m->member_count] = (neff_member){
                .name = name, .bytes = tar->data, .tar = tar, .role = neff_known_role(name)};
            HOIST_TRY(name_member(r, m->member_count++));
        } else if (tar->type != HOIST_TAR_FOLDER) {
            // Rule 17, links and devices.
            const hoist_loc place = member_place(r->module, tar);
            const char *const type = type_name(tar->flag);
            if (r->lenient) {
                hoist_warn(r->diag, neff_rule_row(NEFF_017), place,
                           "member '%.*s' is %s and was left out", HOIST_STR_ARGS(tar->name), type);
            } else {
                neff_report(r->diag, NEFF_017, place,
                            "member '%.*s' is %s, expected files and folders only",
                            HOIST_STR_ARGS(tar->name), type);
            }
        }
    }
    check_folders(r);
    return HOIST_OK;
}

hoist_status neff_read_container(neff_reader *r)
{
    neff_module *const m = r->module;
    m->gzip = hoist_gzip_is(m->payload);
    neff_enter(m, r->diag, NEFF_NONE);
    // Rule 15, clause b. What is done follows from the bytes alone: pkg_version says only which
    // hash.
    const uint64_t version = m->header.pkg_version;
    if (m->gzip && version == 1) {
        neff_report(r->diag, NEFF_015b, hoist_loc_byte(NEFF_HEADER_SIZE),
                    "the archive is in gzip, expected a plain tar with pkg_version 1");
    } else if (!m->gzip && version == 2) {
        neff_report(r->diag, NEFF_015b, hoist_loc_byte(NEFF_HEADER_SIZE),
                    "the archive is no gzip, expected one with pkg_version 2");
    }
    bool whole = false;
    HOIST_TRY(inflate(r, &whole));
    // Offsets are those of the inflated archive from here on.
    neff_enter_archive(m, r->diag);
    hoist_status status = read_tar(r, whole);
    if (status == HOIST_OK) {
        status = make_members(r);
    }
    neff_enter(m, r->diag, NEFF_NONE);
    return status;
}

// Hash -------------------------------------------------------------------------------------------

// *out_kind is set in any case, so that callers without a status have some digest.
hoist_status neff_hash_kind(uint64_t pkg_version, hoist_hash_kind *out_kind)
{
    *out_kind = pkg_version == 1 ? HOIST_HASH_SHA256 : HOIST_HASH_MD5;
    return pkg_version == 1 || pkg_version == 2 ? HOIST_OK : HOIST_UNSUPPORTED;
}

// Lower-case hexadecimal digits, as the vendor's tools print them.
static void format_digest(const uint8_t *digest, size_t size, char out[2 * HOIST_HASH_MAX_SIZE + 1])
{
    for (size_t i = 0; i < size; i++) {
        (void)snprintf(out + 2 * i, 3, "%02x", digest[i]);
    }
}

hoist_status neff_verify_hash(const neff_module *module, hoist_diag *diag,
                              uint8_t out_digest[HOIST_HASH_MAX_SIZE], bool *out_right)
{
    hoist_hash_kind kind = HOIST_HASH_MD5;
    memset(out_digest, 0, HOIST_HASH_MAX_SIZE); // the rest after an MD5
    HOIST_TRY(neff_hash_kind(module->header.pkg_version, &kind));
    HOIST_TRY(hoist_hash(kind, module->payload, module->base.deadline, out_digest));
    const size_t size = hoist_hash_size(kind);
    // The payload is what is in the file: of a cut archive the digest differs, which is right.
    const bool right = memcmp(module->header.hash, out_digest, size) == 0;
    if (out_right) {
        *out_right = right;
    }
    if (!right) {
        char stored[2 * HOIST_HASH_MAX_SIZE + 1];
        char computed[2 * HOIST_HASH_MAX_SIZE + 1];
        format_digest(module->header.hash, size, stored);
        format_digest(out_digest, size, computed);
        neff_enter(module, diag, NEFF_NONE);
        neff_report(diag, NEFF_006, hoist_loc_byte(neff_header_rows[NEFF_H_HASH].offset),
                    "the stored hash is %s, but the archive's %s is %s", stored,
                    kind == HOIST_HASH_MD5 ? "MD5" : "SHA-256", computed);
    }
    return HOIST_OK;
}
