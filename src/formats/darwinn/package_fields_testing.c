// Members of drafts and of packages that were read, by the names of the schema's rows.
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/reader.h"
#include "formats/darwinn/package_testing.h"

enum { MAX_STEP = 64 };

// A member of a C struct of the schema.
typedef struct spot {
    const hoist_fb_field *field; // NULL: there is none
    hoist_fb_table *object;      // that it is a member of
    size_t item;                 // of a vector; SIZE_MAX: the whole
} spot;

static void *member_of(const spot *s)
{
    return (uint8_t *)s->object + s->field->at;
}

// The next name of a path, which goes on after it.
static hoist_str next_step(const char **path)
{
    const char *const begin = *path;
    const size_t size = strcspn(begin, "/");
    *path = begin + size + (begin[size] == '/');
    return (hoist_str){begin, size};
}

static size_t next_number(const char **path)
{
    return (size_t)strtoull(next_step(path).data, NULL, 10);
}

static const hoist_fb_field *field_of(const hoist_fb_type *type, hoist_str name)
{
    for (size_t i = 0; i < type->count; i++) {
        if (hoist_str_equal_c(name, type->fields[i].name)) {
            return &type->fields[i];
        }
    }
    return NULL;
}

static const hoist_fb_type *variant_of(const hoist_fb_field *field, uint8_t value)
{
    for (const hoist_fb_variant *v = field->variants; v->type; v++) {
        if (v->value == value) {
            return v->type;
        }
    }
    return NULL;
}

// The table that a member holds, or one of its list; `*type` becomes its type.
static hoist_fb_table *below(const spot *s, const char **path, const hoist_fb_type **type)
{
    void *const member = member_of(s);
    if (s->field->kind == HOIST_FB_UNION) {
        const hoist_fb_union *const value = member;
        *type = variant_of(s->field, value->type);
        return value->value;
    }
    *type = s->field->type;
    if (s->field->kind == HOIST_FB_TABLES) {
        HOIST_FB_LIST(uint8_t) list;
        memcpy(&list, member, sizeof(list));
        const size_t index = next_number(path);
        return index < list.count ? (void *)(list.items + index * (*type)->size) : NULL;
    }
    return *(void **)member;
}

static spot find(const hoist_fb_type *type, void *object, const char *path)
{
    spot s = {.object = object, .item = SIZE_MAX};
    while (s.object && type) {
        s.field = field_of(type, next_step(&path));
        if (!s.field || !*path) {
            return s;
        }
        if (s.field->kind == HOIST_FB_VECTOR || s.field->kind == HOIST_FB_STRUCTS) {
            s.item = next_number(&path);
            return s;
        }
        s.object = below(&s, &path, &type);
    }
    return (spot){0};
}

// Bytes of an item that has a number: structs are of 32-bit members here.
static size_t item_size(const hoist_fb_field *field)
{
    return field->kind == HOIST_FB_VECTOR ? hoist_fb_scalar_size((hoist_fb_kind)field->item) : 4;
}

// Drafts -----------------------------------------------------------------------------------------

static spot draft_spot(dwn_draft *draft, const char *path)
{
    static const char images[] = "executables/";
    spot s;
    if (strncmp(path, images, sizeof(images) - 1) == 0) {
        path += sizeof(images) - 1;
        dwn_executable *const e = draft->executables[next_number(&path)];
        s = find(&dwn_executable_rows, e, path);
    } else {
        s = find(&dwn_package_rows, &draft->rows, path);
    }
    if (!s.field) {
        hoist_test_fail(draft->t, __FILE__, __LINE__, "a draft has no %s", path);
    }
    return s;
}

// The vector in the arena, with one item changed.
static void set_item(dwn_draft *draft, const spot *s, double value)
{
    hoist_bytes *const vector = member_of(s);
    const size_t size = item_size(s->field);
    uint8_t *const copy = hoist_arena_alloc(&draft->t->arena, vector->size);
    HOIST_ASSERT(copy && (s->item + 1) * size <= vector->size);
    memcpy(copy, vector->data, vector->size);
    if (size == 1) {
        copy[s->item] = (uint8_t)value;
    } else {
        hoist_store_u32le(copy + s->item * size, (uint32_t)(int32_t)value);
    }
    vector->data = copy;
}

// Whole vectors and lists: their pointer comes first.
static void set_count(const spot *s, double value)
{
    void *const member = member_of(s);
    if (value < 0) {
        *(void **)member = NULL;
    } else if (s->field->kind == HOIST_FB_TABLES) {
        HOIST_FB_LIST(void) list;
        memcpy(&list, member, sizeof(list));
        list.count = (uint32_t)value;
        memcpy(member, &list, sizeof(list));
    } else {
        ((hoist_bytes *)member)->size = (size_t)value;
    }
}

static void set_scalar(const spot *s, double value)
{
    void *const member = member_of(s);
    if (s->field->kind == HOIST_FB_F32) {
        *(float *)member = (float)value;
        return;
    }
    const int64_t number = (int64_t)value;
    switch (hoist_fb_scalar_size((hoist_fb_kind)s->field->kind)) {
    case 1:
        *(uint8_t *)member = (uint8_t)number;
        break;
    case 2:
        *(int16_t *)member = (int16_t)number;
        break;
    case 4:
        *(int32_t *)member = (int32_t)number;
        break;
    default:
        *(int64_t *)member = number;
        break;
    }
}

void dwn_draft_set(dwn_draft *draft, const char *path, double value)
{
    const spot s = draft_spot(draft, path);
    if (!s.field) {
        return;
    }
    if (s.item != SIZE_MAX) {
        set_item(draft, &s, value);
    } else if (s.field->kind < HOIST_FB_SCALARS) {
        set_scalar(&s, value);
    } else if (s.field->kind == HOIST_FB_UNION) {
        hoist_fb_union *const choice = member_of(&s);
        choice->type = (uint8_t)value;
        choice->value = choice->type ? choice->value : NULL;
    } else if (s.field->kind == HOIST_FB_TABLE) {
        *(void **)member_of(&s) = NULL;
    } else {
        set_count(&s, value);
    }
}

void dwn_draft_name(dwn_draft *draft, const char *path, const char *text)
{
    const spot s = draft_spot(draft, path);
    if (s.field) {
        *(hoist_str *)member_of(&s) = hoist_str_from(text);
    }
}

// Modules ----------------------------------------------------------------------------------------

static bool begins_with(const char **path, const char *word)
{
    const size_t size = strlen(word);
    const bool found = strncmp(*path, word, size) == 0;
    *path += found ? size : 0;
    return found;
}

uint64_t dwn_test_place(const dwn_module *module, const char *path)
{
    const dwn_contents *contents = module->packages;
    if (begins_with(&path, "packages/")) {
        contents = &module->packages[next_number(&path)];
    }
    if (begins_with(&path, "chips/")) {
        contents = &contents->chips[next_number(&path)];
    }
    hoist_bytes buffer = contents->bytes;
    spot s;
    if (begins_with(&path, "executables/")) {
        const dwn_image *const image = &contents->images[next_number(&path)];
        buffer = image->bytes;
        s = find(&dwn_executable_rows, image->rows, path);
    } else {
        s = find(&dwn_package_rows, contents->rows, path);
    }
    if (!s.field) {
        return UINT64_MAX;
    }
    const uint64_t base = (uint64_t)(buffer.data - module->bytes.data) + module->base_offset;
    if (s.item != SIZE_MAX) {
        const hoist_bytes *const vector = member_of(&s);
        return (uint64_t)(vector->data - module->bytes.data) + module->base_offset +
               s.item * item_size(s.field);
    }
    const uint32_t field = hoist_fb_place(buffer, s.object->at, s.field->slot);
    return base + (field ? field : s.object->at);
}
