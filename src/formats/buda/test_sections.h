// formats/buda/test_sections.h - test-config and performance-check: which keys test programs read
// there, for the checker and for info. Facts: buda-netlist reference section 3.
#ifndef HOIST_SRC_FORMATS_BUDA_TEST_SECTIONS_H
#define HOIST_SRC_FORMATS_BUDA_TEST_SECTIONS_H

#include "codec/yaml.h"

typedef enum buda_test_kind {
    BUDA_TEST_ANY = 0, // not read ; present in files and without effect
    BUDA_TEST_TEXT,    // any scalar
    BUDA_TEST_TEXTS,   // list of names
    BUDA_TEST_INTEGER, // any integer form of YAML, within the range
    BUDA_TEST_INTEGERS,
    BUDA_TEST_NUMBER,
    BUDA_TEST_WORD,     // of `words`, in any case
    BUDA_TEST_RANGE,    // [first, last] of a tile's rows or columns, counted from 1
    BUDA_TEST_ARGUMENT, // an integer or a boolean
    BUDA_TEST_MAP,      // of the keys of `table`
    BUDA_TEST_MAPS,     // any names, each a map of the keys of `table`
    BUDA_TEST_KIND_COUNT,
} buda_test_kind;

struct buda_test_table;

typedef struct buda_test_key {
    const char *key; // NULL: any name
    buda_test_kind kind;
    double min; // INTEGER, INTEGERS, NUMBER: range
    double max;
    const char *const *words;            // WORD; ends with NULL
    const struct buda_test_table *table; // MAP, MAPS
} buda_test_key;

typedef struct buda_test_table {
    const char *what; // "comparison-config", for messages
    const buda_test_key *keys;
    size_t count;
} buda_test_table;

extern const buda_test_table buda_test_config_table;
extern const buda_test_table buda_performance_check_table;
extern const buda_test_table buda_performance_table; // one item of performance-check
// The measures are the rows of buda_performance_table that have this table.
extern const buda_test_table buda_measure_table;

// The row of `key`; NULL when test programs do not read it. The first row without a key matches
// every name.
const buda_test_key *buda_test_key_find(const buda_test_table *table, hoist_str key);

#endif // HOIST_SRC_FORMATS_BUDA_TEST_SECTIONS_H
