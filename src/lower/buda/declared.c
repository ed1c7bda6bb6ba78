// Where a netlist's formats round in the numerics `declared` (hoist/lower.h): sums to acc_df, what
// goes over memory of the op to intermed_df, results to out_df, entries to the queue's df. In the
// reference these are what they were; its own rounding is in label.c. Every function here returns
// its value unchanged in other numerics.
#include "lower/buda/state.h"
#include "ops/compute_declared.h"

hoist_numerics buda_lower_numerics(const buda_lower_job *l)
{
    return l->c.options ? l->c.options->numerics : HOIST_NUMERICS_REFERENCE;
}

// Integers are rounded where the reference does it, raw formats have no numbers. Float32 is the
// format of all temporaries.
static bool has_rounding(buda_df df)
{
    return df != BUDA_DF_NONE && df != BUDA_FLOAT32 && !buda_formats[df].integer &&
           !buda_formats[df].raw;
}

// F32 stands for "no rounding" in the attributes of a matmul.
static hoist_dtype rounding_type(buda_df df)
{
    return has_rounding(df) ? buda_formats[df].dtype : HOIST_DTYPE_F32;
}

buda_lower_value buda_lower_declared(buda_lower_code *c, buda_lower_value from, buda_df df)
{
    if (buda_lower_numerics(c->l) != HOIST_NUMERICS_DECLARED || !has_rounding(df)) {
        return from;
    }
    hoist_compute_attrs attrs = {0};
    attrs.value[HOIST_DECLARED_DTYPE].dtype = buda_formats[df].dtype;
    return buda_lower_compute1(c, HOIST_DECLARED_ROUND, &attrs, from);
}

// Kinds that only move numbers have no sums; fused ops round each sub-op (fused.c).
buda_lower_value buda_lower_sums(buda_lower_code *c, buda_lower_value from)
{
    const uint32_t moves = BUDA_FAMILY(SPLICE) | BUDA_FAMILY(TOPK) | BUDA_FAMILY(EMBEDDING) |
                           BUDA_FAMILY(TILIZER) | BUDA_FAMILY(ETHERNET) | BUDA_FAMILY(FUSED);
    return HOIST_FAMILY_BIT(c->view.family) & moves ? from
                                                    : buda_lower_declared(c, from, c->view.acc_df);
}

buda_lower_value buda_lower_matmul(buda_lower_code *c, const buda_attributes *attributes,
                                   const buda_lower_value *inputs, size_t count)
{
    // Tiles of the inner dimension per step.
    const int64_t block = buda_attr_int(attributes, HOIST_ATTR_U_KT, 1);
    hoist_compute_attrs attrs = {0};
    if (buda_lower_numerics(c->l) != HOIST_NUMERICS_DECLARED) {
        return buda_lower_compute(c, HOIST_GOLDEN_MATMUL, NULL, inputs, count);
    }
    // Blocks decide where partial sums are rounded: after u_kt tiles they go over memory in
    // intermed_df.
    attrs.value[HOIST_DECLARED_BLOCK].integer = block > 0 ? block : 1;
    attrs.value[HOIST_DECLARED_ACC].dtype = rounding_type(c->view.acc_df);
    attrs.value[HOIST_DECLARED_SPILL].dtype = rounding_type(c->view.intermed_df);
    return buda_lower_compute(c, HOIST_DECLARED_MATMUL, &attrs, inputs, count);
}
