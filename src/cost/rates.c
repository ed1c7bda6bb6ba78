// The table of rates. In: a device, its link or level, a kind. Out: a row. Values are in the order
// of times: of a rate the greatest comes first, of an overhead the least. Neighbour: model.c
// divides amounts by them.
#include "cost/rates.h"

#include <string.h>

#include "base/span.h"

#define MB_S(x) ((x)*1e6)

static const char measured_usb3[] =
    "LibrEdgeTPU, HARDWARE_ANALYSIS.md: uploads of 66 KB to 4 MB at 200 to 315 MB/s";
static const char rpi3[] = "google-coral/pycoral, benchmarks/reference: Raspberry Pi 3B+, "
                           "MobileNet v1 and v2, 27 to 30 MB/s";
static const char pcie[] =
    "PCIe 2.0, one lane: 500 MB/s after 8b/10b coding (Intel AN 855), 410 MB/s "
    "in packets of 128 bytes with 7 words around them";
static const char neuron[] = "AWS Neuron, NKI: 16 DMA engines for each core, each 27.2 GB/s";
static const char cycle[] = "peak per core by its fused multiply-adds "
                            "(stackoverflow.com/questions/15655835): SSE 8, AVX2 32, "
                            "AVX-512 64; at best 8-bit products, at worst one unit";
static const char clocks[] =
    "assumed, not published for this machine: 2 to 4 GHz; --flops gives its own";
static const char channels[] =
    "assumed, not published for this machine: a channel of DDR4-3200 has 25.6 GB/s (8 bytes, 3,200 "
    "times), one core takes less, a socket has up to 8; --bandwidth gives its own";
static const char grayskull[] = "Tenstorrent, e150: 1.2 GHz, LPDDR4 of 118.4 GB/s; 10.67 bytes a "
                                "cycle for each of 8 channels in "
                                "tt-budabackend, netlist_analyzer/analyzer/node.hpp";
static const char wormhole[] = "docs.tenstorrent.com, n150: AI clock of 1 GHz, GDDR6 of 288 GB/s "
                               "(its peak in all cases: no other is published)";
static const char blackhole[] = "docs.tenstorrent.com, p150: AI clock of up to 1.35 GHz, GDDR6 of "
                                "512 GB/s (its peak in all cases: no other is published)";
static const char links[] =
    "tt-budabackend, netlist_analyzer/analyzer/node.hpp: 32 bytes a cycle for "
    "a link; at best a core receives over both networks";

// clang-format off
static const hoist_rate rates[] = {
    // Google Edge TPU.
    {"edgetpu", "usb3", HOIST_RATE_REQUEST, {0.25e-3, 0.25e-3, 0.29e-3},
     "LibrEdgeTPU, HARDWARE_ANALYSIS.md: layers of 256 to 2,048 numbers, parameters on the chip, 0.25 to 0.29 ms"},
    {"edgetpu", "usb3", HOIST_RATE_LINK, {MB_S(315), MB_S(250), MB_S(200)}, measured_usb3},
    {"edgetpu", "usb3", HOIST_RATE_STREAM, {MB_S(500), MB_S(410), MB_S(315)},
     "coral.ai benchmarks: Inception v4 sends 34.9 MB in 85 ms (410 MB/s); USB 3 has 500 MB/s after 8b/10b coding"},
    {"edgetpu", "usb2", HOIST_RATE_REQUEST, {0.25e-3, 0.25e-3, 0.29e-3}, "that of usb3: none is published for usb2"},
    {"edgetpu", "usb2", HOIST_RATE_LINK, {MB_S(30), MB_S(28), MB_S(27)}, rpi3},
    {"edgetpu", "usb2", HOIST_RATE_STREAM, {MB_S(33), MB_S(30), MB_S(27)},
     "google-coral/pycoral, benchmarks/reference: Raspberry Pi 3B+, Inception v4 sends 34.9 MB in 1,055 ms (33 MB/s)"},
    {"edgetpu", "pcie", HOIST_RATE_REQUEST, {0, 0.25e-3, 0.29e-3}, "that of usb3, at best none: none is published for pcie"},
    {"edgetpu", "pcie", HOIST_RATE_LINK, {MB_S(500), MB_S(410), MB_S(250)}, pcie},
    {"edgetpu", "pcie", HOIST_RATE_STREAM, {MB_S(500), MB_S(410), MB_S(250)}, pcie},
    {"edgetpu", NULL, HOIST_RATE_CLOCK, {500e6, 480e6, 480e6},
     "coral.ai: 4 TOPS with 64 x 64 cells give 480 MHz; LibrEdgeTPU: 500 MHz at most (libedgetpu-max; -std has half of it)"},
    // CPUs: the least is what each of their level has, the greatest with 8-bit products.
    {"cpu", "baseline", HOIST_RATE_OPERATIONS, {32, 8, 8}, cycle},
    {"cpu", "x86-64-v3", HOIST_RATE_OPERATIONS, {64, 32, 16}, cycle},
    {"cpu", "x86-64-v4", HOIST_RATE_OPERATIONS, {128, 64, 32}, cycle},
    {"cpu", "x86-64-v4-vnni", HOIST_RATE_OPERATIONS, {256, 64, 32}, cycle},
    {"cpu", "x86-64-v4-bf16", HOIST_RATE_OPERATIONS, {256, 64, 32}, cycle},
    {"cpu", "amx", HOIST_RATE_OPERATIONS, {2048, 64, 32}, cycle},
    {"cpu", NULL, HOIST_RATE_CLOCK, {4.0e9, 2.5e9, 2.0e9}, clocks},
    {"cpu", NULL, HOIST_RATE_MEMORY, {204.8e9, 25.6e9, 10e9}, channels},
    // AWS Neuron: bounds.
    {"trn1", NULL, HOIST_RATE_QUEUE, {27.2e9}, neuron},
    {"trn2", NULL, HOIST_RATE_QUEUE, {27.2e9}, neuron},
    {"trn3", NULL, HOIST_RATE_QUEUE, {38.4e9}, "AWS Neuron, NKI: 16 DMA engines for each core, each 38.4 GB/s"},
    // Tenstorrent: memory and network are bounds.
    {"grayskull", NULL, HOIST_RATE_CLOCK, {1.2e9, 1.2e9, 1.2e9}, grayskull},
    {"grayskull", NULL, HOIST_RATE_QUEUE, {118.4e9, 102.4e9, 102.4e9}, grayskull},
    {"grayskull", NULL, HOIST_RATE_NETWORK, {76.8e9, 38.4e9, 38.4e9}, links},
    {"wormhole", NULL, HOIST_RATE_CLOCK, {1e9, 1e9, 1e9}, wormhole},
    {"wormhole", NULL, HOIST_RATE_QUEUE, {288e9, 288e9, 288e9}, wormhole},
    {"wormhole", NULL, HOIST_RATE_NETWORK, {64e9, 32e9, 32e9}, links},
    {"wormhole_b0", NULL, HOIST_RATE_CLOCK, {1e9, 1e9, 1e9}, wormhole},
    {"wormhole_b0", NULL, HOIST_RATE_QUEUE, {288e9, 288e9, 288e9}, wormhole},
    {"wormhole_b0", NULL, HOIST_RATE_NETWORK, {64e9, 32e9, 32e9}, links},
    {"blackhole", NULL, HOIST_RATE_CLOCK, {1.35e9, 1.35e9, 1.35e9}, blackhole},
    {"blackhole", NULL, HOIST_RATE_QUEUE, {512e9, 512e9, 512e9}, blackhole},
};

static const struct {
    const char *name;
    const char *unit;
} kinds[HOIST_RATE_KIND_COUNT] = {
    [HOIST_RATE_REQUEST]    = {"round trip", "s"},
    [HOIST_RATE_LINK]       = {"link", "B/s"},
    [HOIST_RATE_STREAM]     = {"parameters", "B/s"},
    [HOIST_RATE_CLOCK]      = {"clock", "Hz"},
    [HOIST_RATE_OPERATIONS] = {"operations", "FLOP/cycle"},
    [HOIST_RATE_NETWORK]    = {"network", "B/s"},
    [HOIST_RATE_MEMORY]     = {"memory", "B/s"},
    [HOIST_RATE_QUEUE]      = {"queue", "B/s"},
};
// clang-format on

static bool fits(const hoist_rate *rate, hoist_str device, const char *by)
{
    return hoist_str_equal_c(device, rate->device) &&
           (!rate->by || (by && strcmp(by, rate->by) == 0));
}

const hoist_rate *hoist_rate_find(hoist_str device, const char *by, hoist_rate_kind kind)
{
    for (size_t i = 0; i < HOIST_COUNT_OF(rates); i++) {
        if (rates[i].kind == kind && fits(&rates[i], device, by)) {
            return &rates[i];
        }
    }
    return NULL;
}

const char *hoist_rate_name(hoist_rate_kind kind)
{
    return kinds[kind].name;
}

const char *hoist_rate_unit(hoist_rate_kind kind)
{
    return kinds[kind].unit;
}

bool hoist_rate_is_by(hoist_str device, const char *by)
{
    bool found = false;
    for (size_t i = 0; i < HOIST_COUNT_OF(rates) && !found; i++) {
        found = rates[i].by && fits(&rates[i], device, by);
    }
    return found;
}

const hoist_rate *hoist_rate_at(size_t index)
{
    return index < HOIST_COUNT_OF(rates) ? &rates[index] : NULL;
}
