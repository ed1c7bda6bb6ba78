// formats/darwinn/package_testing.h - sound packages made for tests, and knobs to break one thing.
//
// A draft is the C structs of the schema in the test's arena; what is written of it is a package of
// whole pages, of which `check` finds nothing but the notes of its parameters. Every executable of
// a plan but PARAMETER_CACHING has the layers
//
//     image   input    4 x 5 x 3    8 bits            64 bytes
//     grid    output   4 x 5 x 32   8 bits            640 bytes in four tiles (schema's example)
//     scores  output   1 x 1 x 10   8 bits, signed    16 bytes
#ifndef HOIST_SRC_FORMATS_DARWINN_PACKAGE_TESTING_H
#define HOIST_SRC_FORMATS_DARWINN_PACKAGE_TESTING_H

#include "formats/darwinn/module.h"
#include "formats/darwinn/stream_testing.h"
#include "formats/darwinn/write_testing.h"

typedef struct dwn_plan { // of an executable
    int16_t type;         // dwn_executable_type
    uint64_t token;
    uint32_t parameters; // bytes
    int32_t batch;       // 0: 1
    int32_t executions;  // of the layers; 0: 1
    bool scratch;        // 64 bytes are sent out and fetched after a fence
    bool two_chunks;
    bool slices; // grid has shape_info and no layout
    // Adds the tensor operations of its layers; NULL: one that is nothing known.
    void (*operations)(dwn_maker *m);
} dwn_plan;

enum { DWN_DRAFT_IMAGES = 3, DWN_DRAFT_SCRATCH = 64 };

// A package in the making.
typedef struct dwn_draft {
    hoist_test *t;
    dwn_package rows;
    dwn_executable *executables[DWN_DRAFT_IMAGES];
    size_t count;
} dwn_draft;

typedef enum dwn_kind { // of whole packages
    DWN_PAIR = 0,       // EXECUTION_ONLY with streamed parameters, and PARAMETER_CACHING
    DWN_PLAIN,          // STAND_ALONE, nothing special, no parameters
    DWN_ALONE,          // STAND_ALONE, batch of 2, scratch, two chunks
    DWN_SLICES,         // STAND_ALONE with shape_info
    DWN_REPEATED,       // STAND_ALONE, layers executed twice
    DWN_TRIPLE,         // the pair and STAND_ALONE
    DWN_LAYERS,         // the pair with layers that can be recovered; nothing is streamed
    DWN_KINDS,
} dwn_kind;

// An executable by its plan, in the test's arena.
dwn_executable *dwn_draft_executable(hoist_test *t, const dwn_plan *plan);
dwn_draft dwn_draft_of(hoist_test *t, dwn_kind kind);
// The bytes of a draft's package, in the test's arena.
hoist_bytes dwn_draft_package(const dwn_draft *draft);
// A bundle of packages, and custom_options of them with a chip number for each.
hoist_bytes dwn_draft_bundle(hoist_test *t, const hoist_bytes *packages, uint32_t count);
hoist_bytes dwn_draft_custom(hoist_test *t, const hoist_bytes *packages, uint32_t count);

// A member by the names of the schema: "executables/0/output_layers/1/numerics/zero_point". A
// number after a vector is the item of it.
//
// Gives it the value: a number; -1 for a vector or list that is to be absent, else how many bytes
// or items it keeps; 0 for a table that is to be absent; the type of a union.
void dwn_draft_set(dwn_draft *draft, const char *path, double value);
void dwn_draft_name(dwn_draft *draft, const char *path, const char *text); // of a string
// The byte of the file where the member is stored, else its table; of an item, the item. The path
// begins with "packages/0/" where the module is custom_options. UINT64_MAX: there is no such
// member.
uint64_t dwn_test_place(const dwn_module *module, const char *path);

// Reads bytes as a file of their own, from a copy of exactly their size; the caller destroys what
// is read. Findings go to the test's diag.
hoist_status dwn_test_read(hoist_test *t, hoist_bytes bytes, dwn_module **out_module);
hoist_status dwn_test_check(hoist_test *t, dwn_module *module);

// A sound package with a few changes, and what `check` finds then.
typedef struct dwn_change {
    const char *path; // NULL: no more
    double value;
    const char *text; // where it is not NULL, for a string
} dwn_change;

typedef struct dwn_case {
    const char *name;
    dwn_kind kind;
    dwn_change changes[7];
    const char *want; // ids of the findings but DWN-078 and DWN-082, joined by spaces
    const char *at;   // "object path:member in it" of the first
} dwn_case;

void dwn_test_case(hoist_test *t, const dwn_case *row);
// The ids of the test's findings but DWN-078 and DWN-082, joined by spaces.
hoist_str dwn_test_rules(hoist_test *t);
// Expects the first of them at that object path and byte.
void dwn_test_expect_at(hoist_test *t, const char *object, uint64_t offset);

#endif // HOIST_SRC_FORMATS_DARWINN_PACKAGE_TESTING_H
