"""Reads YAML of a course, keeping the line of every field for fault reports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from triton_path.course.faults import Fault
from triton_path.course.text import SourceError, odd_character

Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
T = TypeVar("T")
Where = tuple[str | int, ...]


class CourseModel(BaseModel):
    """A part of a course file that is read only where it is needed; unknown fields are faults."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)


@dataclass(frozen=True)
class YamlSource:
    """Plain data from YAML, and the line of each part of it."""

    file: str
    data: Any
    lines: dict[Where, int]

    def validate(self, model: type[T], context: object = None) -> T:
        """Return the data as `model`. Raises SourceError with every fault."""
        try:
            return TypeAdapter(model).validate_python(self.data, context=context)
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
        if kind in ("extra_forbidden", "unexpected_keyword_argument"):
            message = "no such field"
        elif kind == "missing":
            message = "is missing"
        else:
            message = message.removeprefix("Value error, ")
        return Fault(self.file, self.lines[where], ".".join(names), message)


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
        odd = odd_character(node.value)
        if odd:
            fault(node.start_mark, where, odd)
            return None
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
            odd = odd_character(key)
            if odd:
                fault(key_node.start_mark, where, f"a key {odd}")
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
