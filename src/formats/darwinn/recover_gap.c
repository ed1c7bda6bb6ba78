// Where recovered layers and gaps are in the file, and how a gap is described in one sentence.
#include "formats/darwinn/recover.h"

// Words of the main executable: layers have no others.
static hoist_loc place_of_words(const dwn_module *module, const dwn_contents *contents,
                                const dwn_words *words)
{
    const dwn_chunk *chunk = &dwn_roles_of(contents).main_image->chunks[words->chunk];
    return dwn_place_in_file(module,
                             chunk->stream.bytes.data + (size_t)words->word * DWN_WORD_SIZE);
}

// A layer without instructions, such as a concatenation, has no place of its own.
hoist_loc dwn_recovered_place(const dwn_module *module, const dwn_contents *contents,
                              const dwn_recovered *layer)
{
    return layer->word_count > 0 ? place_of_words(module, contents, &layer->words[0])
                                 : dwn_place_in_file(module, contents->bytes.data);
}

hoist_loc dwn_gap_place(const dwn_module *module, const dwn_contents *contents, const dwn_gap *gap)
{
    if (gap->words.words > 0) {
        return place_of_words(module, contents, &gap->words);
    }
    if (gap->piece.size > 0) {
        const hoist_bytes parameters = dwn_parameters_of(contents, gap->piece.is_cached);
        return dwn_place_in_file(module, parameters.data + gap->piece.offset);
    }
    return dwn_place_in_file(module, contents->bytes.data);
}

// The order of cases is that of recover_tree.c: layer, instructions, parameters, output.
hoist_status dwn_gap_describe(const dwn_gap *gap, hoist_arena *arena, hoist_str *out_text)
{
    const char *kind = gap->piece.is_cached ? "cached" : "streamed";
    if (gap->has_layer) {
        *out_text = hoist_arena_format(arena, "layer %u (from word %u of chunk %u on): %s",
                                       gap->layer, gap->words.word, gap->words.chunk, gap->reason);
    } else if (gap->words.words > 0) {
        *out_text =
            hoist_arena_format(arena, "%u words of instructions from word %u of chunk %u on: %s",
                               gap->words.words, gap->words.word, gap->words.chunk, gap->reason);
    } else if (gap->piece.size > 0) {
        *out_text = hoist_arena_format(arena, "%llu bytes of %s parameters from byte %llu on: %s",
                                       (unsigned long long)gap->piece.size, kind,
                                       (unsigned long long)gap->piece.offset, gap->reason);
    } else {
        *out_text = hoist_arena_format(arena, "output %u: %s", gap->output, gap->reason);
    }
    return out_text->data ? HOIST_OK : HOIST_NO_MEMORY;
}
