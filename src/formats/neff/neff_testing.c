#include "formats/neff/neff_testing.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"

// Members ----------------------------------------------------------------------------------------

static size_t find_member(const neff_texts *neff, const char *member)
{
    size_t i = 0;
    while (i < neff->count && strcmp(neff->members[i].name, member) != 0) {
        i++;
    }
    return i;
}

static size_t known_member(hoist_test *t, const neff_texts *neff, const char *member)
{
    const size_t i = find_member(neff, member);
    if (i == neff->count) {
        hoist_test_fail(t, __FILE__, __LINE__, "no member '%s'", member);
    }
    return i;
}

hoist_str neff_test_text(hoist_test *t, const neff_texts *neff, const char *member)
{
    const size_t i = known_member(t, neff, member);
    return i < neff->count ? neff->members[i].text : HOIST_STR("");
}

void neff_test_put(hoist_test *t, neff_texts *neff, const char *member, hoist_str text)
{
    const size_t i = find_member(neff, member);
    if (i == NEFF_TEST_MEMBERS) {
        hoist_test_fail(t, __FILE__, __LINE__, "more than %d members", NEFF_TEST_MEMBERS);
        return;
    }
    neff->count += i == neff->count ? 1 : 0;
    neff->members[i] = (neff_test_member){member, hoist_arena_str(&t->arena, text)};
}

void neff_test_drop(hoist_test *t, neff_texts *neff, const char *member)
{
    const size_t found = known_member(t, neff, member);
    neff->count -= found < neff->count ? 1 : 0;
    for (size_t i = found; i < neff->count; i++) {
        neff->members[i] = neff->members[i + 1];
    }
}

void neff_test_edit(hoist_test *t, neff_texts *neff, const char *member, const char *find,
                    const char *put)
{
    const hoist_str text = neff_test_text(t, neff, member);
    const char *found = strstr(text.data, find);
    if (!found) {
        hoist_test_fail(t, __FILE__, __LINE__, "no '%s' in '%s'", find, member);
        return;
    }
    const hoist_str edited = hoist_arena_format(&t->arena, "%.*s%s%s", (int)(found - text.data),
                                                text.data, put, found + strlen(find));
    neff_test_put(t, neff, member, edited);
}

// Appends the bytes of one line to a record; returns where the line ends.
static const char *add_record(hoist_test *t, const char *line, hoist_buffer *out)
{
    const size_t start = out->size;
    while (*line && *line != '\n') {
        if (*line == '\'') {
            const char *end = strchr(line + 1, '\'');
            hoist_buffer_str(out, (hoist_str){line + 1, (size_t)(end - line - 1)});
            line = end + 1;
        } else if (isxdigit((unsigned char)*line)) {
            const char digits[3] = {line[0], line[1], '\0'};
            hoist_buffer_char(out, (char)strtoul(digits, NULL, 16));
            line += 2;
        } else {
            line++;
        }
    }
    const size_t size = out->size - start;
    HOIST_EXPECT(t, size <= 64);
    hoist_buffer_fill(out, '\0', size <= 64 ? 64 - size : 0);
    return *line ? line + 1 : line;
}

void neff_test_stream(hoist_test *t, neff_texts *neff, const char *member, const char *records)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    while (*records) {
        records = add_record(t, records, &out);
    }
    neff_test_put(t, neff, member, hoist_buffer_text(&out));
    hoist_buffer_deinit(&out);
}

hoist_pos neff_test_place(hoist_test *t, const neff_texts *neff, const char *member, const char *at)
{
    const hoist_str text = neff_test_text(t, neff, member);
    const char *mark = strchr(at, '^');
    const size_t skip = mark ? (size_t)(mark - at) : 0;
    const hoist_str expected =
        hoist_arena_format(&t->arena, "%.*s%s", (int)skip, at, mark ? mark + 1 : at);
    const char *found = strstr(text.data, expected.data);
    if (!found) {
        hoist_test_fail(t, __FILE__, __LINE__, "no '%s' in '%s'", expected.data, member);
        return (hoist_pos){0};
    }
    hoist_pos pos = {1, 1};
    for (const char *c = text.data; c < found + skip; c++) {
        pos.column = *c == '\n' ? 1 : pos.column + 1;
        pos.line += *c == '\n' ? 1 : 0;
    }
    return pos;
}

// Findings ---------------------------------------------------------------------------------------

void neff_test_expect(hoist_test *t, const neff_texts *neff, const char *id, const char *member,
                      const char *at, const char *says)
{
    const hoist_pos pos = at ? neff_test_place(t, neff, member, at) : (hoist_pos){0};
    for (size_t i = 0; i < hoist_diag_kept(t->diag); i++) {
        const hoist_finding *f = hoist_diag_at(t->diag, i);
        const hoist_pos place = f->loc.kind == HOIST_LOC_TEXT ? f->loc.pos : (hoist_pos){0};
        if (strcmp(f->rule->id, id) == 0 && hoist_str_equal_c(f->member, member) &&
            place.line == pos.line && place.column == pos.column &&
            (!says || hoist_str_contains(f->message, says))) {
            return;
        }
    }
    hoist_test_fail(t, __FILE__, __LINE__, "no %s in '%s' at %u:%u that says '%s', but\n%s", id,
                    member, pos.line, pos.column, says ? says : "", hoist_test_findings(t).data);
}

size_t neff_test_count(const hoist_diag *diag, const char *prefix)
{
    size_t count = 0;
    for (size_t i = 0; i < hoist_diag_kept(diag); i++) {
        count += hoist_str_starts_with(hoist_str_from(hoist_diag_at(diag, i)->rule->id), prefix);
    }
    return count;
}

// Modules ----------------------------------------------------------------------------------------

static const neff_header plain_header = {
    .pkg_version = 2,
    .header_size = NEFF_HEADER_SIZE,
    .version_major = 1,
    .num_tpb = 1,
    .uuid = {1, 2, 3, 4, 5, 6, 0x47, 8, 0x89, 10, 11, 12, 13, 14, 15, 16},
    .name = "file.neff",
    .requested_tpb_count = 1,
    .lnc_size = 1,
};

static hoist_status add_members(hoist_test *t, const neff_texts *neff, neff_module *module)
{
    module->members = hoist_arena_array(&module->arena, neff->count, sizeof(neff_member));
    for (size_t i = 0; module->members && i < neff->count; i++) {
        const hoist_str text = neff->members[i].text;
        const hoist_bytes bytes = {(const uint8_t *)text.data, text.size};
        neff_member *member = &module->members[module->member_count++];
        member->name = hoist_str_from(neff->members[i].name);
        member->bytes = hoist_test_exact(t, bytes);
        HOIST_TRY(hoist_map_add(&module->member_names, member->name, i, NULL));
    }
    return module->members ? HOIST_OK : HOIST_NO_MEMORY;
}

neff_module *neff_test_module(hoist_test *t, const neff_texts *neff, hoist_allocator alloc)
{
    neff_module *module = neff_module_create(alloc, (hoist_bytes){0});
    if (module) {
        module->base.format = &hoist_neff_format;
        module->header = plain_header;
        if (add_members(t, neff, module) != HOIST_OK) {
            neff_module_free(module);
            return NULL;
        }
    }
    return module;
}

void neff_test_destroy(neff_module *module)
{
    if (module) {
        neff_graph_deinit(module);
    }
    neff_module_free(module);
}
