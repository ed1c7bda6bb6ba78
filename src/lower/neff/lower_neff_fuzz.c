// Any members through the reader and the lowering of NEFFs. The input is a list of edits of a small
// file: a member, a place in it, and bytes that go there. What is lowered must print and read back
// as the same, and run to some end without data.
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/span.h"
#include "formats/neff/neff_fuzz_testing.h"
#include "lower/lower_fuzz_testing.h"
#include "lower/neff/lower.h"
#include "program/verify.h"

enum { FUZZ_MEMORY = 256 << 20, MAX_TEXT = 4096 };

static const fuzz_way in_order = {.max_steps = 10000};

#define QUEUE "\"q0\": {\"type\": \"data\", \"owner\": \"sp\", \"semaphore\": 1, \"num_queues\": 2}"
#define DESC                                                                                       \
    "{\"op\": \"fma\", \"from_arr\": [{\"from\": \"input\", \"from_off\": 0, \"from_sizes\": "     \
    "[64], "                                                                                       \
    "\"from_steps\": [1], \"from_dtype\": \"float32\", \"scale\": 2}], \"to\": \"output\", "       \
    "\"to_off\": 0, \"to_sizes\": [64], \"to_steps\": [1], \"to_dtype\": \"float32\"}"

static const char graph[] =
    "{\"nodes\": [{\"op\": \"null\", \"name\": \"input\", \"inputs\": []}, {\"op\": \"tvm_op\", "
    "\"name\": \"sg0\", \"attrs\": {\"func_name\": \"__kelf\", \"kelf\": \"k.json\", "
    "\"output_names\": \"output\"}, "
    "\"inputs\": [[0, 0, 0]]}], \"arg_nodes\": [0], \"heads\": [[1, 0, 0]], \"node_row_ptr\": [0, "
    "1, "
    "2], \"attrs\": {\"shape\": [\"list_shape\", [[16], [16]]], \"dltype\": [\"list_str\", "
    "[\"float32\", \"float32\"]]}}";
static const char kelf[] =
    "{\"graphs\": [{\"definition\": \"sg00/def.json\", \"name\": \"sg00\"}], \"target\": \"*\"}";
static const char def[] =
    "{\"pe\": \"pe.json\", \"sp\": \"sp.json\", \"replica_groups\": [[]], \"dma_queue\": {" QUEUE
    "}, \"var\": {\"input\": {\"type\": \"input\", \"var_id\": 0, \"size\": 64}, \"output\": "
    "{\"type\": \"output\", \"var_id\": 1, \"size\": 64}, \"v\": {\"type\": \"virtual\", "
    "\"var_id\": "
    "2, \"size\": 8, \"backing_variable_off\": 4}, \"p\": {\"type\": \"pointer\", \"var_id\": 3, "
    "\"size\": 8, \"referenced_var_id\": 1}}}";
static const char sp[] =
    "{\"dma\": [{\"id\": 0, \"queue\": \"q0\", \"desc\": [" DESC "]}], \"instr\": \"sp.bin\"}";
static const char pe[] = "{\"dma\": [], \"instr\": \"pe.bin\"}";

enum {
    SP_RECORDS = 4,
    PE_RECORDS = 2,
    RECORD = 64,
    SP_SIZE = SP_RECORDS * RECORD,
    PE_SIZE = PE_RECORDS * RECORD,
};

static const struct {
    const char *name;
    const char *text; // NULL: a stream
    size_t size;
} parts[] = {
    {"sg00/sp.bin", NULL, SP_SIZE},         {"sg00/pe.bin", NULL, PE_SIZE},
    {"sg00/sp.json", sp, sizeof sp - 1},    {"sg00/def.json", def, sizeof def - 1},
    {"neff.json", graph, sizeof graph - 1}, {"k.json", kelf, sizeof kelf - 1},
    {"sg00/pe.json", pe, sizeof pe - 1},
};
enum { PARTS = sizeof parts / sizeof parts[0] };

// A record's first bytes; the rest is zero.
typedef struct record {
    uint8_t bytes[36];
} record;

// A trigger, a call of a function, its beginning, a wait in it.
static const record sp_records[SP_RECORDS] = {
    {{0xc1, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 'q', '0'}},
    {{0xd3, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 'f'}},
    {{0xd1, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 'f'}},
    {{0xa0, 0x10, 0, 0, 5, 1, 0, 0, 2}},
};
// Register 3 gets 5; an all-reduce of `p` in place.
static const record pe_records[PE_RECORDS] = {
    {{0xa7, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 8, 1, 0, 0,
      0,    0,    0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 5}},
    {{0xc8, 0x10, 0, 0, 0, 0, 0x13, 9, 0, 0, 0, 0, 4, 0xa, 0, 0, 3,
      0,    0,    0, 3, 0, 0, 0,    2, 0, 0, 0, 0, 0, 0,   0, 1}},
};

static void fill_stream(uint8_t *bytes, size_t count)
{
    const record *records = count == PE_RECORDS ? pe_records : sp_records;
    memset(bytes, 0, count * RECORD);
    for (size_t i = 0; i < count; i++) {
        memcpy(bytes + i * RECORD, records[i].bytes, sizeof records[i].bytes);
    }
}

// One edit: part, length, place (2 bytes), bytes. Returns what is left.
static hoist_bytes edit(hoist_bytes input, uint8_t texts[PARTS][MAX_TEXT])
{
    const size_t part = input.data[0] % PARTS;
    const size_t at = (size_t)(input.data[2] | input.data[3] << 8) % parts[part].size;
    const size_t space = parts[part].size - at;
    size_t length = input.data[1] < input.size - 4 ? input.data[1] : input.size - 4;
    length = length < space ? length : space;
    memcpy(texts[part] + at, input.data + 4, length);
    return (hoist_bytes){input.data + 4 + length, input.size - 4 - length};
}

// What verifying refuses is what checking the file would have found.
static void fuzz_module(neff_module *module, uint8_t choice, bool edited, hoist_allocator alloc,
                        hoist_diag *diag)
{
    const hoist_file file = {.module = &module->base, .name = HOIST_STR("fuzz")};
    const hoist_lower_options options = {.struct_size = sizeof options,
                                         .ranks = choice % 3,
                                         .on_unknown = (hoist_unknown)(choice / 3 % 3)};
    hoist_program *program = NULL;
    const size_t before = hoist_diag_count(diag, HOIST_ERROR);
    const hoist_status status = neff_lower(&file, 1, NULL, &options, diag, &program);
    fuzz_require((status == HOIST_OK) == (program != NULL));
    fuzz_require(status == HOIST_OK || edited); // else no input would come any further
    if (status == HOIST_INVALID || status == HOIST_UNSUPPORTED) {
        fuzz_require(hoist_diag_count(diag, HOIST_ERROR) > before); // it says why
    } else if (fuzz_came(status) && fuzz_came(hoist_program_verify(program, diag)) &&
               hoist_diag_count(diag, HOIST_ERROR) == before) {
        (void)fuzz_read_again(program, alloc, diag);
        for (uint32_t i = 0; i < program->entry_count; i++) {
            fuzz_run(program, i, &in_order, alloc, diag);
        }
    }
    hoist_program_destroy(program);
}

static neff_module *make_module(uint8_t texts[PARTS][MAX_TEXT], hoist_allocator alloc)
{
    neff_fuzz_member members[PARTS];
    neff_module *module = neff_module_create(alloc, (hoist_bytes){NULL, 0});
    for (size_t i = 0; i < PARTS; i++) {
        members[i] = (neff_fuzz_member){parts[i].name, {texts[i], parts[i].size}};
    }
    if (module && neff_fuzz_add_members(module, members, PARTS) != HOIST_OK) {
        neff_module_free(module);
        return NULL;
    }
    if (module) {
        module->base.format = &hoist_neff_format;
    }
    return module;
}

static void fuzz_texts(uint8_t texts[PARTS][MAX_TEXT], uint8_t choice, bool edited,
                       hoist_allocator alloc, hoist_diag *diag)
{
    const hoist_read_options options = {.alloc = alloc, .keep = true};
    neff_module *module = make_module(texts, alloc);
    if (!module) {
        return;
    }
    neff_reader reader = {
        .module = module, .diag = diag, .options = &options, .arena = &module->arena};
    if (neff_read_members(&reader) == HOIST_OK) {
        fuzz_module(module, choice, edited, alloc, diag);
    }
    neff_destroy(&module->base);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t texts[PARTS][MAX_TEXT];
    hoist_budget budget = {.parent = hoist_allocator_system(), .limit = FUZZ_MEMORY};
    hoist_bytes input = {data, size};
    hoist_diag *diag = NULL;
    for (size_t i = 0; i < PARTS; i++) {
        if (parts[i].text) {
            memcpy(texts[i], parts[i].text, parts[i].size);
        } else {
            fill_stream(texts[i], parts[i].size / RECORD);
        }
    }
    const uint8_t choice = size ? data[0] : 0;
    input = size ? (hoist_bytes){data + 1, size - 1} : input;
    while (input.size > 4) {
        input = edit(input, texts);
    }
    if (hoist_diag_create(hoist_allocator_system(), NULL, &diag) == HOIST_OK) {
        fuzz_texts(texts, choice, size > 5, hoist_budget_allocator(&budget), diag);
    }
    hoist_diag_destroy(diag);
    fuzz_require(budget.used == 0);
    return 0;
}
