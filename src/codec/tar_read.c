// A tar archive is a row of 512-byte blocks: per member a header, its data padded to whole blocks;
// then two blocks of zeros. Headers of type x, g (PAX), L, K (GNU) hold in their data what does not
// fit into the header that follows. POSIX.1-2017, pax; GNU tar manual, "Tar Internals".
//
// One pass over the headers; data are never touched, so the time does not depend on their size.
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/checked.h"
#include "base/diag.h"
#include "base/span.h"
#include "codec/tar.h"
#include "codec/tar_block.h"
#include "codec/tar_pax.h"

enum { TAR_MAX_MEMBERS = 1000000 };

typedef struct tar_read {
    hoist_bytes archive;
    const hoist_tar_options *options;
    hoist_arena *arena;
    hoist_allocator heap;
    hoist_diag *diag;
    hoist_tar_member *members; // owned, on the heap while it grows
    size_t count;
    size_t capacity;
    uint32_t max_members;
    uint64_t pos;           // of the next block
    uint64_t content_end;   // after the last member
    uint32_t end_blocks;    // zero blocks found, two at most
    bool done;              // nothing follows
    bool cut;               // the archive ends in the middle of a header or of data
    bool broken;            // rules.broken had something to report
    bool pending;           // headers were read that belong to the next member
    bool pax;               // one of them was x
    uint64_t first_at;      // of the first of them
    hoist_tar_extra global; // of g headers
    hoist_tar_extra extra;  // for the next member
} tar_read;

// Places of findings are those of the file that holds the archive.
static hoist_loc tar_place(const tar_read *t, uint64_t at)
{
    return hoist_loc_byte(t->options->base_offset + at);
}

HOIST_PRINTF(3, 4)
static void tar_broken(tar_read *t, uint64_t at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    hoist_vreport(t->diag, t->options->rules.broken, tar_place(t, at), format, args);
    va_end(args);
    t->broken = true;
}

static uint64_t tar_field_at(uint64_t header_at, hoist_tar_field field)
{
    return header_at + hoist_tar_fields[field].at;
}

static const uint8_t *tar_block_at(const tar_read *t, uint64_t pos)
{
    HOIST_ASSERT(pos <= t->archive.size);
    return t->archive.data + pos;
}

static bool tar_has_block(const tar_read *t, uint64_t pos)
{
    HOIST_ASSERT(pos <= t->archive.size);
    return t->archive.size - pos >= HOIST_TAR_BLOCK;
}

// What x, L and K headers said is for one member; g headers go on.
static void tar_forget_extra(tar_read *t)
{
    t->pending = false;
    t->pax = false;
    t->extra = t->global;
}

// `size` bytes of data from `at` on, and where the next header is; false when they are cut off.
static bool tar_data(tar_read *t, uint64_t at, uint64_t size, hoist_bytes *out_data)
{
    HOIST_ASSERT(at <= t->archive.size);
    const uint64_t left = t->archive.size - at;
    uint64_t padded = 0;
    const bool whole = size <= left;
    *out_data = (hoist_bytes){tar_block_at(t, at), (size_t)(whole ? size : left)};
    // Sizes are the file's: the padded one may overflow 64 bits.
    const bool huge = hoist_ckd_align(&padded, size, HOIST_TAR_BLOCK);
    t->pos = at + (huge || padded > left ? left : padded);
    HOIST_ASSERT(t->pos <= t->archive.size);
    return whole;
}

// Moves to the next block that is a valid header; without one the archive ends, with those zero
// blocks that are its last.
// One block at a time: a header may begin anywhere on the grid of 512 bytes.
static void tar_resync(tar_read *t)
{
    tar_forget_extra(t);
    for (t->pos += HOIST_TAR_BLOCK; tar_has_block(t, t->pos); t->pos += HOIST_TAR_BLOCK) {
        const uint8_t *block = tar_block_at(t, t->pos);
        if (hoist_tar_block_is_zero(block)) {
            t->end_blocks++;
        } else if (hoist_tar_block_is_valid(block)) {
            t->end_blocks = 0;
            return;
        } else {
            t->end_blocks = 0;
        }
    }
    t->end_blocks = t->end_blocks < 2 ? t->end_blocks : 2;
    t->done = true;
}

// A number of the header at hand; what is malformed or out of range is reported and 0.
// `*out_number` is 0 when false.
static bool tar_number(tar_read *t, hoist_tar_field field, int64_t least, int64_t most,
                       int64_t *out_number)
{
    if (hoist_tar_number(tar_block_at(t, t->pos), field, out_number) && *out_number >= least &&
        *out_number <= most) {
        return true;
    }
    tar_broken(t, tar_field_at(t->pos, field),
               "the tar header's %s is no valid octal or base-256 number",
               hoist_tar_fields[field].name);
    *out_number = 0;
    return false;
}

static int64_t tar_extra_number(tar_read *t, hoist_tar_extra_number extra, hoist_tar_field field)
{
    int64_t number = extra.value;
    if (!extra.given) {
        (void)tar_number(t, field, INT64_MIN, INT64_MAX, &number);
    }
    return number;
}

// GNU has "ustar  " with blanks where POSIX has a NUL and a version.
static hoist_tar_dialect tar_dialect(const tar_read *t, const uint8_t *block)
{
    const uint8_t *magic = block + hoist_tar_fields[HOIST_TAR_MAGIC].at;
    if (t->pax) {
        return HOIST_TAR_PAX;
    }
    if (memcmp(magic, "ustar ", 6) == 0) {
        return HOIST_TAR_GNU;
    }
    return memcmp(magic, "ustar", 6) == 0 ? HOIST_TAR_USTAR : HOIST_TAR_V7;
}

// The name of the header itself: in ustar's two parts, or the one field of the others.
static hoist_status tar_own_name(tar_read *t, const uint8_t *block, hoist_str *out_name)
{
    const hoist_str name = hoist_tar_text(block, HOIST_TAR_NAME);
    const hoist_str prefix = hoist_tar_text(block, HOIST_TAR_PREFIX);
    const bool ustar =
        memcmp(block + hoist_tar_fields[HOIST_TAR_MAGIC].at, "ustar", sizeof("ustar")) == 0;
    *out_name = name;
    if (!ustar || prefix.size == 0) {
        return HOIST_OK;
    }
    // prefix + '/' + name; the only name that is not a slice of the archive.
    char *both = hoist_arena_alloc(t->arena, prefix.size + 1 + name.size);
    HOIST_TRY_MEMORY(both);
    memcpy(both, prefix.data, prefix.size);
    both[prefix.size] = '/';
    memcpy(both + prefix.size + 1, name.data, name.size);
    *out_name = (hoist_str){both, prefix.size + 1 + name.size};
    return HOIST_OK;
}

static hoist_tar_type tar_type(char flag, hoist_str name)
{
    switch (flag) {
    case '\0':
    case '0':
    case '7':
        // Before there were types, folders were files whose names end in a slash.
        return hoist_str_ends_with(name, "/") ? HOIST_TAR_FOLDER : HOIST_TAR_FILE;
    case '1':
    case '2':
        return HOIST_TAR_LINK;
    case '5':
        return HOIST_TAR_FOLDER;
    default:
        return HOIST_TAR_OTHER;
    }
}

// Everything but size and data. What an extra header gives has precedence.
static hoist_status tar_describe(tar_read *t, hoist_tar_member *m)
{
    HOIST_ASSERT(tar_has_block(t, t->pos));
    const uint8_t *block = tar_block_at(t, t->pos);
    const hoist_tar_extra *extra = &t->extra;
    int64_t mode = 0;
    m->header_at = t->pending ? t->first_at : t->pos;
    m->dialect = tar_dialect(t, block);
    m->flag = (char)block[hoist_tar_fields[HOIST_TAR_FLAG].at];
    m->name = extra->name;
    if (!m->name.data) {
        HOIST_TRY(tar_own_name(t, block, &m->name));
    }
    m->type = tar_type(m->flag, m->name);
    m->link = extra->link.data ? extra->link : hoist_tar_text(block, HOIST_TAR_LINKNAME);
    (void)tar_number(t, HOIST_TAR_MODE, 0, UINT32_MAX, &mode);
    m->mode = (uint32_t)mode;
    m->uid = tar_extra_number(t, extra->uid, HOIST_TAR_UID);
    m->gid = tar_extra_number(t, extra->gid, HOIST_TAR_GID);
    m->mtime = tar_extra_number(t, extra->mtime, HOIST_TAR_MTIME);
    m->user = extra->user;
    m->group = extra->group;
    if (m->dialect != HOIST_TAR_V7) {
        m->user = m->user.data ? m->user : hoist_tar_text(block, HOIST_TAR_USER);
        m->group = m->group.data ? m->group : hoist_tar_text(block, HOIST_TAR_GROUP);
    }
    return HOIST_OK;
}

// The size of a member's data; false when the place of the next header is unknown.
// Types without data may have any size in their header, which is then ignored.
static bool tar_size(tar_read *t, char flag, uint64_t *out_size)
{
    int64_t size = t->extra.size.value;
    const bool known = !hoist_tar_has_data(flag) || t->extra.size.given ||
                       tar_number(t, HOIST_TAR_SIZE, 0, INT64_MAX, &size);
    *out_size = known && hoist_tar_has_data(flag) ? (uint64_t)size : 0;
    return known;
}

static hoist_status tar_add_member(tar_read *t)
{
    hoist_tar_member m = {0};
    uint64_t size = 0;
    void *members = t->members;
    if (t->count == t->max_members) {
        return hoist_fail(t->diag, HOIST_LIMIT, t->options->rules.limit, tar_place(t, t->pos),
                          "the archive has more than %" PRIu32 " members, the limit",
                          t->max_members);
    }
    HOIST_TRY(tar_describe(t, &m));
    if (!tar_size(t, m.flag, &size)) {
        tar_resync(t);
        return HOIST_OK;
    }
    const uint64_t header_at = t->pos;
    // Extra headers in front do not matter here: t->pos is at the member's own.
    m.data_at = header_at + HOIST_TAR_BLOCK;
    if (!tar_data(t, m.data_at, size, &m.data)) {
        tar_broken(t, header_at,
                   "the member '%.*s' has %" PRIu64 " bytes, but the archive ends after %zu of "
                   "them",
                   HOIST_STR_ARGS(m.name), size, m.data.size);
        t->cut = t->done = true;
    }
    HOIST_TRY_MEMORY(hoist_grow(t->heap, &members, &t->capacity, t->count + 1, sizeof(m)));
    t->members = members;
    t->members[t->count++] = m;
    HOIST_ASSERT(t->count <= t->max_members && t->pos <= t->archive.size);
    t->content_end = t->pos;
    tar_forget_extra(t);
    return HOIST_OK;
}

// The text of a GNU long name, without the NUL that ends it.
// GNU tar ends it with one NUL, others pad with several.
static hoist_str tar_long_text(hoist_bytes data)
{
    size_t size = data.size;
    while (size > 0 && data.data[size - 1] == 0) {
        size--;
    }
    return size ? (hoist_str){(const char *)data.data, size} : (hoist_str){0};
}

// A header that says something about the members after it.
// A g header counts from here on for all members, unless one of its own says otherwise.
static void tar_add_extra(tar_read *t, char flag)
{
    const uint64_t header_at = t->pos;
    const uint64_t data_at = header_at + HOIST_TAR_BLOCK;
    int64_t size = 0;
    hoist_bytes data;
    if (!tar_number(t, HOIST_TAR_SIZE, 0, INT64_MAX, &size)) {
        tar_resync(t);
        return;
    }
    if (!tar_data(t, data_at, (uint64_t)size, &data)) {
        tar_broken(t, header_at,
                   "the header of type '%c' has %" PRId64 " bytes, but the archive ends after %zu "
                   "of them",
                   flag, size, data.size);
        tar_forget_extra(t);
        t->cut = t->done = true;
        return;
    }
    if (flag == 'g') {
        hoist_tar_pax_read(data, t->options->base_offset + data_at, t->options->rules.broken,
                           t->diag, &t->global);
        // Half-way through a member's own headers nothing of them is overwritten.
        t->extra = t->pending ? t->extra : t->global;
        return;
    }
    // The member begins with its first extra header, for who copies it as it is.
    t->first_at = t->pending ? t->first_at : header_at;
    t->pending = true;
    if (flag == 'x') {
        t->pax = true;
        hoist_tar_pax_read(data, t->options->base_offset + data_at, t->options->rules.broken,
                           t->diag, &t->extra);
    } else if (flag == 'L') {
        t->extra.name = tar_long_text(data);
    } else {
        t->extra.link = tar_long_text(data);
    }
}

// One header with its data, or the end.
static hoist_status tar_step(tar_read *t)
{
    if (!tar_has_block(t, t->pos)) {
        // Less than a block is left: nothing, or a piece of what should be a header.
        const size_t left = (size_t)(t->archive.size - t->pos);
        if (left > 0 && memcmp(tar_block_at(t, t->pos), hoist_tar_zeros, left) != 0) {
            tar_broken(t, t->pos, "the archive ends with %zu bytes of a header, expected %d", left,
                       HOIST_TAR_BLOCK);
            t->cut = true;
        }
        t->done = true;
        return HOIST_OK;
    }
    const uint8_t *block = tar_block_at(t, t->pos);
    if (hoist_tar_block_is_zero(block)) {
        const uint64_t second = t->pos + HOIST_TAR_BLOCK;
        // One zero block may be an accident of a cut; two are the end.
        const bool both =
            tar_has_block(t, second) && hoist_tar_block_is_zero(tar_block_at(t, second));
        t->end_blocks = both ? 2 : 1;
        t->done = true;
        return HOIST_OK;
    }
    if (!hoist_tar_block_is_valid(block)) {
        const uint64_t at = tar_field_at(t->pos, HOIST_TAR_CHECKSUM);
        const uint32_t sum = hoist_tar_block_sum(block);
        int64_t stored = 0;
        if (hoist_tar_number(block, HOIST_TAR_CHECKSUM, &stored)) {
            tar_broken(t, at,
                       "the tar header's checksum is %" PRId64 ", that of its bytes %" PRIu32,
                       stored, sum);
        } else {
            tar_broken(
                t, at,
                "the tar header's checksum is no octal number, that of its bytes is %" PRIu32, sum);
        }
        tar_resync(t);
        return HOIST_OK;
    }
    const char flag = (char)block[hoist_tar_fields[HOIST_TAR_FLAG].at];
    if (flag == 'x' || flag == 'g' || flag == 'L' || flag == 'K') {
        tar_add_extra(t, flag);
        return HOIST_OK;
    }
    return tar_add_member(t);
}

// What is to be said when the end has been reached.
// HOIST_INVALID only if there is nothing at all: any member is worth having.
static hoist_status tar_check(tar_read *t)
{
    if (t->pending) {
        const uint64_t at = tar_field_at(t->first_at, HOIST_TAR_FLAG);
        tar_broken(t, t->first_at, "no member follows the header of type '%c'",
                   *tar_block_at(t, at));
    }
    if (t->count == 0 && t->end_blocks == 0) {
        if (!t->broken) {
            tar_broken(t, 0,
                       "the %zu bytes are no tar archive, they have neither a member nor an "
                       "end",
                       t->archive.size);
        }
        return HOIST_INVALID;
    }
    if (t->end_blocks < 2 && !t->cut) {
        hoist_report(t->diag, t->options->rules.end, tar_place(t, t->pos),
                     "the archive ends with %s of zeros, expected two",
                     t->end_blocks ? "one block" : "no block");
    }
    return HOIST_OK;
}

// The table goes to the arena as it is: of a million members a copy would be 150 MB.
static hoist_status tar_give(tar_read *t, hoist_tar *out_tar)
{
    const size_t size = t->count * sizeof(*t->members);
    // The spare capacity goes back before the table becomes the arena's.
    void *fit = t->count
                    ? hoist_resize(t->heap, t->members, t->capacity * sizeof(*t->members), size)
                    : NULL;
    if (fit) {
        t->members = fit;
        t->capacity = t->count;
    }
    HOIST_TRY_MEMORY(hoist_arena_adopt(t->arena, t->members, t->capacity * sizeof(*t->members)));
    *out_tar = (hoist_tar){t->members, t->count, t->end_blocks, t->content_end};
    t->members = NULL;
    t->capacity = 0;
    return HOIST_OK;
}

bool hoist_tar_is(hoist_bytes bytes)
{
    return bytes.size >= HOIST_TAR_BLOCK && hoist_tar_block_is_valid(bytes.data);
}

hoist_status hoist_tar_read(hoist_bytes archive, const hoist_tar_options *options,
                            hoist_arena *arena, hoist_diag *diag, hoist_tar *out_tar)
{
    *out_tar = (hoist_tar){0};
    tar_read t = {.archive = archive,
                  .options = options,
                  .arena = arena,
                  .heap = arena->alloc,
                  .diag = diag,
                  .max_members = options->max_members ? options->max_members : TAR_MAX_MEMBERS};
    hoist_status status = HOIST_OK;
    // A step takes some 150 ns, of which a look would be a tenth.
    for (uint32_t steps = 0; status == HOIST_OK && !t.done; steps++) {
        status = steps % 64 == 0 ? hoist_deadline_look(options->deadline) : HOIST_OK;
        status = status == HOIST_OK ? tar_step(&t) : status;
    }
    if (status == HOIST_OK) {
        status = tar_check(&t);
    }
    if (status == HOIST_OK) {
        status = tar_give(&t, out_tar);
    }
    hoist_free(t.heap, t.members, t.capacity * sizeof(*t.members));
    return status;
}
