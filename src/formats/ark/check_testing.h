// formats/ark/check_testing.h - small models for tests of the graph and of the checks, and their
// findings as a line of text.
//
// Texts are made of string literals; each list of an operator has a line of its own, so that node k
// begins at line 2 + 5 k, with its ReadTensors, WriteTensors, ResultTensors and Args on the next
// four.
#ifndef HOIST_SRC_FORMATS_ARK_CHECK_TESTING_H
#define HOIST_SRC_FORMATS_ARK_CHECK_TESTING_H

#include "formats/ark/check.h"
#include "testing/test.h"

// All arguments are string literals; lists are given without brackets.
#define ARK_BUFFER_AT(id, rank, send, receive)                                                     \
    "{\"Id\":" id ",\"Rank\":" rank ",\"SendTags\":[" send "],\"RecvTags\":[" receive "]}"
#define ARK_BUFFER(id) ARK_BUFFER_AT(id, "-1", "", "")
#define ARK_TENSOR(id, dtype, shape, strides, offsets, padded, buffer)                             \
    "{\"Id\":" id ",\"DataType\":\"" dtype "\",\"Shape\":[" shape "],\"Strides\":[" strides        \
    "],\"Offsets\":[" offsets "],\"PaddedShape\":[" padded "],\"Buffer\":" buffer "}"
// Tensors of 1 to 4 dimensions that fill their buffer.
#define ARK_T1(id, dtype, shape, buffer)                                                           \
    ARK_TENSOR(id, dtype, shape, shape, "0", shape, ARK_BUFFER(buffer))
#define ARK_T2(id, dtype, shape, buffer)                                                           \
    ARK_TENSOR(id, dtype, shape, shape, "0,0", shape, ARK_BUFFER(buffer))
#define ARK_T3(id, dtype, shape, buffer)                                                           \
    ARK_TENSOR(id, dtype, shape, shape, "0,0,0", shape, ARK_BUFFER(buffer))
#define ARK_T4(id, dtype, shape, buffer)                                                           \
    ARK_TENSOR(id, dtype, shape, shape, "0,0,0,0", shape, ARK_BUFFER(buffer))

#define ARK_OP_TEXT(type, is_virtual, reads, writes, results, args)                                \
    "{\"Type\":\"" type "\",\"Name\":\"\",\"IsVirtual\":" is_virtual ",\n\"ReadTensors\":[" reads  \
    "],\n\"WriteTensors\":[" writes "],\n\"ResultTensors\":[" results "],\n\"Args\":{" args "}}"
#define ARK_OP(type, reads, writes, results, args)                                                 \
    ARK_OP_TEXT(type, "false", reads, writes, results, args)
#define ARK_NODE(id, producers, consumers, op)                                                     \
    "{\"Id\":" id ",\"ProducerNodeIds\":[" producers "],\"ConsumerNodeIds\":[" consumers           \
    "],\"Op\":" op "}"
#define ARK_MODEL(nodes) "{\"Rank\":0,\"WorldSize\":1,\"Nodes\":[\n" nodes "\n]}"
// A model of one operator.
#define ARK_SINGLE(type, reads, writes, results, args)                                             \
    ARK_MODEL(ARK_NODE("0", "", "", ARK_OP(type, reads, writes, results, args)))

// A text that was read, and its graph.
typedef struct ark_test_file {
    hoist_module *module; // NULL: it cannot be read
    hoist_arena arena;
    ark_graph graph;
} ark_test_file;

// Findings of reading and of the graph go to `diag`.
hoist_status ark_test_open(const char *text, hoist_allocator alloc, hoist_diag *diag,
                           ark_test_file *out_file);
void ark_test_close(ark_test_file *file);

// The findings of reading, of the graph and of `part` (NULL: of these two alone), in the order of
// the text: "3:20 M23; 4:1 M25".
hoist_str ark_test_findings(hoist_test *t, const char *text, ark_check_part *part);
// `part` of a text with each request for memory refused; and with its time over.
void ark_test_starve(hoist_test *t, const char *text, ark_check_part *part);
void ark_test_cancel(hoist_test *t, const char *text, ark_check_part *part);

#endif // HOIST_SRC_FORMATS_ARK_CHECK_TESTING_H
