// kernels/level_choice.h - the table of a CPU level, by the names that level.h gives to each:
// HOIST_LEVEL_CHOICE(rows, vnni, bf16, level) is rows_baseline, rows_v3, rows_v4, rows_vnni or
// rows_bf16, those of AMX rows_vnni. Sources that a level beyond v4 does not compile have the one
// below in its place.
#ifndef HOIST_SRC_KERNELS_LEVEL_CHOICE_H
#define HOIST_SRC_KERNELS_LEVEL_CHOICE_H

#ifdef HOIST_X86_64_LEVELS
#define HOIST_LEVEL_CHOICE(name, vnni, bf16, level)                                                \
    ((level) == HOIST_CPU_X86_64_BF16   ? &name##_##bf16                                           \
     : (level) >= HOIST_CPU_X86_64_VNNI ? &name##_##vnni                                           \
     : (level) >= HOIST_CPU_X86_64_V4   ? &name##_v4                                               \
     : (level) >= HOIST_CPU_X86_64_V3   ? &name##_v3                                               \
                                        : &name##_baseline)
#else
#define HOIST_LEVEL_CHOICE(name, vnni, bf16, level) ((void)(level), &name##_baseline)
#endif

#endif // HOIST_SRC_KERNELS_LEVEL_CHOICE_H
