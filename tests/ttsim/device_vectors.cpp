// Rows of src/kernels/device_vectors.inc, made with the instructions of a checkout of
// tenstorrent/ttsim (docs/formats/buda-device.md has the commands). tensix.cpp of that checkout is
// compiled into this program, so that its functions can be called; nothing of it is in this
// repository. Each row is a case of device_test.c: the same numbers go in there, and the hash of
// what comes out has to be the same.
#include "tensix.cpp"

#include <string>

#include "../../src/kernels/device_vectors.h"

uint32_t g_current_chip_id = 0;
uint64_t g_clock = 0;
ChipState g_chips[NUM_CHIPS];
bool g_eth_fw_routing = false;

namespace {

constexpr uint32_t IN_A = 0x1000, IN_B = 0x2000, OUT = 0x4000; // of SRAM
constexpr uint32_t ELEMENTS = 256;                             // a face
constexpr uint32_t PIPE = 0;

TensixState *state;
uint8_t *sram;

uint32_t format_of_source(uint32_t source)
{
    static const uint32_t formats[] = {1, 5, 4};
    return formats[source];
}

TensixConfigState *config()
{
    return &state->config[0];
}

// Float32 in memory for TF32, the 16 bits of the type else.
void store(uint32_t address, uint32_t source, uint32_t index, uint32_t f32)
{
    if (source == 2) {
        mem_wr<uint32_t>(&sram[address + 4 * index], f32);
    } else {
        const uint16_t half = source == 1 ? f32 >> 16 : device_vectors_half(f32);
        mem_wr<uint16_t>(&sram[address + 2 * index], half);
    }
}

void unpack(bool is_b, uint32_t address, uint32_t source)
{
    TensixConfigState *c = config();
    const uint32_t in = source == 2 ? 0 : format_of_source(source);
    const uint32_t out = format_of_source(source);
    const uint32_t descriptor = in | 1 << 4 | ELEMENTS << 16;
    if (is_b) {
        c->THCON_SEC1_REG0_TileDescriptor = descriptor;
        c->THCON_SEC1_REG2_Disable_zero_compress_cntx0 = 1;
        c->THCON_SEC1_REG2_Out_data_format = out;
        c->THCON_SEC1_REG3_Base_address = (address >> 4) - 1;
    } else {
        c->THCON_SEC0_REG0_TileDescriptor = descriptor;
        c->THCON_SEC0_REG2_Disable_zero_compress_cntx0 = 1;
        c->THCON_SEC0_REG2_Out_data_format = out;
        c->THCON_SEC0_REG3_Base_address = (address >> 4) - 1;
        c->THCON_SEC0_REG5_Tile_x_dim_cntx0 = ELEMENTS;
        c->THCON_SEC0_REG5_Dest_cntx0_address = 64;
    }
    state->thread[PIPE].SRCA_SET_SetOvrdWithAddr = 1;
    state->addr_ctrl[PIPE][is_b] = TensixAddrCtrl{};
    state->addr_ctrl[PIPE][is_b].ch1_x = ELEMENTS - 1;
    tensix_unpacr(state, PIPE, 1, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, is_b);
}

void begin(const device_vector *v)
{
    tensix_init(state, 0);
    TensixConfigState *c = config();
    c->ALU_FORMAT_SPEC_REG0_SrcA = format_of_source(v->a);
    c->ALU_FORMAT_SPEC_REG1_SrcB = format_of_source(v->b);
    c->ALU_ACC_CTRL_Fp32_enabled = v->dest == 2;
    for (uint32_t row = 0; row < DST_ROWS; row++) {
        state->dst_row_valid[row] = false;
    }
}

// What row `row` of the register holds, as device_arith.h has it.
uint32_t held(const device_vector *v, uint32_t row, uint32_t col)
{
    if (v->dest == 2) {
        return dst_decode_fp32(read_dst32b(state, row, col));
    }
    const uint16_t half = read_dst16b(state, row, col);
    if (v->dest == 1) {
        return uint32_t(dst_decode_bf16(half)) << 16;
    }
    const uint32_t x = dst_decode_fp16(half);
    return (x & 0x8000) << 16 | (x & 0x7FFF) << 13;
}

void hold(const device_vector *v, uint32_t row, uint32_t col, uint32_t value)
{
    if (v->dest == 2) {
        write_dst32b(state, row, col, dst_encode_fp32(value));
    } else if (v->dest == 1) {
        write_dst16b(state, row, col, dst_encode_bf16(value >> 16));
    } else {
        write_dst16b(state, row, col, dst_encode_fp16((value >> 31) << 15 | ((value >> 13) & 0x7FFF)));
    }
}

// 8 rows of 16 sums: the 16 numbers of a row of b with those of a column of a.
uint64_t math(const device_vector *v)
{
    uint64_t seed = v->seed, hash = DEVICE_VECTORS_BASIS;
    for (uint32_t round = 0; round < DEVICE_VECTORS_ROUNDS; round++) {
        begin(v);
        for (uint32_t i = 0; i < ELEMENTS; i++) {
            store(IN_A, v->a, i, device_vectors_input(&seed, v->a));
        }
        for (uint32_t i = 0; i < ELEMENTS; i++) {
            store(IN_B, v->b, i, device_vectors_input(&seed, v->b));
        }
        unpack(false, IN_A, v->a);
        unpack(true, IN_B, v->b);
        for (uint32_t i = 0; i < 128; i++) {
            hold(v, i / 16, i % 16, device_vectors_held(&seed, v->dest));
        }
        state->fidelity[PIPE] = v->phase;
        if (v->kind == DEVICE_VECTOR_DOT) {
            tensix_mvmul(state, PIPE, 0, 0, 0, 0);
        } else if (v->kind == DEVICE_VECTOR_MULTIPLY) {
            tensix_elwmul(state, PIPE, 0, 0, 0, 0, 0);
        } else {
            tensix_elwadd(state, PIPE, 0, 0, 0, 0, 0);
        }
        for (uint32_t i = 0; i < 128; i++) {
            hash = device_vectors_mix(hash, held(v, i / 16, i % 16));
        }
    }
    return hash;
}

struct pack_formats {
    uint32_t from, to;
};

// What the vendor's compiler configures, by register and type in memory.
pack_formats formats_of(const device_vector *v)
{
    static const uint32_t to[] = {0, 1, 5, 6, 7};
    static const uint32_t from[3][5] = {{1, 1, 1, 2, 2}, {5, 1, 5, 6, 6}, {0, 1, 5, 6, 6}};
    return {from[v->dest][v->type], to[v->type]};
}

void configure_packer(const device_vector *v)
{
    TensixConfigState *c = config();
    const pack_formats f = formats_of(v);
    c->ALU_FORMAT_SPEC_REG2_Dstacc = f.from;
    c->THCON_SEC0_REG1_In_data_format = f.from;
    c->THCON_SEC0_REG1_Out_data_format = f.to;
    c->THCON_SEC0_REG1_L1_Dest_addr = (OUT >> 4) - 1;
    c->THCON_SEC0_REG1_Exp_section_size = 1;
    c->PACK_COUNTERS_SEC0_pack_reads_per_xy_plane = 16;
#if TT_ARCH_VERSION == 0
    c->THCON_SEC0_REG8_In_data_format = c->THCON_SEC1_REG1_In_data_format = f.from;
    c->THCON_SEC1_REG8_In_data_format = f.from;
    c->THCON_SEC0_REG8_Out_data_format = c->THCON_SEC1_REG1_Out_data_format = f.to;
    c->THCON_SEC1_REG8_Out_data_format = f.to;
    c->PACK_COUNTERS_SEC1_pack_reads_per_xy_plane = 16;
    c->PACK_COUNTERS_SEC2_pack_reads_per_xy_plane = 16;
    c->PACK_COUNTERS_SEC3_pack_reads_per_xy_plane = 16;
#endif
    c->PCK_EDGE_OFFSET_SEC0_mask = 0xFFFF;
    c->PCK_DEST_RD_CTRL_Read_32b_data = v->dest == 2;
    c->PCK_DEST_RD_CTRL_Round_10b_mant = v->dest == 2 && v->type == 1;
    c->STACC_RELU_ApplyRelu = v->relu;
    c->STACC_RELU_ReluThreshold = v->threshold;
    state->addr_ctrl[PIPE][2] = TensixAddrCtrl{};
    state->addr_ctrl[PIPE][2].ch1_x = (TT_ARCH_VERSION == 0 ? DEVICE_VECTORS_PACKED : 16) - 1;
}

// Element `i` of what was packed, as float32.
uint32_t packed(const device_vector *v, uint32_t i)
{
    switch (v->type) {
    case 0:
        return mem_rd<uint32_t>(&sram[OUT + 4 * i]);
    case 1: {
        const uint32_t half = mem_rd<uint16_t>(&sram[OUT + 2 * i]);
        const uint32_t rebias = half & 0x7C00 ? 112u << 23 : 0;
        return (half & 0x8000) << 16 | ((half & 0x7FFF) << 13) + rebias;
    }
    case 2:
        return uint32_t(mem_rd<uint16_t>(&sram[OUT + 2 * i])) << 16;
    case 3:
        return uint32_t(bfp8_to_bf16(sram[OUT + 16 + i], sram[OUT + i / 16])) << 16;
    default: {
        const uint8_t byte = sram[OUT + 16 + i / 2] >> (i % 2 * 4) << 4;
        return uint32_t(bfp8_to_bf16(byte, sram[OUT + i / 16])) << 16;
    }
    }
}

void store_packed(const device_vector *v, uint32_t i, uint32_t f32)
{
    if (v->type == 0) {
        mem_wr<uint32_t>(&sram[OUT + 4 * i], f32);
    } else {
        mem_wr<uint16_t>(&sram[OUT + 2 * i], f32 >> 16);
    }
}

void set_accumulation(bool on)
{
    TensixConfigState *c = config();
    c->THCON_SEC0_REG1_Pack_L1_Acc = on;
#if TT_ARCH_VERSION == 0
    c->THCON_SEC0_REG8_Pack_L1_Acc = c->THCON_SEC1_REG1_Pack_L1_Acc = on;
    c->THCON_SEC1_REG8_Pack_L1_Acc = on;
#endif
}

uint64_t pack(const device_vector *v)
{
    uint64_t seed = v->seed, hash = DEVICE_VECTORS_BASIS;
    for (uint32_t round = 0; round < DEVICE_VECTORS_ROUNDS; round++) {
        begin(v);
        configure_packer(v);
        for (uint32_t i = 0; i < DEVICE_VECTORS_PACKED; i++) {
            hold(v, i / 16, i % 16, device_vectors_held(&seed, v->dest));
        }
        set_accumulation(v->kind == DEVICE_VECTOR_ACCUMULATE);
        for (uint32_t i = 0; v->kind == DEVICE_VECTOR_ACCUMULATE && i < DEVICE_VECTORS_PACKED; i++) {
            store_packed(v, i, device_vectors_memory(&seed, v->type));
        }
#if TT_ARCH_VERSION == 0
        tensix_pacr(state, PIPE, 1, 0, 0, 0, 1, 0, 0);
#else
        tensix_pacr(state, PIPE, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
#endif
        for (uint32_t i = 0; i < DEVICE_VECTORS_PACKED; i++) {
            hash = device_vectors_mix(hash, packed(v, i));
        }
    }
    return hash;
}

// "multiply, phase 2 of float16_b and tf32 in float32, blackhole"
void print_name(const device_vector *v)
{
    static const char *const kinds[] = {"dot", "multiply", "add", "pack", "accumulate"};
    static const char *const sources[] = {"float16", "float16_b", "tf32"};
    static const char *const dests[] = {"float16", "float16_b", "float32"};
    static const char *const types[] = {"float32", "float16", "float16_b", "bfp8_b", "bfp4_b"};
    static const char *const relus[] = {"", ", relu", ", relu min", ", relu max"};
    printf("{\"%s, ", kinds[v->kind]);
    if (v->kind >= DEVICE_VECTOR_PACK) {
        printf("%s to %s%s", dests[v->dest], types[v->type], relus[v->relu]);
    } else {
        printf("phase %u of %s and %s in %s", v->phase, sources[v->a], sources[v->b],
               dests[v->dest]);
    }
    printf(", %s\", ", v->arch ? "blackhole" : "wormhole_b0");
}

void print(device_vector v)
{
    static uint64_t seed = 1;
    static const char *const kinds[] = {"DOT", "MULTIPLY", "ADD", "PACK", "ACCUMULATE"};
    v.arch = TT_ARCH_VERSION;
    v.seed = seed++;
    v.hash = v.kind >= DEVICE_VECTOR_PACK ? pack(&v) : math(&v);
    print_name(&v);
    printf("DEVICE_VECTOR_%s, %u, %u, %u, %u, %u, %u, %u, 0x%04x, %llu, UINT64_C(0x%016llx)},\n",
           kinds[v.kind], v.arch, v.dest, v.a, v.b, v.phase, v.type, v.relu, v.threshold,
           (unsigned long long)v.seed, (unsigned long long)v.hash);
}

void print_math()
{
    for (uint32_t kind = 0; kind < 3; kind++) {
        for (uint32_t dest = 0; dest < 3; dest++) {
            for (uint32_t ab = 0; ab < 9; ab++) {
                const uint32_t a = ab / 3, b = ab % 3;
                const bool is_short = a == 0;
                // Both or none are Float16, and the register of 16 bits is of the same kind.
                if (is_short != (b == 0) || (dest == 0 && !is_short) || (dest == 1 && is_short)) {
                    continue;
                }
                for (uint32_t phase = 0; phase < (kind == DEVICE_VECTOR_ADD ? 1u : 4u); phase++) {
                    print({"", device_vector_kind(kind), 0, dest, a, b, phase, 0, 0, 0, 0, 0});
                }
            }
        }
    }
}

void print_packing()
{
    static const bool packs[3][5] = {{true, true, true, true, false},
                                     {true, false, true, true, true},
                                     {true, TT_ARCH_VERSION == 1, true, true, true}};
    for (uint32_t dest = 0; dest < 3; dest++) {
        for (uint32_t type = 0; type < 5; type++) {
            for (uint32_t relu = 0; packs[dest][type] && relu < 4; relu++) {
                // 1.5 in the type that the register has.
                const uint32_t threshold = relu < 2 ? 0 : dest == 0 ? 0x3E00 : 0x3FC0;
                print({"", DEVICE_VECTOR_PACK, 0, dest, 0, 0, 0, type, relu, threshold, 0, 0});
            }
        }
    }
}

// What a matmul with l1_acc adds in memory.
void print_accumulation()
{
    for (uint32_t dest = 0; dest < 3; dest++) {
        for (uint32_t type = 0; type < 3; type += 2) {
            print({"", DEVICE_VECTOR_ACCUMULATE, 0, dest, 0, 0, 0, type, 0, 0, 0, 0});
        }
    }
}

#include "vector_programs.h"

// 64 numbers of 4 rows, in even columns, then in odd ones.
uint64_t functions(const device_function_vector *v)
{
    device_vector at = {};
    at.dest = v->dest;
    at.a = at.b = v->dest == 0 ? 0 : 1;
    uint64_t seed = v->seed, hash = DEVICE_VECTORS_BASIS;
    for (uint32_t round = 0; round < DEVICE_VECTORS_ROUNDS; round++) {
        begin(&at);
        config()->ALU_ACC_CTRL_SFPU_Fp32_enabled = v->dest == 2;
        for (uint32_t i = 0; i < DEVICE_VECTORS_PACKED; i++) {
            hold(&at, i / 16, i % 16, device_vectors_held(&seed, v->dest));
            hold(&at, 64 + i / 16, i % 16, device_vectors_held(&seed, v->dest));
        }
        for (vector_unit::address = 0; vector_unit::address < 4; vector_unit::address += 2) {
            vector_unit::run(v);
        }
        for (uint32_t i = 0; i < DEVICE_VECTORS_PACKED; i++) {
            hash = device_vectors_mix(hash, held(&at, i / 16, i % 16));
        }
    }
    return hash;
}

void print_functions()
{
    static const device_function_vector list[] = {
        {"abs", 0, 0, 0, 0, 0, 0},        {"exp", 0, 0, 0, 0, 0, 0},
        {"gelu", 0, 0, 0, 0, 0, 0},       {"gelu_derivative", 0, 0, 1, 0, 0, 0},
        {"log", 0, 0, 0, 0, 0, 0},        {"lrelu", 0, 0, 0, 0x3DCC, 0, 0},
        {"lrelu", 0, 0, 0, 0xC000, 0, 0}, {"maximum", 0, 0, 0, 0, 0, 0},
        {"power", 0, 0, 0, 1, 0, 0},      {"power", 0, 0, 0, 5, 0, 0},
        {"reciprocal", 0, 0, 0, 0, 0, 0}, {"reciprocal", 0, 0, 1, 0, 0, 0},
        {"sigmoid", 0, 0, 0, 0, 0, 0},    {"sqrt", 0, 0, 0, 0, 0, 0},
        {"sqrt", 0, 0, 1, 0, 0, 0},       {"square", 0, 0, 0, 0, 0, 0},
        {"tanh", 0, 0, 0, 0, 0, 0},
    };
    uint64_t seed = 1000 * (1 + TT_ARCH_VERSION);
    for (device_function_vector v : list) {
        const std::string name = v.op;
        if (TT_ARCH_VERSION == 1 && (name == "sigmoid" || name == "gelu_derivative")) {
            continue;
        }
        for (v.dest = 0; v.dest < 3; v.dest++) {
            v.arch = TT_ARCH_VERSION;
            v.seed = seed++;
            printf("{\"%s\", %u, %u, %u, 0x%04x, %llu, UINT64_C(0x%016llx)},\n", v.op, v.arch,
                   v.dest, v.approximate, v.parameter, (unsigned long long)v.seed,
                   (unsigned long long)functions(&v));
        }
    }
}

} // namespace

// "functions": the rows of device_functions.inc, else those of device_vectors.inc.
int main(int argc, char **)
{
    static TensixState own;
    state = &own;
    sram = g_t_tiles[0].sram;
    if (argc > 1) {
        print_functions();
        return 0;
    }
    print_math();
    print_packing();
    print_accumulation();
}
