"""What was chosen on pages: a settings file of its own that a machine writes, beside the one by hand.

The file by hand is never touched, and what stands in it counts; pages fill in what it leaves open, add
devices, and leave devices of it out (``left_out``). Pure: trees as ``tomllib`` gives them, and their text.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, MutableMapping
from typing import Any

from companion.settable import LISTS, SECTIONS

FILE_NAME = "chosen.toml"
LEFT_OUT = "left_out"
HEAD = (
    "# Written by the pages of the companion. What you write in companion.toml counts more than this;\n"
    "# delete this file to forget all that was chosen on pages.\n"
)

Tree = Mapping[str, Any]


def merged(by_hand: Tree, chosen: Tree) -> dict[str, Any]:
    """Return what is in force: what stands by hand, filled in with what was chosen."""
    tree = dict(by_hand)
    for section in SECTIONS:
        if isinstance(chosen.get(section), Mapping):
            tree[section] = {**chosen[section], **by_hand.get(section, {})}
    for name in LISTS:
        out = set(chosen.get(LEFT_OUT, {}).get(name, ()))
        kept = [device for device in by_hand.get(name, ()) if device["name"] not in out]
        taken = {device["name"] for device in kept}
        kept += [device for device in chosen.get(name, ()) if device.get("name") not in taken]
        if kept or name in by_hand:
            tree[name] = kept
    return tree


def leaves_out_names(tree: Tree) -> bool:
    """Tell whether what is left out is said as it must be: by group, lists of names."""
    out = tree.get(LEFT_OUT, {})
    return isinstance(out, Mapping) and all(
        isinstance(names, list) and all(isinstance(name, str) for name in names) for names in out.values()
    )


def add_device(tree: MutableMapping[str, Any], group: str, device: Tree) -> None:
    """Choose one more device; one of its name that was left out or chosen before makes way."""
    take_device_out(tree, group, str(device["name"]), is_by_hand=False)
    tree.setdefault(group, []).append(dict(device))


def take_device_out(tree: MutableMapping[str, Any], group: str, name: str, *, is_by_hand: bool) -> None:
    """Choose a device no longer; one that stands by hand is left out from now on."""
    tree[group] = [device for device in tree.get(group, ()) if device["name"] != name]
    out = tree.setdefault(LEFT_OUT, {})
    names = [one for one in out.get(group, ()) if one != name]
    out[group] = [*names, name] if is_by_hand else names


def written(tree: Tree, *, head: str = HEAD) -> str:
    """Return the text of a file with these choices; what is empty is not written."""
    parts = [head]
    sections = [(name, tree.get(name)) for name in (*SECTIONS, LEFT_OUT)]
    for name, values in sections:
        rows = [f"{key} = {_as_toml(value)}" for key, value in (values or {}).items() if value != []]
        if rows:
            parts.append("\n".join([f"[{name}]", *rows]) + "\n")
    for name in LISTS:
        for device in tree.get(name, ()):
            rows = [f"{_key(key)} = {_as_toml(value)}" for key, value in device.items()]
            parts.append("\n".join([f"[[{name}]]", *rows]) + "\n")
    return "\n".join(parts)


def _key(name: str) -> str:
    is_bare = name.isascii() and name.replace("_", "").replace("-", "").isalnum()
    return name if is_bare else _as_toml(name)


def _as_toml(value: object) -> str:
    """Return a value as TOML has it: texts, numbers, true and false, lists and tables of them."""
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_as_toml(item) for item in value) + "]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(name)} = {_as_toml(item)}" for name, item in value.items()) + "}"
    if isinstance(value, str):  # JSON's escapes are TOML's; DEL alone has to be escaped besides
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return json.dumps(value)
