// The instructions of all executables of a module, as text or as a tree: the heading of each
// executable is written here, its instructions by stream_text.c or stream_tree.c.
#include <inttypes.h>
#include <stdio.h>

#include "base/span.h"
#include "base/tree.h"
#include "formats/darwinn/darwinn.h"
#include "formats/darwinn/stream_listing.h"

// Text or tree: either `out` or `sink` is NULL.
typedef struct disassembler {
    const hoist_disasm_options *options;
    const hoist_payload *payload; // that the module is; or NULL
    hoist_allocator alloc;
    hoist_buffer *out;     // text; or
    hoist_tree_sink *sink; // a tree
} disassembler;

static const char *type_of(const dwn_image *image)
{
    const char *const name = hoist_fb_word_name(dwn_executable_types, image->rows->type);
    return name ? name : "of unknown type";
}

// A heading, "# executables/0 EXECUTION_ONLY: 1 chunk, 264 words", then the listing.
static hoist_status write_image(const disassembler *d, const dwn_listing *listing,
                                const dwn_image *image, const char *path)
{
    size_t words = 0;
    for (size_t i = 0; i < listing->count; i++) {
        words += listing->chunks[i].stream.words;
    }
    if (d->payload) {
        hoist_buffer_format(d->out, "# %.*s/", HOIST_STR_ARGS(d->payload->path));
    } else {
        hoist_buffer_c(d->out, "# ");
    }
    hoist_buffer_format(d->out, "%s %s: %zu chunk%s, %zu words\n", path, type_of(image),
                        listing->count, listing->count == 1 ? "" : "s", words);
    HOIST_TRY(dwn_listing_write(listing, d->out));
    return d->out->failed ? HOIST_NO_MEMORY : HOIST_OK;
}

static hoist_status send_image(const disassembler *d, const dwn_listing *listing,
                               const dwn_image *image, const char *path)
{
    hoist_tree_map(d->sink, "");
    hoist_tree_maybe_str(d->sink, "payload", d->payload ? d->payload->path : (hoist_str){NULL, 0});
    hoist_tree_c(d->sink, "executable", path);
    hoist_tree_c(d->sink, "type", type_of(image));
    HOIST_TRY(dwn_listing_send(listing, d->alloc, d->sink));
    hoist_tree_end(d->sink);
    return HOIST_OK;
}

// The scalar core runs once for each executable: its listing has the transfers as remarks.
static hoist_status disasm_image(const disassembler *d, const dwn_image *image, const char *path)
{
    hoist_arena arena;
    hoist_arena_init(&arena, d->alloc);
    dwn_program_run run;
    hoist_status status = dwn_program_execute(image->chunks, image->chunk_count, &arena, &run);
    const dwn_listing listing = {.chunks = image->chunks,
                                 .count = image->chunk_count,
                                 .run = &run,
                                 .offsets = d->options->offsets};
    if (status == HOIST_OK) {
        status =
            d->sink ? send_image(d, &listing, image, path) : write_image(d, &listing, image, path);
    }
    hoist_arena_deinit(&arena);
    return status;
}

// Executables of a package, then the packages of a bundle. `place` is the beginning of their paths,
// before "executables". No recursion below that: bundles in bundles are not read.
static hoist_status disasm_contents(const disassembler *d, const dwn_contents *contents,
                                    const char *place)
{
    hoist_buffer path;
    hoist_buffer_init(&path, d->alloc);
    hoist_status status = HOIST_OK;
    for (uint32_t i = 0; i < contents->image_count && status == HOIST_OK; i++) {
        path.size = 0;
        hoist_buffer_format(&path, "%sexecutables/%" PRIu32 "%c", place, i, '\0');
        status = path.failed ? HOIST_NO_MEMORY
                 : contents->images[i].rows
                     ? disasm_image(d, &contents->images[i], (const char *)path.data)
                     : HOIST_OK;
    }
    for (uint32_t i = 0; i < contents->chip_count && status == HOIST_OK; i++) {
        path.size = 0;
        hoist_buffer_format(&path, "%schips/%" PRIu32 "/%c", place, i, '\0');
        status = path.failed ? HOIST_NO_MEMORY
                             : disasm_contents(d, &contents->chips[i], (const char *)path.data);
    }
    hoist_buffer_deinit(&path);
    return status;
}

hoist_status dwn_disasm(const hoist_module *module, const hoist_check_options *check,
                        const hoist_disasm_options *options, hoist_diag *diag, hoist_buffer *out,
                        hoist_tree_sink *sink)
{
    (void)check;
    (void)diag;
    const dwn_module *const m = dwn_of(module);
    const disassembler d = {.options = options,
                            .payload = m->payload,
                            .alloc = module->alloc,
                            .out = out,
                            .sink = sink};
    if (options->engine || options->subgraph) {
        return HOIST_NOT_FOUND; // there are neither
    }
    for (uint32_t i = 0; i < m->package_count; i++) {
        char place[32] = "";
        if (m->package_count > 1) {
            (void)snprintf(place, sizeof(place), "packages/%" PRIu32 "/", i);
        }
        HOIST_TRY(disasm_contents(&d, &m->packages[i], place));
    }
    return sink ? sink->status : HOIST_OK;
}
