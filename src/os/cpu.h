// os/cpu.h - which instructions this machine has, as a level.
//
// Kernels are compiled once per level; a table of them is chosen once at start.
#ifndef HOIST_SRC_OS_CPU_H
#define HOIST_SRC_OS_CPU_H

#include "hoist/base.h"

// Each level has everything that those before it have; only of BF16 levels above may not make use.
typedef enum hoist_cpu_level {
    HOIST_CPU_BASELINE,    // what the compiler assumes of every machine of this architecture
    HOIST_CPU_X86_64_V3,   // AVX2, FMA, F16C, BMI
    HOIST_CPU_X86_64_V4,   // AVX-512 F, BW, CD, DQ, VL
    HOIST_CPU_X86_64_VNNI, // AVX-512 VNNI: 8-bit dot products
    // AVX-512 BF16, sums of products of pairs of bf16, on CPUs that do them as fast as products of
    // float32: those of AMD. A Sapphire Rapids takes twice as long for them.
    HOIST_CPU_X86_64_BF16,
    HOIST_CPU_AMX, // tiles with bf16 and int8 products
    HOIST_CPU_LEVEL_COUNT,
} hoist_cpu_level;

// The words of the x86 CPUID instruction that decide the level, and what the system lets us use.
typedef struct hoist_cpu_words {
    uint32_t leaf1_ecx;
    uint32_t leaf7_ebx;
    uint32_t leaf7_ecx;
    uint32_t leaf7_edx;
    uint32_t leaf7_1_eax;   // leaf 7, subleaf 1
    uint32_t extended1_ecx; // leaf 0x80000001
    uint32_t xcr0;          // register sets that the system saves
    bool may_use_tiles;     // the kernel's permission for AMX
    bool is_amd;            // the vendor
} hoist_cpu_words;

// The level of this machine. On x86-64 Linux with AMX it asks the kernel, for the whole process,
// for the permission to use tile registers. Any thread, any number of times.
hoist_cpu_level hoist_cpu_detect(void);

// The highest level whose every feature is in `words`.
hoist_cpu_level hoist_cpu_level_of(const hoist_cpu_words *words);

// "baseline", "x86-64-v3", "x86-64-v4", "x86-64-v4-vnni", "x86-64-v4-bf16", "amx". `level` is one
// of the enum.
const char *hoist_cpu_level_name(hoist_cpu_level level);

// Finds a level by its name; false (and the baseline) when there is none.
bool hoist_cpu_level_find(hoist_str name, hoist_cpu_level *out_level);

#endif // HOIST_SRC_OS_CPU_H
