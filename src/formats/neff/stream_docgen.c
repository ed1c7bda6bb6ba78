// hoist-neff-docgen < PAGE: the page docs/formats/neff-instructions.md with its tables made from
// the tables of instructions (stream_opcodes.c, stream_codes.c, stream_forms.c). A table is between
// the lines "<!-- made: NAME -->" and "<!-- end -->". Run by the build; never installed.
#include <stdio.h>
#include <string.h>

#include "base/span.h"
#include "formats/neff/stream_internal.h"
#include "testing/docgen.h"

// Waits and updates, with N for an index and V for a value.
static void events(const neff_event_row *rows)
{
    (void)puts("| Code | Text |\n|---|---|"); // row 0 waits for nothing
    for (size_t i = 1; i < NEFF_EVENT_ROWS; i++) {
        (void)printf("| 0x%02x | `", rows[i].code);
        for (const char *text = rows[i].text; *text; text++) {
            (void)putchar(*text == '#' ? 'N' : *text == '%' ? 'V' : *text);
        }
        (void)puts("` |");
    }
}

static void waits(void)
{
    events(neff_waits);
}

static void updates(void)
{
    events(neff_updates);
}

// How an operand is written: KEY=NUMBER and so on, in the notation of the page.
static void operand_text(const neff_operand *row)
{
    static const char *const texts[NEFF_OPERAND_KIND_COUNT] = {
        [NEFF_OPERAND_NUMBER] = "NUMBER",
        [NEFF_OPERAND_CODE] = "WORD",
        [NEFF_OPERAND_NAME] = "NAME",
        [NEFF_OPERAND_RELEASE] = "block_id=NUMBER or raw_count=NUMBER",
        [NEFF_OPERAND_RETURN] = "$R[N],$R[N]",
        [NEFF_OPERAND_SECOND] = "then WAIT UPDATE",
        [NEFF_OPERAND_MOVES] = "$R[N]=NUMBER, ... or $R[N]=$R[N], ...",
        [NEFF_OPERAND_TERMS] = "$R[N]=$R[N],NUMBER or $R[N]=$R[N],$R[N]",
    };
    (void)printf("`%s%s%s`%s", row->key ? row->key : "", row->key ? "=" : "", texts[row->kind],
                 row->optional ? ", may be left out" : "");
}

// The words of a small set with their codes; a large one is named, and listed in a section of its
// own.
static void operand_words(const neff_operand *row)
{
    if (!row->codes) {
        return;
    }
    if (row->codes->count > 8) { // has a table of its own
        (void)printf("%s ", row->codes->what);
        return;
    }
    for (unsigned code = 0; code < row->codes->count; code++) {
        const char *name = row->codes->name(code);
        if (name) {
            (void)printf("%u `%s` ", code, name);
        }
    }
}

// One line per operand; the mnemonic is in the first of an instruction.
static void forms(void)
{
    (void)puts("| Mnemonic | Operand | Bytes | Words |\n|---|---|---|---|");
    // Opcodes without operands have an empty form and give no line.
    const neff_opcode *opcode = NULL;
    for (size_t i = 0; (opcode = neff_opcode_at(NEFF_ANY_GENERATION, i)) != NULL; i++) {
        const neff_operands *form = &neff_forms[opcode->form];
        for (size_t k = 0; k < form->count; k++) {
            const neff_operand *row = &form->rows[k];
            const char *quote = k ? "" : "`";
            (void)printf("| %s%s%s | ", quote, k ? "" : opcode->name, quote);
            operand_text(row);
            (void)printf(" | 0x%02x, %u | ", row->at, row->size);
            operand_words(row);
            (void)puts("|");
        }
    }
}

// Words of instructions, and where JSON files spell the dtype otherwise that spelling.
static void dtypes(void)
{
    (void)puts("| Code | Word | Also |\n|---|---|---|");
    for (unsigned code = 1; code < 16; code++) {
        const neff_dtype_row *row = neff_dtype_of_isa(code);
        if (row) {
            const bool same = strcmp(row->mnemonic, row->name) == 0;
            (void)printf("| %u | `%s` | %s%s%s |\n", code, row->mnemonic, same ? "" : "`",
                         same ? "" : row->name, same ? "" : "`");
        }
    }
}

// Eight in a line of the source; Markdown joins them.
static void alu_ops(void)
{
    const char *name = NULL;
    for (unsigned code = 0; (name = neff_alu_name(code)) != NULL; code++) {
        (void)printf("%s%u `%s`", code == 0 ? "" : code % 8 == 0 ? ",\n" : ", ", code, name);
    }
    (void)puts("");
}

// Rows of one generation, or of those from the second on (NEFF_ANY_GENERATION).
static void mnemonics_of(int generation)
{
    static const char *const classes[] = {
        [NEFF_CLASS_PE] = "PE",           [NEFF_CLASS_ACT] = "activation",
        [NEFF_CLASS_VECTOR] = "vector",   [NEFF_CLASS_CONTROL] = "control",
        [NEFF_CLASS_DGE] = "descriptors", [NEFF_CLASS_PSEUDO] = "pseudo",
        [NEFF_CLASS_INVALID] = "invalid",
    };
    const neff_opcode *row = NULL;
    for (size_t i = 0; (row = neff_opcode_at(generation, i)) != NULL; i++) {
        if (generation == NEFF_GEN1 && row->last > 1) {
            continue; // among the others
        }
        (void)printf("| 0x%02x | `%s` | %u", row->code, row->name, row->first);
        if (row->last > row->first) {
            (void)printf("-%u", row->last);
        }
        (void)printf(" | %s |\n", classes[row->kind]);
    }
}

static void mnemonics(void)
{
    (void)puts("| Code | Mnemonic | Generations | Kind |\n|---|---|---|---|");
    mnemonics_of(NEFF_ANY_GENERATION);
    mnemonics_of(NEFF_GEN1);
}

// By the names that the page's comments have.
static const hoist_docgen_table tables[] = {
    {"waits", waits},   {"updates", updates}, {"forms", forms},
    {"dtypes", dtypes}, {"alu", alu_ops},     {"mnemonics", mnemonics},
};

int main(void)
{
    return hoist_docgen(tables, HOIST_COUNT_OF(tables));
}
