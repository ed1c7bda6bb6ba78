// Containers as parts and from parts, with the containers that are nested in them: what is nested
// is a folder of its own, "payloads/0/". In: a job, or parts of a folder. Out: parts to a sink, or
// the bytes of a file. The formats unpack and pack one level each; here the levels are put
// together.
#include "base/alloc.h"
#include "base/diag.h"
#include "base/span.h"
#include "formats/folder_parts.h"
#include "load/job.h"
#include "load/load_rules.h"

#define PAYLOADS "payloads/"

// Unpacking --------------------------------------------------------------------------------------

// A sink between the format and the caller's: takes the parts of a file; those that are payloads
// whose format unpacks are unpacked instead.
typedef struct unpacking {
    const hoist_job *job;
    const hoist_unpack_options *options;
    hoist_diag *diag;
    hoist_part_sink *sink; // the caller's
    hoist_arena arena;     // of `names`
    hoist_map names;       // of the parts that payloads are, to their indices
    hoist_buffer path;
    size_t index; // of the payload that is being unpacked
} unpacking;

// The outer format names payloads by their numbers; both have to agree on it.
static hoist_status name_payloads(unpacking *u)
{
    for (size_t i = 0; i < u->job->nested_count; i++) {
        const hoist_str name = hoist_arena_format(&u->arena, PAYLOADS "%zu.bin", i);
        HOIST_TRY(name.data ? hoist_map_add(&u->names, name, i, NULL) : HOIST_NO_MEMORY);
    }
    return HOIST_OK;
}

// The payload that a part of the file is; NULL: it is none that can be unpacked.
// Index: for the path of the parts below.
static const hoist_nested *nested_of(unpacking *u, hoist_str path)
{
    if (!hoist_map_find(&u->names, path, &u->index)) {
        return NULL;
    }
    const hoist_nested *const nested = &u->job->nested[u->index];
    return nested->module && nested->module->format->unpack ? nested : NULL;
}

// A part of what is nested gets the path of its payload's folder.
static hoist_status take_nested_part(void *self, const hoist_part *part)
{
    unpacking *const u = self;
    u->path.size = 0;
    hoist_buffer_format(&u->path, PAYLOADS "%zu/", u->index);
    hoist_buffer_str(&u->path, part->path);
    hoist_part below = *part;
    below.path = hoist_buffer_text(&u->path);
    return u->path.failed ? HOIST_NO_MEMORY : u->sink->part(u->sink->self, &below);
}

// A payload that cannot be unpacked is a part like any other.
static hoist_status take_part(void *self, const hoist_part *part)
{
    unpacking *const u = self;
    const hoist_nested *const nested = nested_of(u, part->path);
    if (!nested) {
        return u->sink->part(u->sink->self, part);
    }
    hoist_part_sink sink = {u, take_nested_part};
    hoist_frame frame;
    hoist_diag_push(u->diag, &frame, NULL, nested->payload.kind, nested->payload.path);
    const hoist_status status =
        nested->module->format->unpack(nested->module, u->options, u->diag, &sink);
    hoist_diag_pop(u->diag, &frame);
    return status;
}

// Two sinks: `own` of the file's format, take_nested_part of the nested one.
// HOIST_NO_MEMORY, or what the formats and the caller's sink return.
static hoist_status unpack_file(const hoist_job *job, const hoist_unpack_options *options,
                                hoist_diag *diag, hoist_part_sink *sink)
{
    const hoist_module *const module = job->holder ? job->holder : job->module;
    unpacking u = {.job = job, .options = options, .diag = diag, .sink = sink};
    hoist_part_sink own = {&u, take_part};
    hoist_arena_init(&u.arena, job->alloc);
    hoist_map_init(&u.names, job->alloc);
    hoist_buffer_init(&u.path, job->alloc);
    hoist_status status = name_payloads(&u);
    if (status == HOIST_OK) {
        status = module->format->unpack(module, options, diag, &own);
    }
    hoist_buffer_deinit(&u.path);
    hoist_map_deinit(&u.names);
    hoist_arena_deinit(&u.arena);
    return status;
}

hoist_status hoist_job_unpack(const hoist_job *job, const hoist_unpack_options *options,
                              hoist_diag *diag, hoist_part_sink *sink)
{
    hoist_unpack_options own;
    HOIST_TRY(hoist_load_options(options, &own, sizeof(own), "hoist_unpack_options", diag));
    if (!job->holder && !job->module->format->unpack) {
        return hoist_job_refuse(job, "unpacked", diag);
    }
    // Formats that count bytes say how many they will be.
    hoist_call call = hoist_job_call(job, diag, NULL, "unpacking");
    hoist_call_stage(&call, HOIST_STAGE_UNPACKING, 0);
    const hoist_status status = hoist_call_end(&call, unpack_file(job, &own, diag, sink));
    // A format may find out late that a file of its kind has no parts.
    return status == HOIST_UNSUPPORTED ? hoist_job_refuse(job, "unpacked", diag) : status;
}

// Packing ----------------------------------------------------------------------------------------

// A NULL path is in no folder: the format has no entry.
static bool has_part(const hoist_part *parts, size_t count, const char *path)
{
    for (size_t i = 0; path && i < count; i++) {
        if (hoist_str_equal_c(parts[i].path, path)) {
            return true;
        }
    }
    return false;
}

// Members by which the format's folders are known without their entry.
static bool has_member(const hoist_part *parts, size_t count, const hoist_format *format)
{
    for (const char *const *name = format->members; name && *name; name++) {
        if (has_part(parts, count, *name)) {
            return true;
        }
    }
    return false;
}

// True when a path is that of a payload as unpacking names it: "payloads/0.bin" or below
// "payloads/0/".
static bool is_payload(hoist_str path)
{
    size_t at = sizeof(PAYLOADS) - 1;
    if (!hoist_str_starts_with(path, PAYLOADS)) {
        return false;
    }
    const size_t first = at;
    while (at < path.size && path.data[at] >= '0' && path.data[at] <= '9') {
        at++;
    }
    const hoist_str rest = hoist_str_slice(path, at, path.size - at);
    return at > first && (hoist_str_starts_with(rest, "/") || hoist_str_equal_c(rest, ".bin"));
}

static bool has_payload(const hoist_part *parts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (is_payload(parts[i].path)) {
            return true;
        }
    }
    return false;
}

static bool is_entered(const hoist_part *parts, size_t count, const hoist_format *format)
{
    return has_part(parts, count, format->entry);
}

// True for what is left of a folder whose entry was lost: packing then reports the loss by its
// rule.
static bool is_remnant(const hoist_part *parts, size_t count, const hoist_format *format)
{
    return has_member(parts, count, format) || (format->payloads && has_payload(parts, count));
}

static bool is_any(const hoist_part *parts, size_t count, const hoist_format *format)
{
    (void)parts;
    (void)count;
    (void)format;
    return true;
}

// The format whose folder it is by its entry, else by what else is in it, else the first that
// packs; NULL: there is none. Stronger signs are tried for all formats before weaker ones.
static const hoist_format *guess_packer(const hoist_part *parts, size_t count)
{
    static bool (*const signs[])(const hoist_part *, size_t,
                                 const hoist_format *) = {is_entered, is_remnant, is_any};
    for (size_t s = 0; s < HOIST_COUNT_OF(signs); s++) {
        for (size_t i = 0; i < hoist_format_count(); i++) {
            const hoist_format *const format =
                hoist_format_find(hoist_str_from(hoist_format_name(i)));
            if (format->pack && signs[s](parts, count, format)) {
                return format;
            }
        }
    }
    return NULL;
}

// A folder of what is nested, to be packed before the file around it.
typedef struct folder {
    hoist_str path;    // "payloads/0/"
    hoist_part *parts; // with their paths below it
    size_t count;
} folder;

// The parts of a container while what is nested becomes one part each.
typedef struct joining {
    const hoist_format *nested; // of what is nested
    const hoist_pack_options *options;
    hoist_diag *diag;
    hoist_arena arena;
    hoist_map numbers; // of folders
    folder *folders;   // arena; in the order in which they come
    size_t folder_count;
    size_t *folder_of; // arena; by part: the number of its folder, SIZE_MAX: it is not nested
    hoist_part *parts; // arena
    size_t count;
} joining;

// Bytes of the folder's name that a part of what is nested begins with: those of "payloads/0/". 0:
// it is not nested.
static size_t folder_size(hoist_str path)
{
    const size_t start = sizeof(PAYLOADS) - 1;
    if (!hoist_str_starts_with(path, PAYLOADS)) {
        return 0;
    }
    for (size_t i = start; i < path.size; i++) {
        if (path.data[i] == '/') {
            return i + 1;
        }
    }
    return 0;
}

// Finds the folder of each part, and how many parts each has.
static hoist_status find_folders(joining *j, const hoist_part *parts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const hoist_str path = hoist_str_slice(parts[i].path, 0, folder_size(parts[i].path));
        size_t number = 0;
        j->folder_of[i] = SIZE_MAX;
        if (!path.size) {
            continue;
        }
        const hoist_status status = hoist_map_add(&j->numbers, path, j->folder_count, &number);
        if (status == HOIST_OK) {
            number = j->folder_count++;
            j->folders[number].path = path;
        } else if (status != HOIST_BUSY) {
            return status;
        }
        j->folder_of[i] = number;
        j->folders[number].count++;
    }
    return HOIST_OK;
}

// Puts the parts of each folder next to each other into `all`, in their order, with paths below the
// folder. Counts are used as cursors and are the same at the end.
static void gather(joining *j, const hoist_part *parts, size_t count, hoist_part *all)
{
    for (size_t i = 0; i < j->folder_count; i++) {
        j->folders[i].parts = all;
        all += j->folders[i].count;
        j->folders[i].count = 0;
    }
    for (size_t i = 0; i < count; i++) {
        if (j->folder_of[i] != SIZE_MAX) {
            folder *const f = &j->folders[j->folder_of[i]];
            hoist_part *const part = &f->parts[f->count++];
            *part = parts[i];
            part->path = hoist_str_slice(part->path, f->path.size, part->path.size - f->path.size);
        }
    }
}

// Packs a folder into the part "payloads/0.bin", whose bytes the arena keeps.
static hoist_status pack_nested(joining *j, const folder *f)
{
    const hoist_str name = hoist_str_slice(f->path, 0, f->path.size - 1); // without the slash
    hoist_buffer out;
    hoist_frame frame;
    hoist_buffer_init(&out, j->arena.alloc);
    hoist_diag_push(j->diag, &frame, NULL, HOIST_STR(""), name);
    hoist_status status = j->nested->pack(f->parts, f->count, j->options, j->diag, &out);
    hoist_diag_pop(j->diag, &frame);
    hoist_part *const part = &j->parts[j->count++];
    part->path = hoist_arena_format(&j->arena, "%.*s.bin", HOIST_STR_ARGS(name));
    status = status == HOIST_OK && !part->path.data ? HOIST_NO_MEMORY : status;
    if (status == HOIST_OK) {
        status = hoist_buffer_keep(&out, &j->arena, &part->bytes);
    }
    hoist_buffer_deinit(&out);
    return status;
}

// Payloads stay where the first part of their folder was, so that the order is the user's.
static hoist_status join(joining *j, const hoist_part *parts, size_t count)
{
    hoist_part *const all = hoist_arena_array(&j->arena, count, sizeof(*all));
    j->parts = hoist_arena_array(&j->arena, count, sizeof(j->parts[0]));
    j->folders = hoist_arena_array(&j->arena, count, sizeof(j->folders[0]));
    j->folder_of = hoist_arena_array(&j->arena, count, sizeof(j->folder_of[0]));
    if (!all || !j->parts || !j->folders || !j->folder_of) {
        return HOIST_NO_MEMORY;
    }
    HOIST_TRY(find_folders(j, parts, count));
    gather(j, parts, count, all);
    size_t packed = 0;
    for (size_t i = 0; i < count; i++) {
        if (j->folder_of[i] == SIZE_MAX) {
            j->parts[j->count++] = parts[i];
        } else if (j->folder_of[i] == packed) { // the first part of the next folder
            HOIST_TRY(pack_nested(j, &j->folders[packed++]));
        }
    }
    return HOIST_OK;
}

// Only a format that has payloads of a kind that another one packs needs joining.
static hoist_status pack_parts(const hoist_format *format, const hoist_part *parts, size_t count,
                               const hoist_pack_options *options, hoist_diag *diag,
                               hoist_buffer *out)
{
    const char *const kind = format->payload_kind;
    joining j = {.nested =
                     // By the kind alone, as of a file's name.
                 kind ? hoist_format_sniff((hoist_bytes){NULL, 0}, hoist_str_from(kind)) : NULL,
                 .options = options,
                 .diag = diag};
    if (!j.nested || !j.nested->pack) {
        return format->pack(parts, count, options, diag, out);
    }
    hoist_arena_init(&j.arena, out->alloc);
    hoist_map_init(&j.numbers, out->alloc);
    hoist_status status = join(&j, parts, count);
    if (status == HOIST_OK) {
        status = format->pack(j.parts, j.count, options, diag, out);
    }
    hoist_map_deinit(&j.numbers);
    hoist_arena_deinit(&j.arena);
    return status;
}

// An unknown name is a mistake of the user, a format without pack a limit of ours.
static hoist_status choose_packer(const hoist_part *parts, size_t count, const char *name,
                                  hoist_diag *diag, const hoist_format **out_format)
{
    *out_format = name ? hoist_format_find(hoist_str_from(name)) : guess_packer(parts, count);
    if (!*out_format) {
        return hoist_fail(diag, HOIST_NOT_FOUND, hoist_load_rule(LOAD_003), hoist_loc_none(),
                          "there is no format '%s'", name ? name : "");
    }
    if (!(*out_format)->pack) {
        return hoist_fail(diag, HOIST_UNSUPPORTED, hoist_load_rule(LOAD_004), hoist_loc_none(),
                          "files of the format '%s' cannot be packed", (*out_format)->name);
    }
    return HOIST_OK;
}

// Refuses options that would have no effect on a file of the format: silence would let users
// believe in them.
static hoist_status check_pack_options(const hoist_format *format,
                                       const hoist_pack_options *options, hoist_diag *diag)
{
    const struct {
        bool given;
        unsigned bit;
        const char *name;
    } rows[] = {
        {options->redact, HOIST_PACKS_REDACTED, "--redact"},
        {options->has_level, HOIST_PACKS_LEVEL, "--level"},
        {options->pkg_version != 0, HOIST_PACKS_VERSION, "--pkg-version"},
        {options->hints != HOIST_PACK_HINTS_AUTO, HOIST_PACKS_HINTS, "--hints"},
    };
    for (size_t i = 0; i < HOIST_COUNT_OF(rows); i++) {
        if (rows[i].given && !(format->pack_options & rows[i].bit)) {
            return hoist_fail(diag, HOIST_UNSUPPORTED, hoist_load_rule(LOAD_004), hoist_loc_none(),
                              "a folder of the format '%s' cannot be packed with %s", format->name,
                              rows[i].name);
        }
    }
    return HOIST_OK;
}

hoist_status hoist_pack(const hoist_part *parts, size_t count, const hoist_pack_options *options,
                        hoist_diag *diag, hoist_mut_bytes *out_bytes)
{
    *out_bytes = (hoist_mut_bytes){NULL, 0};
    hoist_pack_options own;
    HOIST_TRY(hoist_load_options(options, &own, sizeof(own), "hoist_pack_options", diag));
    if (!own.alloc.resize) {
        own.alloc = hoist_allocator_system();
    }
    const hoist_format *format = NULL;
    HOIST_TRY(choose_packer(parts, count, own.format, diag, &format));
    HOIST_TRY(check_pack_options(format, &own, diag));
    // `pack` counts errors to decide: it needs a diag.
    hoist_diag *mine = NULL;
    HOIST_TRY(hoist_load_diag(own.alloc, &diag, &mine));
    hoist_call call = hoist_call_begin(hoist_diag_file(diag), own.deadline, diag, "packing");
    hoist_call_stage(&call, HOIST_STAGE_PACKING, 0);
    hoist_buffer out;
    hoist_buffer_init(&out, own.alloc);
    hoist_status status = pack_parts(format, parts, count, &own, diag, &out);
    status = hoist_call_end(&call, status);
    hoist_diag_destroy(mine);
    return hoist_load_take(&out, status, out_bytes);
}

// Bytes come from the allocator of the options.
void hoist_pack_free(hoist_allocator alloc, hoist_mut_bytes bytes)
{
    hoist_free(alloc.resize ? alloc : hoist_allocator_system(), bytes.data, bytes.size);
}
