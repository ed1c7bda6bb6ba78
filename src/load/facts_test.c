// What jobs say of ports: of a model, of a file that says nothing, and for callers that know less
// of the struct.
#include <string.h>

#include "hoist/load.h"

#include "formats/tflite/tflite_testing.h"
#include "testing/test.h"

static hoist_job *open_model(hoist_test *t, hoist_str *out_output)
{
    tflite_model *const model = tflite_test_model(&t->arena);
    hoist_job *job = NULL;
    *out_output = model->subgraphs.items[0].tensors.items[TEST_SOFTMAX].name;
    HOIST_EXPECT_EQ(
        t, hoist_job_open_bytes(tflite_test_write(t, model), "m.tflite", NULL, t->diag, &job),
        HOIST_OK);
    return job;
}

HOIST_TEST(facts_of_a_model)
{
    hoist_str output;
    hoist_job *const job = open_model(t, &output);
    hoist_port_facts facts = {.struct_size = sizeof(facts), .channels = 7};
    HOIST_EXPECT_EQ(t, hoist_job_port_facts(job, output, &facts), HOIST_OK);
    HOIST_EXPECT(t, facts.is_quantized && facts.scale > 0 && facts.channels == 0);
    HOIST_EXPECT_EQ(t, facts.struct_size, sizeof(facts));
    HOIST_EXPECT_EQ(t, hoist_job_port_facts(job, HOIST_STR("none"), &facts), HOIST_NOT_FOUND);
    HOIST_EXPECT(t, !facts.is_quantized && facts.scale == 0);
    hoist_mut_bytes text = {NULL, 1};
    HOIST_EXPECT_EQ(t, hoist_job_port_labels(job, output, &text), HOIST_NOT_FOUND);
    HOIST_EXPECT(t, !text.data && text.size == 0);
    hoist_job_close(job);
}

HOIST_TEST(facts_of_another_size)
{
    hoist_str output;
    hoist_job *const job = open_model(t, &output);
    struct {
        hoist_port_facts facts;
        uint64_t later;
    } large = {.facts.struct_size = sizeof(large), .later = 5};
    hoist_port_facts small = {.struct_size = offsetof(hoist_port_facts, scale), .scale = 9};
    HOIST_EXPECT_EQ(t, hoist_job_port_facts(job, output, &large.facts), HOIST_OK);
    HOIST_EXPECT(t, large.facts.is_quantized && large.later == 0);
    HOIST_EXPECT_EQ(t, hoist_job_port_facts(job, output, &small), HOIST_OK);
    HOIST_EXPECT(t, small.is_quantized && small.scale == 9);
    small.struct_size = 3;
    HOIST_EXPECT_EQ(t, hoist_job_port_facts(job, output, &small), HOIST_INVALID);
    small.struct_size = SIZE_MAX;
    HOIST_EXPECT_EQ(t, hoist_job_port_facts(job, output, &small), HOIST_INVALID);
    hoist_job_close(job);
}

HOIST_TEST(nothing_is_said_of_netlists)
{
    static const char text[] = "devices: {arch: grayskull}\n";
    hoist_job *job = NULL;
    HOIST_EXPECT_EQ(t,
                    hoist_job_open_bytes((hoist_bytes){(const uint8_t *)text, sizeof(text) - 1},
                                         "n.yaml", NULL, NULL, &job),
                    HOIST_OK);
    hoist_port_facts facts = {.struct_size = sizeof(facts)};
    hoist_mut_bytes labels;
    HOIST_EXPECT_EQ(t, hoist_job_port_facts(job, HOIST_STR("q"), &facts), HOIST_NOT_FOUND);
    HOIST_EXPECT_EQ(t, hoist_job_port_labels(job, HOIST_STR("q"), &labels), HOIST_NOT_FOUND);
    hoist_job_close(job);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(facts_of_a_model), HOIST_TEST_ROW(facts_of_another_size),
                HOIST_TEST_ROW(nothing_is_said_of_netlists))
