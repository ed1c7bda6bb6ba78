// hoist-darwinn-docgen < PAGE: the page with its tables made anew from the tables of instructions.
// A table stands between the lines "<!-- made: NAME -->" and "<!-- end -->". Run by the build;
// never installed.
#include <stdio.h>

#include "base/span.h"
#include "formats/darwinn/link.h"
#include "formats/darwinn/scalar.h"
#include "formats/darwinn/scalar_alu.h"
#include "formats/darwinn/stream_tensor.h"
#include "testing/docgen.h"

// Printers of one table each, in the order of the page. Titles are of the rows, so that the page
// cannot contradict the code.
static void opcodes(void)
{
    const dwn_opcode *row = NULL;
    (void)puts("| Opcode | Mnemonic | Words | Unit | Fields | What |\n|---|---|---|---|---|---|");
    for (size_t i = 0; (row = dwn_opcode_at(i)) != NULL; i++) {
        (void)printf("| 0x%02x | `%s` | %u%s | %s | %s | %s%s |\n", row->code, row->mnemonic,
                     row->words, row->is_uncertain ? " ?" : "", dwn_unit_name((dwn_unit)row->unit),
                     row->fields->name, row->title, row->is_inferred ? " (inferred)" : "");
    }
}

// Place of a field: "62" or "62 + 14 k, k < 8".
static void bits(const dwn_field *field)
{
    if (field->repeat) {
        (void)printf("%u + %u k, k < %u", field->bit, field->step, field->repeat);
    } else {
        (void)printf("%u", field->bit);
    }
}

static const char *kind(const dwn_field *field)
{
    static const char *const names[DWN_FIELD_KINDS] = {
        [DWN_FIELD_NUMBER] = "number",   [DWN_FIELD_SIGNED] = "signed",
        [DWN_FIELD_COUNT] = "minus one", [DWN_FIELD_FLOAT] = "float32",
        [DWN_FIELD_HEX] = "bits",
    };
    return names[field->kind];
}

// A row of the table of fields, also for the opcode, which all families have.
static void field_row(const char *family, const dwn_field *field)
{
    (void)printf("| %s | `%s` | ", family, field->name);
    bits(field);
    (void)printf(" | %u | %s | %s%s |\n", field->width, kind(field), field->title,
                 field->is_inferred ? " (inferred)" : "");
}

static void fields(void)
{
    const dwn_fields *family = NULL;
    (void)puts("| Fields | Name | Bit | Bits | Stored as | What |\n|---|---|---|---|---|---|");
    field_row("all", &dwn_opcode_field);
    for (size_t i = 0; (family = dwn_fields_at(i)) != NULL; i++) {
        for (size_t k = 0; k < family->count; k++) {
            field_row(family->name, &family->rows[k]);
        }
    }
}

static void operations(void)
{
    static const char *const targets[DWN_ALU_KINDS] = {
        [DWN_ALU_NONE] = "",
        [DWN_ALU_BINARY] = "register",
        [DWN_ALU_UNARY] = "register",
        [DWN_ALU_COMPARE] = "predicate",
    };
    (void)puts("| Code | Name | Into | Value |\n|---|---|---|---|");
    for (uint32_t code = 0; code < DWN_ALU_CODES; code++) {
        const dwn_alu *alu = dwn_alu_find(code);
        if (alu) {
            (void)printf("| 0x%02x | `s.%s` | %s | %s%s |\n", (unsigned)code, alu->name,
                         targets[alu->kind], alu->formula, alu->is_inferred ? " (inferred)" : "");
        }
    }
}

static void ends(void)
{
    (void)puts("| A run ends, because |\n|---|");
    for (dwn_scalar_end end = 0; end < DWN_SCALAR_ENDS; end++) {
        (void)printf("| %s |\n", dwn_scalar_end_text(end));
    }
}

static void traversals(void)
{
    (void)puts("| Name | Traverses | Loops |\n|---|---|---|");
    (void)printf("| `master` | the steps of the operation | %d |\n", DWN_MASTER_LOOPS);
    for (size_t i = 0; i < DWN_TRAVERSAL_COUNT; i++) {
        (void)printf("| `%s` | %s | %d |\n", dwn_traversals[i].name, dwn_traversals[i].title,
                     DWN_LOOPS);
    }
}

static void faults(void)
{
    char text[200];
    (void)puts("| Fault | For instance |\n|---|---|");
    for (dwn_fault_code code = 0; code < DWN_FAULT_COUNT; code++) {
        // Any numbers do; the page gives an example.
        const dwn_fault fault = {.code = code, .found = 17, .expected = 16};
        dwn_fault_text(&fault, text, sizeof(text));
        (void)printf("| `%s` | %s |\n", dwn_fault_name(code), text);
    }
}

static void link_faults(void)
{
    char text[200];
    (void)puts("| Fault | For instance |\n|---|---|");
    for (dwn_link_code code = 0; code < DWN_LINK_CODES; code++) {
        const dwn_link_fault fault = {.code = code, .found = 17};
        dwn_link_fault_text(&fault, text, sizeof(text));
        (void)printf("| `%s` | %s |\n", dwn_link_fault_name(code), text);
    }
}

// By the name that stands in the page's marker.
static const hoist_docgen_table tables[] = {
    {"opcodes", opcodes},         {"fields", fields}, {"operations", operations},
    {"traversals", traversals},   {"ends", ends},     {"faults", faults},
    {"link-faults", link_faults},
};

int main(void)
{
    return hoist_docgen(tables, HOIST_COUNT_OF(tables));
}
