// Bytes of a record to typed parts (neff reference sections 5.1 and 5.2).
//
// In go 64 bytes and the generation, which decides where the operands begin; out come the structs
// of stream.h. Any bytes decode: what is out of range keeps its value, and check_records.c and
// check_streams.c report it. Callers ask only for the part that the opcode's form has.
#include <stdio.h>
#include <string.h>

#include "formats/neff/stream_internal.h"

// The unsigned integer of `size` bytes at `at` of the long form; on generation 1 four bytes lower.
static uint64_t field(const neff_record *record, size_t at, size_t size)
{
    return neff_load(record->bytes + neff_place_of(at, record->payload), size);
}

static uint8_t byte_of(const neff_record *record, size_t at)
{
    return (uint8_t)field(record, at, 1);
}

// A NUL-padded text of at most `most` bytes; one that fills its field has no NUL. A slice of the
// record, so it lives as long as the member.
static hoist_str text_of(const neff_record *record, size_t at, size_t most)
{
    const char *text = (const char *)record->bytes + neff_place_of(at, record->payload);
    return (hoist_str){text, strnlen(text, most)};
}

neff_record neff_record_decode(const uint8_t *bytes, int generation)
{
    // Mode and index of the wait, then of the update.
    const uint8_t *events = bytes + NEFF_AT_EVENTS;
    neff_record record = {
        .bytes = bytes,
        .opcode = bytes[NEFF_AT_OPCODE],
        .words = bytes[NEFF_AT_WORDS],
        .debug_cmd = bytes[NEFF_AT_DEBUG_CMD],
        .debug_hint = bytes[NEFF_AT_DEBUG_HINT],
        .payload = neff_operands_at(generation),
    };
    if (generation == NEFF_GEN1) { // codes of its events are not public
        record.wait.kind = events[0] || events[1] ? NEFF_WAIT_UNKNOWN : NEFF_WAIT_NONE;
        record.update.kind = events[2] || events[3] ? NEFF_UPDATE_UNKNOWN : NEFF_UPDATE_NONE;
        return record; // `value` stays 0: operands begin there
    }
    // One word serves both parts: a record cannot compare with one immediate and add another.
    record.value = (uint32_t)neff_load(bytes + NEFF_AT_VALUE, 4);
    record.wait = neff_wait_decode(events[0], events[1], record.value);
    record.update = neff_update_decode(events[2], events[3], record.value);
    return record;
}

neff_trigger neff_trigger_of(const neff_record *record)
{
    return (neff_trigger){
        .queue = text_of(record, NEFF_AT_QUEUE, NEFF_QUEUE_BYTES),
        // Any other value than 0 means a raw count to the loader; only 0 and 1 have a text.
        .use_raw_count = field(record, NEFF_AT_USE_RAW_COUNT, 4) != 0,
        // A count of ring entries with use_raw_count.
        .block_id = (uint32_t)field(record, NEFF_AT_BLOCK, 4),
    };
}

neff_collective neff_collective_of(const neff_record *record)
{
    return (neff_collective){
        .op = byte_of(record, NEFF_AT_COLLECTIVE_OP),
        .dtype = byte_of(record, NEFF_AT_COLLECTIVE_DTYPE),
        .group_id = (uint16_t)field(record, NEFF_AT_COLLECTIVE_GROUP, 2),
        .input = (uint32_t)field(record, NEFF_AT_COLLECTIVE_INPUT, 4),
        .output = (uint32_t)field(record, NEFF_AT_COLLECTIVE_OUTPUT, 4),
        .elements = field(record, NEFF_AT_COLLECTIVE_ELEMENTS, 8),
        .kind = byte_of(record, NEFF_AT_COLLECTIVE_KIND),
        .input_offset = field(record, NEFF_AT_COLLECTIVE_INPUT_OFFSET, 8),
        .output_offset = field(record, NEFF_AT_COLLECTIVE_OUTPUT_OFFSET, 8),
    };
}

neff_second neff_second_of(const neff_record *record)
{
    // In the extended half each part has a value word of its own, unlike in the common part.
    const uint8_t *events = record->bytes + NEFF_AT_SECOND_EVENTS;
    neff_second second = {
        .wait = neff_wait_decode(events[0], events[1],
                                 (uint32_t)field(record, NEFF_AT_SECOND_WAIT_VALUE, 4)),
        .update = neff_update_decode(events[2], events[3],
                                     (uint32_t)field(record, NEFF_AT_SECOND_UPDATE_VALUE, 4)),
    };
    // Present when any byte of it is set: 0 in both modes is a wait for nothing and no update.
    for (size_t at = NEFF_AT_SECOND_EVENTS; at < NEFF_AT_SECOND_END; at++) {
        second.present |= record->bytes[at] != 0;
    }
    return second;
}

neff_moves neff_moves_of(const neff_record *record)
{
    neff_moves moves = {
        .count = byte_of(record, NEFF_AT_MOVE_COUNT),
        .dtype = byte_of(record, NEFF_AT_MOVE_DTYPE),
        .immediate = byte_of(record, NEFF_AT_MOVE_SOURCE) != 0,
    };
    // All eight slots are read, used or not: callers look at the first `count` alone.
    for (size_t i = 0; i < NEFF_MOVES; i++) {
        moves.source[i] = byte_of(record, NEFF_AT_MOVE_SOURCES + i);
        moves.destination[i] = byte_of(record, NEFF_AT_MOVE_TARGETS + i);
        moves.number[i] = (uint32_t)field(record, NEFF_AT_MOVE_NUMBERS + 4 * i, 4);
    }
    return moves;
}

// Dtypes of a MOVE by ISA code: INT32, UINT32, FP32. It copies 32 bits, whatever they mean.
enum { LEAST_MOVED = 8, MOST_MOVED = 10 };

// How often the first `count` of the registers are this one.
static unsigned times(const uint8_t *registers, size_t count, uint8_t number)
{
    unsigned found = 0;
    for (size_t i = 0; i < count; i++) {
        found += registers[i] == number;
    }
    return found;
}

// In the order of the record's bytes; the first fault is the one reported.
bool neff_moves_fault(const neff_record *record, char *buffer, size_t size)
{
    const neff_moves moves = neff_moves_of(record);
    const neff_dtype_row *const dtype = neff_dtype_of_isa(moves.dtype);
    const unsigned kind = byte_of(record, NEFF_AT_MOVE_SOURCE);
    if (moves.count < 1 || moves.count > NEFF_MOVES) {
        (void)snprintf(buffer, size, "has %u moves, expected 1 to %d", moves.count, NEFF_MOVES);
        return true;
    }
    if (moves.dtype < LEAST_MOVED || moves.dtype > MOST_MOVED) {
        (void)snprintf(buffer, size, "has the dtype 0x%02x (%s), expected int32, uint32 or fp32",
                       moves.dtype, dtype ? dtype->mnemonic : "unknown");
        return true;
    }
    if (kind > 1) {
        (void)snprintf(buffer, size,
                       "has sources of kind %u, expected 0 (registers) or 1 (numbers)", kind);
        return true;
    }
    // All moves of one record happen at once, so neither twice the same destination nor a source
    // that is a destination has a defined result.
    for (size_t i = 0; i < moves.count; i++) {
        const uint8_t to = moves.destination[i];
        if (times(moves.destination, moves.count, to) > 1) {
            (void)snprintf(buffer, size, "writes $R[%u] twice, expected different destinations",
                           to);
            return true;
        }
        if (!moves.immediate && times(moves.source, moves.count, to) > 0) {
            (void)snprintf(buffer, size,
                           "reads and writes $R[%u], expected destinations that are no sources",
                           to);
            return true;
        }
    }
    return false;
}

neff_alu neff_alu_of(const neff_record *record)
{
    return (neff_alu){
        .op = byte_of(record, NEFF_AT_ALU_OP),
        .dtype = byte_of(record, NEFF_AT_ALU_DTYPE),
        .immediate = byte_of(record, NEFF_AT_ALU_SOURCE) != 0,
        .source = byte_of(record, NEFF_AT_ALU_FIRST),
        .second = byte_of(record, NEFF_AT_ALU_SECOND),
        .destination = byte_of(record, NEFF_AT_ALU_TARGET),
        .number = field(record, NEFF_AT_ALU_NUMBER, 8), // meaningless unless `immediate`
    };
}

neff_function neff_function_of(const neff_record *record)
{
    return (neff_function){
        .name = text_of(record, NEFF_AT_FUNCTION, NEFF_FUNCTION_BYTES),
        .reset_semaphores = byte_of(record, NEFF_AT_RESET_SEMAPHORES),
    };
}

uint8_t neff_inst_of(const neff_record *record)
{
    return byte_of(record, NEFF_AT_INST);
}
