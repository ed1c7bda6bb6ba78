// The bytes of a race, by name: what two threads touch, and the part of the message that locates
// the first common byte; or no race at all, where the bytes only look alike.
#include <string.h>

#include "base/alloc.h"
#include "machine/order_testing.h"
#include "program/text.h"

static const char memory[] =
    "program p\nspace m\nspace far\n"
    "buffer x in m size 256 lifetime session contents zero\n"
    "buffer mid in m size 128 window x offset 64 lifetime session\n"
    "buffer low in m size 32 window mid offset 16 lifetime session\n"
    "buffer y in m size 256 lifetime session contents zero\n"
    "buffer z in m size 256 lifetime session contents zero\n"
    "buffer tiles in m size 32768 lifetime session contents zero\n"
    "buffer a0 in far size 64 at 0x1000 lifetime session contents zero\n"
    "buffer a1 in far size 64 at 0x1040 lifetime session contents zero\n"
    "buffer part0 in m size 64 lifetime session contents zero\n"
    "buffer cells in m size 64 lifetime session contents zero\n"
    "buffer own in m size 64\n"
    "fifo cells ram of f32[4] slots 4 in [cells] slot_bytes 16\n"
    "fifo behind ram of f32[4] slots 2 in [part0] header 32 slot_bytes 16\n"
    "unit u depth 2\nunit v depth 2\nsemaphore s\n"
    "function put {\nparameter to view f32[4] written\n"
    "move copy from [y f32[4]] to param(to) f32[4]\n}\n"
    "function scratch {\nmove copy from [y f32[4]] to own f32[4]\n}\n";

#define GET(view) "move copy from [" view "] to z f32[4]\n"
#define PUT(view) "move copy from [y f32[4]] to " view "\n"

// clang-format off
static const struct {
    const char *name;
    const char *a;
    const char *b;
    const char *where; // NULL: no race
} cases[] = {
    {"the first byte", PUT("x f32[4]"), GET("x f32[4]"), "byte 0 of buffer 'x'"},
    {"the first common one", PUT("x f32[4]"), GET("x f32[4] + 12"), "byte 12 of buffer 'x'"},
    {"one byte", PUT("x f32[4]"), "move copy from [x u8[1] + 15] to z u8[1]\n", "byte 15 of buffer 'x'"},
    {"the byte behind", PUT("x f32[4]"), "move copy from [x u8[1] + 16] to z u8[1]\n", NULL},
    {"a window", PUT("x f32[4] + 64"), GET("mid f32[4]"), "byte 64 of buffer 'x' (byte 0 of 'mid')"},
    {"a window of a window", PUT("x f32[4] + 80"), GET("low f32[4]"), "byte 80 of buffer 'x' (byte 16 of 'mid', byte 0 of 'low')"},
    {"windows of one buffer", PUT("mid f32[4] + 32"), GET("low f32[4] + 16"), "byte 96 of buffer 'x' (byte 32 of 'mid', byte 16 of 'low')"},
    {"in front of a window", PUT("x f32[4] + 48"), GET("mid f32[4]"), NULL},
    {"behind one", PUT("x f32[4] + 112"), GET("low f32[4]"), NULL},
    {"even and odd elements", PUT("x f32[4] by [8]"), GET("x f32[4] by [8] + 4"), NULL},
    {"the second even one", PUT("x f32[4] by [8]"), GET("x f32[4] + 4"), "byte 8 of buffer 'x'"},
    {"every third and fourth", PUT("x f32[4] by [12] + 4"), GET("x f32[4] by [16]"), "byte 16 of buffer 'x'"},
    {"that never meet", PUT("x f32[4] by [24] + 4"), GET("x f32[4] by [16]"), NULL},
    {"backwards", PUT("x f32[4] by [-4] + 12"), GET("x f32[4] + 12"), "byte 12 of buffer 'x'"},
    {"backwards from behind", PUT("x f32[4] by [-4] + 28"), GET("x f32[4]"), NULL},
    {"one element again and again", PUT("x f32[1] + 8"), GET("x f32[4] by [0] + 8"), "byte 8 of buffer 'x'"},
    {"of halves", "move copy from [y f16[8]] to x f16[8] + 2\n", GET("x f32[4] + 16"), "byte 16 of buffer 'x'"},
    {"rows", "move copy from [y f32[2, 2]] to x f32[2, 2] by [32, 4]\n", "move copy from [x f32[2, 2] by [32, 4] + 8] to z f32[2, 2]\n", NULL},
    {"rows and a column", "move copy from [y f32[2, 2]] to x f32[2, 2] by [32, 4]\n", GET("x f32[4] by [16] + 4"), "byte 4 of buffer 'x'"},
    {"a column behind the rows", "move copy from [y f32[2, 2]] to x f32[2, 2] by [32, 4]\n", GET("x f32[4] by [16] + 8"), NULL},
    {"tiles", "move copy from [tiles f32 tiled() + 7] to tiles f32 tiled() + 1\n", "move copy from [tiles f32 tiled() + 1] to tiles f32 tiled() + 5\n", "byte 4096 of buffer 'tiles'"},
    {"next tiles", "move copy from [tiles f32 tiled() + 7] to tiles f32 tiled() + 1\n", "move copy from [tiles f32 tiled() + 2] to tiles f32 tiled() + 5\n", NULL},
    {"an address", PUT("a0 f32[4] + 16"), "alu i = set 4112\nmove copy from [space(far) f32[4] + i * 1] to z f32[4]\n", "address 0x1010 of space 'far' (byte 16 of 'a0')"},
    {"an address of the next", PUT("a0 f32[4] + 48"), "alu i = set 4160\nmove copy from [space(far) f32[4] + i * 1] to z f32[4]\n", NULL},
    {"across two buffers", PUT("a1 f32[4]"), "alu i = set 4152\nmove copy from [space(far) f32[4] + i * 1] to z f32[4]\n", "address 0x1040 of space 'far' (byte 0 of 'a1')"},
    {"a register", "alu i = set 3\n" PUT("x f32[4] + i * 16"), GET("x f32[4] + 56"), "byte 56 of buffer 'x'"},
    {"another register", "alu i = set 3\n" PUT("x f32[4] + i * 16"), GET("x f32[4] + 64"), NULL},
    {"the register is that of the step", "alu i = set 3\nalu i = set 1\n" PUT("x f32[4] + i * 16"), GET("x f32[4] + 48"), NULL},
    {"an argument", "call put with [x f32[4] + 32]\n", GET("x f32[4] + 40"), "byte 40 of buffer 'x'"},
    {"an argument of a post", "post u put with [x f32[4] + 32]\n", GET("x f32[4] + 20"), "byte 32 of buffer 'x'"},
    {"next to an argument", "post u put with [x f32[4] + 32]\n", GET("x f32[4] + 16"), NULL},
    {"memory of two calls", "post u scratch\n", "post v scratch\n", NULL},
    {"slots of a fifo", PUT("write(cells) f32[4]"), GET("read(cells) f32[4]"), "slot 0 of fifo 'cells'"},
    {"a slot and its buffer", PUT("write(behind) f32[4]"), GET("part0 f32[4] + 40"), "byte 40 of buffer 'part0'"},
    {"a slot and the header", PUT("write(behind) f32[4]"), GET("part0 f32[4] + 16"), NULL},
    {"another slot", "push behind by 1\n" PUT("write(behind) f32[4]"), GET("part0 f32[4] + 32"), NULL},
    {"the other slot", "push behind by 1\n" PUT("write(behind) f32[4]"), GET("part0 f32[4] + 48"), "byte 48 of buffer 'part0'"},
    {"pointers", "push cells by 1\n", "push cells by 1\n", "the pointers of fifo 'cells'"},
    {"different pointers", "push cells by 1\n", "advance cells by 1\n", NULL},
    {"the pointer of a read", "advance cells by 1\n", GET("read(cells) f32[4]"), "the pointers of fifo 'cells'"},
    {"no pointer of that read", "push cells by 1\n", "move copy from [y f32[4]] to z f32[4]\n", NULL},
};
// clang-format on

HOIST_TEST_TABLE(races_name_their_bytes, cases)
{
    const hoist_str text = hoist_arena_format(&t->arena,
                                              "thread a {\nregister i\n%s}\nthread b {\nregister "
                                              "i\n%s}\nentry main {\nstart a\nstart b\n}\n",
                                              row->a, row->b);
    hoist_program *program = NULL;
    const hoist_str all = hoist_arena_format(&t->arena, "%s%s", memory, text.data);
    HOIST_EXPECT_EQ(t,
                    hoist_program_parse((hoist_bytes){(const uint8_t *)all.data, all.size},
                                        hoist_allocator_system(), t->diag, &program),
                    HOIST_OK);
    HOIST_EXPECT_RULE(t, NULL);
    if (!program) {
        return;
    }
    HOIST_EXPECT_EQ(t, order_verdict(t, program, 0),
                    row->where ? HOIST_VERDICT_BAD : HOIST_VERDICT_CLEAN);
    HOIST_EXPECT_RULE(t, row->where ? "PRG-101" : NULL);
    if (row->where && hoist_diag_kept(t->diag) > 0) {
        // "... writes WHERE and ... reads it, and no wait orders them"
        const hoist_str message = hoist_diag_at(t->diag, 0)->message;
        const hoist_str located = hoist_arena_format(&t->arena, " %s and ", row->where);
        HOIST_EXPECT_STR(
            t, hoist_str_contains(message, located.data) ? hoist_str_from("") : message, "");
    }
    hoist_program_destroy(program);
}

#define LONG "abcdefghijklmnopqrstuvwxyz_abcdefghijklmnopqrstuvwxyz_abcdefghijklmnopq"

// The longest message: names that are cut, places of many digits, and more buffers than are named.
HOIST_TEST(the_longest_message_is_whole)
{
    static const char text[] =
        "program p\nspace " LONG "s\n"
        "buffer " LONG "0 in " LONG
        "s size 64 at 0xfffffffffffff00 lifetime session contents zero\n"
        "buffer " LONG "1 in " LONG "s size 16 window " LONG "0 offset 0 lifetime session\n"
        "buffer " LONG "2 in " LONG "s size 16 window " LONG "0 offset 0 lifetime session\n"
        "buffer " LONG "3 in " LONG "s size 16 window " LONG "0 offset 0 lifetime session\n"
        "buffer " LONG "4 in " LONG "s size 16 window " LONG "0 offset 0 lifetime session\n"
        "buffer y in " LONG "s size 64 lifetime session contents zero\n"
        "thread a {\nmove copy from [y f32[4]] to " LONG "1 f32[4]\n}\n"
        "thread b {\nmove copy from [y f32[4]] to " LONG "2 f32[4]\n"
        "move copy from [space(" LONG "s) f32[4]] to y f32[4] + 32\n}\n"
        "entry main {\nstart a\nstart b\n}\n";
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t,
                    hoist_program_parse((hoist_bytes){(const uint8_t *)text, strlen(text)},
                                        hoist_allocator_system(), t->diag, &program),
                    HOIST_OK);
    HOIST_EXPECT_RULE(t, NULL);
    if (program) {
        HOIST_EXPECT_EQ(t, order_verdict(t, program, 0), HOIST_VERDICT_BAD);
        const hoist_str message = hoist_diag_at(t->diag, 0)->message;
        HOIST_EXPECT(t, hoist_str_contains(message, "address 0xfffffffffffff00 of space '"));
        HOIST_EXPECT(t, hoist_str_contains(message, "', and 1 more) and "));
        HOIST_EXPECT(t, hoist_str_contains(message, "and no wait orders them"));
    }
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(races_name_their_bytes),
                HOIST_TEST_ROW(the_longest_message_is_whole))
