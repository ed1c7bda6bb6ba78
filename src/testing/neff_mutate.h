// testing/neff_mutate.h - mutations of the bytes of a file, for the rows of neff_mutations.c.
#ifndef HOIST_SRC_TESTING_NEFF_MUTATE_H
#define HOIST_SRC_TESTING_NEFF_MUTATE_H

#include "testing/neff_gen.h"

void gen_cut_to_header(neff_gen *g);
void gen_append(neff_gen *g);            // bytes after the payload
void gen_append_to_payload(neff_gen *g); // bytes after the gzip data
void gen_change_trailer(neff_gen *g);    // the gzip CRC
void gen_change_tar(neff_gen *g);        // a byte of the first tar header
void gen_cut_end(neff_gen *g);           // the end blocks
// One more member of the archive: with "..", a link, neff.json again, one without any use.
void gen_add_unsafe(neff_gen *g);
void gen_add_link(neff_gen *g);
void gen_add_again(neff_gen *g);
void gen_add_unreferred(neff_gen *g);

#endif // HOIST_SRC_TESTING_NEFF_MUTATE_H
