"""Reads text and YAML of a course, keeping the line of every field for fault reports."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from triton_path.course.faults import Fault

if TYPE_CHECKING:
    from pathlib import Path

MAX_BYTES = 1 << 20
"""Largest file read: a course file is a few kilobytes, and a huge one is a mistake or an attack."""

FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
"""Control, zero-width and direction characters: they could hide text or drive the terminal."""

Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
ModelT = TypeVar("ModelT", bound=BaseModel)
Where = tuple[str | int, ...]


class SourceError(Exception):
    """A file cannot be used; carries its faults."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__("\n".join(map(str, faults)))
        self.faults = faults


@dataclass(frozen=True)
class YamlSource:
    """Plain data from YAML, and the line of each part of it."""

    file: str
    data: Any
    lines: dict[Where, int]

    def validate(self, model: type[ModelT], context: object = None) -> ModelT:
        """Return the data as `model`. Raises SourceError with every fault."""
        try:
            return model.model_validate(self.data, context=context)
        except ValidationError as error:
            raise SourceError(
                [self._fault(item["loc"], item["msg"], item["type"]) for item in error.errors()]
            ) from None

    def _fault(self, location: Where, message: str, kind: str) -> Fault:
        where: Where = ()
        names: list[str] = []
        value = self.data
        for part in location:
            if isinstance(value, dict) and value.get("kind") == part and part not in value:
                continue  # pydantic names the branch of a union here, not a field
            names.append(str(part))
            if (*where, part) in self.lines:
                where = (*where, part)
                value = value[part]
        if kind == "extra_forbidden":
            message = "no such field"
        elif kind == "missing":
            message = "is missing"
        else:
            message = message.removeprefix("Value error, ")
        return Fault(self.file, self.lines[where], ".".join(names), message)


def read_text(path: Path, file: str) -> str:
    """Return the text of `path`; `file` names it in faults. Raises SourceError."""

    def refuse(message: str, line: int = 1) -> SourceError:
        return SourceError([Fault(file, line, "", message)])

    try:
        with path.open("rb") as handle:
            data = handle.read(MAX_BYTES + 1)
    except OSError as error:
        raise refuse(f"cannot be read: {error.strerror}") from None
    if len(data) > MAX_BYTES:
        raise refuse(f"is larger than {MAX_BYTES >> 20} MiB")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise refuse("is not UTF-8", data.count(b"\n", 0, error.start) + 1) from None
    text = text.replace("\r\n", "\n")
    odd = FORBIDDEN.search(text)
    if odd:
        line = text.count("\n", 0, odd.start()) + 1
        raise refuse(f"holds the control character U+{ord(odd[0]):04X}", line)
    return text


def parse_yaml(text: str, file: str, first_line: int = 1) -> YamlSource:
    """Parse one YAML document that starts at `first_line` of `file`.

    Raises SourceError for broken YAML, duplicate keys, and what a course does not need: aliases
    (they can grow without bound), tags, and keys that are no text.
    """
    faults: list[Fault] = []
    lines: dict[Where, int] = {(): first_line}

    def fault(mark: yaml.Mark | None, where: Where, message: str) -> None:
        line = first_line + (mark.line if mark else 0)
        faults.append(Fault(file, line, ".".join(map(str, where)), message))

    seen: set[int] = set()
    constructor = yaml.constructor.SafeConstructor()

    def plain(node: yaml.Node, where: Where) -> Any:
        lines.setdefault(where, first_line + node.start_mark.line)
        if id(node) in seen:
            fault(node.start_mark, where, "an alias is not allowed; write the value again")
            return None
        seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            return mapping(node, where)
        if isinstance(node, yaml.SequenceNode):
            return [plain(item, (*where, index)) for index, item in enumerate(node.value)]
        try:
            return constructor.construct_object(node)
        except (yaml.YAMLError, ValueError, OverflowError):
            fault(node.start_mark, where, f"'{node.value}' cannot be read")
            return None

    def mapping(node: yaml.MappingNode, where: Where) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = key_node.value
            if key_node.tag != "tag:yaml.org,2002:str" or not isinstance(key, str):
                fault(key_node.start_mark, where, "a key must be text")
                continue
            if key in result:
                fault(key_node.start_mark, (*where, key), "appears twice")
                continue
            lines[(*where, key)] = first_line + key_node.start_mark.line
            result[key] = plain(value_node, (*where, key))
        return result

    data: Any = None
    try:
        node = yaml.compose(text, Loader=Loader)
        data = None if node is None else plain(node, ())
    except yaml.MarkedYAMLError as error:
        fault(error.problem_mark, (), f"is not valid YAML: {error.problem or error.context}")
    except (yaml.YAMLError, ValueError) as error:
        fault(None, (), f"is not valid YAML: {str(error).splitlines()[0]}")
    except RecursionError:
        fault(None, (), "is nested too deeply")
    if faults:
        raise SourceError(faults)
    return YamlSource(file, data, lines)
