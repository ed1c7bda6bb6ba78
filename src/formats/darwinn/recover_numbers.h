// formats/darwinn/recover_numbers.h - what the compiler makes of scales (darwinn reference section
// 16.5), and scales found again from that. All in float32, as the compiler has it.
//
// Zero points are those of the unsigned form, so steps of an output run from -zero to 255 - zero.
#ifndef HOIST_SRC_FORMATS_DARWINN_RECOVER_NUMBERS_H
#define HOIST_SRC_FORMATS_DARWINN_RECOVER_NUMBERS_H

#include "hoist/base.h"

typedef enum dwn_activation {
    DWN_ACTIVATION_NONE = 0,
    DWN_ACTIVATION_RELU,
    DWN_ACTIVATION_RELU_1, // -1 to 1
    DWN_ACTIVATION_RELU_6,
    DWN_ACTIVATION_OTHER, // clamps that none of these gives
} dwn_activation;

typedef struct dwn_clamps {
    float low, high;
} dwn_clamps;

// M of scales: f32(f32(in * weight) * f32(1 / out)).
float dwn_multiplier_of(float in, float weight, float out);
// The largest number that an activation lets through; INFINITY: it cuts nothing off there.
float dwn_activation_most(dwn_activation activation);
// Clamps of an output.
dwn_clamps dwn_clamps_of(dwn_activation activation, float scale, uint8_t zero);

// What kind of clamps these are, in whole steps. One that cuts nothing off is NONE, whatever the
// model had.
dwn_activation dwn_activation_of(dwn_clamps clamps, uint8_t zero);
// The output's scale that follows from its clamps: those of RELU_1 and RELU_6 do; 0: they do not.
// Of several the one that gives the same clamps, bit for bit.
float dwn_scale_of_clamps(dwn_activation activation, dwn_clamps clamps, uint8_t zero);

// The scale nearest to `middle`, at most so many steps of float32 from it, that gives these clamps
// bit for bit; `middle` where none does, 0 where it is no scale.
float dwn_scale_near(float middle, int steps, dwn_clamps clamps, uint8_t zero);

// The scale of what becomes numbers of scale `out` by M: one near their product with which the
// compiler makes M, of several one that gives these clamps bit for bit; 0: there is none.
float dwn_scale_before(float multiplier, float out, dwn_clamps clamps, uint8_t zero);

// How the reference makes its factor of scales (kernels reference section 3).
typedef enum dwn_rounding {
    DWN_ROUNDS_NOTHING, // in double; int8 convolutions, and all with a scale for each channel
    DWN_ROUNDS_PRODUCT, // in * weight to float32 first
} dwn_rounding;

// Whether the reference's integer multiplier of these scales is that of M.
bool dwn_is_exact(float multiplier, float in, float weight, float out, dwn_rounding rounding);
// What the factor of a layer depends on besides its weights.
typedef struct dwn_ends {
    float in, out; // `out` is not looked at where it is what is asked for
    dwn_rounding rounding;
} dwn_ends;

// The scale of weights that gives M: one that gives it as the compiler has it (or with
// `prefers_exact` one that is exact for the reference), of several the nearest to M for the
// reference; any near it where there is none such. `out_is_exact`: it is exact for the reference.
// 0: the numbers are not finite or not positive.
float dwn_weight_scale(float multiplier, const dwn_ends *ends, bool prefers_exact,
                       bool *out_is_exact);
// A scale of the output near that of the input, so that there is an exact scale of weights, and
// clamps come out bit for bit where that can be; 0: none was found. Takes what it tries from
// `*tries`, at most DWN_TRIES, and ends where that comes to 0.
enum { DWN_TRIES = 1 << 14 };
float dwn_free_scale(float multiplier, const dwn_ends *ends, dwn_clamps clamps, uint8_t zero,
                     uint32_t *tries);

#endif // HOIST_SRC_FORMATS_DARWINN_RECOVER_NUMBERS_H
