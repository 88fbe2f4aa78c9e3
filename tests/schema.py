"""A checker for the part of JSON Schema that docs/manual/result.schema.json uses.

A keyword that it does not know is a mistake of the schema and raises, so that none is passed over.
"""

_TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
_KEYWORDS = frozenset(["$schema", "$defs", "$ref", "title", "type", "required", "properties", "additionalProperties", "items", "enum",
                       "const", "minimum", "minLength", "minItems"])


def violations(value, schema, root=None, path="$"):
    """One line for everything in which `value` is not as `schema` says."""
    root = root or schema
    unknown = set(schema) - _KEYWORDS
    if unknown:
        raise ValueError(f"{path}: the schema uses {', '.join(sorted(unknown))}")
    if "$ref" in schema:
        yield from violations(value, _resolve(schema["$ref"], root), root, path)
    if "type" in schema and not _has_type(value, schema["type"]):
        yield f"{path}: {value!r} is no {schema['type']}"
        return
    yield from _simple(value, schema, path)
    if isinstance(value, dict):
        yield from _members(value, schema, root, path)
    if isinstance(value, list) and "items" in schema:
        for number, item in enumerate(value):
            yield from violations(item, schema["items"], root, f"{path}[{number}]")


def _resolve(reference, root):
    if not reference.startswith("#/"):
        raise ValueError(f"a reference to another document: {reference}")
    for name in reference[2:].split("/"):
        root = root[name]
    return root


def _has_type(value, names):
    for name in [names] if isinstance(names, str) else names:
        if name in ("integer", "number"):
            if isinstance(value, (int,) if name == "integer" else (int, float)) and not isinstance(value, bool):
                return True
        elif isinstance(value, _TYPES[name]):
            return True
    return False


def _simple(value, schema, path):
    if "const" in schema and value != schema["const"]:
        yield f"{path}: {value!r} is not {schema['const']!r}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{path}: {value!r} is none of {schema['enum']}"
    if "minimum" in schema and isinstance(value, (int, float)) and value < schema["minimum"]:
        yield f"{path}: {value!r} is below {schema['minimum']}"
    for keyword, kind in (("minLength", str), ("minItems", list)):
        if keyword in schema and isinstance(value, kind) and len(value) < schema[keyword]:
            yield f"{path}: shorter than {schema[keyword]}"


def _members(value, schema, root, path):
    for name in schema.get("required", []):
        if name not in value:
            yield f"{path}: {name} is missing"
    properties = schema.get("properties", {})
    for name, member in value.items():
        if name in properties:
            yield from violations(member, properties[name], root, f"{path}.{name}")
        elif schema.get("additionalProperties") is False:
            yield f"{path}: {name} is not described"
