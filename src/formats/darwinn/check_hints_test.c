// DMA hints: rules 49 to 60 and 81. The hints of a plain package: chunk 0, image, grid, scores,
// interrupt 0. Those of the one with a batch of 2: chunk 0, parameters, image twice, scratch sent
// out, chunk 1, fence, scratch fetched, grid and scores twice, interrupt 0.
#include "formats/darwinn/package_testing.h"

#define HINTS "executables/0/dma_hints/hints"

// clang-format off
static const dwn_case hints[] = {
    {"no hints", DWN_PLAIN, {{"executables/0/dma_hints", 0, NULL}}, "DWN-049", "executables/0:dma_hints"},
    {"a hint of no type", DWN_PLAIN, {{HINTS "/3/any_hint", 0, NULL}}, "DWN-050 DWN-058 DWN-060", HINTS "/3:any_hint"},
    {"interrupt 4", DWN_PLAIN, {{HINTS "/4/any_hint/type", 4, NULL}}, "DWN-050 DWN-058", HINTS "/4:any_hint"},
    {"interrupt -1", DWN_PLAIN, {{HINTS "/4/any_hint/type", -1, NULL}}, "DWN-050 DWN-058", HINTS "/4:any_hint"},
    {"chunk 1 of 1", DWN_PLAIN, {{HINTS "/0/any_hint/instruction_chunk_index", 1, NULL}}, "DWN-051 DWN-052 DWN-058", HINTS "/0:any_hint"},
    {"chunk -1", DWN_PLAIN, {{HINTS "/0/any_hint/instruction_chunk_index", -1, NULL}}, "DWN-051 DWN-052 DWN-058", HINTS "/0:any_hint"},
    {"one chunk twice", DWN_ALONE, {{HINTS "/5/any_hint/instruction_chunk_index", 0, NULL}}, "DWN-052 DWN-052 DWN-058",
     "executables/0:dma_hints"},
    {"an output too long", DWN_PLAIN, {{HINTS "/2/any_hint/size_in_bytes", 641, NULL}}, "DWN-053 DWN-058", HINTS "/2:any_hint"},
    {"an output behind its end", DWN_PLAIN, {{HINTS "/3/any_hint/offset_in_bytes", INT32_MAX, NULL}},
     "DWN-053 DWN-058 DWN-060", HINTS "/3:any_hint"},
    {"an output before its start", DWN_PLAIN, {{HINTS "/3/any_hint/offset_in_bytes", -8, NULL}}, "DWN-053 DWN-058 DWN-060",
     HINTS "/3:any_hint"},
    {"a size below 0", DWN_PLAIN, {{HINTS "/3/any_hint/size_in_bytes", -1, NULL}}, "DWN-053 DWN-058 DWN-060", HINTS "/3:any_hint"},
    {"too many parameters", DWN_ALONE, {{HINTS "/1/any_hint/size_in_bytes", 65, NULL}}, "DWN-053 DWN-058", HINTS "/1:any_hint"},
    {"too much scratch", DWN_ALONE, {{HINTS "/4/any_hint/size_in_bytes", 65, NULL}}, "DWN-053 DWN-058", HINTS "/4:any_hint"},
    {"no scratch", DWN_ALONE, {{"executables/0/scratch_size_bytes", 0, NULL}}, "DWN-053 DWN-053", HINTS "/4:any_hint"},
    {"an input before its start", DWN_PLAIN, {{HINTS "/1/any_hint/offset_in_bytes", -8, NULL}}, "DWN-054a DWN-058 DWN-060",
     HINTS "/1:any_hint"},
    {"an input behind its page", DWN_PLAIN, {{HINTS "/1/any_hint/size_in_bytes", 4097, NULL}}, "DWN-054a DWN-058", HINTS "/1:any_hint"},
    {"an input to the end of its page", DWN_PLAIN, {{HINTS "/1/any_hint/size_in_bytes", 4096, NULL}}, "DWN-054b DWN-058",
     HINTS "/1:any_hint"},
    {"no such layer", DWN_PLAIN, {{HINTS "/2/any_hint/meta/name", 0, "gri"}}, "DWN-055 DWN-058 DWN-060", HINTS "/2:any_hint"},
    {"no such buffer", DWN_PLAIN, {{HINTS "/2/any_hint/meta/desc", 9, NULL}}, "DWN-055 DWN-058 DWN-060", HINTS "/2:any_hint"},
    {"no meta", DWN_PLAIN, {{HINTS "/2/any_hint/meta", 0, NULL}}, "DWN-055 DWN-058 DWN-060", HINTS "/2:any_hint"},
    {"batch too high", DWN_PLAIN, {{HINTS "/2/any_hint/meta/batch", 1, NULL}}, "DWN-055 DWN-058 DWN-060", HINTS "/2:any_hint"},
    {"batch below 0", DWN_PLAIN, {{HINTS "/2/any_hint/meta/batch", -1, NULL}}, "DWN-055 DWN-058 DWN-060", HINTS "/2:any_hint"},
    {"an output goes in", DWN_PLAIN, {{HINTS "/2/direction", DWN_INFEED, NULL}}, "DWN-056 DWN-058", HINTS "/2:direction"},
    {"an input comes out", DWN_PLAIN, {{HINTS "/1/direction", DWN_OUTFEED, NULL}}, "DWN-056 DWN-058", HINTS "/1:direction"},
    {"parameters come out", DWN_ALONE, {{HINTS "/1/direction", DWN_OUTFEED, NULL}}, "DWN-056 DWN-058", HINTS "/1:direction"},
    {"an unknown direction", DWN_PLAIN, {{HINTS "/1/direction", 2, NULL}}, "DWN-056 DWN-058", HINTS "/1:direction"},
    {"no interrupt", DWN_PLAIN, {{HINTS, 4, NULL}}, "DWN-057 DWN-058", "executables/0:dma_hints/fully_deterministic"},
    {"an empty list", DWN_PLAIN, {{HINTS, 0, NULL}}, "DWN-052 DWN-057 DWN-058 DWN-060 DWN-060 DWN-060", "executables/0:dma_hints"},
    {"a part of the transfers", DWN_PLAIN, {{HINTS, 3, NULL}, {"executables/0/dma_hints/fully_deterministic", 0, NULL}}, "", NULL},
    {"a wrong part", DWN_PLAIN, {{HINTS, 3, NULL}, {"executables/0/dma_hints/fully_deterministic", 0, NULL},
     {HINTS "/2/any_hint/size_in_bytes", 632, NULL}}, "DWN-058", "executables/0:dma_hints/hints/2/any_hint"},
    {"not all of an input", DWN_PLAIN, {{HINTS "/1/any_hint/size_in_bytes", 59, NULL}}, "DWN-058 DWN-060",
     "executables/0:dma_hints/hints/1/any_hint"},
    {"a gap at the start", DWN_PLAIN, {{HINTS "/1/any_hint/offset_in_bytes", 1, NULL}, {HINTS "/1/any_hint/size_in_bytes", 63, NULL}},
     "DWN-058 DWN-060", "executables/0:dma_hints/hints/1/any_hint"},
    {"no fence", DWN_ALONE, {{HINTS "/6/any_hint", 0, NULL}}, "DWN-050 DWN-059 DWN-058", HINTS "/6:any_hint"},
    {"not all of an output", DWN_REPEATED, {{HINTS "/3/any_hint/size_in_bytes", 19, NULL}}, "DWN-058 DWN-060",
     "executables/0:dma_hints/hints/3/any_hint"},
    {"one batch of two", DWN_ALONE, {{HINTS "/3/any_hint/meta/batch", 0, NULL}}, "DWN-058 DWN-060",
     "executables/0:dma_hints/hints/3/any_hint"},
    {"not all parameters", DWN_ALONE, {{HINTS "/1/any_hint/size_in_bytes", 63, NULL}}, "DWN-058 DWN-060",
     "executables/0:dma_hints/hints/1/any_hint"},
    {"not all streamed parameters", DWN_PAIR, {{HINTS "/1/any_hint/size_in_bytes", 63, NULL}}, "DWN-058 DWN-081",
     "executables/0:dma_hints/hints/1/any_hint"},
    {"two hints change places", DWN_PLAIN, {{HINTS "/2/any_hint/meta/name", 0, "scores"}, {HINTS "/2/any_hint/size_in_bytes", 16, NULL},
     {HINTS "/3/any_hint/meta/name", 0, "grid"}, {HINTS "/3/any_hint/size_in_bytes", 640, NULL}}, "DWN-058",
     "executables/0:dma_hints/hints/2/any_hint"},
};
// clang-format on

HOIST_TEST_TABLE(check_hints, hints)
{
    dwn_test_case(t, row);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(check_hints))
