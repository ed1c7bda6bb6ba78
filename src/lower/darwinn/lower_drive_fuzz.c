// An executable of any transfers, with hints that may differ from them, through the driver's walk.
// What is lowered passes the verifier, prints and reads back as the same, and comes to its end in
// the order that is worst for it: no driver waits for ever.
//
// Byte 0: the driver (bits 0 and 1), hints that are not all (2), 64 bytes of scratch (3), 64 bytes
// of parameters (4), executions of layers less 1 (5); 1: elements of a batch in the file, less 1
// (bits 0 and 1), in a run (2 and 3). Then 4 bytes for each thing that is done:
//
//     what (bits 0 to 2): transfer of an output, input, parameters, scratch; interrupt; chunk;
//         fence; nothing. 3: it has no hint; 4: the tag of the other direction; 5: of a layer that
//         is not there; 6: the hint has another size
//     element of the batch (bits 0 to 3), layer (4)
//     offset, size: in units of 8 bytes
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/reader.h"
#include "formats/darwinn/stream_testing.h"
#include "formats/darwinn/write_testing.h"
#include "lower/lower_fuzz_testing.h"

static const fuzz_way worst = {
    .schedule = {.kind = HOIST_SCHEDULE_ADVERSARIAL}, .max_steps = 100000, .never_stuck = true};

enum { ITEMS = 24, CHUNKS = 4, UNIT = 8 };
enum { CHUNK = 5, FENCE, NOTHING };

// An executable in the making.
typedef struct maker {
    dwn_maker streams[CHUNKS];
    dwn_bitstream chunks[CHUNKS];
    dwn_field_offset links[CHUNKS][2 * ITEMS];
    dwn_meta metas[3 * ITEMS];
    dwn_stored_hint hints[2 * ITEMS + CHUNKS];
    dwn_dma_hint transfers[ITEMS];
    dwn_interrupt_hint interrupts[ITEMS];
    dwn_instruction_hint instructions[CHUNKS];
    dwn_fence_hint fence;
    uint32_t chunk_count, meta_count, hint_count, transfer_count, interrupt_count;
} maker;

static void add_hint(maker *m, uint8_t kind, void *value, int16_t direction)
{
    m->hints[m->hint_count++] =
        (dwn_stored_hint){.any_hint = {.type = kind, .value = value}, .direction = direction};
}

static void begin_chunk(maker *m)
{
    const uint32_t i = m->chunk_count++;
    m->streams[i].next_id = 0;
    dwn_make_begin(&m->streams[i]);
    m->chunks[i].field_offsets.items = m->links[i];
    m->instructions[i].instruction_chunk_index = (int32_t)i;
    add_hint(m, DWN_HINT_INSTRUCTION, &m->instructions[i], DWN_INFEED);
}

static void end_chunk(maker *m, bool has_successor)
{
    const uint32_t i = m->chunk_count - 1;
    m->chunks[i].bitstream = dwn_make_end(&m->streams[i], has_successor);
}

static void send(maker *m, uint32_t size, uint32_t tag)
{
    dwn_maker *const stream = &m->streams[m->chunk_count - 1];
    (void)dwn_make_movi(stream, 12, size);
    (void)dwn_make_movi(stream, 13, tag);
    dwn_make_send(stream);
}

static dwn_meta *add_link(maker *m, const dwn_meta *meta, int16_t position)
{
    const uint32_t i = m->chunk_count - 1;
    dwn_meta *const copy = &m->metas[m->meta_count++];
    *copy = *meta;
    copy->position = position;
    m->links[i][m->chunks[i].field_offsets.count++] = (dwn_field_offset){
        .meta = copy, .offset_bit = dwn_make_movi(&m->streams[i], (uint8_t)(10 + position), 0)};
    return copy;
}

static void add_transfer(maker *m, const uint8_t bytes[4])
{
    static const hoist_str names[2][2] = {{{"y", 1}, {"z", 1}}, {{"x", 1}, {"w", 1}}};
    const int16_t desc = bytes[0] & 3;
    const bool is_layer = desc == DWN_DESC_OUTPUT || desc == DWN_DESC_INPUT;
    dwn_meta meta = {.desc = desc, .batch = is_layer ? bytes[1] & 15 : 0, .name = HOIST_STR("")};
    if (is_layer) {
        meta.name = bytes[0] & 32 ? HOIST_STR("no") : names[desc][bytes[1] >> 4 & 1];
    }
    const uint32_t offset = (uint32_t)bytes[2] * UNIT;
    const uint32_t size = (uint32_t)bytes[3] * UNIT;
    const bool comes = (desc == DWN_DESC_OUTPUT || desc == DWN_DESC_SCRATCH) != !!(bytes[0] & 16);
    const uint32_t tag = desc == DWN_DESC_PARAMETER ? DWN_TAG_PARAMETER
                         : comes                    ? DWN_TAG_OUTPUT
                                                    : DWN_TAG_INPUT;
    (void)add_link(m, &meta, DWN_POSITION_LOW);
    dwn_meta *const kept = add_link(m, &meta, DWN_POSITION_HIGH);
    const dwn_bundle add = {
        .alu = 1, .by_immediate = true, .to = 10, .first = 10, .immediate = offset};
    dwn_make_bundle(&m->streams[m->chunk_count - 1], &add);
    send(m, size, tag);
    if (!(bytes[0] & 8)) {
        dwn_dma_hint *const hint = &m->transfers[m->transfer_count++];
        *hint = (dwn_dma_hint){.meta = kept,
                               .offset_in_bytes = (int32_t)offset,
                               .size_in_bytes = (int32_t)(size + (bytes[0] >> 6 & 1))};
        add_hint(m, DWN_HINT_DMA, hint, tag == DWN_TAG_OUTPUT ? DWN_OUTFEED : DWN_INFEED);
    }
}

static void add_interrupt(maker *m, const uint8_t bytes[4])
{
    dwn_maker *const stream = &m->streams[m->chunk_count - 1];
    dwn_interrupt_hint *const hint = &m->interrupts[m->interrupt_count++];
    hint->type = bytes[1] & 3;
    (void)dwn_make_movi(stream, 10, 0);
    (void)dwn_make_movi(stream, 11, 0);
    send(m, 0, (uint32_t)(DWN_TAG_INTERRUPT + hint->type));
    if (!(bytes[0] & 8)) {
        add_hint(m, DWN_HINT_INTERRUPT, hint, DWN_INFEED);
    }
}

static void add_item(maker *m, const uint8_t bytes[4])
{
    const uint8_t what = bytes[0] & 7;
    if (what <= DWN_DESC_SCRATCH) {
        add_transfer(m, bytes);
    } else if (what == CHUNK && m->chunk_count < CHUNKS) {
        end_chunk(m, true);
        begin_chunk(m);
    } else if (what == FENCE) {
        add_hint(m, DWN_HINT_FENCE, &m->fence, DWN_INFEED);
    } else if (what != NOTHING && what != CHUNK) {
        add_interrupt(m, bytes);
    }
}

// Executables ----------------------------------------------------------------------------------

// A row of 8 numbers; outputs of one pixel have no layout.
static dwn_layer layer_of(const char *name, dwn_numerics *numerics, uint8_t choice,
                          hoist_fb_union kind)
{
    return (dwn_layer){.name = {name, 1},
                       .size_bytes = 8,
                       .y_dim = 1,
                       .x_dim = 1,
                       .z_dim = 8,
                       .numerics = numerics,
                       .any_layer = kind,
                       .execution_count_per_inference = 1 + (choice >> 5 & 1)};
}

static void write_and_lower(maker *m, uint8_t choice, uint8_t batch)
{
    static uint8_t parameters[64];
    dwn_numerics numerics = {.dequantization_factor = 1};
    dwn_output_layer output = {.layout = NULL};
    dwn_input_layer input;
    memset(&input, 0, sizeof input);
    const hoist_fb_union in = {.type = DWN_LAYER_INPUT, .value = &input};
    const hoist_fb_union out = {.type = DWN_LAYER_OUTPUT, .value = &output};
    dwn_layer inputs[] = {layer_of("x", &numerics, choice, in),
                          layer_of("w", &numerics, choice, in)};
    dwn_layer outputs[] = {layer_of("y", &numerics, choice, out),
                           layer_of("z", &numerics, choice, out)};
    dwn_hints hints = {.fully_deterministic = !(choice >> 2 & 1)};
    hints.hints.items = m->hints;
    hints.hints.count = m->hint_count;
    dwn_executable e = {.batch_size = 1 + (batch & 3),
                        .scratch_size_bytes = choice >> 3 & 1 ? 64 : 0,
                        .dma_hints = &hints,
                        .input_layers = {inputs, 2},
                        .output_layers = {outputs, 2}};
    e.parameters = (hoist_bytes){parameters, choice >> 4 & 1 ? sizeof parameters : 0};
    e.instruction_bitstreams.items = m->chunks;
    e.instruction_bitstreams.count = m->chunk_count;
    const dwn_executable *const executables[] = {&e};
    const dwn_package package = {.min_runtime_version = 13};
    const hoist_lower_options options = {.struct_size = sizeof options,
                                         .on_unknown = HOIST_UNKNOWN_SKIP,
                                         .driver = (hoist_driver)(choice % 4),
                                         .batch = 1 + (batch >> 2 & 3)};
    hoist_buffer file;
    hoist_buffer_init(&file, hoist_allocator_system());
    if (dwn_make_package(&package, executables, 1, &file) == HOIST_OK) {
        fuzz_lower_package(hoist_buffer_bytes(&file), &options, &worst);
    }
    hoist_buffer_deinit(&file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hoist_reader r = hoist_reader_init((hoist_bytes){data, size});
    const uint8_t choice = hoist_read_u8(&r);
    const uint8_t batch = hoist_read_u8(&r);
    maker *const m = calloc(1, sizeof *m);
    fuzz_require(m != NULL);
    begin_chunk(m);
    for (int i = 0; i < ITEMS && hoist_reader_left(&r) >= 4; i++) {
        const hoist_bytes item = hoist_read_bytes(&r, 4);
        add_item(m, item.data);
    }
    end_chunk(m, false);
    write_and_lower(m, choice, batch);
    free(m);
    return 0;
}
