// Messages between ranks: fifos, where data lands, sums, barriers, and puts that no operator
// receives.
#include "lower/ark/job_testing.h"

// clang-format off
#define PLAIN(peers) "{\"NPeers\":{\"UINT32\":" peers "},\"Rank\":{\"INT\":0}}"
#define FLAG(flag) "{\"Flag\":{\"UINT32\":" flag "}}"
#define SYNC "{\"PeerNum\":{\"INT\":1},\"Rank\":{\"INT\":0}}"

static const struct {
    const char *name;
    const char *ops[ARK_JOB_MAX_FILES];
    enum { MODEL, PLAN, CONCURRENT } kind;
    const char *text; // fifos and threads
} cases[] = {
    {"a message", {
        "buffer 0 send 1#7;Send:s f32[4]@0 > f32[4]@9>1#7;SendDone f32[4]@9>1#7",
        "buffer 3 recv 0#7;Recv:r f32[4]@8<0#7 > f32[4]@3"}, MODEL,
     "fifo rank0-rank1/7 queue of u8[16] slots 1 in [rank0-rank1/7.memory] slot_bytes 64\n"
     "thread rank0 {\n"
     "s: reserve rank0-rank1/7\n"
     "s: move copy from [rank0/b0 f32[4]] to write(rank0-rank1/7) f32[4]\n"
     "s: push rank0-rank1/7 by 1\n"
     "}\n"
     "thread rank1 home 1 {\n"
     "r: await rank0-rank1/7\n"
     "r: move copy from [read(rank0-rank1/7) f32[4]] to rank1/b3 f32[4]\n"
     "r: advance rank0-rank1/7 by 1\n"
     "r: pop rank0-rank1/7 by 1\n"
     "}\n"},
    {"a message that is added", {
        "buffer 0 send 1#7;Send f32[4]@0 > f32[4]@9>1#7",
        "buffer 3 recv 0#7;Recv:r f32[4]@8<0#7 > f32[4]@3;Noop f32[4]@3;Add:a f32[4]@3 f32[4]@4 > f32[4]@4;Relu f32[4]@4 > f32[4]@4"}, MODEL,
     "fifo rank0-rank1/7 queue of u8[16] slots 1 in [rank0-rank1/7.memory] slot_bytes 64\n"
     "thread rank0 {\n"
     "reserve rank0-rank1/7\n"
     "move copy from [rank0/b0 f32[4]] to write(rank0-rank1/7) f32[4]\n"
     "push rank0-rank1/7 by 1\n"
     "}\n"
     "thread rank1 home 1 {\n"
     "r: await rank0-rank1/7\n"
     "r: move copy from [read(rank0-rank1/7) f32[4]] to rank1/b3 f32[4]\n"
     "a: compute ark.add from [rank1/b3 f32[4], rank1/b4 f32[4]] to [rank1/b4 f32[4]]\n"
     "r: advance rank0-rank1/7 by 1\n"
     "r: pop rank0-rank1/7 by 1\n"
     "compute ark.relu from [rank1/b4 f32[4]] to [rank1/b4 f32[4]]\n"
     "}\n"},
    {"the sender's geometry", {
        "buffer 0 send 1#-7;Send f16[4]@0 > f16[2,2:4,8+1,4]@9>1#-7",
        "buffer 3 recv 0#-7;Recv f16[2,2:4,8]@8<0#-7 > f16[2,2:4,8]@3"}, MODEL,
     "fifo rank0-rank1/-7 queue of u8[8] slots 1 in [rank0-rank1/-7.memory] slot_bytes 64\n"
     "thread rank0 {\n"
     "reserve rank0-rank1/-7\n"
     "move copy from [rank0/b0 f16[4]] to write(rank0-rank1/-7) f16[4]\n"
     "push rank0-rank1/-7 by 1\n"
     "}\n"
     "thread rank1 home 1 {\n"
     "await rank0-rank1/-7\n"
     "move copy from [read(rank0-rank1/-7) f16[2, 2]] to rank1/b3 f16[2, 2] by [16, 2] + 24\n"
     "advance rank0-rank1/-7 by 1\n"
     "pop rank0-rank1/-7 by 1\n"
     "}\n"},
    {"two with one tag", {
        "buffer 0 send 1#7;Send f32[2,3]@0 > f32[2,3:2,8]@9>1#7;Send f32[2]@0 > f32[2:16+8]@9>1#7",
        "buffer 3 recv 0#7;Recv f32[2]@8<0#7 > f32[2:16]@3;Recv f32[2]@8<0#7 > f32[2:16]@3"}, MODEL,
     "fifo rank0-rank1/7 queue of u8[24] slots 2 in [rank0-rank1/7.memory] slot_bytes 64\n"
     "thread rank0 {\n"
     "reserve rank0-rank1/7\n"
     "move copy from [rank0/b0 f32[2, 3]] to write(rank0-rank1/7) f32[2, 3]\n"
     "push rank0-rank1/7 by 1\n"
     "reserve rank0-rank1/7\n"
     "move copy from [rank0/b0 f32[2]] to write(rank0-rank1/7) f32[2]\n"
     "push rank0-rank1/7 by 1\n"
     "}\n"
     "thread rank1 home 1 {\n"
     "await rank0-rank1/7\n"
     "move copy from [read(rank0-rank1/7) f32[2, 3]] to rank1/b3 f32[2, 3] by [32, 4]\n"
     "advance rank0-rank1/7 by 1\n"
     "pop rank0-rank1/7 by 1\n"
     "await rank0-rank1/7\n"
     "move copy from [read(rank0-rank1/7) f32[2]] to rank1/b3 f32[2] + 32\n"
     "advance rank0-rank1/7 by 1\n"
     "pop rank0-rank1/7 by 1\n"
     "}\n"},
    {"two tags", {
        "buffer 0 send 1#7;buffer 1 send 1#8;Send f32[2]@0 > f32[2]@9>1#7;Send f32[2]@1 > f32[2]@10>1#8",
        "buffer 3 recv 0#7;buffer 4 recv 0#8;Recv f32[2]@12<0#8 > f32[2]@4;Recv f32[2]@11<0#7 > f32[2]@3"}, MODEL,
     "fifo rank0-rank1/7 queue of u8[8] slots 1 in [rank0-rank1/7.memory] slot_bytes 64\n"
     "fifo rank0-rank1/8 queue of u8[8] slots 1 in [rank0-rank1/8.memory] slot_bytes 64\n"
     "thread rank0 {\n"
     "reserve rank0-rank1/7\n"
     "move copy from [rank0/b0 f32[2]] to write(rank0-rank1/7) f32[2]\n"
     "push rank0-rank1/7 by 1\n"
     "reserve rank0-rank1/8\n"
     "move copy from [rank0/b1 f32[2]] to write(rank0-rank1/8) f32[2]\n"
     "push rank0-rank1/8 by 1\n"
     "}\n"
     "thread rank1 home 1 {\n"
     "await rank0-rank1/8\n"
     "move copy from [read(rank0-rank1/8) f32[2]] to rank1/b4 f32[2]\n"
     "advance rank0-rank1/8 by 1\n"
     "pop rank0-rank1/8 by 1\n"
     "await rank0-rank1/7\n"
     "move copy from [read(rank0-rank1/7) f32[2]] to rank1/b3 f32[2]\n"
     "advance rank0-rank1/7 by 1\n"
     "pop rank0-rank1/7 by 1\n"
     "}\n"},
    {"packets", {
        "SendPacket f32[2,2]@0 > u8[32]@9>1#7 " FLAG("1"),
        "buffer 5 recv 0#7;RecvPacket u8[32]@8>0 u8[32]@5 > f32[4:8+2]@3 " FLAG("1")}, MODEL,
     "fifo rank0-rank1/7 queue of u8[16] slots 1 in [rank0-rank1/7.memory] slot_bytes 64\n"
     "thread rank0 {\n"
     "reserve rank0-rank1/7\n"
     "move copy from [rank0/b0 f32[2, 2]] to write(rank0-rank1/7) f32[2, 2]\n"
     "push rank0-rank1/7 by 1\n"
     "}\n"
     "thread rank1 home 1 {\n"
     "await rank0-rank1/7\n"
     "move copy from [read(rank0-rank1/7) f32[4]] to rank1/b3 f32[4] + 8\n"
     "advance rank0-rank1/7 by 1\n"
     "pop rank0-rank1/7 by 1\n"
     "}\n"},
    {"packets that nothing receives", {
        "SendPacket f32[4]@0 > u8[32]@9>1#7 " FLAG("1"),
        "buffer 5 recv 0#7;Noop u8[32]@5"}, MODEL,
     "thread rank0 {\n"
     "}\n"
     "thread rank1 home 1 {\n"
     "}\n"},
    {"sums of packets", {
        "buffer 5 recv 1#7;buffer 6 recv 1#8;SendPacket f16[4:8+4]@0 > u8[16]@9>1#7 " FLAG("1") ";"
        "RecvReduceSendPacket f16[4:8]@0 u8[16]@5 > f16[4:8]@0 u8[16]@10>1#8 " PLAIN("1") ";"
        "RecvPacket u8[16]@11>1 u8[16]@6 > f16[4:8+4]@0 " FLAG("1"),
        "buffer 5 recv 0#7;buffer 6 recv 0#8;SendPacket f16[4:8]@0 > u8[16]@9>0#7 " FLAG("1") ";"
        "RecvReduceSendPacket f16[4:8+4]@0 u8[16]@5 > f16[4:8+4]@0 u8[16]@10>0#8 " PLAIN("1") ";"
        "RecvPacket u8[16]@11>0 u8[16]@6 > f16[4:8]@0 " FLAG("1")}, MODEL,
     "fifo rank0-rank1/7 queue of u8[8] slots 1 in [rank0-rank1/7.memory] slot_bytes 64\n"
     "fifo rank0-rank1/8 queue of u8[8] slots 1 in [rank0-rank1/8.memory] slot_bytes 64\n"
     "fifo rank1-rank0/7 queue of u8[8] slots 1 in [rank1-rank0/7.memory] slot_bytes 64\n"
     "fifo rank1-rank0/8 queue of u8[8] slots 1 in [rank1-rank0/8.memory] slot_bytes 64\n"
     "thread rank0 {\n"
     "reserve rank0-rank1/7\n"
     "move copy from [rank0/b0 f16[4] + 8] to write(rank0-rank1/7) f16[4]\n"
     "push rank0-rank1/7 by 1\n"
     "await rank1-rank0/7\n"
     "compute ark.add from [rank0/b0 f16[4], read(rank1-rank0/7) f16[4]] to [rank0/b0 f16[4]]\n"
     "advance rank1-rank0/7 by 1\n"
     "pop rank1-rank0/7 by 1\n"
     "reserve rank0-rank1/8\n"
     "move copy from [rank0/b0 f16[4]] to write(rank0-rank1/8) f16[4]\n"
     "push rank0-rank1/8 by 1\n"
     "await rank1-rank0/8\n"
     "move copy from [read(rank1-rank0/8) f16[4]] to rank0/b0 f16[4] + 8\n"
     "advance rank1-rank0/8 by 1\n"
     "pop rank1-rank0/8 by 1\n"
     "}\n"
     "thread rank1 home 1 {\n"
     "reserve rank1-rank0/7\n"
     "move copy from [rank1/b0 f16[4]] to write(rank1-rank0/7) f16[4]\n"
     "push rank1-rank0/7 by 1\n"
     "await rank0-rank1/7\n"
     "compute ark.add from [rank1/b0 f16[4] + 8, read(rank0-rank1/7) f16[4]] to [rank1/b0 f16[4] + 8]\n"
     "advance rank0-rank1/7 by 1\n"
     "pop rank0-rank1/7 by 1\n"
     "reserve rank1-rank0/8\n"
     "move copy from [rank1/b0 f16[4] + 8] to write(rank1-rank0/8) f16[4]\n"
     "push rank1-rank0/8 by 1\n"
     "await rank0-rank1/8\n"
     "move copy from [read(rank0-rank1/8) f16[4]] to rank1/b0 f16[4]\n"
     "advance rank0-rank1/8 by 1\n"
     "pop rank0-rank1/8 by 1\n"
     "}\n"},
    {"sums of plain data", {
        "buffer 0 send 1#7 recv 1#8;buffer 5 recv 1#7;Send f32[2:4+2]@0 > f32[2]@9>1#7;DeviceSync f32[4]@0 > f32[4]@0 " SYNC ";"
        "RecvReduceSend f32[2:4]@0 f32[2]@5 > f32[2:4]@0 f32[2:4]@10>1#8 " PLAIN("1") ";Recv f32[2]@11<1#8 > f32[2:4]@0;"
        "DeviceSync f32[4]@0 > f32[4]@0 " SYNC,
        "buffer 0 send 0#7 recv 0#8;buffer 5 recv 0#7;Send f32[2:4]@0 > f32[2]@9>0#7;DeviceSync f32[4]@0 > f32[4]@0 " SYNC ";"
        "RecvReduceSend f32[2:4+2]@0 f32[2]@5 > f32[2:4+2]@0 f32[2:4+2]@10>0#8 " PLAIN("1") ";Recv f32[2]@11<0#8 > f32[2:4+2]@0;"
        "DeviceSync f32[4]@0 > f32[4]@0 " SYNC}, MODEL,
     "fifo rank0-rank1/7 queue of u8[8] slots 1 in [rank0-rank1/7.memory] slot_bytes 64\n"
     "fifo rank0-rank1/8 queue of u8[8] slots 1 in [rank0-rank1/8.memory] slot_bytes 64\n"
     "fifo rank1-rank0/7 queue of u8[8] slots 1 in [rank1-rank0/7.memory] slot_bytes 64\n"
     "fifo rank1-rank0/8 queue of u8[8] slots 1 in [rank1-rank0/8.memory] slot_bytes 64\n"
     "thread rank0 {\n"
     "reserve rank0-rank1/7\n"
     "move copy from [rank0/b0 f32[2] + 8] to write(rank0-rank1/7) f32[2]\n"
     "push rank0-rank1/7 by 1\n"
     "collective barrier group 0 members 2 rank 0\n"
     "await rank1-rank0/7\n"
     "move copy from [read(rank1-rank0/7) f32[2]] to rank0/b5 f32[2]\n"
     "compute ark.add from [rank0/b0 f32[2], read(rank1-rank0/7) f32[2]] to [rank0/b0 f32[2]]\n"
     "advance rank1-rank0/7 by 1\n"
     "pop rank1-rank0/7 by 1\n"
     "reserve rank0-rank1/8\n"
     "move copy from [rank0/b0 f32[2]] to write(rank0-rank1/8) f32[2]\n"
     "push rank0-rank1/8 by 1\n"
     "await rank1-rank0/8\n"
     "move copy from [read(rank1-rank0/8) f32[2]] to rank0/b0 f32[2] + 8\n"
     "advance rank1-rank0/8 by 1\n"
     "pop rank1-rank0/8 by 1\n"
     "collective barrier group 0 members 2 rank 0\n"
     "}\n"
     "thread rank1 home 1 {\n"
     "reserve rank1-rank0/7\n"
     "move copy from [rank1/b0 f32[2]] to write(rank1-rank0/7) f32[2]\n"
     "push rank1-rank0/7 by 1\n"
     "collective barrier group 0 members 2 rank 1\n"
     "await rank0-rank1/7\n"
     "move copy from [read(rank0-rank1/7) f32[2]] to rank1/b5 f32[2]\n"
     "compute ark.add from [rank1/b0 f32[2] + 8, read(rank0-rank1/7) f32[2]] to [rank1/b0 f32[2] + 8]\n"
     "advance rank0-rank1/7 by 1\n"
     "pop rank0-rank1/7 by 1\n"
     "reserve rank1-rank0/8\n"
     "move copy from [rank1/b0 f32[2] + 8] to write(rank1-rank0/8) f32[2]\n"
     "push rank1-rank0/8 by 1\n"
     "await rank0-rank1/8\n"
     "move copy from [read(rank0-rank1/8) f32[2]] to rank1/b0 f32[2]\n"
     "advance rank0-rank1/8 by 1\n"
     "pop rank0-rank1/8 by 1\n"
     "collective barrier group 0 members 2 rank 1\n"
     "}\n"},
    {"a sum over a part of its input", {
        "buffer 5 recv 1#7;RecvReduceSendPacket f32[4:5]@0 u8[32]@5 > f32[4:5+1]@0 u8[32]@10>1#8 " PLAIN("1"),
        "buffer 6 recv 0#8;SendPacket f32[4]@0 > u8[32]@9>0#7 " FLAG("1") ";RecvPacket u8[32]@11>0 u8[32]@6 > f32[4]@1 " FLAG("1")}, MODEL,
     "fifo rank0-rank1/8 queue of u8[16] slots 1 in [rank0-rank1/8.memory] slot_bytes 64\n"
     "fifo rank1-rank0/7 queue of u8[16] slots 1 in [rank1-rank0/7.memory] slot_bytes 64\n"
     "thread rank0 {\n"
     "move copy from [rank0/b0 f32[4]] to rank0/b0 f32[4] + 4\n"
     "await rank1-rank0/7\n"
     "compute ark.add from [rank0/b0 f32[4] + 4, read(rank1-rank0/7) f32[4]] to [rank0/b0 f32[4] + 4]\n"
     "advance rank1-rank0/7 by 1\n"
     "pop rank1-rank0/7 by 1\n"
     "reserve rank0-rank1/8\n"
     "move copy from [rank0/b0 f32[4] + 4] to write(rank0-rank1/8) f32[4]\n"
     "push rank0-rank1/8 by 1\n"
     "}\n"
     "thread rank1 home 1 {\n"
     "reserve rank1-rank0/7\n"
     "move copy from [rank1/b0 f32[4]] to write(rank1-rank0/7) f32[4]\n"
     "push rank1-rank0/7 by 1\n"
     "await rank0-rank1/8\n"
     "move copy from [read(rank0-rank1/8) f32[4]] to rank1/b1 f32[4]\n"
     "advance rank0-rank1/8 by 1\n"
     "pop rank0-rank1/8 by 1\n"
     "}\n"},
    {"puts that nothing receives", {
        "buffer 0 send 1#7 send 1#8;Send:a f32[2]@0 > f32[2]@9>1#7;DeviceSync f32[2]@0 > f32[2]@0 " SYNC ";Send:b f32[2]@0 > f32[2]@10>1#8",
        "buffer 3 recv 0#7;buffer 4 recv 0#8;Exp f32[2]@3 > f32[2]@5;DeviceSync:d f32[2]@4 > f32[2]@4 " SYNC ";Exp f32[2]@4 > f32[2]@5"}, MODEL,
     "fifo rank0-rank1/puts queue of u8[8] slots 2 in [rank0-rank1/puts.memory] slot_bytes 64\n"
     "thread rank0 {\n"
     "a: reserve rank0-rank1/puts\n"
     "a: move copy from [rank0/b0 f32[2]] to write(rank0-rank1/puts) f32[2]\n"
     "a: push rank0-rank1/puts by 1\n"
     "collective barrier group 0 members 2 rank 0\n"
     "b: reserve rank0-rank1/puts\n"
     "b: move copy from [rank0/b0 f32[2]] to write(rank0-rank1/puts) f32[2]\n"
     "b: push rank0-rank1/puts by 1\n"
     "}\n"
     "thread rank1 home 1 {\n"
     "compute ark.exp from [rank1/b3 f32[2]] to [rank1/b5 f32[2]]\n"
     "d: collective barrier group 0 members 2 rank 1\n"
     "a: await rank0-rank1/puts\n"
     "a: move copy from [read(rank0-rank1/puts) f32[2]] to rank1/b3 f32[2]\n"
     "a: advance rank0-rank1/puts by 1\n"
     "a: pop rank0-rank1/puts by 1\n"
     "compute ark.exp from [rank1/b4 f32[2]] to [rank1/b5 f32[2]]\n"
     "b: await rank0-rank1/puts\n"
     "b: move copy from [read(rank0-rank1/puts) f32[2]] to rank1/b4 f32[2]\n"
     "b: advance rank0-rank1/puts by 1\n"
     "b: pop rank0-rank1/puts by 1\n"
     "}\n"},
    {"a receipt that does not wait", {
        "buffer 0 send 1#7;Send f32[2]@0 > f32[2]@9>1#7 {} {\"ChannelType\":\"Sm\",\"Signal\":false};DeviceSync f32[2]@0 > f32[2]@0 " SYNC " {\"ChannelType\":\"Sm\"}",
        "buffer 3 recv 0#7;Recv f32[2]@8<0#7 > f32[2]@3 {} {\"ChannelType\":\"Sm\",\"Wait\":false};DeviceSync:d f32[2]@3 > f32[2]@3 " SYNC " {\"ChannelType\":\"Sm\"}"}, PLAN,
     "fifo rank0-rank1/puts queue of u8[8] slots 1 in [rank0-rank1/puts.memory] slot_bytes 64\n"
     "thread rank0 {\n"
     "reserve rank0-rank1/puts\n"
     "move copy from [rank0/b0 f32[2]] to write(rank0-rank1/puts) f32[2]\n"
     "push rank0-rank1/puts by 1\n"
     "collective barrier group 0 members 2 rank 0\n"
     "}\n"
     "thread rank1 home 1 {\n"
     "d: collective barrier group 0 members 2 rank 1\n"
     "await rank0-rank1/puts\n"
     "move copy from [read(rank0-rank1/puts) f32[2]] to rank1/b3 f32[2]\n"
     "advance rank0-rank1/puts by 1\n"
     "pop rank0-rank1/puts by 1\n"
     "}\n"},
    {"what waits comes after what others wait for", {
        "buffer 5 recv 1#7;RecvPacket u8[16]@8>1 u8[16]@5 > f32[2]@3 " FLAG("1") ";SendPacket f32[2]@0 > u8[16]@9>1#7 " FLAG("1"),
        "buffer 5 recv 0#7;RecvPacket u8[16]@8>0 u8[16]@5 > f32[2]@3 " FLAG("1") ";SendPacket f32[2]@0 > u8[16]@9>0#7 " FLAG("1")}, CONCURRENT,
     "fifo rank0-rank1/7 queue of u8[8] slots 1 in [rank0-rank1/7.memory] slot_bytes 64\n"
     "fifo rank1-rank0/7 queue of u8[8] slots 1 in [rank1-rank0/7.memory] slot_bytes 64\n"
     "thread rank0 {\n"
     "reserve rank0-rank1/7\n"
     "move copy from [rank0/b0 f32[2]] to write(rank0-rank1/7) f32[2]\n"
     "push rank0-rank1/7 by 1\n"
     "await rank1-rank0/7\n"
     "move copy from [read(rank1-rank0/7) f32[2]] to rank0/b3 f32[2]\n"
     "advance rank1-rank0/7 by 1\n"
     "pop rank1-rank0/7 by 1\n"
     "}\n"
     "thread rank1 home 1 {\n"
     "await rank0-rank1/7\n"
     "move copy from [read(rank0-rank1/7) f32[2]] to rank1/b3 f32[2]\n"
     "advance rank0-rank1/7 by 1\n"
     "pop rank0-rank1/7 by 1\n"
     "reserve rank1-rank0/7\n"
     "move copy from [rank1/b0 f32[2]] to write(rank1-rank0/7) f32[2]\n"
     "push rank1-rank0/7 by 1\n"
     "}\n"},
};

static const struct {
    const char *name;
    const char *ops[ARK_JOB_MAX_FILES];
    const char *says;
} refusals[] = {
    {"a proxy of other size", {
        "buffer 0 send 1#7;Send:s f32[2]@0 > f32[4]@9>1#7",
        "buffer 3 recv 0#7;Recv:r f32[2]@8<0#7 > f32[2]@3"}, "r (Recv): the message has 8 bytes, its destination 16"},
    {"packets for a larger tensor", {
        "SendPacket f32[2]@0 > u8[16]@9>1#7 " FLAG("1"),
        "buffer 5 recv 0#7;RecvPacket:r u8[16]@8>0 u8[16]@5 > f32[3]@3 " FLAG("1")}, "r (RecvPacket): the message has 8 bytes, its destination 12"},
    {"a sum of another size", {
        "buffer 5 recv 1#7;RecvReduceSendPacket:r f32[2]@0 u8[32]@5 > f32[4]@1 u8[32]@10>1#8 " PLAIN("1"),
        "buffer 6 recv 0#8;SendPacket f32[4]@0 > u8[32]@9>0#7 " FLAG("1") ";RecvPacket u8[32]@11>0 u8[32]@6 > f32[4]@1 " FLAG("1")},
     "r (RecvReduceSendPacket): its input has 8 bytes, its output 16"},
    {"a sum of messages of another size", {
        "buffer 5 recv 1#7;RecvReduceSendPacket:r f32[2]@0 u8[32]@5 > f32[2]@1 u8[16]@10>1#8 " PLAIN("1"),
        "buffer 6 recv 0#8;SendPacket f32[4]@0 > u8[32]@9>0#7 " FLAG("1") ";RecvPacket u8[16]@11>0 u8[16]@6 > f32[2]@1 " FLAG("1")},
     "r (RecvReduceSendPacket): the message has 16 bytes, its destination 8"},
    {"a sum in another rank's memory", {
        "buffer 5 recv 1#7;RecvReduceSendPacket:r f32[2]@0 u8[16]@5 > f32[2]@1>1 u8[16]@10>1#8 " PLAIN("1"),
        "buffer 6 recv 0#8;SendPacket f32[2]@0 > u8[16]@9>0#7 " FLAG("1") ";RecvPacket u8[16]@11>0 u8[16]@6 > f32[2]@1 " FLAG("1")},
     "r (RecvReduceSendPacket): its input and output are not memory of the rank"},
};
// clang-format on

HOIST_TEST_TABLE(messages_are_fifos, cases)
{
    ark_job_text job = {.is_plan = row->kind != MODEL, .is_concurrent = row->kind == CONCURRENT};
    for (int i = 0; i < ARK_JOB_MAX_FILES; i++) {
        job.ops[i] = row->ops[i];
    }
    ark_job_expect(t, &job, "fifo|thread", row->text);
}

HOIST_TEST_TABLE(messages_that_do_not_fit_are_refused, refusals)
{
    ark_job_text job = {.is_plan = false};
    hoist_program *program = NULL;
    for (int i = 0; i < ARK_JOB_MAX_FILES; i++) {
        job.ops[i] = row->ops[i];
    }
    HOIST_EXPECT_EQ(t, ark_job_lower(t, &job, NULL, &program), HOIST_UNSUPPORTED);
    HOIST_EXPECT_RULE(t, "RUN-043");
    if (hoist_diag_kept(t->diag)) {
        HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 0)->message, row->says);
    }
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(messages_are_fifos),
                HOIST_TEST_ROW(messages_that_do_not_fit_are_refused))
