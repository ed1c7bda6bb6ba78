// The rules of a job with files that break each, and with files that break none: file, place and
// sentence of each finding.
#include "base/alloc.h"
#include "formats/ark/check_job.h"
#include "formats/ark/plan_testing.h"

// clang-format off
#define R(rank, nodes) JOB_RANK(rank, "2", nodes)
#define R3(rank, nodes) JOB_RANK(rank, "3", nodes)
#define NEXT ",\n"
// To rank 1 with the tag 4; from rank 0 with the tag 4.
#define TARGET(id, type, n, of, from) ARK_TENSOR(id, type, n, of, from, n, JOB_TO("1", "4"))
#define SEND_INTO(type, n, of, from) JOB_OP("Send", JOB_F("1", "16", JOB_OUT("1", "4")), \
    TARGET("2", type, n, of, from), TARGET("3", type, n, of, from), "")
#define SQUARE(id) TARGET(id, "FP32", "4,4", "4,4", "0,0")
#define RECV_IN(of, from) JOB_OP("Recv", JOB_F("1", "16", JOB_FROM("0", "4")), \
    ARK_TENSOR("2", "FP32", "16", of, from, "16", JOB_IN("0", "4")), \
    ARK_TENSOR("3", "FP32", "16", of, from, "16", JOB_IN("0", "4")), "")
// Plans of two ranks, of operators in groups.
#define SENT PLAN_OP("Send", JOB_F("1", "16", JOB_OUT("1", "4")), JOB_F("2", "16", JOB_TO("1", "4")), \
    JOB_F("3", "16", JOB_TO("1", "4")), "", "\"NumTasks\":1,\"ChannelType\":\"Sm\",\"Signal\":true")
#define GOT_IF(wait) PLAN_OP("Recv", JOB_F("4", "16", JOB_FROM("1", "5")), JOB_F("5", "16", JOB_IN("1", "5")), \
    JOB_F("6", "16", JOB_IN("1", "5")), "", "\"NumTasks\":1,\"ChannelType\":\"Sm\",\"Wait\":" wait)
#define GOT GOT_IF("true")
#define P(tasks, groups) PLAN_RANK("0", "2", "ANY", tasks, groups)
#define GOT_SENT PLAN_TASK("0", GOT) NEXT PLAN_TASK("1", SENT)
#define FIRST(processors) PLAN_RUN(processors, "0", "1")
#define SECOND(processors) PLAN_RUN(processors, "1", "1")
#define PEER R("1", JOB_RECV("0", "4") NEXT JOB_SEND("0", "5"))
// A model of two operators, and plans of some of them.
#define M_RELU(from, to) JOB_OP("Relu", PLAN_F("1" from, from), PLAN_F("1" to, to), PLAN_F("2" to, to), "")
#define MODEL JOB_RANK("0", "1", M_RELU("1", "2") NEXT M_RELU("3", "4"))
#define P_RELU(id, from, to) PLAN_TASK(id, PLAN_RELU(from, to, "2"))
#define P_RUN(id) PLAN_RUN("0,2", id, "2")

static const struct {
    const char *name;
    const char *texts[JOB_TEST_FILES + 1];
    const char *findings;
} cases[] = {
    {"one rank alone", {JOB_RANK("0", "1", "")}, ""},
    {"two ranks", {R("0", JOB_SEND("1", "4")), R("1", JOB_RECV("0", "4"))}, ""},
    {"files in another order", {R("1", JOB_RECV("0", "4")), R("0", JOB_SEND("1", "4"))}, ""},
    // X01.
    {"one is missing", {R("0", "")}, "0:1:23 X01 WorldSize is 2, and there is no file of rank 1"},
    {"several are missing", {JOB_RANK("3", "20", ""), JOB_RANK("1", "20", "")}, "0:1:23 X01 WorldSize is 20, and there is no file of ranks 0, 2, 4, 5, 6, 7, 8, 9 and 10 others"},
    {"nine are missing", {JOB_RANK("0", "10", "")}, "0:1:23 X01 WorldSize is 10, and there is no file of ranks 1, 2, 3, 4, 5, 6, 7, 8 and 1 other"},
    {"eight are missing", {JOB_RANK("0", "9", "")}, "0:1:23 X01 WorldSize is 9, and there is no file of ranks 1, 2, 3, 4, 5, 6, 7, 8"},
    {"a rank twice", {R("0", ""), R("1", ""), R("0", "")}, "2:1:9 X01 '0' is a file of rank 0, too, expected each rank once"},
    {"other worlds", {R("0", ""), R3("1", "")}, "1:1:23 X01 WorldSize is 3, expected 2 as in '0'"},
    // X02.
    {"tags are not paired", {R("0", JOB_SEND("1", "4")), R("1", JOB_RECV("0", "5"))}, "0:4:160 X02 buffer 214 is a proxy for one of rank 1 with the tag 4, and none there has [0, 4] in its RecvTags; 1:3:145 X02 buffer 405 is a proxy for one of rank 0 with the tag 5, and none there has [1, 5] in its SendTags"},
    {"a put without tag there", {R("0", JOB_SEND("1", "4")), R("1", "")}, "0:4:160 X02 buffer 214 is a proxy for one of rank 1 with the tag 4, and none there has [0, 4] in its RecvTags"},
    {"its file is missing", {R3("0", JOB_SEND("1", "4")), R3("2", "")}, "0:1:23 X01 WorldSize is 3, and there is no file of rank 1"},
    // X03.
    {"both receive first", {R("0", JOB_RECV("1", "4") NEXT JOB_SEND("1", "5")),
                            R("1", JOB_RECV("0", "5") NEXT JOB_SEND("0", "4"))}, "0:2:56 X03 each rank waits for the next one, forever: rank 0 at Recv for tag 4 from rank 1, rank 1 at Recv for tag 5 from rank 0"},
    {"one sends first", {R("0", JOB_SEND("1", "5") NEXT JOB_RECV("1", "4")),
                         R("1", JOB_RECV("0", "5") NEXT JOB_SEND("0", "4"))}, ""},
    {"three in a circle", {R3("0", JOB_RECV("2", "4") NEXT JOB_SEND("1", "4")),
                           R3("1", JOB_RECV("0", "4") NEXT JOB_SEND("2", "4")),
                           R3("2", JOB_RECV("1", "4") NEXT JOB_SEND("0", "4"))}, "0:2:56 X03 each rank waits for the next one, forever: rank 0 at Recv for tag 4 from rank 2, rank 2 at Recv for tag 4 from rank 1, rank 1 at Recv for tag 4 from rank 0"},
    {"two of three in a circle", {R3("0", JOB_RECV("1", "4")),
                           R3("1", JOB_RECV("2", "4") NEXT JOB_SEND("0", "4")),
                           R3("2", JOB_RECV("1", "5") NEXT JOB_SEND("1", "4"))}, "2:3:145 X02 buffer 415 is a proxy for one of rank 1 with the tag 5, and none there has [2, 5] in its SendTags"},
    {"a barrier before the send", {R("0", JOB_RECV("1", "4") NEXT JOB_SYNC("1")),
                                   R("1", JOB_SYNC("1") NEXT JOB_SEND("0", "4"))}, "0:2:56 X03 each rank waits for the next one, forever: rank 0 at Recv for tag 4 from rank 1, rank 1 at DeviceSync for rank 0"},
    {"a barrier after the send", {R("0", JOB_RECV("1", "4") NEXT JOB_SYNC("1")),
                                  R("1", JOB_SEND("0", "4") NEXT JOB_SYNC("1"))}, ""},
    {"two barriers", {R("0", JOB_SYNC("1") NEXT JOB_SYNC("1")), R("1", JOB_SYNC("1") NEXT JOB_SYNC("1"))}, ""},
    // X04.
    {"one sent, two received", {R("0", JOB_SEND("1", "4")),
                                R("1", JOB_RECV("0", "4") NEXT JOB_RECV("0", "4"))}, "1:7:56 X04a Recv: 2 messages are received from rank 0 with the tag 4 and 1 is sent in '0', so it waits forever"},
    {"one sent, three received", {R("0", JOB_SEND("1", "4")),
                                R("1", JOB_RECV("0", "4") NEXT JOB_RECV("0", "4") NEXT JOB_RECV("0", "4"))}, "1:7:56 X04a Recv: 3 messages are received from rank 0 with the tag 4 and 1 is sent in '0', so it waits forever"},
    {"two sent, one received", {R("0", JOB_SEND("1", "4") NEXT JOB_SEND("1", "4")),
                                R("1", JOB_RECV("0", "4"))}, "0:7:56 X04b Send: 2 messages are sent to rank 1 with the tag 4 and 1 is received in '1'"},
    {"two and two", {R("0", JOB_SEND("1", "4") NEXT JOB_SEND("1", "4")),
                     R("1", JOB_RECV("0", "4") NEXT JOB_RECV("0", "4"))}, ""},
    // X05, X10.
    {"tags are crossed", {R("0", JOB_SEND("1", "4") NEXT JOB_SEND("1", "5")),
                          R("1", JOB_RECV("0", "5") NEXT JOB_RECV("0", "4"))}, "0:2:56 X10 each rank would wait for the next one if a Send waited for its receiver: rank 0 at Send of tag 4 to rank 1, rank 1 at Recv for tag 5 from rank 0; 1:2:56 X05 Recv: it is receiver 1 of messages of rank 0 and has the tag 5; message 1 has the tag 4"},
    {"both send first", {R("0", JOB_SEND("1", "4") NEXT JOB_RECV("1", "4")),
                         R("1", JOB_SEND("0", "4") NEXT JOB_RECV("0", "4"))}, "0:2:56 X10 each rank would wait for the next one if a Send waited for its receiver: rank 0 at Send of tag 4 to rank 1, rank 1 at Send of tag 4 to rank 0"},
    // X06.
    {"fewer elements are expected", {R("0", JOB_SEND("1", "4")), R("1", JOB_RECV_N("0", "4", "15"))}, "0:2:56 X06 Send: it sends 16 elements of FP32, and Recv of rank 1 expects 15 of FP32"},
    {"more elements are expected", {R("0", JOB_SEND("1", "4")), R("1", JOB_RECV_N("0", "4", "17"))}, "0:2:56 X06 Send: it sends 16 elements of FP32, and Recv of rank 1 expects 17 of FP32"},
    {"data for packets", {R("0", JOB_SEND("1", "4")), R("1", JOB_RECV_PACKET("0", "4", "1"))}, "0:2:56 X06 Send: it sends data without flags, and RecvPacket of rank 1 expects packets"},
    {"another type", {R("0", JOB_SEND("1", "4")), R("1", JOB_OP("Recv", JOB_F("1", "16", JOB_FROM("0", "4")),
        ARK_TENSOR("2", "INT32", "16", "16", "0", "16", JOB_IN("0", "4")),
        ARK_TENSOR("3", "INT32", "16", "16", "0", "16", JOB_IN("0", "4")), ""))}, "0:2:56 X06 Send: it sends 16 elements of FP32, and Recv of rank 1 expects 16 of INT32"},
    {"a region of another size", {R("0", SEND_INTO("FP32", "15", "15", "0")), R("1", JOB_RECV("0", "4"))}, "0:2:56 X06 Send: it sends 16 elements of FP32 into a region of 15 of FP32"},
    {"a region of another type", {R("0", SEND_INTO("INT32", "16", "16", "0")), R("1", JOB_RECV("0", "4"))}, "0:2:56 X06 Send: it sends 16 elements of FP32 into a region of 16 of INT32"},
    {"after the end of the buffer", {R("0", SEND_INTO("FP32", "16", "17", "1")), R("1", JOB_RECV("0", "4"))}, "0:2:56 X06 Send: the message ends at byte 68 of buffer 304 of rank 1, which has 64"},
    // X07.
    {"another region", {R("0", SEND_INTO("FP32", "16", "32", "16")), R("1", RECV_IN("32", "0"))}, "1:2:56 X07 Recv: tensor 2 is bytes 0 to 64 of buffer 304, and rank 0 fills other ones, 64 to 128"},
    {"the same region", {R("0", SEND_INTO("FP32", "16", "32", "16")), R("1", RECV_IN("32", "16"))}, ""},
    {"the same region in another shape", {R("0", JOB_OP("Send", JOB_F("1", "16", JOB_OUT("1", "4")),
        SQUARE("2"), SQUARE("3"), "")), R("1", JOB_RECV("0", "4"))}, ""},
    // X08.
    {"one barrier more", {R("0", JOB_SYNC("1") NEXT JOB_SYNC("1")), R("1", JOB_SYNC("1"))}, "0:7:56 X08 DeviceSync: rank 0 has 2 DeviceSyncs and rank 1 has 1, so this one waits forever"},
    {"one barrier less", {R("0", ""), R("1", JOB_SYNC("1"))}, "1:2:56 X08 DeviceSync: rank 1 has 1 DeviceSync and rank 0 has 0, so this one waits forever"},
    // P15.
    {"the plan of a model", {MODEL, PLAN(P_RELU("0", "1", "2") NEXT P_RELU("1", "3", "4"), P_RUN("0") NEXT P_RUN("1"))}, ""},
    {"an operator is missing", {MODEL, PLAN(P_RELU("0", "3", "4"), P_RUN("0"))}, "0:2:56 P15 Relu is not in the plan '1'"},
    {"an operator is not executed", {MODEL, PLAN(P_RELU("0", "1", "2") NEXT P_RELU("1", "3", "4"), P_RUN("0"))}, "0:7:56 P15 Relu is not in the plan '1'"},
    {"an operator is added", {PLAN(P_RELU("0", "1", "2") NEXT P_RELU("1", "3", "4") NEXT P_RELU("2", "5", "6"),
        P_RUN("0") NEXT P_RUN("1") NEXT P_RUN("2")), MODEL}, "0:4:43 P15 Relu is not in the model '1'"},
    {"other tensors", {MODEL, PLAN(P_RELU("0", "1", "2") NEXT P_RELU("1", "5", "4"), P_RUN("0") NEXT P_RUN("1"))}, "0:7:56 P15 Relu is not in the plan '1'; 1:3:43 P15 Relu is not in the model '0'"},
    {"the order is another", {MODEL, PLAN(P_RELU("0", "1", "2") NEXT P_RELU("1", "3", "4"), P_RUN("1") NEXT P_RUN("0"))}, "1:3:43 P15 Relu comes before Relu, which is before it in '0'"},
    // P17, and X03 where the processors do not help.
    {"the send in front", {P(GOT_SENT, SECOND("0,1") NEXT FIRST("0,1")), PEER}, ""},
    {"the send on other processors", {P(GOT_SENT, FIRST("0,1") NEXT SECOND("1,2")), PEER}, "0:2:43 P17 each rank waits for the next one when its groups are executed one after the other: rank 0 at Recv for tag 5 from rank 1, rank 1 at Recv for tag 4 from rank 0"},
    {"the send on the same processors", {P(GOT_SENT, FIRST("0,1") NEXT SECOND("0,2")), PEER}, "0:2:43 X03 each rank waits for the next one, forever: rank 0 at Recv for tag 5 from rank 1, rank 1 at Recv for tag 4 from rank 0"},
    {"the send in one group, elsewhere", {P(GOT_SENT, PLAN_GROUP("0,2",
        PLAN_PART("0,1", "0,16", "0,0", PLAN_USE("0", "0,1")) "," PLAN_PART("1,2", "0,16", "0,0", PLAN_USE("1", "0,1")))), PEER}, "0:2:43 P17 each rank waits for the next one when its groups are executed one after the other: rank 0 at Recv for tag 5 from rank 1, rank 1 at Recv for tag 4 from rank 0"},
    {"the send in one group, later", {P(GOT_SENT, PLAN_GROUP("0,2",
        PLAN_PART("0,1", "0,16", "0,0", PLAN_USE("0", "0,1")) "," PLAN_PART("0,1", "0,16", "0,0", PLAN_USE("1", "0,1")))), PEER}, "0:2:43 X03 each rank waits for the next one, forever: rank 0 at Recv for tag 5 from rank 1, rank 1 at Recv for tag 4 from rank 0"},
    {"the send in one part of a processor", {P(GOT_SENT, PLAN_GROUP("0,2",
        PLAN_PART("0,1", "0,16", "0,0", PLAN_USE("0", "0,1") "," PLAN_USE("1", "0,1")))), PEER}, "0:2:43 X03 each rank waits for the next one, forever: rank 0 at Recv for tag 5 from rank 1, rank 1 at Recv for tag 4 from rank 0"},
    {"the send in one part of two processors", {P(GOT_SENT, PLAN_GROUP("0,2",
        PLAN_PART("0,2", "0,16", "0,0", PLAN_USE("0", "0,1") "," PLAN_USE("1", "0,1")))), PEER}, "0:2:43 P17 each rank waits for the next one when its groups are executed one after the other: rank 0 at Recv for tag 5 from rank 1, rank 1 at Recv for tag 4 from rank 0"},
    {"the send after a receiver that does not wait", {P(PLAN_TASK("0", GOT_IF("false")) NEXT PLAN_TASK("1", SENT),
        FIRST("0,1") NEXT SECOND("0,2")), PEER}, ""},
    // X09.
    {"packets", {R("0", JOB_SEND_PACKET("1", "4", "1")), R("1", JOB_RECV_PACKET("0", "4", "1"))}, ""},
    {"another flag", {R("0", JOB_SEND_PACKET("1", "4", "1")), R("1", JOB_RECV_PACKET("0", "4", "2"))}, "1:2:56 X09 RecvPacket: it waits for packets with the flag 2, and SendPacket of rank 0 sends 1"},
};
// clang-format on

HOIST_TEST_TABLE(findings, cases)
{
    HOIST_EXPECT_STR(t, ark_test_job_findings(t, row->texts), row->findings);
}

// What all sources of a job's check need, without memory and without time.
static const char *const rich[] = {
    R("0", JOB_SEND("1", "4") NEXT JOB_SEND("1", "5") NEXT JOB_RECV("1", "4") NEXT JOB_SYNC("1")),
    R("1", JOB_RECV("0", "5") NEXT JOB_SEND("0", "4") NEXT JOB_RECV("0", "4") NEXT JOB_SYNC("1")),
    NULL};

static const char *const planned[] = {P(GOT_SENT, FIRST("0,1") NEXT SECOND("1,2")), PEER,
                                      R("0", JOB_SYNC("1")), NULL};

static hoist_status check_rich(hoist_allocator alloc, const void *self)
{
    ark_test_job job;
    hoist_status status = ark_test_job_open(self, alloc, NULL, NULL, &job);
    if (status == HOIST_OK) {
        status = ark_check_job(job.files, job.count, NULL, NULL);
    }
    ark_test_job_close(&job);
    return status;
}

HOIST_TEST(memory)
{
    hoist_test_starve(t, check_rich, rich);
    hoist_test_starve(t, check_rich, planned);
}

HOIST_TEST(time_is_over)
{
    hoist_deadline *deadline = NULL;
    HOIST_EXPECT_EQ(t, hoist_deadline_create(hoist_allocator_system(), -1, &deadline), HOIST_OK);
    ark_test_job job;
    HOIST_EXPECT_EQ(t, ark_test_job_open(rich, hoist_allocator_system(), deadline, NULL, &job),
                    HOIST_OK);
    hoist_deadline_cancel(deadline);
    HOIST_EXPECT_EQ(t, ark_check_job(job.files, job.count, NULL, NULL), HOIST_CANCELLED);
    ark_test_job_close(&job);
    hoist_deadline_destroy(deadline);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(findings), HOIST_TEST_ROW(memory), HOIST_TEST_ROW(time_is_over))
