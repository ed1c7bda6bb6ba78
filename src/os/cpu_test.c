#include "os/cpu.h"
#include "testing/test.h"

enum {
    V3_LEAF1 = 0x38d83201, // all of x86-64-v3, osxsave included
    V3_LEAF7 = 0x128,
    V4_LEAF7 = (int)0xd0030000,
    VNNI_LEAF7 = 0x800,
    AMX_LEAF7 = 0x03400000,
    BF16_LEAF7 = 0x20, // of subleaf 1
};

// clang-format off
static const struct {
    const char *name;
    hoist_cpu_words words;
    hoist_cpu_level want;
} machines[] = {
    {"nothing", {0}, HOIST_CPU_BASELINE},
    {"v3", {V3_LEAF1, V3_LEAF7, 0, 0, 0, 0x21, 0x7, false, false}, HOIST_CPU_X86_64_V3},
    {"v3, registers not saved", {V3_LEAF1, V3_LEAF7, 0, 0, 0, 0x21, 0x3, false, false}, HOIST_CPU_BASELINE},
    {"v3 without fma", {V3_LEAF1 & ~0x1000, V3_LEAF7, 0, 0, 0, 0x21, 0x7, false, false}, HOIST_CPU_BASELINE},
    {"v3 without lzcnt", {V3_LEAF1, V3_LEAF7, 0, 0, 0, 0x01, 0x7, false, false}, HOIST_CPU_BASELINE},
    {"v4", {V3_LEAF1, V3_LEAF7 | (uint32_t)V4_LEAF7, 0, 0, 0, 0x21, 0xe7, false, false}, HOIST_CPU_X86_64_V4},
    {"v4 without vl", {V3_LEAF1, V3_LEAF7 | ((uint32_t)V4_LEAF7 & 0x7fffffff), 0, 0, 0, 0x21, 0xe7, false, false},
     HOIST_CPU_X86_64_V3},
    {"v4, masks not saved", {V3_LEAF1, V3_LEAF7 | (uint32_t)V4_LEAF7, 0, 0, 0, 0x21, 0x7, false, false},
     HOIST_CPU_X86_64_V3},
    {"vnni", {V3_LEAF1, V3_LEAF7 | (uint32_t)V4_LEAF7, VNNI_LEAF7, 0, 0, 0x21, 0xe7, false, false},
     HOIST_CPU_X86_64_VNNI},
    {"vnni without avx-512", {V3_LEAF1, V3_LEAF7, VNNI_LEAF7, 0, 0, 0x21, 0xe7, false, false},
     HOIST_CPU_X86_64_V3},
    {"bf16", {V3_LEAF1, V3_LEAF7 | (uint32_t)V4_LEAF7, VNNI_LEAF7, 0, BF16_LEAF7, 0x21, 0xe7, false, true},
     HOIST_CPU_X86_64_BF16},
    {"bf16 of another vendor", {V3_LEAF1, V3_LEAF7 | (uint32_t)V4_LEAF7, VNNI_LEAF7, 0, BF16_LEAF7, 0x21, 0xe7, false, false},
     HOIST_CPU_X86_64_VNNI},
    {"bf16 without vnni", {V3_LEAF1, V3_LEAF7 | (uint32_t)V4_LEAF7, 0, 0, BF16_LEAF7, 0x21, 0xe7, false, true},
     HOIST_CPU_X86_64_V4},
    {"amx without bf16 of avx-512",
     {V3_LEAF1, V3_LEAF7 | (uint32_t)V4_LEAF7, VNNI_LEAF7, AMX_LEAF7, 0, 0x21, 0x600e7, true, false},
     HOIST_CPU_X86_64_VNNI},
    {"amx", {V3_LEAF1, V3_LEAF7 | (uint32_t)V4_LEAF7, VNNI_LEAF7, AMX_LEAF7, BF16_LEAF7, 0x21, 0x600e7, true, false},
     HOIST_CPU_AMX},
    {"amx without permission",
     {V3_LEAF1, V3_LEAF7 | (uint32_t)V4_LEAF7, VNNI_LEAF7, AMX_LEAF7, BF16_LEAF7, 0x21, 0x600e7, false, false},
     HOIST_CPU_X86_64_VNNI},
    {"amx without vnni", {V3_LEAF1, V3_LEAF7 | (uint32_t)V4_LEAF7, 0, AMX_LEAF7, BF16_LEAF7, 0x21, 0x600e7, true, false},
     HOIST_CPU_X86_64_V4},
    {"amx without avx-512", {V3_LEAF1, V3_LEAF7, VNNI_LEAF7, AMX_LEAF7, BF16_LEAF7, 0x21, 0x600e7, true, false},
     HOIST_CPU_X86_64_V3},
};
// clang-format on

HOIST_TEST_TABLE(level_needs_every_feature, machines)
{
    HOIST_EXPECT_EQ(t, hoist_cpu_level_of(&row->words), row->want);
}

HOIST_TEST(detects_this_machine)
{
    const hoist_cpu_level level = hoist_cpu_detect();
    HOIST_EXPECT(t, level < HOIST_CPU_LEVEL_COUNT);
    HOIST_EXPECT_EQ(t, hoist_cpu_detect(), level);
#if defined(__x86_64__)
    __builtin_cpu_init();
    HOIST_EXPECT(t, level < HOIST_CPU_X86_64_V3 || __builtin_cpu_supports("avx2"));
    HOIST_EXPECT(t, level < HOIST_CPU_X86_64_V4 || __builtin_cpu_supports("avx512vl"));
    HOIST_EXPECT(t, level >= HOIST_CPU_X86_64_V4 || !__builtin_cpu_supports("avx512vl"));
#else
    HOIST_EXPECT_EQ(t, level, HOIST_CPU_BASELINE);
#endif
}

HOIST_TEST(names_and_levels_match)
{
    for (hoist_cpu_level i = HOIST_CPU_BASELINE; i < HOIST_CPU_LEVEL_COUNT; i++) {
        hoist_cpu_level found = HOIST_CPU_LEVEL_COUNT;
        HOIST_EXPECT(t, hoist_cpu_level_find(hoist_str_from(hoist_cpu_level_name(i)), &found));
        HOIST_EXPECT_EQ(t, found, i);
    }
    hoist_cpu_level found = HOIST_CPU_AMX;
    HOIST_EXPECT(t, !hoist_cpu_level_find(HOIST_STR("x86-64-v5"), &found));
    HOIST_EXPECT_EQ(t, found, HOIST_CPU_BASELINE);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(level_needs_every_feature), HOIST_TEST_ROW(detects_this_machine),
                HOIST_TEST_ROW(names_and_levels_match))
