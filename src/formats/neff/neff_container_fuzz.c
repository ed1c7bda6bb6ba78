// Any bytes as a NEFF file: header, gzip, tar and members by name; what opens is written, unpacked
// and packed again. A file after a good header is also tried as the archive alone.
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/span.h"
#include "formats/neff/pack.h"
#include "formats/part_name.h"
#include "testing/fuzz.h"

enum { FUZZ_MEMORY = 256 << 20, MAX_PARTS = 256 };

// Copies of the parts that unpacking gives.
typedef struct folder {
    hoist_arena arena;
    hoist_part parts[MAX_PARTS];
    size_t count;
} folder;

static hoist_status keep_part(void *self, const hoist_part *part)
{
    folder *const f = self;
    if (f->count == MAX_PARTS) {
        return HOIST_LIMIT;
    }
    fuzz_require(hoist_part_unsafe(part->path) == NULL);
    const hoist_str path = hoist_arena_str(&f->arena, part->path);
    const hoist_str bytes =
        hoist_arena_str(&f->arena, (hoist_str){(const char *)part->bytes.data, part->bytes.size});
    if (!path.data || !bytes.data) {
        return HOIST_NO_MEMORY;
    }
    f->parts[f->count++] =
        (hoist_part){path, {(const uint8_t *)bytes.data, bytes.size}, part->executable};
    return HOIST_OK;
}

// What unpacking gave is packed twice with the same result.
static void pack_twice(const folder *f, hoist_allocator alloc)
{
    const hoist_pack_options options = {.alloc = alloc};
    hoist_buffer once;
    hoist_buffer again;
    hoist_buffer_init(&once, alloc);
    hoist_buffer_init(&again, alloc);
    const hoist_status first = neff_pack(f->parts, f->count, &options, NULL, &once);
    const hoist_status second = neff_pack(f->parts, f->count, &options, NULL, &again);
    if (first == HOIST_OK && second == HOIST_OK) {
        fuzz_require(once.size == again.size && memcmp(once.data, again.data, once.size) == 0);
    }
    hoist_buffer_deinit(&once);
    hoist_buffer_deinit(&again);
}

static void fuzz_module(const hoist_module *module, hoist_allocator alloc)
{
    const hoist_unpack_options options = {.members_only = false};
    folder *const f = hoist_alloc_zero(alloc, 1, sizeof(*f));
    hoist_buffer out;
    if (!f) {
        return;
    }
    hoist_arena_init(&f->arena, alloc);
    hoist_part_sink sink = {f, keep_part};
    if (neff_unpack(module, &options, NULL, &sink) == HOIST_OK) {
        pack_twice(f, alloc);
    }
    hoist_arena_deinit(&f->arena);
    hoist_free(alloc, f, sizeof(*f));
    hoist_buffer_init(&out, alloc);
    if (neff_write(module, &out) == HOIST_OK) {
        fuzz_require(out.size >= NEFF_HEADER_SIZE);
    }
    hoist_buffer_deinit(&out);
}

// What opens is written again where `writes`.
static void fuzz_file(hoist_bytes file, bool lenient, bool writes)
{
    hoist_budget budget = {.parent = hoist_allocator_system(), .limit = FUZZ_MEMORY};
    const hoist_allocator alloc = hoist_budget_allocator(&budget);
    const hoist_read_options options = {
        .alloc = alloc, .keep = true, .lenient = lenient, .container_only = true};
    hoist_diag *diag = NULL;
    hoist_module *module = NULL;
    bool right = false;
    fuzz_require(hoist_diag_create(alloc, NULL, &diag) == HOIST_OK);
    (void)neff_sniff(file, HOIST_STR("x.neff"));
    const hoist_status status = neff_read(file, &options, diag, &module);
    fuzz_require((status == HOIST_OK) == (module != NULL));
    // What is refused is explained, by a finding or by the limit on memory.
    fuzz_require(module || hoist_diag_count(diag, HOIST_ERROR) || status == HOIST_NO_MEMORY);
    if (module) {
        const hoist_status verified = neff_verify(module, diag, &right);
        fuzz_require(verified == HOIST_OK || verified == HOIST_UNSUPPORTED);
        if (writes) {
            fuzz_module(module, alloc);
        }
    }
    neff_destroy(module);
    hoist_diag_destroy(diag);
    fuzz_require(budget.used == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const hoist_bytes bytes = {data, size};
    fuzz_file(bytes, false, false); // what it opens the next one does
    fuzz_file(bytes, true, true);
    uint8_t *const wrapped = malloc(NEFF_HEADER_SIZE + size + 1);
    if (wrapped) {
        const neff_header header = {.pkg_version = 1 + size % 2,
                                    .header_size = NEFF_HEADER_SIZE,
                                    .data_size = size,
                                    .version_major = 1};
        neff_write_header(&header, wrapped);
        if (size) {
            memcpy(wrapped + NEFF_HEADER_SIZE, data, size);
        }
        fuzz_file((hoist_bytes){wrapped, NEFF_HEADER_SIZE + size}, false, true);
    }
    free(wrapped);
    return 0;
}
