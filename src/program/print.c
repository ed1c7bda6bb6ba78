// program/print.c - programs as text: one line per row and step, operands as fields.h says.
//
// A reference to a row that does not exist is written @N, so that a program that fails the verifier
// can still be looked at and read again.
#include "program/printer.h"
#include "program/text.h"

static void print_line(const hoist_printer *p, const hoist_record *record, const void *row)
{
    hoist_buffer_c(p->out, record->keyword);
    if (record->field_count) {
        hoist_buffer_char(p->out, ' ');
        hoist_print_fields(p, record, row);
    }
    hoist_buffer_c(p->out, record->block ? " {\n" : "\n");
}

// `size`: bytes of a row; operands are found by offsets.
static void print_rows(const hoist_printer *p, hoist_row_kind kind, const void *rows,
                       uint32_t count, size_t size)
{
    for (uint32_t i = 0; i < count; i++) {
        print_line(p, hoist_row_record(kind), (const uint8_t *)rows + i * size);
    }
}

static void print_code(hoist_printer *p, const hoist_prog_code *code, uint32_t first_register)
{
    p->code = code;
    // Integer parameters are registers, too, and have been printed as parameters.
    for (uint32_t i = first_register; i < code->register_count; i++) {
        hoist_buffer_c(p->out, "    ");
        print_line(p, hoist_row_record(HOIST_ROW_REGISTER), &code->registers[i]);
    }
    size_t depth = 1;
    for (uint32_t i = 0; i < code->step_count; i++) {
        const hoist_prog_step *step = &code->steps[i];
        if ((uint32_t)step->kind >= HOIST_STEP_COUNT) {
            continue; // no text can say it; the verifier does
        }
        depth -= step->kind == HOIST_STEP_END && depth > 1;
        // Indentation is for people; a limit keeps a program of a million loops readable by
        // machines.
        hoist_buffer_fill(p->out, ' ', 4 * (depth < 16 ? depth : 16));
        depth += step->kind == HOIST_STEP_LOOP;
        if (step->label.size) {
            hoist_print_name(p->out, step->label);
            hoist_buffer_c(p->out, ": ");
        }
        print_line(p, hoist_step_record(step->kind), hoist_step_fields(step));
    }
    hoist_buffer_c(p->out, "}\n");
    p->code = NULL;
}

// Functions before threads, as a reader looks for what is called first.
static void print_functions(hoist_printer *p)
{
    for (uint32_t i = 0; i < p->program->function_count; i++) {
        const hoist_prog_function *f = &p->program->functions[i];
        p->function = f;
        print_line(p, hoist_row_record(HOIST_ROW_FUNCTION), f);
        uint32_t integers = 0;
        for (uint32_t k = 0; k < f->parameter_count; k++) {
            hoist_buffer_c(p->out, "    ");
            print_line(p, hoist_row_record(HOIST_ROW_PARAMETER), &f->parameters[k]);
            integers += !f->parameters[k].is_view;
        }
        print_code(p, &f->code, integers);
    }
    p->function = NULL;
}

static void print_threads(hoist_printer *p)
{
    for (uint32_t i = 0; i < p->program->thread_count; i++) {
        print_line(p, hoist_row_record(HOIST_ROW_THREAD), &p->program->threads[i]);
        print_code(p, &p->program->threads[i].code, 0);
    }
}

static void print_entries(hoist_printer *p)
{
    for (uint32_t i = 0; i < p->program->entry_count; i++) {
        const hoist_prog_entry *entry = &p->program->entries[i];
        print_line(p, hoist_row_record(HOIST_ROW_ENTRY), entry);
        for (uint32_t k = 0; k < entry->thread_count; k++) {
            hoist_buffer_c(p->out, "    ");
            print_line(p, hoist_row_record(HOIST_ROW_START), &entry->threads[k]);
        }
        for (uint32_t k = 0; k < entry->parameter_count; k++) {
            const hoist_prog_entry_parameter *row = &entry->parameters[k];
            // The register that the parameter names is one of that thread.
            p->code = row->thread < p->program->thread_count
                          ? &p->program->threads[row->thread].code
                          : NULL;
            hoist_buffer_c(p->out, "    ");
            print_line(p, hoist_row_record(HOIST_ROW_ENTRY_PARAMETER), row);
            p->code = NULL;
        }
        hoist_buffer_c(p->out, "}\n");
    }
}

// In the order of the tables; references forward are allowed, so no order is needed.
hoist_status hoist_program_print(const hoist_program *program, hoist_buffer *out)
{
    hoist_printer p = {.program = program, .out = out};
    const hoist_program *g = program;
    print_line(&p, hoist_row_record(HOIST_ROW_PROGRAM), program);
    print_rows(&p, HOIST_ROW_SPACE, g->spaces, g->space_count, sizeof *g->spaces);
    print_rows(&p, HOIST_ROW_BUFFER, g->buffers, g->buffer_count, sizeof *g->buffers);
    print_rows(&p, HOIST_ROW_RELOCATION, g->relocations, g->relocation_count,
               sizeof *g->relocations);
    print_rows(&p, HOIST_ROW_PORT, g->ports, g->port_count, sizeof *g->ports);
    print_rows(&p, HOIST_ROW_NEED, g->needs, g->need_count, sizeof *g->needs);
    print_rows(&p, HOIST_ROW_FIFO, g->fifos, g->fifo_count, sizeof *g->fifos);
    print_rows(&p, HOIST_ROW_UNIT, g->units, g->unit_count, sizeof *g->units);
    print_rows(&p, HOIST_ROW_SEMAPHORE, g->semaphores, g->semaphore_count, sizeof *g->semaphores);
    print_functions(&p);
    print_threads(&p);
    print_entries(&p);
    return out->failed ? HOIST_NO_MEMORY : HOIST_OK;
}
