// Codes of waiting and updating (neff reference section 5.1) with their text (5.6): one row each.
//
// stream_decode.c takes the typed part of a row, stream_disasm.c and stream_assemble.c its text, in
// which '#' is the index and '%' the value. No two texts match the same word.
#include "formats/neff/stream_internal.h"

// clang-format off
#define IS(...) .wait = {__VA_ARGS__}  // the member of neff_event_row's union
#define DOES(...) .update = {__VA_ARGS__}
// Bit 7 of a code is "compare with a register": 0x81 is 0x01 with one.
const neff_event_row neff_waits[NEFF_EVENT_ROWS] = {
    {0x00, "",             IS(.kind = NEFF_WAIT_NONE)},
    {0x01, "$S[#]==%",     IS(.kind = NEFF_WAIT_SEMAPHORE, .compare = NEFF_EQ)},
    {0x02, "$S[#]<%",      IS(.kind = NEFF_WAIT_SEMAPHORE, .compare = NEFF_LT)},
    {0x03, "$S[#]<=%",     IS(.kind = NEFF_WAIT_SEMAPHORE, .compare = NEFF_LE)},
    {0x04, "$S[#]>%",      IS(.kind = NEFF_WAIT_SEMAPHORE, .compare = NEFF_GT)},
    {0x05, "$S[#]>=%",     IS(.kind = NEFF_WAIT_SEMAPHORE, .compare = NEFF_GE)},
    // Events have two states; 7 and 15 also set them to the opposite as soon as the wait ends.
    {0x06, "$E[#]",        IS(.kind = NEFF_WAIT_EVENT, .state = true)},
    {0x07, "$E[#]&clear",  IS(.kind = NEFF_WAIT_EVENT, .state = true, .then = true)},
    {0x0e, "!$E[#]",       IS(.kind = NEFF_WAIT_EVENT)},
    {0x0f, "!$E[#]&set",   IS(.kind = NEFF_WAIT_EVENT, .then = true)},
    {0x81, "$S[#]==$R[%]", IS(.kind = NEFF_WAIT_SEMAPHORE, .compare = NEFF_EQ, .by_register = true)},
    {0x82, "$S[#]<$R[%]",  IS(.kind = NEFF_WAIT_SEMAPHORE, .compare = NEFF_LT, .by_register = true)},
    {0x83, "$S[#]<=$R[%]", IS(.kind = NEFF_WAIT_SEMAPHORE, .compare = NEFF_LE, .by_register = true)},
    {0x84, "$S[#]>$R[%]",  IS(.kind = NEFF_WAIT_SEMAPHORE, .compare = NEFF_GT, .by_register = true)},
    {0x85, "$S[#]>=$R[%]", IS(.kind = NEFF_WAIT_SEMAPHORE, .compare = NEFF_GE, .by_register = true)},
    // Not a wait at all: the instruction may overtake earlier ones.
    {0xfe, "unordered",    IS(.kind = NEFF_WAIT_UNORDERED)},
};

// Bit 4 is "at completion", without it "when the operands have been read". Codes 3 and 4 carry their
// value (1) in the row; 5 and up take the value word of the record.
const neff_event_row neff_updates[NEFF_EVENT_ROWS] = {
    {0x00, "",                      DOES(.kind = NEFF_UPDATE_NONE)},
    {0x01, "$E[#]=1@read",          DOES(.kind = NEFF_UPDATE_EVENT, .state = true, .at_read = true)},
    {0x02, "$E[#]=0@read",          DOES(.kind = NEFF_UPDATE_EVENT, .at_read = true)},
    {0x03, "$S[#]++@read",          DOES(.kind = NEFF_UPDATE_ADD, .value = 1, .at_read = true)},
    {0x04, "$S[#]--@read",          DOES(.kind = NEFF_UPDATE_SUB, .value = 1, .at_read = true)},
    {0x05, "$S[#]+=%@read",         DOES(.kind = NEFF_UPDATE_ADD, .at_read = true)},
    {0x07, "$S[#]-=%@read",         DOES(.kind = NEFF_UPDATE_SUB, .at_read = true)},
    {0x09, "$S[#]=%@read",          DOES(.kind = NEFF_UPDATE_SET, .at_read = true)},
    {0x11, "$E[#]=1@complete",      DOES(.kind = NEFF_UPDATE_EVENT, .state = true)},
    {0x12, "$E[#]=0@complete",      DOES(.kind = NEFF_UPDATE_EVENT)},
    {0x13, "$S[#]++@complete",      DOES(.kind = NEFF_UPDATE_ADD, .value = 1)},
    {0x14, "$S[#]--@complete",      DOES(.kind = NEFF_UPDATE_SUB, .value = 1)},
    {0x15, "$S[#]+=%@complete",     DOES(.kind = NEFF_UPDATE_ADD)},
    {0x17, "$S[#]-=%@complete",     DOES(.kind = NEFF_UPDATE_SUB)},
    {0x19, "$S[#]=%@complete",      DOES(.kind = NEFF_UPDATE_SET)},
    {0x99, "$S[#]=$R[%]@complete",  DOES(.kind = NEFF_UPDATE_SET, .by_register = true)},
};
// clang-format on

// A linear search: most records wait for nothing or update nothing, which is row 0.
static const neff_event_row *find(const neff_event_row *rows, uint8_t code)
{
    size_t i = 0;
    while (i < NEFF_EVENT_ROWS && rows[i].code != code) {
        i++;
    }
    return i < NEFF_EVENT_ROWS ? &rows[i] : NULL;
}

const char *neff_event_text(const neff_event_row *rows, uint8_t code)
{
    const neff_event_row *row = find(rows, code);
    return row ? row->text : NULL;
}

neff_wait neff_wait_decode(uint8_t code, uint8_t index, uint32_t value)
{
    const neff_event_row *row = find(neff_waits, code);
    neff_wait wait = row ? row->wait : (neff_wait){.kind = NEFF_WAIT_UNKNOWN};
    wait.index = index;
    wait.value = value;
    return wait;
}

neff_update neff_update_decode(uint8_t code, uint8_t index, uint32_t value)
// A code outside the table is UNKNOWN and keeps its bytes, which the disassembler prints as
// .record.
{
    const neff_event_row *row = find(neff_updates, code);
    neff_update update = row ? row->update : (neff_update){.kind = NEFF_UPDATE_UNKNOWN};
    update.index = index;
    // The row's own 1 of ++ and -- wins over the value word, which belongs to the wait then.
    if (update.value == 0) {
        update.value = value;
    }
    return update;
}
