// Programs of the vector unit (SFPU), for device_vectors.cpp: what the vendor's compiler makes of
// the functions of its kernels (docs/formats/buda-device.md, "Functions"), as calls of the
// simulator's instructions. Each works on the numbers of one address of the register of results,
// which are 4 rows by 8 columns. `state` and PIPE are device_vectors.cpp's.

namespace vector_unit
{

constexpr uint32_t L8 = 8, ZERO = 9, ONE = 10, MINUS_ONE = 11, P0 = 12, P1 = 13, P2 = 14;
enum { IF_NEGATIVE = 0, IF_NOT_ZERO = 2, IF_NOT_NEGATIVE = 4, IF_ZERO = 6 };        // of SFPSETCC
enum { NO_CC = 4, CC_NOT_NEGATIVE = 8, BY_REGISTER = 0, BY_NUMBER = 1, MINUS = 2 }; // of SFPIADD
constexpr uint32_t LOWER_12 = 0xFFF;

uint32_t address;

void load(uint32_t to, uint32_t at = 0)
{
    tensix_sfpload(state, PIPE, address + at, 0, 0, to);
}
void store(uint32_t from)
{
    tensix_sfpstore(state, PIPE, address, 0, 0, from);
}

void number(uint32_t to, uint32_t bits)
{
    tensix_sfploadi(state, PIPE, bits & 0xFFFF, 10, to);
    tensix_sfploadi(state, PIPE, bits >> 16, 8, to);
}

void mad(uint32_t to, uint32_t a, uint32_t b, uint32_t c)
{
    tensix_sfpmad(state, PIPE, 0, to, c, b, a);
}
void mul(uint32_t to, uint32_t a, uint32_t b)
{
    tensix_sfpmul(state, PIPE, 0, to, ZERO, b, a);
}
void muli(uint32_t to, uint32_t half)
{
    tensix_sfpmuli(state, PIPE, 0, to, half);
}
void addi(uint32_t to, uint32_t half)
{
    tensix_sfpaddi(state, PIPE, 0, to, half);
}
void sign(uint32_t to, uint32_t from, uint32_t bit)
{
    tensix_sfpsetsgn(state, PIPE, 1, to, from, bit);
}
void exponent(uint32_t to, uint32_t from, uint32_t biased)
{
    tensix_sfpsetexp(state, PIPE, 1, to, from, biased);
}
void get_exponent(uint32_t to, uint32_t from, uint32_t cc = 0)
{
    tensix_sfpexexp(state, PIPE, cc, to, from);
}
void iadd(uint32_t to, uint32_t from, uint32_t immediate, uint32_t mode)
{
    tensix_sfpiadd(state, PIPE, mode, to, from, immediate & LOWER_12);
}
void shift(uint32_t to, int32_t by)
{
    tensix_sfpshft(state, PIPE, 1, to, to, by & LOWER_12);
}
void move(uint32_t to, uint32_t from, uint32_t mode)
{
    tensix_sfpmov(state, PIPE, mode, to, from);
}
void begin_if(uint32_t of, uint32_t how)
{
    tensix_sfpsetcc(state, PIPE, how, 0, of, 0);
}
void end_if()
{
    tensix_sfpencc(state, PIPE, 10, 0, 3);
}

void constant(uint32_t which, uint32_t bits)
{
    for (uint32_t lane = 0; lane < 32; lane++) {
        state->l_regs[which][lane] = bits;
    }
}

// Modes 6 and 7 are not in the simulator: as tt-isa-documentation says (WormholeB0 SFPLUTFP32).
void look_up(uint32_t to, uint32_t mode)
{
    if (mode == 2) {
        tensix_sfplutfp32(state, PIPE, mode, to);
        return;
    }
    const uint32_t last = mode & 1 ? 0x40800000 : 0x40400000;
    for (uint32_t lane = 0; lane < 32; lane++) {
        const uint32_t x = state->l_regs[3][lane];
        const uint32_t b = x & 0x7FFFFFFF;
        const uint32_t bounds[] = {0x3F000000, 0x3F800000, 0x3FC00000, 0x40000000, last};
        uint32_t line = 0;
        while (line < 5 && b >= bounds[line]) {
            line++;
        }
        const uint32_t half = line % 2 * 16;
        const uint32_t d =
            fma_model(lut16_to_fp32(state->l_regs[line / 2][lane] >> half & 0xFFFF), b,
                      lut16_to_fp32(state->l_regs[4 + line / 2][lane] >> half & 0xFFFF));
        state->l_regs[to][lane] = mode & 4 ? (d & 0x7FFFFFFF) | (x & 0x80000000) : d;
    }
}

// to = 1 / |from|; registers a, b and c are overwritten.
void inverse(uint32_t to, uint32_t from, int steps, uint32_t a, uint32_t b, uint32_t c)
{
    sign(a, from, 1);
    exponent(a, a, 126);
    mad(b, a, P0, P1);
    mul(b, P0, b);
    for (int i = 1; i < steps; i++) {
        mad(c, a, b, P1);
        mul(b, b, c);
    }
    get_exponent(a, from);
    get_exponent(c, b);
    iadd(a, c, 0, MINUS | NO_CC);
    tensix_sfppushc(state, PIPE, 0, 0);
    iadd(a, a, 126, BY_NUMBER);
    tensix_sfploadi(state, PIPE, 0, 0, b);
    tensix_sfploadi(state, PIPE, 0, 4, a);
    tensix_sfppopc(state, PIPE, 0, 0);
    tensix_sfpsetexp(state, PIPE, 0, a, b, 0);
    move(to, a, 0);
}

void reciprocal(bool approximate)
{
    constant(P0, 0x3FB8AA3B);
    constant(P1, 0x40000000);
    load(2);
    inverse(0, 2, approximate ? 2 : 3, 4, 1, 3);
    begin_if(2, IF_NEGATIVE);
    move(0, 0, 1);
    end_if();
    store(0);
}

void exponential()
{
    constant(P0, 0x3FB8AA3B);
    constant(P1, 0x40000000);
    load(1);
    sign(0, 1, 0);
    get_exponent(2, 0, 10);
    exponent(0, 0, 126);
    end_if();
    tensix_sfploadi(state, PIPE, 0x3F5C, 0, 3);
    mad(3, 0, L8, 3);
    mad(0, 0, 3, ONE);
    begin_if(2, IF_NOT_NEGATIVE);
    mul(0, 0, 0);
    for (int i = 0; i < 7; i++) {
        iadd(2, 2, LOWER_12, CC_NOT_NEGATIVE | BY_NUMBER);
        mul(0, 0, 0);
    }
    end_if();
    begin_if(1, IF_NEGATIVE);
    inverse(0, 0, 3, 2, 4, 3);
    end_if();
    store(0);
}

void logarithm()
{
    constant(P0, 0x3F315FFE);
    constant(P1, 0x3DD8ADAC);
    constant(P2, 0xBF377319);
    load(2);
    exponent(0, 2, 127);
    mad(1, 0, P1, P2);
    number(3, 0x4005930C);
    mad(1, 0, 1, 3);
    number(3, 0xBFBCD6A1);
    mad(1, 0, 1, 3);
    get_exponent(0, 2, 2);
    tensix_sfpnot(state, PIPE, 3, 0);
    iadd(3, 3, 1, NO_CC | BY_NUMBER);
    sign(0, 3, 1);
    end_if();
    tensix_sfpcast(state, PIPE, 0, 0, 0);
    mad(0, 0, P0, 1);
    begin_if(2, IF_ZERO);
    tensix_sfploadi(state, PIPE, 0xFF80, 0, 0);
    end_if();
    store(0);
}

void root(bool approximate)
{
    load(3);
    if (approximate) {
        constant(P0, 0x3F800000);
        iadd(3, P0, 0, NO_CC | BY_REGISTER);
        shift(3, -1);
        store(3);
        return;
    }
    constant(P0, 0x5F370000);
    begin_if(3, IF_NOT_ZERO);
    move(1, 3, 0);
    shift(1, -1);
    iadd(1, P0, 0, MINUS | NO_CC);
    for (int i = 0; i < 2; i++) {
        mul(2, 1, 1);
        tensix_sfploadi(state, PIPE, 0xBF00, 0, 0);
        mul(0, 3, 0);
        tensix_sfploadi(state, PIPE, 0x3FC0, 0, 4);
        mad(0, 2, 0, 4);
        mul(1, 0, 1);
    }
    mul(0, 1, 3);
    store(0);
    end_if();
}

void table(const uint32_t lines[6])
{
    for (uint32_t i = 0; i < 3; i++) {
        constant(i, lines[i]);
        constant(4 + i, lines[3 + i]);
    }
}

void gelu()
{
    const uint32_t lines[] = {0x37E7322B, 0x38E138F3, 0x38003852,
                              0xB12286D8, 0xB437B479, 0x7C00AFA4};
    table(lines);
    constant(P0, 0x3F000000);
    load(3);
    look_up(7, 2);
    mad(3, 3, P0, 7);
    store(3);
}

void gelu_derivative()
{
    const uint32_t lines[] = {0x36663A66, 0xADC32E66, 0x7C00ACCD,
                              0x399A3800, 0x3D143BEC, 0x3C003CF1};
    table(lines);
    load(3);
    look_up(3, 6);
    begin_if(3, IF_NEGATIVE);
    addi(3, 0x3F80);
    end_if();
    store(3);
}

void sigmoid()
{
    const uint32_t lines[] = {0x32F433D9, 0x300A318A, 0x7C002A35,
                              0x23C89018, 0x30272BAA, 0x37FF34CC};
    table(lines);
    load(3);
    look_up(3, 7);
    addi(3, 0x3F00);
    store(3);
}

void hyperbolic_tangent()
{
    constant(0, 0x1DFF);
    constant(1, 0x481A);
    constant(2, 0xFF00);
    load(3);
    tensix_sfplut(state, PIPE, 4, 3);
    store(3);
}

void lrelu(uint32_t slope)
{
    tensix_sfploadi(state, PIPE, slope, 0, 0);
    load(1);
    begin_if(1, IF_NEGATIVE);
    mul(1, 1, 0);
    end_if();
    store(1);
}

void power(uint32_t exponent)
{
    load(1);
    mul(0, 1, 1);
    for (uint32_t i = 2; i < exponent; i++) {
        mul(0, 0, 1);
    }
    store(0);
}

void absolute()
{
    load(0);
    tensix_sfpabs(state, PIPE, 1, 0, 0);
    store(0);
}

// The second number is in the next tile, 64 rows on.
void maximum()
{
    load(0);
    load(1, 64);
    mad(2, 1, MINUS_ONE, 0);
    begin_if(2, IF_NEGATIVE);
    store(1);
    end_if();
}

void run(const device_function_vector *v)
{
    const bool approximate = v->approximate;
    const std::string name = v->op;
    end_if();
    if (name == "abs")
        absolute();
    if (name == "exp")
        exponential();
    if (name == "gelu")
        gelu();
    if (name == "gelu_derivative")
        gelu_derivative();
    if (name == "log")
        logarithm();
    if (name == "lrelu")
        lrelu(v->parameter);
    if (name == "maximum")
        maximum();
    if (name == "power")
        power(v->parameter);
    if (name == "reciprocal")
        reciprocal(approximate);
    if (name == "sigmoid")
        sigmoid();
    if (name == "sqrt")
        root(approximate);
    if (name == "square")
        power(2);
    if (name == "tanh")
        hyperbolic_tangent();
}

} // namespace vector_unit
