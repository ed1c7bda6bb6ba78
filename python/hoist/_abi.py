"""Declarations of libhoist's C interface. Written by scripts/python_abi.py from include/hoist."""
import ctypes as c
import enum
from typing import Any

VERSION = "0.1.0"


class hoist_status(enum.IntEnum):
    OK = 0
    INVALID = 1
    TRUNCATED = 2
    UNSUPPORTED = 3
    LIMIT = 4
    NO_MEMORY = 5
    NOT_FOUND = 6
    BUSY = 7
    CANCELLED = 8
    IO = 9
    INTERNAL = 10


class hoist_bytes(c.Structure):
    _fields_ = [
        ("data", c.POINTER(c.c_uint8)),
        ("size", c.c_size_t),
    ]


class hoist_mut_bytes(c.Structure):
    _fields_ = [
        ("data", c.POINTER(c.c_uint8)),
        ("size", c.c_size_t),
    ]


class hoist_str(c.Structure):
    _fields_ = [
        ("data", c.c_void_p),
        ("size", c.c_size_t),
    ]


class hoist_allocator(c.Structure):
    _fields_ = [
        ("self", c.c_void_p),
        ("resize", c.CFUNCTYPE(c.c_void_p, c.c_void_p, c.c_void_p, c.c_size_t, c.c_size_t)),
    ]


class hoist_pos(c.Structure):
    _fields_ = [
        ("line", c.c_uint32),
        ("column", c.c_uint32),
    ]


class hoist_loc_kind(enum.IntEnum):
    NONE = 0
    TEXT = 1
    BYTE = 2


class hoist_loc(c.Structure):
    _fields_ = [
        ("kind", c.c_int),
        ("pos", hoist_pos),
        ("source", c.c_uint32),
        ("offset", c.c_uint64),
    ]


class hoist_severity(enum.IntEnum):
    NOTE = 0
    WARNING = 1
    ERROR = 2


class hoist_refuser(enum.IntEnum):
    NONE = 1
    PARSER = 2
    GOLDEN = 4
    COMPILER = 8
    RUNTIME = 16


class hoist_rule(c.Structure):
    _fields_ = [
        ("id", c.c_char_p),
        ("severity", c.c_int),
        ("strict_error", c.c_bool),
        ("judged", c.c_bool),
        ("refused_by", c.c_uint16),
        ("title", c.c_char_p),
        ("detail", c.c_char_p),
        ("source", c.c_char_p),
    ]


class hoist_rule_set(c.Structure):
    _fields_ = [
        ("name", c.c_char_p),
        ("title", c.c_char_p),
        ("rules", c.POINTER(hoist_rule)),
        ("count", c.c_size_t),
    ]


class hoist_finding(c.Structure):
    _fields_ = [
        ("rule", c.POINTER(hoist_rule)),
        ("severity", c.c_int),
        ("file", hoist_str),
        ("member", hoist_str),
        ("loc", hoist_loc),
        ("object", hoist_str),
        ("message", hoist_str),
        ("context", hoist_str),
    ]


class hoist_diag_options(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("strict", c.c_bool),
        ("max_findings", c.c_size_t),
    ]


class hoist_target(c.Structure):
    _fields_ = [
        ("arch", c.c_char_p),
        ("source", c.c_char_p),
    ]


class hoist_arch_verdict(c.Structure):
    _fields_ = [
        ("arch", c.c_char_p),
        ("errors", c.c_size_t),
        ("warnings", c.c_size_t),
        ("notes", c.c_size_t),
    ]


class hoist_tree_kind(enum.IntEnum):
    MAP = 0
    LIST = 1
    END = 2
    STR = 3
    INT = 4
    UINT = 5
    FLOAT = 6
    BOOL = 7
    NULL = 8


class hoist_tree_unit(enum.IntEnum):
    NONE = 0
    BYTES = 1
    ADDRESS = 2
    PERCENT = 3
    SECONDS = 4
    RATE = 5
    FLOPS = 6


class hoist_tree_audience(enum.IntEnum):
    ALL = 0
    PEOPLE = 1
    PROGRAMS = 2


class hoist_tree_event(c.Structure):
    _fields_ = [
        ("kind", c.c_int),
        ("unit", c.c_int),
        ("audience", c.c_int),
        ("key", hoist_str),
        ("pos", hoist_pos),
        ("str", hoist_str),
        ("integer", c.c_int64),
        ("uinteger", c.c_uint64),
        ("number", c.c_double),
        ("boolean", c.c_bool),
        ("inline_hint", c.c_bool),
    ]


class hoist_tree_sink(c.Structure):
    _fields_ = [
        ("self", c.c_void_p),
        ("event", c.CFUNCTYPE(c.c_int, c.c_void_p, c.POINTER(hoist_tree_event))),
        ("status", c.c_int),
        ("audience", c.c_int),
        ("deadline", c.c_void_p),
    ]


class hoist_dtype(enum.IntEnum):
    NONE = 0
    F64 = 1
    F32 = 2
    TF32 = 3
    F16 = 4
    BF16 = 5
    F8E5M2 = 6
    F8E4M3 = 7
    F8E4M3FN = 8
    F8E3M4 = 9
    I8 = 10
    I16 = 11
    I32 = 12
    I64 = 13
    U8 = 14
    U16 = 15
    U32 = 16
    U64 = 17
    BOOL = 18
    TT_F16 = 19
    TT_LF8 = 20
    TT_F8E4M3 = 21
    TT_I8 = 22
    TT_I32 = 23
    TT_RAW8 = 24
    TT_RAW16 = 25
    TT_RAW32 = 26
    TT_BFP8A = 27
    TT_BFP8B = 28
    TT_BFP4A = 29
    TT_BFP4B = 30
    TT_BFP2A = 31
    TT_BFP2B = 32
    COUNT = 33


class hoist_dtype_class(enum.IntEnum):
    NONE = 0
    FLOAT = 1
    BLOCK = 2
    SIGNED = 3
    UNSIGNED = 4
    SIGN_MAGNITUDE = 5
    BOOL = 6
    RAW = 7


class hoist_dtype_info(c.Structure):
    _fields_ = [
        ("name", c.c_char_p),
        ("kind", c.c_int),
        ("bits", c.c_uint8),
        ("exponent_bits", c.c_uint8),
        ("mantissa_bits", c.c_uint8),
        ("bias", c.c_int16),
        ("block", c.c_uint8),
    ]

ARRAY_MAX_RANK = 32


class hoist_array(c.Structure):
    _fields_ = [
        ("dtype", c.c_int),
        ("rank", c.c_uint32),
        ("shape", c.c_int64 * 32),
        ("data", hoist_bytes),
        ("owned", c.POINTER(c.c_uint8)),
    ]

NPY_MAX_HEADER = 1024


class hoist_port_facts(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("is_quantized", c.c_bool),
        ("scale", c.c_double),
        ("zero_point", c.c_int64),
        ("channels", c.c_uint32),
        ("mean", c.c_double * 4),
        ("deviation", c.c_double * 4),
    ]


class hoist_test_input(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("port", hoist_str),
        ("shape", c.POINTER(c.c_int64)),
        ("rank", c.c_uint32),
        ("dtype", c.c_int),
        ("seed", c.c_uint64),
        ("index", c.c_uint64),
    ]


class hoist_test_limits(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("exact", c.c_bool),
        ("atol", c.c_double),
        ("rtol", c.c_double),
        ("share", c.c_double),
        ("by_pcc", c.c_bool),
        ("pcc", c.c_double),
    ]


class hoist_part(c.Structure):
    _fields_ = [
        ("path", hoist_str),
        ("bytes", hoist_bytes),
        ("executable", c.c_bool),
    ]


class hoist_piece_sink(c.Structure):
    _fields_ = [
        ("self", c.c_void_p),
        ("piece", c.CFUNCTYPE(c.c_int, c.c_void_p, hoist_str)),
    ]


class hoist_part_sink(c.Structure):
    _fields_ = [
        ("self", c.c_void_p),
        ("part", c.CFUNCTYPE(c.c_int, c.c_void_p, c.POINTER(hoist_part))),
    ]


class hoist_unpack_options(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("members_only", c.c_bool),
    ]


class hoist_pack_hints(enum.IntEnum):
    AUTO = 0
    KEEP = 1
    MAKE = 2


class hoist_pack_options(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("alloc", hoist_allocator),
        ("format", c.c_char_p),
        ("has_time", c.c_bool),
        ("time", c.c_int64),
        ("pkg_version", c.c_uint32),
        ("has_level", c.c_bool),
        ("level", c.c_int),
        ("redact", c.c_bool),
        ("hints", c.c_int),
        ("deadline", c.c_void_p),
    ]


class hoist_disasm_options(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("offsets", c.c_bool),
        ("engine", c.c_char_p),
        ("subgraph", c.c_char_p),
    ]


class hoist_draw_form(enum.IntEnum):
    SVG = 0
    DOT = 1
    TEXT = 2


class hoist_draw_options(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("form", c.c_int),
        ("graph", c.c_char_p),
        ("by_depth", c.c_bool),
        ("depth", c.c_uint32),
        ("op", c.c_char_p),
        ("width", c.c_size_t),
        ("shares", c.c_bool),
    ]


class hoist_plan_options(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("arch", c.c_char_p),
        ("processors", c.c_uint32),
    ]


class hoist_link_address(c.Structure):
    _fields_ = [
        ("buffer", c.c_char_p),
        ("batch", c.c_uint32),
        ("address", c.c_uint64),
    ]


class hoist_link_options(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("undo", c.c_bool),
        ("addresses", c.POINTER(hoist_link_address)),
        ("address_count", c.c_size_t),
    ]


class hoist_link_result(c.Structure):
    _fields_ = [
        ("filled", c.c_uint64),
        ("skipped", c.c_uint64),
    ]


class hoist_comparison(enum.IntEnum):
    FIELDS = 0
    SOURCE = 1
    COMPILED = 2


class hoist_layer_match(c.Structure):
    _fields_ = [
        ("layer", c.c_uint32),
        ("kind", hoist_str),
        ("source_operator", c.c_uint32),
        ("operator_name", hoist_str),
        ("tensor", c.c_uint32),
        ("tensor_name", hoist_str),
        ("is_source_old", c.c_bool),
        ("channels", c.c_uint32),
        ("inexact", c.c_uint32),
    ]

hoist_layer_match_call = c.CFUNCTYPE(c.c_int, c.c_void_p, c.POINTER(hoist_layer_match))


class hoist_new_parameters(c.Structure):
    _fields_ = [
        ("name", c.c_char_p),
        ("dtype", c.c_int),
        ("rank", c.c_uint32),
        ("shape", c.POINTER(c.c_int64)),
        ("bytes", hoist_bytes),
    ]


class hoist_stream_kind(enum.IntEnum):
    INSTRUCTIONS = 0
    INPUT = 1
    PARAMETERS = 2
    SCRATCH = 3
    OUTPUT = 4
    SCRATCH_OUT = 5
    INTERRUPT = 6
    FENCE = 7


class hoist_stream_step(c.Structure):
    _fields_ = [
        ("kind", c.c_int),
        ("is_sent", c.c_bool),
        ("tag", c.c_uint8),
        ("executable", c.c_uint32),
        ("index", c.c_uint32),
        ("buffer", hoist_str),
        ("batch", c.c_uint32),
        ("offset", c.c_uint64),
        ("size", c.c_uint64),
        ("address", c.c_uint64),
        ("at", c.c_uint64),
        ("pieces", c.c_uint64),
    ]


class hoist_stream_input(c.Structure):
    _fields_ = [
        ("layer", c.c_char_p),
        ("bytes", hoist_bytes),
    ]


class hoist_stream_options(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("addresses", c.POINTER(hoist_link_address)),
        ("address_count", c.c_size_t),
        ("inputs", c.POINTER(hoist_stream_input)),
        ("input_count", c.c_size_t),
    ]


class hoist_stream(c.Structure):
    _fields_ = [
        ("bytes", hoist_bytes),
        ("steps", c.POINTER(hoist_stream_step)),
        ("step_count", c.c_size_t),
        ("is_complete", c.c_bool),
    ]

RECOVERED_MAX_RANK = 32


class hoist_recovered(c.Structure):
    _fields_ = [
        ("names", c.POINTER(hoist_str)),
        ("name_count", c.c_size_t),
        ("dtype", c.c_int),
        ("element_size", c.c_uint32),
        ("rank", c.c_uint32),
        ("shape", c.POINTER(c.c_int64)),
        ("bytes", hoist_bytes),
        ("is_big_endian", c.c_bool),
        ("is_fortran", c.c_bool),
        ("member", hoist_str),
        ("offset", c.c_uint64),
        ("dtype_from", c.c_char_p),
        ("shape_from", c.c_char_p),
    ]


class hoist_unrecovered(c.Structure):
    _fields_ = [
        ("name", hoist_str),
        ("member", hoist_str),
        ("loc", hoist_loc),
        ("reason", hoist_str),
    ]


class hoist_recovery_sink(c.Structure):
    _fields_ = [
        ("self", c.c_void_p),
        ("array", c.CFUNCTYPE(c.c_int, c.c_void_p, c.POINTER(hoist_recovered))),
        ("missing", c.CFUNCTYPE(c.c_int, c.c_void_p, c.POINTER(hoist_unrecovered))),
    ]


class hoist_diff_rule(c.Structure):
    _fields_ = [
        ("path", c.c_char_p),
        ("key", c.c_char_p),
    ]


class hoist_program_read_options(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("alloc", hoist_allocator),
        ("name", c.c_char_p),
        ("deadline", c.c_void_p),
    ]


class hoist_unknown(enum.IntEnum):
    STOP = 0
    SKIP = 1
    POISON = 2


class hoist_verdict(enum.IntEnum):
    CLEAN = 0
    BAD = 1
    UNKNOWN = 2
    NONE = 3


class hoist_parameter(c.Structure):
    _fields_ = [
        ("name", c.c_char_p),
        ("value", c.c_int64),
    ]


class hoist_port(c.Structure):
    _fields_ = [
        ("name", hoist_str),
        ("input", c.c_bool),
        ("output", c.c_bool),
        ("is_queue", c.c_bool),
        ("is_buffer", c.c_bool),
        ("slots", c.c_uint32),
        ("dtype", c.c_int),
        ("host_dtype", c.c_int),
        ("rank", c.c_uint32),
        ("shape", c.c_int64 * 8),
        ("is_view", c.c_bool),
        ("required", c.c_bool),
        ("result", c.c_bool),
        ("note", hoist_str),
        ("home", c.c_uint32),
    ]


class hoist_program_plan_options(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("alloc", hoist_allocator),
        ("no_fusion", c.c_bool),
        ("memory_only", c.c_bool),
        ("reads", c.POINTER(c.c_char_p)),
        ("read_count", c.c_size_t),
        ("deadline", c.c_void_p),
    ]


class hoist_numerics(enum.IntEnum):
    REFERENCE = 0
    DECLARED = 1
    DEVICE = 2
    FAST = 3


class hoist_queue_mode(enum.IntEnum):
    STRICT = 0
    GOLDEN = 1

MAX_RANKS = 1024


class hoist_requantization(enum.IntEnum):
    DOUBLE = 0
    SINGLE = 1
    FLOAT = 2


class hoist_driver(enum.IntEnum):
    PCIE = 0
    USB = 1
    USB_NO_HINTS = 2
    NONE = 3

MAX_BATCH = 4096


class hoist_lower_options(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("numerics", c.c_int),
        ("queue_mode", c.c_int),
        ("ranks", c.c_uint32),
        ("on_unknown", c.c_int),
        ("control_only", c.c_bool),
        ("max_steps", c.c_uint64),
        ("requantization", c.c_int),
        ("driver", c.c_int),
        ("batch", c.c_uint32),
        ("layers", c.c_bool),
        ("layers_alone", c.c_bool),
        ("notes_multipliers", c.c_bool),
    ]


class hoist_open_options(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("alloc", hoist_allocator),
        ("format", c.c_char_p),
        ("arch", c.c_char_p),
        ("arch_fallback", c.c_char_p),
        ("soc_path", c.c_char_p),
        ("cluster_path", c.c_char_p),
        ("max_bytes", c.c_size_t),
        ("bytes_stay", c.c_bool),
        ("lenient", c.c_bool),
        ("container_only", c.c_bool),
        ("max_expanded", c.c_uint64),
        ("deadline", c.c_void_p),
        ("all_archs", c.c_bool),
    ]


class hoist_order_check(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("ranks", c.c_uint32),
        ("max_steps", c.c_uint64),
        ("max_schedules", c.c_uint32),
        ("programs", c.POINTER(c.c_char_p)),
        ("program_count", c.c_size_t),
        ("parameters", c.POINTER(hoist_parameter)),
        ("parameter_count", c.c_size_t),
        ("brief", c.c_bool),
        ("driver", c.c_int),
        ("batch", c.c_uint32),
        ("races", c.POINTER(hoist_tree_sink)),
    ]


class hoist_time_options(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("host", c.c_char_p),
        ("cores", c.c_uint32),
        ("cpu_level", c.c_char_p),
        ("flops", c.c_double),
        ("bandwidth", c.c_double),
        ("ranks", c.c_uint32),
        ("batch", c.c_uint32),
        ("max_steps", c.c_uint64),
        ("programs", c.POINTER(c.c_char_p)),
        ("program_count", c.c_size_t),
        ("parameters", c.POINTER(hoist_parameter)),
        ("parameter_count", c.c_size_t),
        ("compared", c.c_void_p),
        ("narrow", c.c_bool),
    ]


class hoist_run_schedule(enum.IntEnum):
    AS_IT_COMES = 0
    IN_ORDER = 1
    RANDOM = 2
    ADVERSARIAL = 3


class hoist_undefined(enum.IntEnum):
    STOP = 0
    NAN = 1


class hoist_opaque_view(c.Structure):
    _fields_ = [
        ("name", hoist_str),
        ("offset", c.c_int64),
        ("slot", c.c_uint32),
        ("dtype", c.c_int),
        ("rank", c.c_uint32),
        ("shape", c.c_int64 * 8),
        ("elements", hoist_mut_bytes),
    ]


class hoist_opaque_step(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("name", hoist_str),
        ("record", hoist_bytes),
        ("file", hoist_str),
        ("member", hoist_str),
        ("loc", hoist_loc),
        ("reads", c.POINTER(hoist_opaque_view)),
        ("read_count", c.c_size_t),
        ("writes", c.POINTER(hoist_opaque_view)),
        ("write_count", c.c_size_t),
    ]

hoist_opaque_call = c.CFUNCTYPE(c.c_int, c.c_void_p, c.POINTER(hoist_opaque_step))


class hoist_session_options(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("alloc", hoist_allocator),
        ("threads", c.c_uint32),
        ("sequential", c.c_bool),
        ("max_memory", c.c_uint64),
        ("max_steps", c.c_uint64),
        ("command_slots", c.c_uint32),
        ("binary_slots", c.c_uint32),
        ("preload", c.c_bool),
        ("max_cpu_level", c.c_uint32),
        ("schedule", c.c_int),
        ("seed", c.c_uint64),
        ("on_unknown", c.c_int),
        ("on_opaque", hoist_opaque_call),
        ("on_opaque_self", c.c_void_p),
        ("deadline", c.c_void_p),
        ("no_fusion", c.c_bool),
        ("comm", c.c_void_p),
        ("reads", c.POINTER(c.c_char_p)),
        ("read_count", c.c_size_t),
        ("on_undefined", c.c_int),
    ]


class hoist_session_counts(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("control_steps", c.c_uint64),
        ("moves", c.c_uint64),
        ("computes", c.c_uint64),
        ("calls", c.c_uint64),
        ("cache_hits", c.c_uint64),
        ("cache_misses", c.c_uint64),
        ("cache_evictions", c.c_uint64),
        ("memory_bytes", c.c_uint64),
        ("seconds", c.c_double),
        ("threads", c.c_uint32),
        ("cpu_level", c.c_char_p),
        ("exact", c.c_bool),
        ("fast", c.c_char_p),
        ("commands", c.c_uint64),
        ("full_waits", c.c_uint64),
        ("idle_waits", c.c_uint64),
    ]


class hoist_profiled(enum.IntEnum):
    RUNS = 0
    MOVE = 1
    COMPUTE = 2
    COLLECTIVE = 3
    OPAQUE = 4
    CONTROL = 5
    IDLE = 6
    HOST = 7
    THREAD = 8
    UNIT = 9
    WORKER = 10
    FUNCTION = 11
    OP = 12


class hoist_profile_row(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("kind", c.c_int),
        ("name", hoist_str),
        ("calls", c.c_uint64),
        ("seconds", c.c_double),
        ("bytes_read", c.c_uint64),
        ("bytes_written", c.c_uint64),
        ("flops", c.c_uint64),
    ]


class hoist_timeline_event(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("row", c.c_size_t),
        ("owner", c.c_size_t),
        ("nested", c.c_bool),
        ("begin", c.c_double),
        ("seconds", c.c_double),
        ("steps", c.c_uint32),
        ("label", hoist_str),
        ("file", hoist_str),
        ("member", hoist_str),
        ("loc", hoist_loc),
        ("bytes_read", c.c_uint64),
        ("bytes_written", c.c_uint64),
        ("flops", c.c_uint64),
    ]


class hoist_document_kind(enum.IntEnum):
    INFO = 0
    DUMP = 1
    GRAPH = 2
    LAYERS = 3


class hoist_page_options(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("alloc", hoist_allocator),
        ("name", c.c_char_p),
        ("size_bytes", c.c_uint64),
        ("found", c.c_void_p),
    ]


class hoist_named_array(c.Structure):
    _fields_ = [
        ("name", c.c_char_p),
        ("array", c.POINTER(hoist_array)),
    ]


class hoist_run_once_options(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("alloc", hoist_allocator),
        ("entry", c.c_char_p),
        ("parameters", c.POINTER(hoist_parameter)),
        ("parameter_count", c.c_size_t),
        ("threads", c.c_uint32),
        ("deadline", c.c_void_p),
    ]


class hoist_neff_engine(enum.IntEnum):
    PE = 0
    ACT = 1
    POOL = 2
    DVE = 3
    SP = 4
    ENGINE_COUNT = 5


class hoist_neff_order(enum.IntEnum):
    OWN = 0
    SORTED = 1
    REVERSED = 2


class hoist_neff_key(c.Structure):
    _fields_ = [
        ("key", c.c_char_p),
        ("json", c.c_char_p),
    ]


class hoist_neff_keys(c.Structure):
    _fields_ = [
        ("items", c.POINTER(hoist_neff_key)),
        ("count", c.c_size_t),
    ]


class hoist_neff_ints(c.Structure):
    _fields_ = [
        ("items", c.POINTER(c.c_int64)),
        ("count", c.c_size_t),
    ]


class hoist_neff_names(c.Structure):
    _fields_ = [
        ("items", c.POINTER(c.c_char_p)),
        ("count", c.c_size_t),
    ]


class hoist_neff_options(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("alloc", hoist_allocator),
        ("pkg_version", c.c_uint32),
        ("has_level", c.c_bool),
        ("level", c.c_int),
        ("version_major", c.c_uint64),
        ("version_minor", c.c_uint64),
        ("feature_bits", c.c_uint64),
        ("name", c.c_char_p),
        ("build_version", c.c_char_p),
        ("uuid", c.POINTER(c.c_uint8)),
        ("num_tpb", c.c_uint32),
        ("requested_tpb_count", c.c_uint32),
        ("tpb_per_node", c.POINTER(c.c_uint8)),
        ("has_lnc_size", c.c_bool),
        ("lnc_size", c.c_uint32),
        ("compact", c.c_bool),
        ("order", c.c_int),
        ("target", c.c_char_p),
        ("output_key", c.c_bool),
        ("output_list", c.c_bool),
        ("wrapped", c.c_bool),
    ]


class hoist_neff_entry(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("name", c.c_char_p),
        ("dtype", c.c_char_p),
        ("shape", hoist_neff_ints),
        ("is_output", c.c_bool),
        ("cpu_op", c.c_char_p),
        ("keys", hoist_neff_keys),
    ]


class hoist_neff_subgraph(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("name", c.c_char_p),
        ("engine_files", c.c_char_p * 5),
        ("absent", c.c_bool * 5),
    ]


class hoist_neff_variable(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("name", c.c_char_p),
        ("type", c.c_char_p),
        ("has_var_id", c.c_bool),
        ("var_id", c.c_int64),
        ("size", c.c_int64),
        ("alignment", c.c_int64),
        ("fabric_path", c.c_char_p),
        ("file_name", c.c_char_p),
        ("backing_variable_off", c.c_int64),
        ("referenced_var_id", c.c_int64),
        ("list", hoist_neff_ints),
        ("element_size", c.c_int64),
        ("shape", hoist_neff_ints),
        ("dtype", c.c_char_p),
        ("backing_buf", c.c_char_p),
        ("keys", hoist_neff_keys),
    ]


class hoist_neff_queue_set(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("name", c.c_char_p),
        ("type", c.c_char_p),
        ("num_queues", c.c_int64),
        ("owner", c.c_char_p),
        ("pinned", c.c_bool),
        ("queue_instances", hoist_neff_names),
        ("semaphore_set", hoist_neff_ints),
        ("has_semaphore", c.c_bool),
        ("semaphore", c.c_int64),
        ("fabric_path", c.c_char_p),
        ("keys", hoist_neff_keys),
    ]


class hoist_neff_pattern(c.Structure):
    _fields_ = [
        ("variable", c.c_char_p),
        ("off", c.c_int64),
        ("sizes", hoist_neff_ints),
        ("steps", hoist_neff_ints),
        ("dtype", c.c_char_p),
        ("has_scale", c.c_bool),
        ("scale", c.c_double),
        ("keys", hoist_neff_keys),
    ]


class hoist_neff_desc(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("op", c.c_char_p),
        ("from", c.POINTER(hoist_neff_pattern)),
        ("from_count", c.c_size_t),
        ("from_arr", c.c_bool),
        ("to", hoist_neff_pattern),
        ("scale_dtype", c.c_char_p),
        ("constant_dtype", c.c_char_p),
        ("has_constant", c.c_bool),
        ("constant", c.c_double),
        ("transpose_shape", hoist_neff_ints),
        ("transpose_element_size", c.c_int64),
        ("has_num_tiling_dimensions", c.c_bool),
        ("num_tiling_dimensions", c.c_int64),
        ("keys", hoist_neff_keys),
    ]


class hoist_neff_block(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("id", c.c_int64),
        ("queue", c.c_char_p),
        ("instance_name", c.c_char_p),
        ("function_start", c.c_char_p),
        ("section_start_desc", c.c_bool),
        ("has_event", c.c_bool),
        ("event", c.c_int64),
        ("has_semaphore", c.c_bool),
        ("semaphore", c.c_int64),
        ("remote_semaphores", hoist_neff_ints),
        ("desc", c.POINTER(hoist_neff_desc)),
        ("desc_count", c.c_size_t),
        ("desc_is_object", c.c_bool),
        ("keys", hoist_neff_keys),
    ]


class hoist_stage(enum.IntEnum):
    NONE = 0
    OPENING = 1
    INFLATING = 2
    CHECKING = 3
    ORDERS = 4
    LOWERING = 5
    RUNNING = 6
    PACKING = 7
    UNPACKING = 8
    SCANNING = 9
    COUNT = 10


class hoist_progress(c.Structure):
    _fields_ = [
        ("stage", c.c_int),
        ("name", c.c_char_p),
        ("unit", c.c_char_p),
        ("done", c.c_uint64),
        ("total", c.c_uint64),
    ]

hoist_progress_call = c.CFUNCTYPE(None, c.c_void_p, c.POINTER(hoist_progress))


FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "hoist_allocator_system": (hoist_allocator, []),
    "hoist_array_deinit": (None, [c.POINTER(hoist_array), hoist_allocator]),
    "hoist_array_element_size": (c.c_size_t, [c.c_int]),
    "hoist_array_floats": (c.c_int, [c.POINTER(hoist_array), c.POINTER(c.c_float)]),
    "hoist_array_from_stored": (c.c_int, [c.POINTER(hoist_array), c.c_bool, c.c_bool, hoist_allocator]),
    "hoist_array_set_add": (c.c_int, [c.c_void_p, hoist_str, c.POINTER(hoist_array)]),
    "hoist_array_set_at": (hoist_str, [c.c_void_p, c.c_size_t, c.POINTER(hoist_array)]),
    "hoist_array_set_begin_tree": (c.POINTER(hoist_tree_sink), [c.c_void_p, c.c_char_p]),
    "hoist_array_set_count": (c.c_size_t, [c.c_void_p]),
    "hoist_array_set_create": (c.c_int, [hoist_allocator, c.POINTER(c.c_void_p)]),
    "hoist_array_set_destroy": (None, [c.c_void_p]),
    "hoist_array_set_digest": (c.c_int, [c.c_void_p, c.c_char_p, hoist_bytes]),
    "hoist_array_set_end_tree": (c.c_int, [c.c_void_p]),
    "hoist_array_set_free_bytes": (None, [c.c_void_p, hoist_mut_bytes]),
    "hoist_array_set_note": (c.c_int, [c.c_void_p, c.c_char_p, hoist_str]),
    "hoist_array_set_npz": (c.c_int, [c.c_void_p, c.c_void_p, c.POINTER(hoist_mut_bytes)]),
    "hoist_array_set_read": (c.c_int, [hoist_bytes, c.c_void_p, hoist_allocator, c.c_void_p, c.POINTER(c.c_void_p)]),
    "hoist_array_set_safetensors": (c.c_int, [c.c_void_p, c.c_void_p, c.POINTER(hoist_mut_bytes)]),
    "hoist_array_size": (c.c_bool, [c.POINTER(hoist_array), c.POINTER(c.c_uint64)]),
    "hoist_comm_abort": (None, [c.c_void_p, c.c_int]),
    "hoist_comm_agree": (c.c_int, [c.c_void_p, c.c_uint64, c.c_double, c.POINTER(c.c_uint64), c.POINTER(c.c_bool)]),
    "hoist_comm_close": (None, [c.c_void_p]),
    "hoist_comm_count": (c.c_uint32, [c.c_void_p]),
    "hoist_comm_is_alive": (c.c_bool, [c.c_void_p, c.c_uint32]),
    "hoist_comm_mpi": (c.c_char_p, []),
    "hoist_comm_open_mpi": (c.c_int, [hoist_allocator, c.c_char_p, c.POINTER(c.c_char_p), c.POINTER(c.c_void_p)]),
    "hoist_comm_rank": (c.c_uint32, [c.c_void_p]),
    "hoist_deadline_cancel": (None, [c.c_void_p]),
    "hoist_deadline_create": (c.c_int, [hoist_allocator, c.c_double, c.POINTER(c.c_void_p)]),
    "hoist_deadline_destroy": (None, [c.c_void_p]),
    "hoist_deadline_left": (c.c_double, [c.c_void_p]),
    "hoist_deadline_look": (c.c_int, [c.c_void_p]),
    "hoist_deadline_watch": (None, [c.c_void_p, hoist_progress_call, c.c_void_p]),
    "hoist_diag_at": (c.POINTER(hoist_finding), [c.c_void_p, c.c_size_t]),
    "hoist_diag_count": (c.c_size_t, [c.c_void_p, c.c_int]),
    "hoist_diag_create": (c.c_int, [hoist_allocator, c.POINTER(hoist_diag_options), c.POINTER(c.c_void_p)]),
    "hoist_diag_destroy": (None, [c.c_void_p]),
    "hoist_diag_incomplete": (c.c_bool, [c.c_void_p]),
    "hoist_diag_kept": (c.c_size_t, [c.c_void_p]),
    "hoist_diag_sort": (None, [c.c_void_p]),
    "hoist_diag_text": (c.c_int, [c.c_void_p, hoist_allocator, c.POINTER(hoist_mut_bytes)]),
    "hoist_dtype_find": (c.c_int, [hoist_str]),
    "hoist_dtype_get": (c.POINTER(hoist_dtype_info), [c.c_int]),
    "hoist_easy_free": (None, [hoist_mut_bytes, hoist_allocator]),
    "hoist_fast_products": (c.c_char_p, []),
    "hoist_file_set_add": (c.c_int, [c.c_void_p, c.c_void_p, c.c_void_p]),
    "hoist_file_set_create": (c.c_int, [hoist_allocator, c.POINTER(c.c_void_p)]),
    "hoist_file_set_destroy": (None, [c.c_void_p]),
    "hoist_finding_text": (c.c_int, [c.POINTER(hoist_finding), hoist_allocator, c.POINTER(hoist_mut_bytes)]),
    "hoist_format_count": (c.c_size_t, []),
    "hoist_format_name": (c.c_char_p, [c.c_size_t]),
    "hoist_format_of": (c.c_char_p, [hoist_bytes, c.c_char_p]),
    "hoist_image_is": (c.c_bool, [hoist_bytes]),
    "hoist_image_read": (c.c_int, [hoist_bytes, c.c_void_p, hoist_allocator, c.c_void_p, c.POINTER(hoist_array)]),
    "hoist_image_resize": (c.c_int, [c.POINTER(hoist_array), c.c_int64, c.c_int64, c.c_void_p, hoist_allocator, c.POINTER(hoist_array)]),
    "hoist_job_add": (c.c_int, [c.c_void_p, c.c_void_p, c.c_void_p]),
    "hoist_job_arrays": (c.c_int, [c.c_void_p, hoist_allocator, c.c_void_p, c.POINTER(c.c_void_p)]),
    "hoist_job_can_show": (c.c_bool, [c.c_void_p]),
    "hoist_job_check": (c.c_int, [c.c_void_p, c.c_void_p]),
    "hoist_job_check_order": (c.c_int, [c.c_void_p, c.POINTER(hoist_order_check), c.c_void_p, c.POINTER(c.c_int)]),
    "hoist_job_close": (None, [c.c_void_p]),
    "hoist_job_compare": (c.c_int, [c.c_void_p, c.c_void_p, c.POINTER(hoist_tree_sink), c.POINTER(c.c_size_t)]),
    "hoist_job_comparison": (c.c_int, [c.c_void_p, c.c_void_p]),
    "hoist_job_container": (c.c_char_p, [c.c_void_p]),
    "hoist_job_convert": (c.c_int, [c.c_void_p, c.c_char_p, c.c_void_p, c.POINTER(hoist_mut_bytes)]),
    "hoist_job_diff_rules": (c.POINTER(hoist_diff_rule), [c.c_void_p]),
    "hoist_job_disasm": (c.c_int, [c.c_void_p, c.POINTER(hoist_disasm_options), c.c_void_p, c.POINTER(hoist_mut_bytes)]),
    "hoist_job_disasm_tree": (c.c_int, [c.c_void_p, c.POINTER(hoist_disasm_options), c.c_void_p, c.POINTER(hoist_tree_sink)]),
    "hoist_job_document": (c.c_int, [c.c_void_p, c.c_int, c.c_bool, hoist_allocator, c.c_void_p, c.POINTER(hoist_mut_bytes)]),
    "hoist_job_draw": (c.c_int, [c.c_void_p, c.c_size_t, c.c_void_p, c.POINTER(hoist_mut_bytes)]),
    "hoist_job_draw_markup": (c.c_int, [c.c_void_p, c.POINTER(hoist_draw_options), c.c_void_p, c.POINTER(hoist_mut_bytes)]),
    "hoist_job_dump": (c.c_int, [c.c_void_p, c.c_char_p, c.c_bool, c.POINTER(hoist_tree_sink)]),
    "hoist_job_exchange": (c.c_int, [c.c_void_p, c.POINTER(hoist_new_parameters), c.c_size_t, c.c_void_p, c.POINTER(hoist_mut_bytes)]),
    "hoist_job_format": (c.c_char_p, [c.c_void_p]),
    "hoist_job_format_title": (c.c_char_p, [c.c_void_p]),
    "hoist_job_free_text": (None, [c.c_void_p, hoist_mut_bytes]),
    "hoist_job_graph": (c.c_int, [c.c_void_p, c.c_void_p, c.POINTER(hoist_tree_sink)]),
    "hoist_job_graph_part": (c.c_int, [c.c_void_p, c.POINTER(hoist_draw_options), c.c_void_p, c.POINTER(hoist_tree_sink)]),
    "hoist_job_info": (c.c_int, [c.c_void_p, c.c_bool, c.c_void_p, c.POINTER(hoist_tree_sink)]),
    "hoist_job_joins": (c.c_bool, [c.c_void_p]),
    "hoist_job_layers": (c.c_int, [c.c_void_p, c.c_void_p, c.POINTER(hoist_tree_sink), c.POINTER(c.c_uint64)]),
    "hoist_job_layout": (c.c_int, [c.c_void_p, c.c_void_p, c.POINTER(hoist_tree_sink)]),
    "hoist_job_limit": (None, [c.c_void_p, c.c_void_p]),
    "hoist_job_link": (c.c_int, [c.c_void_p, c.POINTER(hoist_link_options), c.c_void_p, c.POINTER(hoist_mut_bytes), c.POINTER(hoist_link_result)]),
    "hoist_job_lower": (c.c_int, [c.c_void_p, c.POINTER(hoist_lower_options), c.c_void_p, c.POINTER(c.c_void_p)]),
    "hoist_job_match_layers": (c.c_int, [c.c_void_p, c.c_void_p, hoist_layer_match_call, c.c_void_p]),
    "hoist_job_open": (c.c_int, [c.c_char_p, c.POINTER(hoist_open_options), c.c_void_p, c.POINTER(c.c_void_p)]),
    "hoist_job_open_bytes": (c.c_int, [hoist_bytes, c.c_char_p, c.POINTER(hoist_open_options), c.c_void_p, c.POINTER(c.c_void_p)]),
    "hoist_job_ops": (c.c_int, [c.c_void_p, c.POINTER(hoist_draw_options), c.c_void_p, c.POINTER(hoist_tree_sink)]),
    "hoist_job_page": (c.c_int, [c.c_void_p, c.POINTER(hoist_page_options), c.c_void_p, c.POINTER(hoist_mut_bytes)]),
    "hoist_job_plan": (c.c_int, [c.c_void_p, c.POINTER(hoist_plan_options), c.c_void_p, c.POINTER(hoist_mut_bytes)]),
    "hoist_job_port_facts": (c.c_int, [c.c_void_p, hoist_str, c.POINTER(hoist_port_facts)]),
    "hoist_job_port_labels": (c.c_int, [c.c_void_p, hoist_str, c.POINTER(hoist_mut_bytes)]),
    "hoist_job_recover": (c.c_int, [c.c_void_p, c.c_void_p, c.POINTER(hoist_recovery_sink)]),
    "hoist_job_recover_model": (c.c_int, [c.c_void_p, c.c_void_p, c.POINTER(hoist_mut_bytes)]),
    "hoist_job_stream": (c.c_int, [c.c_void_p, c.POINTER(hoist_stream_options), c.c_void_p, c.POINTER(c.POINTER(hoist_stream))]),
    "hoist_job_target": (hoist_target, [c.c_void_p]),
    "hoist_job_test_input": (c.c_int, [c.c_void_p, c.POINTER(hoist_test_input), c.c_void_p, c.POINTER(c.c_double)]),
    "hoist_job_test_limits": (c.c_int, [c.c_void_p, hoist_str, c.c_void_p, c.POINTER(hoist_test_limits)]),
    "hoist_job_text": (c.c_int, [c.c_void_p, c.POINTER(hoist_piece_sink)]),
    "hoist_job_time": (c.c_int, [c.c_void_p, c.POINTER(hoist_time_options), c.c_void_p, c.POINTER(hoist_tree_sink)]),
    "hoist_job_token": (c.c_uint64, [c.c_void_p, c.c_size_t]),
    "hoist_job_unpack": (c.c_int, [c.c_void_p, c.POINTER(hoist_unpack_options), c.c_void_p, c.POINTER(hoist_part_sink)]),
    "hoist_job_verdicts": (c.c_size_t, [c.c_void_p, c.POINTER(c.POINTER(hoist_arch_verdict))]),
    "hoist_job_verify": (c.c_int, [c.c_void_p, c.c_void_p, c.POINTER(c.c_bool)]),
    "hoist_job_write": (c.c_int, [c.c_void_p, c.POINTER(hoist_mut_bytes)]),
    "hoist_neff_add_block": (c.c_int, [c.c_void_p, c.c_size_t, c.c_int, c.POINTER(hoist_neff_block)]),
    "hoist_neff_add_code": (c.c_int, [c.c_void_p, c.c_size_t, c.c_int, c.c_char_p, c.c_void_p]),
    "hoist_neff_add_entry": (c.c_int, [c.c_void_p, c.POINTER(hoist_neff_entry)]),
    "hoist_neff_add_keys": (c.c_int, [c.c_void_p, c.c_char_p, hoist_neff_keys]),
    "hoist_neff_add_member": (c.c_int, [c.c_void_p, c.c_char_p, hoist_bytes]),
    "hoist_neff_add_queue_set": (c.c_int, [c.c_void_p, c.c_size_t, c.POINTER(hoist_neff_queue_set)]),
    "hoist_neff_add_record": (c.c_int, [c.c_void_p, c.c_size_t, c.c_int, hoist_bytes]),
    "hoist_neff_add_subgraph": (c.c_int, [c.c_void_p, c.POINTER(hoist_neff_subgraph)]),
    "hoist_neff_add_variable": (c.c_int, [c.c_void_p, c.c_size_t, c.POINTER(hoist_neff_variable)]),
    "hoist_neff_create": (c.c_int, [c.POINTER(hoist_neff_options), c.POINTER(c.c_void_p)]),
    "hoist_neff_destroy": (None, [c.c_void_p]),
    "hoist_neff_drop_member": (c.c_int, [c.c_void_p, c.c_char_p]),
    "hoist_neff_finish": (c.c_int, [c.c_void_p, c.c_void_p, c.POINTER(hoist_bytes)]),
    "hoist_neff_member": (c.c_int, [c.c_void_p, c.c_char_p, c.POINTER(hoist_bytes)]),
    "hoist_neff_set_member": (c.c_int, [c.c_void_p, c.c_char_p, hoist_bytes]),
    "hoist_npy_begin": (c.c_int, [c.POINTER(hoist_array), hoist_allocator, c.c_void_p, c.c_uint8 * 1024, c.POINTER(c.c_size_t)]),
    "hoist_npy_open": (c.c_int, [c.c_char_p, hoist_allocator, c.c_void_p, c.POINTER(hoist_array)]),
    "hoist_npy_read": (c.c_int, [hoist_bytes, hoist_allocator, c.c_void_p, c.POINTER(hoist_array)]),
    "hoist_npy_save": (c.c_int, [c.POINTER(hoist_array), c.c_char_p, hoist_allocator, c.c_void_p]),
    "hoist_open_memory": (c.c_size_t, [hoist_bytes, c.c_char_p, c.c_char_p]),
    "hoist_pack": (c.c_int, [c.POINTER(hoist_part), c.c_size_t, c.POINTER(hoist_pack_options), c.c_void_p, c.POINTER(hoist_mut_bytes)]),
    "hoist_pack_free": (None, [hoist_allocator, hoist_mut_bytes]),
    "hoist_program_destroy": (None, [c.c_void_p]),
    "hoist_program_entry_count": (c.c_size_t, [c.c_void_p]),
    "hoist_program_entry_name": (hoist_str, [c.c_void_p, c.c_size_t]),
    "hoist_program_find_entry": (c.c_bool, [c.c_void_p, hoist_str, c.POINTER(c.c_size_t)]),
    "hoist_program_find_port": (c.c_bool, [c.c_void_p, hoist_str, c.POINTER(c.c_size_t)]),
    "hoist_program_free_text": (None, [c.c_void_p, hoist_mut_bytes]),
    "hoist_program_missing": (c.c_int, [c.c_void_p, c.POINTER(c.c_bool), c.POINTER(c.c_bool)]),
    "hoist_program_parameter_count": (c.c_size_t, [c.c_void_p, c.c_size_t]),
    "hoist_program_parameter_name": (hoist_str, [c.c_void_p, c.c_size_t, c.c_size_t]),
    "hoist_program_plan": (c.c_int, [c.c_void_p, c.POINTER(hoist_program_plan_options), c.c_void_p, c.POINTER(hoist_tree_sink)]),
    "hoist_program_port": (hoist_port, [c.c_void_p, c.c_size_t]),
    "hoist_program_port_count": (c.c_size_t, [c.c_void_p]),
    "hoist_program_read": (c.c_int, [hoist_bytes, c.POINTER(hoist_program_read_options), c.c_void_p, c.POINTER(c.c_void_p)]),
    "hoist_program_write": (c.c_int, [c.c_void_p, c.POINTER(hoist_mut_bytes)]),
    "hoist_refuser_name": (c.c_char_p, [c.c_int]),
    "hoist_rule_set_at": (c.POINTER(hoist_rule_set), [c.c_size_t]),
    "hoist_rule_set_count": (c.c_size_t, []),
    "hoist_rule_set_of_lowering": (c.POINTER(hoist_rule_set), []),
    "hoist_run_once": (c.c_int, [c.c_void_p, c.POINTER(hoist_named_array), c.c_size_t, c.POINTER(hoist_run_once_options), c.c_void_p, c.POINTER(c.c_void_p)]),
    "hoist_session_available": (c.c_uint32, [c.c_void_p, c.c_char_p]),
    "hoist_session_cancel": (None, [c.c_void_p]),
    "hoist_session_close": (None, [c.c_void_p]),
    "hoist_session_count": (None, [c.c_void_p, c.POINTER(hoist_session_counts)]),
    "hoist_session_end_input": (None, [c.c_void_p, c.c_char_p]),
    "hoist_session_open": (c.c_int, [c.c_void_p, c.POINTER(hoist_session_options), c.c_void_p, c.POINTER(c.c_void_p)]),
    "hoist_session_pop": (c.c_int, [c.c_void_p, c.c_char_p, c.c_int, hoist_mut_bytes, c.c_double]),
    "hoist_session_profile_at": (c.c_bool, [c.c_void_p, c.c_size_t, c.POINTER(hoist_profile_row)]),
    "hoist_session_profile_begin": (c.c_int, [c.c_void_p]),
    "hoist_session_profile_count": (c.c_size_t, [c.c_void_p]),
    "hoist_session_profile_end": (None, [c.c_void_p]),
    "hoist_session_push": (c.c_int, [c.c_void_p, c.c_char_p, c.c_int, hoist_bytes, c.c_double]),
    "hoist_session_read": (c.c_int, [c.c_void_p, c.c_char_p, c.c_uint32, c.c_int, hoist_mut_bytes]),
    "hoist_session_report": (None, [c.c_void_p, c.c_void_p]),
    "hoist_session_run": (c.c_int, [c.c_void_p, c.c_char_p, c.POINTER(hoist_parameter), c.c_size_t]),
    "hoist_session_timeline_at": (c.c_bool, [c.c_void_p, c.c_uint64, c.POINTER(hoist_timeline_event)]),
    "hoist_session_timeline_begin": (c.c_int, [c.c_void_p, c.c_uint64]),
    "hoist_session_timeline_count": (c.c_uint64, [c.c_void_p, c.POINTER(c.c_uint64)]),
    "hoist_session_unknown": (c.c_int, [c.c_void_p, c.c_char_p, c.c_uint32, c.POINTER(c.c_uint64)]),
    "hoist_session_wait_idle": (c.c_int, [c.c_void_p, c.c_double]),
    "hoist_session_write": (c.c_int, [c.c_void_p, c.c_char_p, c.c_uint32, c.c_int, hoist_bytes]),
    "hoist_severity_name": (c.c_char_p, [c.c_int]),
    "hoist_status_name": (c.c_char_p, [c.c_int]),
    "hoist_stream_destroy": (None, [c.POINTER(hoist_stream)]),
    "hoist_version": (c.c_char_p, []),
}
