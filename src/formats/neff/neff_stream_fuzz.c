// The first byte chooses a generation and a way. Odd: the rest is text that is assembled; what
// comes of it, also of lines next to wrong ones, is disassembled and assembled again. Even: the
// rest is records. Either way records come back as they were.
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/diag.h"
#include "formats/neff/stream.h"
#include "testing/fuzz.h"

static const hoist_rule rule = {.id = "ASM", .severity = HOIST_ERROR, .title = "assembler"};

// Every typed part; none reads outside of the record.
static void decode(const uint8_t *bytes, int generation)
{
    const neff_record record = neff_record_decode(bytes, generation);
    fuzz_require(neff_trigger_of(&record).queue.size <= 32);
    fuzz_require(neff_function_of(&record).name.size <= 36);
    fuzz_require(neff_collective_of(&record).kind == bytes[0x20 - 0x0c + record.payload]);
    fuzz_require(neff_moves_of(&record).count == neff_alu_of(&record).op);
    fuzz_require(neff_inst_of(&record) == neff_alu_of(&record).op);
    fuzz_require(neff_second_of(&record).wait.kind <= NEFF_WAIT_UNKNOWN);
}

// Records to text and back.
static void go_round(hoist_bytes records, int generation)
{
    hoist_buffer text;
    hoist_buffer back;
    hoist_buffer_init(&text, hoist_allocator_system());
    hoist_buffer_init(&back, hoist_allocator_system());
    for (size_t at = 0; at < records.size; at += NEFF_RECORD_SIZE) {
        decode(records.data + at, generation);
        neff_disasm_record(&text, records.data + at, generation);
    }
    const hoist_status status =
        neff_assemble(hoist_buffer_text(&text), generation, &rule, NULL, &back);
    fuzz_require(status == HOIST_OK && back.size == records.size);
    fuzz_require(back.size == 0 || memcmp(back.data, records.data, back.size) == 0);
    hoist_buffer_deinit(&text);
    hoist_buffer_deinit(&back);
}

// A wrong text has a finding in one of its lines.
static void assemble(hoist_str text, int generation)
{
    hoist_diag *diag = NULL;
    hoist_buffer records;
    hoist_buffer_init(&records, hoist_allocator_system());
    fuzz_require(hoist_diag_create(hoist_allocator_system(), NULL, &diag) == HOIST_OK);
    const hoist_status status = neff_assemble(text, generation, &rule, diag, &records);
    fuzz_require(records.size % NEFF_RECORD_SIZE == 0);
    fuzz_require((status == HOIST_OK) == (hoist_diag_count(diag, HOIST_ERROR) == 0));
    for (size_t i = 0; i < hoist_diag_kept(diag); i++) {
        const hoist_pos pos = hoist_diag_at(diag, i)->loc.pos;
        fuzz_require(pos.line >= 1 && pos.column >= 1 && pos.column <= text.size + 1);
    }
    go_round(hoist_buffer_bytes(&records), generation);
    hoist_buffer_deinit(&records);
    hoist_diag_destroy(diag);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    const int generation = data[0] / 2 % NEFF_GENERATION_COUNT;
    if (data[0] % 2) {
        assemble((hoist_str){(const char *)data + 1, size - 1}, generation);
        return 0;
    }
    // A copy that ends with the last record, so that a read after it is noticed.
    const size_t whole = (size - 1) / NEFF_RECORD_SIZE * NEFF_RECORD_SIZE;
    uint8_t *copy = malloc(whole ? whole : 1);
    fuzz_require(copy != NULL);
    memcpy(copy, data + 1, whole);
    go_round((hoist_bytes){copy, whole}, generation);
    free(copy);
    return 0;
}
