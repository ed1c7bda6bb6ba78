// formats/neff/features.h - which feature bits the content of a NEFF calls for (neff
// reference 1.5).
#ifndef HOIST_SRC_FORMATS_NEFF_FEATURES_H
#define HOIST_SRC_FORMATS_NEFF_FEATURES_H

#include "formats/neff/neff.h"

// Content that a bit declares.
typedef enum neff_feature {
    NEFF_FEATURE_INSTANCES = 0, // queue_instances
    NEFF_FEATURE_FUNCTIONS,     // in streams, or function_start
    NEFF_FEATURE_ACT_LOAD,      // act_load queues
    NEFF_FEATURE_LNC,           // a logical core of two
    NEFF_FEATURE_REMOTE,        // remote_semaphores
    NEFF_FEATURE_GENERATION,    // dynamic queues, DGE opcodes
    NEFF_FEATURE_COUNT,
} neff_feature;

typedef struct neff_feature_bits {
    uint64_t expected; // one of these is to be set where the content is there
    uint8_t bit;       // the one of them that the content is there for when it is set
    bool exact;        // and the other way round: set only where it is there
    const char *what;  // the content in words
} neff_feature_bits;
extern const neff_feature_bits neff_feature_table[NEFF_FEATURE_COUNT];

// What was found of each, in words ("queue set 'q0' of sg00"); empty: nothing.
typedef struct neff_feature_facts {
    hoist_str found[NEFF_FEATURE_COUNT]; // arena
} neff_feature_facts;

// Looks a module over that was read; `generation` distinguishes opcodes. HOIST_OK or
// HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status neff_find_features(const neff_module *module, int generation,
                                                hoist_arena *arena, neff_feature_facts *out_facts);

#endif // HOIST_SRC_FORMATS_NEFF_FEATURES_H
