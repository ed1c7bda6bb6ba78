// program/lexer.h - the text form of programs as tokens.
//
// A line ends with a line end or a comment, from `#` on. Tokens are words (names, numbers and
// comparisons), quoted names, and the marks `{ } [ ] ( ) , : + * =`.
#ifndef HOIST_SRC_PROGRAM_LEXER_H
#define HOIST_SRC_PROGRAM_LEXER_H

#include "base/arena.h"

typedef enum hoist_token_kind {
    HOIST_TOKEN_LINE_END = 0, // also the end of the text
    HOIST_TOKEN_WORD,
    HOIST_TOKEN_NAME, // quoted; `text` is what the quotes mean
    HOIST_TOKEN_MARK, // one character, or a comparison of one or two
    HOIST_TOKEN_BAD,  // `text` says why
} hoist_token_kind;

typedef struct hoist_token {
    hoist_token_kind kind;
    hoist_str text; // borrowed from the source, or in the lexer's arena
    hoist_pos pos;
} hoist_token;

typedef struct hoist_lexer {
    hoist_str source; // borrowed
    size_t at;
    size_t line_start;
    uint32_t line;      // 1-based
    hoist_arena *arena; // borrowed: for names with escapes
    bool failed;        // memory ran out
} hoist_lexer;

hoist_lexer hoist_lexer_init(hoist_str source, hoist_arena *arena);
// The next token of the line; LINE_END again and again at its end.
hoist_token hoist_lexer_next(hoist_lexer *lexer);
// Goes to the next line, whatever is left of this one. False: there is none.
bool hoist_lexer_next_line(hoist_lexer *lexer);

#endif // HOIST_SRC_PROGRAM_LEXER_H
