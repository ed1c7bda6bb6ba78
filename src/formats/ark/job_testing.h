// formats/ark/job_testing.h - small jobs for tests of communication: operators by peer and tag, and
// the findings of a job as lines of text.
//
// Nodes are laid out as check_testing.h has them: node k begins at line 2 + 5 k. `r` is the other
// rank and `t` a tag, both string literals of digits; ids of tensors and buffers are made of them.
#ifndef HOIST_SRC_FORMATS_ARK_JOB_TESTING_H
#define HOIST_SRC_FORMATS_ARK_JOB_TESTING_H

#include "formats/ark/check_testing.h"
#include "formats/format.h"

// clang-format off
#define JOB_RANK(rank, world, nodes) \
    "{\"Rank\":" rank ",\"WorldSize\":" world ",\"Nodes\":[\n" nodes "\n]}"
#define JOB_OP(type, reads, writes, results, args) \
    ARK_NODE("0", "", "", ARK_OP(type, reads, writes, results, args))

// Buffers: sent from, a proxy for the destination, received in, a proxy for the source.
#define JOB_OUT(r, t)  ARK_BUFFER_AT("1" r t, "-1", "[" r "," t "]", "")
#define JOB_TO(r, t)   ARK_BUFFER_AT("2" r t, r, "", "[-1," t "]")
#define JOB_IN(r, t)   ARK_BUFFER_AT("3" r t, "-1", "", "[" r "," t "]")
#define JOB_FROM(r, t) ARK_BUFFER_AT("4" r t, r, "[-1," t "]", "")
// Tensors that fill their buffer.
#define JOB_F(id, n, buffer) ARK_TENSOR(id, "FP32", n, n, "0", n, buffer)
#define JOB_FLAG(flag) "\"Flag\":{\"UINT32\":" flag "}"

#define JOB_SEND_N(r, t, n) JOB_OP("Send", JOB_F("1" r t, n, JOB_OUT(r, t)), \
    JOB_F("2" r t, n, JOB_TO(r, t)), JOB_F("5" r t, n, JOB_TO(r, t)), "")
#define JOB_SEND(r, t) JOB_SEND_N(r, t, "16")
#define JOB_DONE(r, t) JOB_OP("SendDone", JOB_F("5" r t, "16", JOB_TO(r, t)), "", \
    JOB_F("93" r t, "16", JOB_TO(r, t)), "")
#define JOB_RECV_N(r, t, n) JOB_OP("Recv", JOB_F("4" r t, n, JOB_FROM(r, t)), \
    JOB_F("3" r t, n, JOB_IN(r, t)), JOB_F("6" r t, n, JOB_IN(r, t)), "")
#define JOB_RECV(r, t) JOB_RECV_N(r, t, "16")
#define JOB_PACKETS(id, buffer) ARK_TENSOR(id, "UINT8", "128", "256", "0", "128", buffer)
// 16 float32 as packets; the scratch of the receiver has twice the bytes that one run needs.
#define JOB_SEND_PACKET(r, t, flag) JOB_OP("SendPacket", JOB_F("7" r t, "16", ARK_BUFFER("7" r t)), \
    JOB_PACKETS("2" r t, JOB_TO(r, t)), JOB_PACKETS("5" r t, JOB_TO(r, t)), JOB_FLAG(flag))
#define JOB_RECV_PACKET(r, t, flag) JOB_OP("RecvPacket", \
    JOB_F("8" r t, "16", ARK_BUFFER_AT("8" r t, r, "", "")) "," \
    JOB_PACKETS("3" r t, JOB_IN(r, t)), JOB_F("91" r t, "16", ARK_BUFFER("91" r t)), \
    JOB_F("92" r t, "16", ARK_BUFFER("91" r t)), JOB_FLAG(flag))
#define JOB_SYNC(peers) JOB_OP("DeviceSync", JOB_F("9", "4", ARK_BUFFER("9")), \
    JOB_F("9", "4", ARK_BUFFER("9")), JOB_F("99", "4", ARK_BUFFER("9")), \
    "\"PeerNum\":{\"INT\":" peers "},\"Rank\":{\"INT\":0}")
#define JOB_RELU(id, buffer) JOB_OP("Relu", JOB_F("98", "16", ARK_BUFFER("98")), \
    JOB_F(id, "16", buffer), JOB_F("1" id, "16", buffer), "")
// clang-format on

enum { JOB_TEST_FILES = 4 };

// Files that were read; `names` are "0", "1" ... .
typedef struct ark_test_job {
    hoist_file files[JOB_TEST_FILES];
    size_t count;
} ark_test_job;

// Opens texts up to the first NULL; findings of reading go to `diag`.
hoist_status ark_test_job_open(const char *const *texts, hoist_allocator alloc,
                               hoist_deadline *deadline, hoist_diag *diag, ark_test_job *out_job);
void ark_test_job_close(ark_test_job *job);

// The findings of ark_check_job, in the order of files and places: "0:7:13 X04a sentence; ...".
hoist_str ark_test_job_findings(hoist_test *t, const char *const *texts);

// The findings of `part` of a text: "7:13 M70 sentence; ...". Reading finds no error.
hoist_str ark_test_sentences(hoist_test *t, const char *text, ark_check_part *part);

#endif // HOIST_SRC_FORMATS_ARK_JOB_TESTING_H
