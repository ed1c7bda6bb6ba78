#include "codec/flatbuffer_testing.h"

#include "base/span.h"

static const hoist_fb_field animal_fields[] = {
    {.name = "name", .slot = 0, .kind = HOIST_FB_STRING, .at = offsetof(animal, name)},
    {.name = "age", .slot = 1, .kind = HOIST_FB_I16, .at = offsetof(animal, age)},
    {.name = "tags", .slot = 2, .kind = HOIST_FB_STRINGS, .at = offsetof(animal, tags)},
};
static const hoist_fb_type animal_type = {"Animal", animal_fields, HOIST_COUNT_OF(animal_fields),
                                          sizeof(animal)};

static const hoist_fb_field range_fields[] = {
    {.name = "start", .slot = 0, .kind = HOIST_FB_I32},
    {.name = "end", .slot = 4, .kind = HOIST_FB_I32},
};
static const hoist_fb_type range_type = {"Range", range_fields, HOIST_COUNT_OF(range_fields), 8};

static const hoist_fb_variant things[] = {{1, &animal_type}, {0, NULL}};
static const hoist_fb_word kinds[] = {{"PUBLIC", 0}, {"PRIVATE", 3}, {NULL, 0}};

// clang-format off
#define AT(member) .at = offsetof(zoo, member)
static const hoist_fb_field zoo_fields[] = {
    {.name = "flag",    .slot = 0,  .kind = HOIST_FB_BOOL,    AT(flag)},
    {.name = "tiny",    .slot = 1,  .kind = HOIST_FB_I8,      AT(tiny)},
    {.name = "byte",    .slot = 2,  .kind = HOIST_FB_U8,      AT(byte)},
    {.name = "low",     .slot = 3,  .kind = HOIST_FB_I16,     AT(low)},
    {.name = "half",    .slot = 4,  .kind = HOIST_FB_U16,     AT(half)},
    {.name = "number",  .slot = 5,  .kind = HOIST_FB_I32,     AT(number), .fallback = 7},
    {.name = "natural", .slot = 6,  .kind = HOIST_FB_U32,     AT(natural)},
    {.name = "large",   .slot = 7,  .kind = HOIST_FB_I64,     AT(large)},
    {.name = "mask",    .slot = 8,  .kind = HOIST_FB_U64,     AT(mask)},
    {.name = "ratio",   .slot = 9,  .kind = HOIST_FB_F32,     AT(ratio)},
    {.name = "exact",   .slot = 10, .kind = HOIST_FB_F64,     AT(exact)},
    {.name = "title",   .slot = 11, .kind = HOIST_FB_STRING,  AT(title)},
    {.name = "blob",    .slot = 12, .kind = HOIST_FB_VECTOR,  AT(blob), .item = HOIST_FB_U8, .align = 4096},
    {.name = "ints",    .slot = 13, .kind = HOIST_FB_VECTOR,  AT(ints), .item = HOIST_FB_I32},
    {.name = "longs",   .slot = 14, .kind = HOIST_FB_VECTOR,  AT(longs), .item = HOIST_FB_I64},
    {.name = "floats",  .slot = 15, .kind = HOIST_FB_VECTOR,  AT(floats), .item = HOIST_FB_F32},
    {.name = "ranges",  .slot = 16, .kind = HOIST_FB_STRUCTS, AT(ranges), .type = &range_type},
    {.name = "first",   .slot = 17, .kind = HOIST_FB_TABLE,   AT(first), .type = &animal_type},
    {.name = "animals", .slot = 18, .kind = HOIST_FB_TABLES,  AT(animals), .type = &animal_type},
    {.name = "words",   .slot = 19, .kind = HOIST_FB_STRINGS, AT(words)},
    {.name = "thing",   .slot = 21, .kind = HOIST_FB_UNION,   AT(thing), .variants = things},
    {.name = "kind",    .slot = 22, .kind = HOIST_FB_I16,     AT(kind), .words = kinds},
};
// clang-format on

const hoist_fb_type zoo_type = {"Zoo", zoo_fields, HOIST_COUNT_OF(zoo_fields), sizeof(zoo)};
const hoist_fb_type old_zoo_type = {"Zoo", zoo_fields, 12, sizeof(zoo)};

const char zoo_schema[] =
    "table Animal { name:string; age:short; tags:[string]; }\n"
    "table Plant { height:int; }\n"
    "struct Range { start:int; end:int; }\n"
    "union Thing { Animal, Plant }\n"
    "enum Kind : short { PUBLIC = 0, PRIVATE = 3 }\n"
    "table Zoo { flag:bool; tiny:byte; byte:ubyte; low:short; half:ushort; number:int = 7;\n"
    "  natural:uint; large:long; mask:ulong; ratio:float; exact:double; title:string;\n"
    "  blob:[ubyte]; ints:[int]; longs:[long]; floats:[float]; ranges:[Range]; first:Animal;\n"
    "  animals:[Animal]; words:[string]; thing:Thing; kind:Kind; }\n"
    "file_identifier \"ZOO1\";\n"
    "root_type Zoo;\n";

#define BYTES(text) ((hoist_bytes){(const uint8_t *)(text), sizeof(text) - 1})

static hoist_str *words_of(hoist_arena *arena, const char *first, const char *second)
{
    hoist_str *const words = hoist_arena_array(arena, 2, sizeof(*words));
    if (words) {
        words[0] = hoist_str_from(first);
        words[1] = hoist_str_from(second);
    }
    return words;
}

static void fill_scalars(zoo *z)
{
    z->flag = true;
    z->tiny = -5;
    z->byte = 200;
    z->low = -300;
    z->half = 60000;
    z->number = -70000;
    z->natural = 4000000000U;
    z->large = -5000000000;
    z->mask = 0xfce222d70d502fb8U;
    z->ratio = 0.5F;
    z->exact = -0.125;
    z->kind = 3;
}

zoo *zoo_make(hoist_arena *arena)
{
    zoo *const z = hoist_arena_alloc(arena, sizeof(*z));
    animal *const animals = hoist_arena_array(arena, 3, sizeof(*animals));
    hoist_str *const tags = words_of(arena, "old", "");
    hoist_str *const words = words_of(arena, "hay", "water");
    if (!z || !animals || !tags || !words) {
        return NULL;
    }
    fill_scalars(z);
    z->title = HOIST_STR("a zoo");
    z->blob = BYTES("\1\2\3\4\5");
    z->ints = BYTES("\1\0\0\0\376\377\377\377\3\0\0\0");
    z->longs = BYTES("\1\0\0\0\0\0\0\0\376\377\377\377\377\377\377\377");
    z->floats = BYTES("\0\0\200\77\0\0\0\300"); // 1, -2
    z->ranges = BYTES("\0\0\0\0\11\0\0\0");     // 0 to 9
    animals[0] = (animal){.name = HOIST_STR("ox"), .age = 3, .tags = {tags, 2}};
    animals[1] = (animal){.name = HOIST_STR(""), .age = -1};
    animals[2] = (animal){.name = HOIST_STR("emu"), .tags = {tags, 1}};
    z->first = &animals[2];
    z->animals.items = animals;
    z->animals.count = 2;
    z->words.items = words;
    z->words.count = 2;
    z->thing = (hoist_fb_union){.type = 1, .value = &animals[0]};
    return z;
}
