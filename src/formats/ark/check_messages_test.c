// Communication of one file: each rule from M70 to M78 with files that break it, and with files
// that do not.
#include "formats/ark/job_testing.h"

// clang-format off
#define R(nodes) JOB_RANK("0", "2", nodes)
#define R3(nodes) JOB_RANK("0", "3", nodes)
#define NEXT ",\n"
#define F JOB_F
#define SEND(in, in_buffer, to_buffer) \
    JOB_OP("Send", F("1", in, in_buffer), F("2", in, to_buffer), F("3", in, to_buffer), "")
#define RECV(from_buffer, in_buffer) \
    JOB_OP("Recv", F("1", "16", from_buffer), F("2", "16", in_buffer), F("3", "16", in_buffer), "")
#define AT ARK_BUFFER_AT
// 16 float32 to rank 1 as packets of `size` bytes, and back.
#define U8(id, size, of, buffer) ARK_TENSOR(id, "UINT8", size, of, "0", size, buffer)
#define SEND_PACKET(size, flag) JOB_OP("SendPacket", F("1", "16", ARK_BUFFER("1")), \
    U8("2", size, size, JOB_TO("1", "4")), U8("3", size, size, JOB_TO("1", "4")), JOB_FLAG(flag))
#define RECV_PACKET(size, of, flag) JOB_OP("RecvPacket", \
    F("1", "16", AT("1", "1", "", "")) "," U8("2", size, of, JOB_IN("1", "4")), \
    F("3", "16", ARK_BUFFER("3")), F("4", "16", ARK_BUFFER("3")), JOB_FLAG(flag))
#define BYTES_PACKET(count, size) JOB_OP("SendPacket", \
    ARK_TENSOR("1", "UINT8", count, count, "0", count, ARK_BUFFER("1")), \
    U8("2", size, size, JOB_TO("1", "4")), U8("3", size, size, JOB_TO("1", "4")), JOB_FLAG("1"))
// A reduction of rank 0 over 16 float32, with proxies as given.
#define SCRATCH(tags) AT("5", "-1", "", tags)
#define PROXY(id, r) F(id, "16", AT(id, r, "", "[-1,7]"))
#define ARGS(peers, rank) "\"NPeers\":{\"UINT32\":" peers "},\"Rank\":{\"INT\":" rank "}"
#define REDUCE(scratch, tags, proxies, args) JOB_OP("RecvReduceSend", \
    F("1", "16", ARK_BUFFER("1")) "," F("2", scratch, SCRATCH(tags)), \
    F("3", "16", ARK_BUFFER("3")) "," proxies, F("4", "16", ARK_BUFFER("3")), args)
#define REDUCE_PACKET(size) JOB_OP("RecvReduceSendPacket", \
    F("1", "16", ARK_BUFFER("1")) "," U8("2", size, "512", SCRATCH("[1,6],[2,6]")), \
    F("3", "16", ARK_BUFFER("3")) "," U8("21", "128", "128", AT("21", "1", "", "[-1,7]")) "," \
    U8("22", "128", "128", AT("22", "2", "", "[-1,7]")), \
    F("4", "16", ARK_BUFFER("3")), JOB_FLAG("1") "," ARGS("2", "0"))
#define BOTH PROXY("21", "1") "," PROXY("22", "2")
#define TAGS "[1,6],[2,6]"
// A Send of a part of an array, on a channel.
#define PART(id, buffer) ARK_TENSOR(id, "FP32", "8", "16", "0", "8", buffer)
#define SEND_PART JOB_OP("Send", PART("1", JOB_OUT("1", "4")), \
    F("2", "8", JOB_TO("1", "4")), F("3", "8", JOB_TO("1", "4")), "")
#define ROWS(id, buffer) ARK_TENSOR(id, "FP32", "1,2,2,2", "3,2,2,2", "0,0,0,0", "1,2,2,2", buffer)
#define SEND_ROWS JOB_OP("Send", ROWS("1", JOB_OUT("1", "4")), \
    ROWS("2", JOB_TO("1", "4")), ROWS("3", JOB_TO("1", "4")), "")

static const struct {
    const char *name;
    const char *text;
    const char *findings;
} cases[] = {
    {"all of them", R(JOB_SEND("1", "4") NEXT JOB_DONE("1", "4") NEXT JOB_RECV("1", "5") NEXT JOB_SYNC("1")), ""},
    // M70.
    {"to itself", R(SEND("16", JOB_OUT("0", "4"), AT("2", "0", "", "[-1,4]"))), "2:56 M70 Send: buffer 2 is memory of rank 0, expected another rank than 0 below 2"},
    {"to the last rank", JOB_RANK("1", "3", SEND("16", JOB_OUT("2", "4"), AT("2", "2", "", "[-1,4]"))), ""},
    {"to a rank that there is not", R(SEND("16", JOB_OUT("2", "4"), AT("2", "2", "", "[-1,4]"))), "2:56 M70 Send: buffer 2 is memory of rank 2, expected another rank than 0 below 2"},
    {"from itself", R(RECV(ARK_BUFFER("1"), JOB_IN("1", "4"))), "2:56 M70 Recv: buffer 1 is memory of rank 0, expected another rank than 0 below 2"},
    {"without a tag", R(SEND("16", JOB_OUT("1", "4"), AT("2", "1", "", ""))), "2:56 M70 Send: the RecvTags of the proxy buffer 2 do not name this rank, expected [-1, tag]"},
    {"with the number of the rank", R(SEND("16", JOB_OUT("1", "4"), AT("2", "1", "", "[0,4]"))), ""},
    {"scratch is elsewhere", R(JOB_OP("RecvPacket", F("1", "16", AT("1", "1", "", "")) ","
        U8("2", "128", "256", AT("2", "1", "", "[1,4]")), F("3", "16", ARK_BUFFER("3")),
        F("4", "16", ARK_BUFFER("3")), JOB_FLAG("1"))), "2:56 M70 RecvPacket: it receives in buffer 2, which is memory of another rank, expected its own"},
    // M71.
    {"no tag in common", R(SEND("16", JOB_OUT("1", "5"), JOB_TO("1", "4"))), "2:56 M71 Send: no tag connects it with rank 1 (RecvTags of the proxy that are SendTags of the input, too), expected one"},
    {"two tags in common", R(SEND("16", AT("1", "-1", "[1,4],[1,5]", ""), AT("2", "1", "", "[-1,4],[-1,5]"))), "2:56 M71 Send: several tags connect it with rank 1 (RecvTags of the proxy that are SendTags of the input, too), expected one"},
    {"one of two in common", R(SEND("16", AT("1", "-1", "[1,4],[1,6]", ""), AT("2", "1", "", "[-1,4],[-1,5]"))), ""},
    {"received without a tag", R(RECV(JOB_FROM("1", "4"), JOB_IN("1", "5"))), "2:56 M71 Recv: no tag connects it with rank 1 (SendTags of the proxy that are RecvTags of the destination, too), expected one"},
    {"two senders of packets", R(JOB_OP("SendPacket", F("1", "16", ARK_BUFFER("1")),
        U8("2", "128", "128", AT("2", "1", "", "[-1,4],[-1,5]")),
        U8("3", "128", "128", AT("2", "1", "", "[-1,4],[-1,5]")), JOB_FLAG("1"))), "2:56 M71 SendPacket: several tags connect it with rank 1 (RecvTags of the proxy), expected one"},
    // M72.
    {"two buffers for a tag", R(JOB_RECV("1", "4") NEXT RECV(AT("8", "1", "[-1,4]", ""), AT("9", "-1", "", "[1,4]"))), "9:157 M72 buffers 314 and 9 both have [1, 4] in their RecvTags, expected one of them"},
    {"two buffers for two tags", R(JOB_RECV("1", "4") NEXT RECV(AT("8", "1", "[-1,5]", ""), AT("9", "-1", "", "[1,5]"))), ""},
    {"two buffers from which is sent", R(JOB_SEND("1", "4") NEXT SEND("16", AT("8", "-1", "[1,4]", ""), AT("9", "1", "", "[-1,4]"))), ""},
    // M73.
    {"packets", R(SEND_PACKET("128", "1") NEXT JOB_RECV_PACKET("1", "5", "1")), ""},
    {"packets are too small", R(SEND_PACKET("127", "1")), "2:56 M73a SendPacket: tensor 2 has 127 bytes for packets of 64 bytes, expected 128"},
    {"packets are too large", R(SEND_PACKET("129", "1")), "2:56 M73a SendPacket: tensor 2 has 129 bytes for packets of 64 bytes, expected 128"},
    {"scratch is too small", R(RECV_PACKET("124", "256", "1")), "2:56 M73a RecvPacket: tensor 2 has 124 bytes for packets of 64 bytes, expected 128"},
    {"payload of 6 bytes", R(BYTES_PACKET("6", "12")), "2:56 M73a SendPacket: the payload has 6 bytes, expected a multiple of 4"},
    {"payload of 8 bytes", R(BYTES_PACKET("8", "16")), ""},
    {"flag 0", R(SEND_PACKET("128", "0")), "6:16 M73b SendPacket: the flag of the packets is 0, which memory has before they arrive"},
    {"one scratch", R(RECV_PACKET("128", "255", "1")), "2:56 M73c 1 operator receives packets of every run with one flag in one place"},
    {"two scratches", R(RECV_PACKET("128", "256", "1")), ""},
    {"reduction of packets", R3(REDUCE_PACKET("256")), ""},
    {"scratch of one peer", R3(REDUCE_PACKET("128")), "2:56 M73a RecvReduceSendPacket: tensor 2 has 128 bytes for packets of 128 bytes, expected 256"},
    // M74.
    {"a reduction", R3(REDUCE("32", TAGS, BOTH, ARGS("2", "0"))), ""},
    {"another number of peers", R3(REDUCE("32", TAGS, BOTH, ARGS("1", "0"))), "6:18 M74 RecvReduceSend: NPeers is 1 and it writes 2 proxies, expected the same number up to 7"},
    {"one proxy is missing", R3(REDUCE("16", TAGS, PROXY("21", "1"), ARGS("1", "0"))), "2:56 M74 RecvReduceSend: its proxies are not those of the 2 other ranks in ascending order"},
    {"in another order", R3(REDUCE("32", TAGS, PROXY("21", "2") "," PROXY("22", "1"), ARGS("2", "0"))), "2:56 M74 RecvReduceSend: its proxies are not those of the 2 other ranks in ascending order"},
    {"of another rank", R3(REDUCE("32", TAGS, BOTH, ARGS("2", "1"))), "6:38 M74 RecvReduceSend: Rank is 1, expected 0 as of the file"},
    {"a part is missing in the scratch", R3(REDUCE("31", TAGS, BOTH, ARGS("2", "0"))), "2:56 M74 RecvReduceSend: the scratch has 31 elements, expected 16 for each of 2 peers"},
    // M75.
    {"a part of an array", R(SEND_PART), "2:56 M75 Send: tensor 1 is a part of its array in the last three dimensions, which the channel Proxy does not copy"},
    {"a batch of an array", R(SEND_ROWS), ""},
    // M76.
    {"overwritten before SendDone", R(JOB_SEND("1", "4") NEXT JOB_RELU("50", JOB_OUT("1", "4")) NEXT JOB_DONE("1", "4")), "2:56 M76 Send: Relu overwrites what it sends, before a SendDone"},
    {"overwritten after SendDone", R(JOB_SEND("1", "4") NEXT JOB_DONE("1", "4") NEXT JOB_RELU("50", JOB_OUT("1", "4"))), ""},
    {"the SendDone of another", R(JOB_SEND("1", "4") NEXT JOB_SEND("1", "5") NEXT JOB_DONE("1", "5") NEXT
                                  JOB_RELU("50", JOB_OUT("1", "4"))), "2:56 M76 Send: Relu overwrites what it sends, before a SendDone"},
    {"another buffer is overwritten", R(JOB_SEND("1", "4") NEXT JOB_RELU("50", ARK_BUFFER("50"))), ""},
    // M77.
    {"one rank", JOB_RANK("0", "1", JOB_SYNC("0")), "2:56 M77 DeviceSync: WorldSize is 1, expected 2 or more for communication"},
    {"too few peers", R3(JOB_SYNC("1")), "6:19 M77 DeviceSync: PeerNum is 1, expected 2, one less than WorldSize"},
    {"all peers", R3(JOB_SYNC("2")), ""},
    // M78.
    {"external with a tag", R(SEND("16", "{\"Id\":1,\"Rank\":-1,\"IsExternal\":true,\"SendTags\":[[1,4]],\"RecvTags\":[]}",
                                   "{\"Id\":2,\"Rank\":1,\"IsExternal\":false,\"SendTags\":[],\"RecvTags\":[[-1,4]]}")), "3:112 M78 the external buffer 1 has 1 tag, expected none"},
    {"not external", R(SEND("16", "{\"Id\":1,\"Rank\":-1,\"IsExternal\":false,\"SendTags\":[[1,4]],\"RecvTags\":[]}",
                                   "{\"Id\":2,\"Rank\":1,\"IsExternal\":false,\"SendTags\":[],\"RecvTags\":[[-1,4]]}")), ""},
};
// clang-format on

HOIST_TEST_TABLE(findings, cases)
{
    HOIST_EXPECT_STR(t, ark_test_sentences(t, row->text, ark_check_messages), row->findings);
}

#define RICH                                                                                       \
    R(JOB_SEND("1", "4") NEXT JOB_RELU("50", JOB_OUT("1", "4")) NEXT JOB_RECV("1", "5")            \
          NEXT RECV_PACKET("128", "128", "0"))

HOIST_TEST(memory)
{
    ark_test_starve(t, RICH, ark_check_messages);
}

HOIST_TEST(time_is_over)
{
    ark_test_cancel(t, RICH, ark_check_messages);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(findings), HOIST_TEST_ROW(memory), HOIST_TEST_ROW(time_is_over))
