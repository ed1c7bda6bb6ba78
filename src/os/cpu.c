// Bits and levels: x86-64 psABI section 3.1.1 "microarchitecture levels"; Intel SDM volume 2,
// CPUID and XGETBV; Linux Documentation/arch/x86/xstate.rst for the tile permission.
#include "os/cpu.h"

#include "base/span.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#define BIT(n) (UINT32_C(1) << (n))

// What a level needs beyond the one before it.
typedef struct cpu_row {
    const char *name;
    uint32_t leaf1_ecx;
    uint32_t leaf7_ebx;
    uint32_t leaf7_ecx;
    uint32_t leaf7_edx;
    uint32_t leaf7_1_eax;
    uint32_t extended1_ecx;
    uint32_t xcr0;
    bool tiles;
    bool amd;
    bool is_apart; // levels above do without it
} cpu_row;

// clang-format off
static const cpu_row rows[HOIST_CPU_LEVEL_COUNT] = {
    [HOIST_CPU_BASELINE] = {.name = "baseline"},
    [HOIST_CPU_X86_64_V3] = {
        .name = "x86-64-v3",
        // sse3 ssse3 fma cx16 sse4.1 sse4.2 movbe popcnt osxsave avx f16c
        .leaf1_ecx = BIT(0) | BIT(9) | BIT(12) | BIT(13) | BIT(19) | BIT(20) | BIT(22) | BIT(23) |
                     BIT(27) | BIT(28) | BIT(29),
        .leaf7_ebx = BIT(3) | BIT(5) | BIT(8), // bmi1 avx2 bmi2
        .extended1_ecx = BIT(0) | BIT(5),      // lahf lzcnt
        .xcr0 = BIT(1) | BIT(2),               // xmm ymm
    },
    [HOIST_CPU_X86_64_V4] = {
        .name = "x86-64-v4",
        .leaf7_ebx = BIT(16) | BIT(17) | BIT(28) | BIT(30) | BIT(31), // f dq cd bw vl
        .xcr0 = BIT(5) | BIT(6) | BIT(7),                             // masks, upper and high zmm
    },
    [HOIST_CPU_X86_64_VNNI] = {
        .name = "x86-64-v4-vnni",
        .leaf7_ecx = BIT(11), // avx512_vnni
    },
    [HOIST_CPU_X86_64_BF16] = {
        .name = "x86-64-v4-bf16",
        .leaf7_1_eax = BIT(5), // avx512_bf16
        .amd = true,
        .is_apart = true,
    },
    [HOIST_CPU_AMX] = {
        .name = "amx",
        .leaf7_edx = BIT(22) | BIT(24) | BIT(25), // bf16 tile int8
        .leaf7_1_eax = BIT(5), // avx512_bf16, so that its kernels can be compared
        .xcr0 = BIT(17) | BIT(18),                // tile configuration, tile data
        .tiles = true,
    },
};
// clang-format on

static bool cpu_has(const hoist_cpu_words *w, const cpu_row *row)
{
    return (w->leaf1_ecx & row->leaf1_ecx) == row->leaf1_ecx &&
           (w->leaf7_ebx & row->leaf7_ebx) == row->leaf7_ebx &&
           (w->leaf7_ecx & row->leaf7_ecx) == row->leaf7_ecx &&
           (w->leaf7_edx & row->leaf7_edx) == row->leaf7_edx &&
           (w->leaf7_1_eax & row->leaf7_1_eax) == row->leaf7_1_eax &&
           (w->extended1_ecx & row->extended1_ecx) == row->extended1_ecx &&
           (w->xcr0 & row->xcr0) == row->xcr0 && (w->may_use_tiles || !row->tiles) &&
           (w->is_amd || !row->amd);
}

hoist_cpu_level hoist_cpu_level_of(const hoist_cpu_words *words)
{
    hoist_cpu_level level = HOIST_CPU_BASELINE;
    for (hoist_cpu_level i = level + 1; i < HOIST_CPU_LEVEL_COUNT; i++) {
        if (cpu_has(words, &rows[i])) {
            level = i;
        } else if (!rows[i].is_apart) {
            break;
        }
    }
    return level;
}

#if defined(__x86_64__)

static bool cpu_ask_for_tiles(void)
{
    enum { REQUEST_PERMISSION = 0x1023, TILE_DATA = 18 };
    return syscall(SYS_arch_prctl, REQUEST_PERMISSION, TILE_DATA) == 0;
}

static uint32_t cpu_xcr0(void)
{
    uint32_t low = 0;
    uint32_t high = 0;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

hoist_cpu_level hoist_cpu_detect(void)
{
    hoist_cpu_words w = {0};
    uint32_t a = 0;
    uint32_t b = 0;
    uint32_t c = 0;
    uint32_t d = 0;
    if (__get_cpuid(0, &a, &b, &c, &d)) {
        w.is_amd = b == signature_AMD_ebx && c == signature_AMD_ecx && d == signature_AMD_edx;
    }
    if (__get_cpuid(1, &a, &b, &c, &d)) {
        w.leaf1_ecx = c;
    }
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d)) {
        w.leaf7_ebx = b;
        w.leaf7_ecx = c;
        w.leaf7_edx = d;
    }
    if (__get_cpuid_count(7, 1, &a, &b, &c, &d)) {
        w.leaf7_1_eax = a;
    }
    if (__get_cpuid(0x80000001, &a, &b, &c, &d)) {
        w.extended1_ecx = c;
    }
    w.xcr0 = w.leaf1_ecx & BIT(27) ? cpu_xcr0() : 0; // osxsave: the instruction exists
    w.may_use_tiles = (w.leaf7_edx & BIT(24)) && cpu_ask_for_tiles();
    return hoist_cpu_level_of(&w);
}

#else

hoist_cpu_level hoist_cpu_detect(void)
{
    return HOIST_CPU_BASELINE;
}

#endif

const char *hoist_cpu_level_name(hoist_cpu_level level)
{
    return rows[level].name;
}

bool hoist_cpu_level_find(hoist_str name, hoist_cpu_level *out_level)
{
    for (hoist_cpu_level i = HOIST_CPU_BASELINE; i < HOIST_CPU_LEVEL_COUNT; i++) {
        if (hoist_str_equal_c(name, rows[i].name)) {
            *out_level = i;
            return true;
        }
    }
    *out_level = HOIST_CPU_BASELINE;
    return false;
}
