// The bits of the golden profile are those of glibc's functions as they are on a CPU with fused
// multiply-add. Whether this machine gives them is asked of the functions themselves, at arguments
// where other implementations round differently.
#include <math.h>

#include "kernels/compute.h"
#include "tensor/float_bits.h"

// Bits of an argument, and of what the function gives there: never the float nearest to the true
// value, so correctly rounded implementations do not pass.
typedef struct float_probe {
    float (*function)(float);
    uint32_t argument;
    uint32_t result;
} float_probe;

// The same for functions that the reference evaluates in double; without fused multiply-add the
// last bit is another.
typedef struct double_probe {
    double (*function)(double);
    uint32_t argument; // a float's
    uint64_t result;
} double_probe;

static double cube(double x)
{
    return pow(x, 3);
}

static const float_probe float_probes[] = {
    {expf, 0xbc0e0177, 0x3f7dca6f},  {expf, 0xbc65c771, 0x3f7c6f4d},
    {logf, 0x3c088597, 0xc09933d2},  {logf, 0x3c43fcdc, 0xc08da1dd},
    {sinf, 0x3c8c328b, 0x3c8c30cb},  {sinf, 0x3ca2bd96, 0x3ca2bad9},
    {cosf, 0x3c8acf96, 0x3f7ff698},  {cosf, 0x3dfee7b2, 0x3f7e0507},
    {tanhf, 0x3c000000, 0x3bfffeaa}, {tanhf, 0x3c0007fa, 0x3c000750},
};

static const double_probe double_probes[] = {
    {exp, 0x3c06cae4, 0x3ff021d64e7a9dad},  {exp, 0x3c2309a5, 0x3ff028f680162e6f},
    {tanh, 0x3cb44c61, 0x3f96889daf3ddf11}, {tanh, 0x3cf20ded, 0x3f9e3f7cc1e9a445},
    {cube, 0x3c0b7b5d, 0x3ea4b417ce036133}, {cube, 0x3c1a8c08, 0x3eac299c127870b5},
};

// All probes must give the expected bits: one that differs tells another library, or a CPU without
// the instruction.
bool hoist_compute_is_exact(void)
{
    bool exact = true;
    for (size_t i = 0; i < sizeof float_probes / sizeof *float_probes; i++) {
        const float_probe *p = &float_probes[i];
        const float result = p->function(hoist_f32_from_bits(p->argument));
        exact = exact && hoist_f32_to_bits(result) == p->result;
    }
    for (size_t i = 0; i < sizeof double_probes / sizeof *double_probes; i++) {
        const double_probe *p = &double_probes[i];
        const double result = p->function((double)hoist_f32_from_bits(p->argument));
        exact = exact && hoist_f64_to_bits(result) == p->result;
    }
    return exact;
}
