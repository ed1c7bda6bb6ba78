// Codes of waiting and updating (neff reference section 5.1) with their text (5.6): one row each.
#include "base/span.h"
#include "formats/neff/stream_internal.h"

typedef struct wait_row {
    uint8_t code;
    const char *text;
    neff_wait wait; // without index and value
} wait_row;

typedef struct update_row {
    uint8_t code;
    const char *text;
    neff_update update; // without index; `value` where the code says it
} update_row;

// clang-format off
static const wait_row waits[] = {
    {0x00, "",             {.kind = NEFF_WAIT_NONE}},
    {0x01, "$S[#]==%",     {.kind = NEFF_WAIT_SEMAPHORE, .compare = NEFF_EQ}},
    {0x02, "$S[#]<%",      {.kind = NEFF_WAIT_SEMAPHORE, .compare = NEFF_LT}},
    {0x03, "$S[#]<=%",     {.kind = NEFF_WAIT_SEMAPHORE, .compare = NEFF_LE}},
    {0x04, "$S[#]>%",      {.kind = NEFF_WAIT_SEMAPHORE, .compare = NEFF_GT}},
    {0x05, "$S[#]>=%",     {.kind = NEFF_WAIT_SEMAPHORE, .compare = NEFF_GE}},
    {0x06, "$E[#]",        {.kind = NEFF_WAIT_EVENT, .state = true}},
    {0x07, "$E[#]&clear",  {.kind = NEFF_WAIT_EVENT, .state = true, .then = true}},
    {0x0e, "!$E[#]",       {.kind = NEFF_WAIT_EVENT}},
    {0x0f, "!$E[#]&set",   {.kind = NEFF_WAIT_EVENT, .then = true}},
    {0x81, "$S[#]==$R[%]", {.kind = NEFF_WAIT_SEMAPHORE, .compare = NEFF_EQ, .by_register = true}},
    {0x82, "$S[#]<$R[%]",  {.kind = NEFF_WAIT_SEMAPHORE, .compare = NEFF_LT, .by_register = true}},
    {0x83, "$S[#]<=$R[%]", {.kind = NEFF_WAIT_SEMAPHORE, .compare = NEFF_LE, .by_register = true}},
    {0x84, "$S[#]>$R[%]",  {.kind = NEFF_WAIT_SEMAPHORE, .compare = NEFF_GT, .by_register = true}},
    {0x85, "$S[#]>=$R[%]", {.kind = NEFF_WAIT_SEMAPHORE, .compare = NEFF_GE, .by_register = true}},
    {0xfe, "unordered",    {.kind = NEFF_WAIT_UNORDERED}},
};

static const update_row updates[] = {
    {0x00, "",                      {.kind = NEFF_UPDATE_NONE}},
    {0x01, "$E[#]=1@read",          {.kind = NEFF_UPDATE_EVENT, .state = true, .at_read = true}},
    {0x02, "$E[#]=0@read",          {.kind = NEFF_UPDATE_EVENT, .at_read = true}},
    {0x03, "$S[#]++@read",          {.kind = NEFF_UPDATE_ADD, .value = 1, .at_read = true}},
    {0x04, "$S[#]--@read",          {.kind = NEFF_UPDATE_SUB, .value = 1, .at_read = true}},
    {0x05, "$S[#]+=%@read",         {.kind = NEFF_UPDATE_ADD, .at_read = true}},
    {0x07, "$S[#]-=%@read",         {.kind = NEFF_UPDATE_SUB, .at_read = true}},
    {0x09, "$S[#]=%@read",          {.kind = NEFF_UPDATE_SET, .at_read = true}},
    {0x11, "$E[#]=1@complete",      {.kind = NEFF_UPDATE_EVENT, .state = true}},
    {0x12, "$E[#]=0@complete",      {.kind = NEFF_UPDATE_EVENT}},
    {0x13, "$S[#]++@complete",      {.kind = NEFF_UPDATE_ADD, .value = 1}},
    {0x14, "$S[#]--@complete",      {.kind = NEFF_UPDATE_SUB, .value = 1}},
    {0x15, "$S[#]+=%@complete",     {.kind = NEFF_UPDATE_ADD}},
    {0x17, "$S[#]-=%@complete",     {.kind = NEFF_UPDATE_SUB}},
    {0x19, "$S[#]=%@complete",      {.kind = NEFF_UPDATE_SET}},
    {0x99, "$S[#]=$R[%]@complete",  {.kind = NEFF_UPDATE_SET, .by_register = true}},
};
// clang-format on

static const wait_row *wait_find(uint8_t code)
{
    for (size_t i = 0; i < HOIST_COUNT_OF(waits); i++) {
        if (waits[i].code == code) {
            return &waits[i];
        }
    }
    return NULL;
}

static const update_row *update_find(uint8_t code)
{
    for (size_t i = 0; i < HOIST_COUNT_OF(updates); i++) {
        if (updates[i].code == code) {
            return &updates[i];
        }
    }
    return NULL;
}

const char *neff_wait_text(uint8_t code)
{
    const wait_row *row = wait_find(code);
    return row ? row->text : NULL;
}

const char *neff_update_text(uint8_t code)
{
    const update_row *row = update_find(code);
    return row ? row->text : NULL;
}

neff_wait neff_wait_decode(uint8_t code, uint8_t index, uint32_t value)
{
    const wait_row *row = wait_find(code);
    neff_wait wait = row ? row->wait : (neff_wait){.kind = NEFF_WAIT_UNKNOWN};
    wait.index = index;
    wait.value = value;
    return wait;
}

neff_update neff_update_decode(uint8_t code, uint8_t index, uint32_t value)
{
    const update_row *row = update_find(code);
    neff_update update = row ? row->update : (neff_update){.kind = NEFF_UPDATE_UNKNOWN};
    update.index = index;
    if (update.value == 0) {
        update.value = value;
    }
    return update;
}

bool neff_wait_at(size_t i, uint8_t *out_code, const char **out_text)
{
    const wait_row *row = &waits[i < HOIST_COUNT_OF(waits) ? i : 0];
    *out_code = row->code;
    *out_text = row->text;
    return i < HOIST_COUNT_OF(waits);
}

bool neff_update_at(size_t i, uint8_t *out_code, const char **out_text)
{
    const update_row *row = &updates[i < HOIST_COUNT_OF(updates) ? i : 0];
    *out_code = row->code;
    *out_text = row->text;
    return i < HOIST_COUNT_OF(updates);
}
