"""Ways to spoil result files, checkpoints and problems in FCLIB's format, each by a random generator of its own."""

import os
import struct
import zlib

import h5py
import numpy as np

SIGNATURES = (b"OHDR", b"TREE", b"SNOD", b"HEAP", b"GCOL", b"FRHP", b"FHDB", b"FHIB", b"BTHD", b"BTLF", b"BTIN", b"OCHK", b"\x89HDF")
LENGTHS = (0, 1, 2, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, 1 << 40, (1 << 63) - 1, 1 << 63, (1 << 64) - 1)
NUMBERS = (float("nan"), float("inf"), -float("inf"), -1.0, 0.0, 1e308, 5e-324, 1e-9)
TEXTS = ("\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "two\nlines", "\u202edesrever", "</script><script>alert(1)</script>", "$\\frac{1",
         "%n%s{}{0}", "x" * 5000, "\x7f\x9b2J", "", "\u2028", "é" * 50, "..", "nan")
MARK_AND_FORMAT = 8 + 4  # bytes of a checkpoint before the version


# ---- Bytes

def place_of(random, data):
    """Somewhere, mostly in the description of the objects."""
    if random.random() < 0.7:
        signature = random.choice(SIGNATURES)
        places, at = [], data.find(signature)
        while at >= 0 and len(places) < 200:
            places.append(at)
            at = data.find(signature, at + 1)
        if places:
            return min(random.choice(places) + random.randrange(0, 300), len(data) - 1)
    return random.randrange(len(data))


def flip_bits(random, data):
    for _ in range(random.choice((1, 1, 2, 4, 16))):
        data[place_of(random, data)] ^= 1 << random.randrange(8)


def truncate(random, data):
    del data[random.randrange(len(data)):]


def swap_blocks(random, data):
    size = random.choice((8, 64, 512, 4096))
    a, b = (place_of(random, data) for _ in range(2))
    if abs(a - b) >= size and max(a, b) + size <= len(data):
        data[a:a + size], data[b:b + size] = data[b:b + size], data[a:a + size]


def wipe_block(random, data):
    at, size = place_of(random, data), random.choice((8, 64, 512))
    data[at:at + size] = bytes([random.choice((0, 0xFF))]) * len(data[at:at + size])


def forge_length(random, data):
    at, size = place_of(random, data) & ~(random.choice((1, 4, 8)) - 1), random.choice((2, 4, 8))
    length = random.choice((*LENGTHS, len(data), random.randrange(1 << 16)))
    data[at:at + size] = (length % (1 << (8 * size))).to_bytes(size, "little")[:len(data[at:at + size])]


def forge_number(random, data):
    at = place_of(random, data)
    data[at:at + 8] = struct.pack("<d", random.choice(NUMBERS))[:len(data[at:at + 8])]


BYTES = (flip_bits, flip_bits, truncate, swap_blocks, wipe_block, forge_length, forge_length, forge_number)


def spoil_bytes(random, path):
    with open(path, "rb") as file:
        data = bytearray(file.read())
    change = random.choice(BYTES)
    change(random, data)
    with open(path, "wb") as file:
        file.write(data)
    return change.__name__


# ---- Checkpoints with the right checksum

def forge_checkpoint(random, path):
    """What the file holds is spoilt; version, length and checksum are right again."""
    with open(path, "rb") as file:
        whole = file.read()
    start = MARK_AND_FORMAT
    start += 8 + struct.unpack_from("<Q", whole, start)[0]  # the version
    head, data = whole[:start], bytearray(whole[start + 8:-4])
    changes = []
    for _ in range(random.choice((1, 1, 1, 2, 5))):
        change = random.choice((flip_bits, truncate, wipe_block, forge_length, forge_length, forge_number, forge_number))
        if len(data) > 16:
            change(random, data)
            changes.append(change.__name__)
    content = head + struct.pack("<Q", len(data)) + bytes(data)
    with open(path, "wb") as file:
        file.write(content + struct.pack("<I", zlib.crc32(content)))
    return "forged checkpoint: " + ", ".join(changes)


# ---- Attributes and objects, through the library

ATTRIBUTES = ("format_version", "picus_version", "title", "outcome", "integrator", "step", "until", "every", "steps", "command_line",
              "wall_seconds", "warnings", "note")


def value_of(random, file):
    """An attribute of some type and shape."""
    kinds = (
        lambda: np.arange(64), lambda: np.arange(8000, dtype="f8"), lambda: np.zeros((3, 4, 5), "u1"), lambda: h5py.Empty("f8"),
        lambda: h5py.Empty("S3"), lambda: np.array([(1, 2.0)], dtype=[("a", "i4"), ("b", "f8")]), lambda: file.ref,
        lambda: np.array(["a", "b" * 100], dtype=h5py.string_dtype()), lambda: True, lambda: 1 + 2j, lambda: np.void(b"\0\1\2"),
        lambda: b"\xff\xfe not UTF-8", lambda: np.bytes_(b"fixed" * 60), lambda: float("nan"), lambda: 2 ** 63, lambda: -2 ** 63,
        lambda: np.float16(1), lambda: np.array([], "i8"), lambda: random.choice(TEXTS), lambda: random.choice(TEXTS),
        lambda: np.array([np.arange(3)], dtype=[("v", "i4", (3,))]), lambda: "y" * 60_000, lambda: 99)
    return random.choice(kinds)()


def objects_of(file):
    names = [""]
    file.visit(names.append)
    return [name for name in names if not name.startswith("VTKHDF/Steps")] or [""]


def odd_attribute(random, file, _):
    owner = file["/" + random.choice(objects_of(file))] if random.random() < 0.5 else file
    name = random.choice(("unit", "description", "mu", "interval")) if owner.name != "/" else random.choice(ATTRIBUTES)
    if name in owner.attrs:
        del owner.attrs[name]
    owner.attrs[name] = value_of(random, file)


def odd_names(random, file, _):
    text = random.choice([text for text in TEXTS if text and "/" not in text and text != ".."])
    group = file[random.choice([name for name in ("nodes", "energy", "contacts", "fclib_local", "fclib_global", "/") if name in file])]
    data = group.create_dataset(f"q{text}", data=np.zeros(len(file["time"]) if "time" in file else 3))
    data.attrs["unit"], data.attrs["description"] = random.choice(TEXTS), random.choice(TEXTS)
    file.attrs[f"a{text}"] = random.choice(TEXTS)


def data_sets_of(file):
    names = []
    file.visititems(lambda name, item: names.append(name) if isinstance(item, h5py.Dataset) else None)
    return names


def replaced(random, file):
    """The name of a data set, which is taken away, its shape, type and attributes."""
    wanted = [name for name in data_sets_of(file) if name == "time" or name.startswith(("nodes/", "energy/", "contacts/", "visualization/",
                                                                                       "VTKHDF/Points", "VTKHDF/PointData", "fclib", "solution/"))]
    name = random.choice(wanted)
    data = file[name]
    about = (data.shape or (1,), data.dtype, dict(data.attrs))
    del file[name]
    return name, *about


def give(file, name, attributes):
    for key, value in attributes.items():
        file[name].attrs[key] = value


def external_storage(random, file, trap):
    name, shape, kind, attributes = replaced(random, file)
    kind = kind if kind.kind in "iuf" else np.dtype("f8")
    file.create_dataset(name, shape, kind, external=[(trap, 0, int(np.prod(shape)) * kind.itemsize or 8)])
    give(file, name, attributes)


def other_links(random, file, trap):
    name, *_ = replaced(random, file)
    file[name] = random.choice((h5py.ExternalLink(trap, "/time"), h5py.SoftLink("/" + name), h5py.SoftLink("/nodes"),
                                h5py.ExternalLink(trap, "/"), h5py.SoftLink("/nowhere")))


def virtual(random, file, trap):
    name, shape, kind, attributes = replaced(random, file)
    kind = kind if kind.kind in "iuf" else np.dtype("f8")
    layout = h5py.VirtualLayout(shape, kind)
    source = random.choice((trap, ".", trap))
    if shape and np.prod(shape) > 0:
        layout[...] = h5py.VirtualSource(source, random.choice((name, "/steps", "time")), shape)
    file.create_virtual_dataset(name, layout)
    give(file, name, attributes)


def huge(random, file, _):
    name, shape, kind, attributes = replaced(random, file)
    kind = kind if kind.kind in "iuf" else np.dtype("f8")
    way = random.randrange(4)
    if way == 0:
        file.create_dataset(name, (10 ** 15, *shape[1:]), kind, chunks=(1024, *shape[1:]))
    elif way == 1:
        file.create_dataset(name, (1 << 40, 1 << 20), kind, chunks=(1, 1 << 10))
    elif way == 2:
        file.create_dataset(name, (1 << 62,), "u1")  # contiguous and never written
    else:  # 200 MB of zeros
        file.create_dataset(name, data=np.zeros((25_000_000 // max(int(np.prod(shape[1:])), 1), *shape[1:])), compression="gzip")
    give(file, name, attributes)


def odd_type(random, file, _):
    name, shape, _, attributes = replaced(random, file)
    rows = min(shape[0], 1000) if shape else 1
    kinds = (lambda: np.zeros(rows, [("owner", "S8"), ("name", "i4")]), lambda: np.zeros(rows, [("name", "S3")]), lambda: np.zeros(rows, "f2"),
             lambda: np.zeros(rows, ">f8"), lambda: np.zeros(rows, "i1"), lambda: np.zeros(rows, bool), lambda: np.zeros(rows, "c16"),
             lambda: np.array([b"x"] * rows, "S1"), lambda: np.float64(1), lambda: np.zeros((0, 3)), lambda: np.zeros((rows, 0)), lambda: h5py.Empty("f8"),
             lambda: np.zeros((rows, 2, 2, 2)), lambda: np.full((rows, *shape[1:]), np.nan), lambda: np.full((rows, *shape[1:]), np.inf),
             lambda: np.full((rows, *shape[1:]), 1e308), lambda: np.zeros((rows // 2, *shape[1:])), lambda: np.zeros((rows + 3, *shape[1:])),
             lambda: np.full((rows, *shape[1:]), -(1 << 62), "i8"), lambda: np.full((rows, *shape[1:]), 255, "u1"))
    way = random.randrange(len(kinds) + 2)
    if way < len(kinds):
        file[name] = kinds[way]()
    elif way == len(kinds):
        data = file.create_dataset(name, (rows,), h5py.vlen_dtype(np.int32))
        data[0] = np.arange(5)
    else:
        file.create_dataset(name, (rows,), h5py.ref_dtype)
    give(file, name, attributes)


def nested(random, file, _):
    group = file
    for i in range(random.choice((10, 100, 1000))):
        group = group.create_group(f"g{i % 10}")
    group["end"] = np.zeros(3)


def cyclic(random, file, _):
    a = file.create_group("cycle/a")
    a["b"] = file["cycle"]
    for name in ("nodes", "energy", "fclib_local", "fclib_global"):
        if name in file:
            file[f"{name}/again"] = file["/" if name == "nodes" else name]


def odd_numbers(random, file, _):
    """Values of a data set where they stand."""
    names = [name for name in data_sets_of(file) if file[name].dtype.kind in "iuf" and not file[name].is_virtual and file[name].size > 0]
    wanted = [name for name in names if name.startswith(("VTKHDF/", "visualization/"))] if random.random() < 0.6 else names
    data = file[random.choice(wanted or names)]
    values = data[...]
    for _ in range(random.choice((1, 5, values.size))):
        at = random.randrange(values.size)
        if values.dtype.kind == "f":
            with np.errstate(over="ignore"):
                values.flat[at] = np.float64(random.choice(NUMBERS)).astype(values.dtype)
        else:
            values.flat[at] = random.choice((0, 1, 100, np.iinfo(values.dtype).max, np.iinfo(values.dtype).min))
    data[...] = values


def missing(random, file, _):
    del file[random.choice([name for name in objects_of(file) if name])]


OBJECTS = (odd_attribute, odd_attribute, odd_attribute, odd_names, external_storage, other_links, virtual, huge, odd_type, odd_type, nested, cyclic,
           odd_numbers, odd_numbers, missing)


def spoil_objects(random, path, trap):
    change = random.choice(OBJECTS)
    try:
        with h5py.File(path, "r+", libver="latest" if random.random() < 0.2 else None) as file:
            change(random, file, trap)
    except (OSError, RuntimeError, ValueError, TypeError):  # the library does not write that; what it wrote so far is in the file
        return f"{change.__name__}, in part"
    return change.__name__


def spoil(random, path, trap):
    """Spoils a file; what was done, in words."""
    if os.path.splitext(path)[1] == ".checkpoint":
        return forge_checkpoint(random, path) if random.random() < 0.9 else spoil_bytes(random, path)
    return spoil_objects(random, path, trap) if random.random() < 0.45 else spoil_bytes(random, path)
