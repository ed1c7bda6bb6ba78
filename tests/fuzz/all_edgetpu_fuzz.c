// Any bytes as a model that was compiled for the Edge TPU, through all that hoist does with one.
// One of four mutations is of a field of the model, two are of a part of what it unpacks to: a
// chunk of instructions, parameters, an executable.
#include "all_mutate.h"
#include "all_steps.h"
#include "formats/darwinn/schema.h"
#include "formats/tflite/schema.h"
#include "testing/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    all_steps(&(hoist_bytes){data, size}, 1, "tflite");
    return 0;
}

#ifdef HOIST_FUZZ
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    static const all_part_kind parts = {"tflite", "executable.bin", &dwn_executable_rows};
    size_t made = 0;
    if (seed % 4 == 1) {
        made = all_mutate_field(data, size, max_size, seed / 4, &tflite_model_type);
    } else if (seed % 4 > 1) {
        made = all_mutate_part(data, size, max_size, seed / 4, &parts);
    }
    return made ? made : LLVMFuzzerMutate(data, size, max_size);
}
#endif
