// formats/darwinn/recover_trace.h - where the words of values are in the memories of tiles, by
// following all instructions that move them: what tiles make, move, and send to each other.
//
// A word is named by the value and its number in it: channels of a pixel in words of four, pixel
// after pixel, row after row. What layers make is known where the pixels of all its tiles make the
// value's rows and columns in one way; of other operations, of strips and of what comes from the
// host nothing is known, and what they write is unknown. What a selection writes
// (recover_selection.h) are mixed words: bytes of words of values, of which each is known by
// itself.
#ifndef HOIST_SRC_FORMATS_DARWINN_RECOVER_TRACE_H
#define HOIST_SRC_FORMATS_DARWINN_RECOVER_TRACE_H

#include "formats/darwinn/recover_selection.h"
#include "formats/darwinn/recover_shares.h"

enum { DWN_WORD_BYTES = 4 };

enum {
    DWN_TRACE_WORDS = 1 << 16, // of a tile
    DWN_TRACE_PAGE = 512,      // words; pages are there once they have a known word
    DWN_TRACE_PAGES = DWN_TRACE_WORDS / DWN_TRACE_PAGE,
    DWN_TRACE_STEPS = 1 << 25, // that are followed; bounds time
    DWN_TRACE_LOOKS = 1 << 25, // the same of words that are compared with layers
};

typedef struct dwn_held {
    uint32_t value; // index of a value of the walk plus 1; 0: unknown
    uint32_t word;
} dwn_held;

// A byte of a word of a value.
typedef struct dwn_byte {
    uint32_t value; // as of a word
    uint32_t byte;  // of all of the value's words
} dwn_byte;

// A word whose bytes are of several words. There may be a million of them, so that values are
// narrow: those that do not fit are unknown.
typedef struct dwn_mixed {
    uint32_t bytes[DWN_WORD_BYTES];
    uint16_t values[DWN_WORD_BYTES];
    dwn_selection *by;
} dwn_mixed;

static inline dwn_byte dwn_mixed_byte(const dwn_mixed *mixed, uint32_t index)
{
    return (dwn_byte){mixed->values[index], mixed->bytes[index]};
}

enum {
    DWN_TRACE_MIXED = DWN_TRACE_TILES * DWN_TRACE_WORDS, // as many as tiles have words
    DWN_TRACE_CHUNK = 1 << 12,                           // of mixed words
};

// What a tile sends and no tile takes before the next operation.
enum { DWN_TRACE_PENDING = 32 };
typedef struct dwn_pending {
    const dwn_send *send;
    uint32_t tile;
} dwn_pending;

typedef struct dwn_trace {
    dwn_held *pages[DWN_TRACE_TILES][DWN_TRACE_PAGES]; // scratch
    uint32_t operation, group, fill, send, copy_in;    // the next to follow
    dwn_shares shares;                                 // of the group before `group`
    uint32_t folded; // the product that the group has, in `shares`; DWN_NONE: none
    dwn_laid laid;
    dwn_pending pending[DWN_TRACE_PENDING]; // what nothing has taken so far, in order
    uint32_t pending_count;
    dwn_mixed *mixed[DWN_TRACE_MIXED / DWN_TRACE_CHUNK]; // scratch: chunks
    uint32_t mixed_count;
    uint64_t left; // of the steps
    uint64_t looks;
} dwn_trace;

// Forgets what was followed, but for the memory it had. Of a walk without a trace makes one.
// HOIST_OK, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status dwn_trace_begin(dwn_walk *w);
// Follows all up to an operation of the program, which itself is not carried out yet; does nothing
// where that has been passed. HOIST_OK, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status dwn_trace_to(dwn_walk *w, uint32_t operation);
// Takes steps of looking at what is there from those that may be followed. False: there are none
// left.
bool dwn_trace_spend(dwn_walk *w, uint64_t steps);
// The same of looks that only exclude something, from a share of their own: of many steps each
// `*out_each`th is looked at, a prime, so that all taps and columns have their turn.
bool dwn_trace_look(dwn_walk *w, uint64_t steps, uint32_t *out_each);
// Words of a value: whole ones for each pixel.
uint64_t dwn_value_words(const dwn_value *value);
// The number in a value of a word that is there; those of values that were joined to it, or that it
// was cut from, are its words. False: it is none of it.
bool dwn_trace_word(const dwn_walk *w, uint32_t value, dwn_held held, uint32_t *out_word);
// How many words from an address on, at most so many, are a word and those after it in its value.
uint32_t dwn_trace_run(const dwn_walk *w, uint32_t tile, int64_t address, dwn_held held,
                       uint32_t most);
// What a tile has at an address; a mixed word is unknown.
dwn_held dwn_trace_at(const dwn_walk *w, uint32_t tile, int64_t address);
// The mixed word that a tile has at an address; NULL: it has none.
const dwn_mixed *dwn_trace_mixed(const dwn_walk *w, uint32_t tile, int64_t address);

#endif // HOIST_SRC_FORMATS_DARWINN_RECOVER_TRACE_H
