#include "base/size_text.h"
#include "base/span.h"
#include "testing/test.h"

#define KIB UINT64_C(1024)
#define MIB (KIB * KIB)

static const struct {
    const char *name;
    uint64_t bytes;
    const char *want;
} sizes[] = {
    {"nothing", 0, "0 B"},
    {"bytes", 1023, "1023 B"},
    {"one of a unit", KIB, "1.0 KiB"},
    {"the nearest tenth below", 1075, "1.0 KiB"},
    {"the nearest tenth above", 1076, "1.1 KiB"},
    {"a half goes up", 1280, "1.3 KiB"},
    {"not cut", 4800000, "4.6 MiB"},
    {"the most of a unit", MIB - 52, "1023.9 KiB"},
    {"the next unit by rounding", MIB - 51, "1.0 MiB"},
    {"the next unit", MIB, "1.0 MiB"},
    {"MiB", 17039392, "16.3 MiB"},
    {"GiB", KIB *MIB * 3 / 2, "1.5 GiB"},
    {"TiB by rounding", MIB *MIB - 1, "1.0 TiB"},
    {"PiB", MIB *MIB *KIB, "1.0 PiB"},
    {"EiB by rounding", MIB *MIB *MIB - 1, "1.0 EiB"},
    {"the most", UINT64_MAX, "16.0 EiB"},
};

HOIST_TEST_TABLE(texts, sizes)
{
    const hoist_size_text text = hoist_size_text_of(row->bytes);
    HOIST_EXPECT_STR(t, hoist_arena_format(&t->arena, "%s %s", text.number, text.unit), row->want);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(texts))
