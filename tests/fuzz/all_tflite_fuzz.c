// Any bytes as a TensorFlow Lite model, through all that hoist does with one. Three of four
// mutations are of a field.
#include "all_mutate.h"
#include "all_steps.h"
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
    const size_t made =
        seed % 4 ? all_mutate_field(data, size, max_size, seed / 4, &tflite_model_type) : 0;
    return made ? made : LLVMFuzzerMutate(data, size, max_size);
}
#endif
