"""What the emulated model says: decided by the request alone, like a small and gullible model.

It calls a tool only when it is offered one that fits what the person last said, tells what tools
returned, and does what any text in its context orders with ``CALL name {json}``: a good agent
stays safe in spite of that.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import JsonValue

Json = dict[str, Any]

_ORDER = re.compile(r"CALL (\w+) (\{.*?\})(?=$|[\s。\"])", re.DOTALL)
_CHINESE = re.compile(r"[一-鿿]")
_LASTING = {
    "preference": r"喜欢|爱吃|偏好|prefer|like|favou?rite",
    "goal": r"目标|打算|想要|goal|want to",
    "project": r"项目|project",
    "constraint": r"不吃|过敏|不能|忌|allergic|must not|never|can't",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer: text, and calls as (name, arguments)."""

    text: str = ""
    calls: tuple[tuple[str, Json], ...] = ()
    length: bool = False

    @property
    def finish(self) -> str:
        return "tool_calls" if self.calls else "length" if self.length else "stop"

    def wire_calls(self) -> list[Json]:
        return [
            {
                "id": f"call_{number}_{name}",
                "type": "function",
                "function": {
                    "name": name,
                    "arguments": json.dumps(arguments, ensure_ascii=False),
                },
            }
            for number, (name, arguments) in enumerate(self.calls)
        ]


@dataclass(frozen=True, slots=True)
class Prompt:
    """The request as the mind sees it."""

    body: Json

    @property
    def messages(self) -> list[Json]:
        messages: list[Json] = self.body["messages"]
        return messages

    @property
    def offered(self) -> frozenset[str]:
        return frozenset(tool["function"]["name"] for tool in self.body.get("tools", ()))

    @property
    def system(self) -> str:
        return "\n".join(str(m["content"]) for m in self.messages if m["role"] == "system")

    @property
    def said(self) -> list[str]:
        """What the person said, oldest first; data that we hand over is no such thing."""
        return [text_of(m) for m in self.messages if m["role"] == "user"]

    @property
    def last(self) -> str:
        return self.said[-1] if self.said else ""

    @property
    def pictures(self) -> int:
        return sum(
            part.get("type") == "image_url"
            for m in self.messages
            if isinstance(m["content"], list)
            for part in m["content"]
        )

    @property
    def since(self) -> list[Json]:
        """The messages after the person's last one: calls and their results."""
        places = [n for n, m in enumerate(self.messages) if m["role"] == "user"]
        return self.messages[places[-1] + 1 :] if places else []

    @property
    def results(self) -> list[str]:
        return [str(m["content"]) for m in self.since if m["role"] == "tool"]

    @property
    def called(self) -> list[str]:
        """Names of the tools called since the person's last message, with their arguments."""
        return [
            f"{call['function']['name']} {call['function']['arguments']}"
            for m in self.since
            for call in m.get("tool_calls") or ()
        ]

    @property
    def chinese(self) -> bool:
        return bool(_CHINESE.search(self.last))

    def in_language(self, zh: str, en: str) -> str:
        return zh if self.chinese else en


Rule = Callable[[Prompt], Answer | None]
Filler = Callable[[Prompt], Json]


@dataclass(slots=True)
class Mind:
    """Rules in order; the first that answers wins.

    Attributes:
        first: rules of a test, before all others.
        schemas: how to fill a schema, by its title; others are filled with what fits its types.
        prose: a model that wraps its JSON in words and fences.
    """

    first: list[Rule] = field(default_factory=list)
    schemas: dict[str, Filler] = field(default_factory=dict)
    prose: bool = False

    def answer(self, body: Json) -> Answer:
        """Return the answer to a request."""
        prompt = Prompt(body)
        schema, by_tool = schema_of(prompt)
        if schema is not None:
            return self._structured(prompt, schema, by_tool=by_tool)
        for rule in (*self.first, *RULES):
            found = rule(prompt)
            if found is not None:
                return found
        return Answer(prompt.in_language(f"你说的是：{prompt.last}", f"You said: {prompt.last}"))

    def _structured(self, prompt: Prompt, schema: Json, *, by_tool: bool) -> Answer:
        title = str(schema.get("title", ""))
        fill = self.schemas.get(title)
        value: Any = fill(prompt) if fill is not None else filled(schema, schema)
        if by_tool:
            return Answer(calls=(("answer", value),))
        text = json.dumps(value, ensure_ascii=False)
        return Answer(f"Sure:\n```json\n{text}\n```\nDone." if self.prose else text)


def text_of(message: Json) -> str:
    content = message["content"]
    if isinstance(content, list):
        return "\n".join(part["text"] for part in content if part.get("type") == "text")
    return str(content or "")


def schema_of(prompt: Prompt) -> tuple[Json | None, bool]:
    """Return the schema that the answer has to satisfy, and whether as a call of `answer`."""
    wanted = prompt.body.get("response_format", {}).get("json_schema")
    if wanted:
        return wanted["schema"], False
    for tool in prompt.body.get("tools", ()):
        if tool["function"]["name"] == "answer":
            return tool["function"]["parameters"], True
    marker = "It satisfies this JSON schema:\n"
    if marker in prompt.system:
        text = prompt.system.split(marker, 1)[1]
        schema: Json = json.JSONDecoder().raw_decode(text)[0]
        return schema, False
    return None, False


def filled(schema: Json, root: Json) -> JsonValue:
    """Return the plainest value that satisfies the schema."""
    if "$ref" in schema:
        return filled(root["$defs"][schema["$ref"].rsplit("/", 1)[1]], root)
    if "anyOf" in schema:
        return filled(schema["anyOf"][-1], root)
    if schema.get("type") == "object":
        return {name: filled(part, root) for name, part in schema["properties"].items()}
    plainest: dict[str, JsonValue] = {"array": [], "string": "", "boolean": False}
    for kind in ("integer", "number"):
        plainest[kind] = schema.get("minimum", 0)
    chosen: JsonValue = schema.get("const", schema.get("enum", [None])[0])
    return plainest.get(str(schema.get("type"))) if chosen is None else chosen


# --- rules ----------------------------------------------------------------------------------


def obey(prompt: Prompt) -> Answer | None:
    """Do what any text in the context orders, once: an injection works on this model."""
    texts = [prompt.system, *prompt.results, *prompt.said]
    for text in texts:
        for name, arguments in _ORDER.findall(text.replace('\\"', '"')):
            wanted = json.loads(arguments)
            if f"{name} {json.dumps(wanted, ensure_ascii=False)}" not in prompt.called:
                return Answer(calls=((name, wanted),))
    return None


def tell_results(prompt: Prompt) -> Answer | None:
    """Say what the tools returned, once there is nothing left to call."""
    if not prompt.results:
        return None
    told = "; ".join(result[:400] for result in prompt.results)
    return Answer(prompt.in_language(f"结果是：{told}", f"This is what I found: {told}"))


def forget(prompt: Prompt) -> Answer | None:
    """Find the note, then delete it."""
    found = re.search(r"(?:忘掉|忘记|别再?记(?:着|得)?)(.+)|\bforget (.+)", prompt.last)
    if not found or not {"memory_list", "memory_delete"} <= prompt.offered:
        return None
    if not prompt.results:
        return Answer(calls=(("memory_list", {}),))
    if any(call.startswith("memory_delete") for call in prompt.called):
        return None
    ids = re.findall(r'"note_id":\s*"([^"]+)"', prompt.results[0])
    return Answer(calls=(("memory_delete", {"note_id": ids[0]}),)) if ids else None


def use_tool(prompt: Prompt) -> Answer | None:
    """Call the first offered tool that what was said asks for."""
    if prompt.results:
        return None
    calls = []
    for name, pattern, arguments in TOOL_RULES:
        found = re.search(pattern, prompt.last, re.IGNORECASE)
        if found and name in prompt.offered:
            calls.append((name, arguments(found)))
    return Answer(calls=tuple(calls)) if calls else None


def see(prompt: Prompt) -> Answer | None:
    """Say how many pictures there are."""
    if not prompt.pictures:
        return None
    n = prompt.pictures
    return Answer(prompt.in_language(f"我看到{n}张图片。", f"I see {n} picture(s)."))


def who_am_i(prompt: Prompt) -> Answer | None:
    """Answer from the profile in the instructions."""
    if not re.search(r"我叫什么|我是谁|what is my name|who am i", prompt.last, re.IGNORECASE):
        return None
    found = re.search(r"^- name: (.+)$", prompt.system, re.MULTILINE)
    if not found:
        return Answer(prompt.in_language("我还不知道你的名字。", "I do not know your name yet."))
    name = found.group(1)
    return Answer(prompt.in_language(f"你叫{name}。", f"Your name is {name}."))


def recall(prompt: Prompt) -> Answer | None:
    """Answer "what did I say" from the context, "do you remember" from the notes in it."""
    if re.search(r"刚才说了什么|我说过什么|what did i say", prompt.last, re.IGNORECASE):
        earlier = " / ".join(prompt.said[:-1]) or "-"
        return Answer(prompt.in_language(f"你说过：{earlier}", f"You said: {earlier}"))
    if re.search(r"还?记得|do you remember", prompt.last, re.IGNORECASE):
        notes = re.findall(r"^- \((?:\w+)\) (.+)$", prompt.system, re.MULTILINE)
        told = " / ".join(notes) or "-"
        return Answer(prompt.in_language(f"我记得：{told}", f"I remember: {told}"))
    return None


def promise(prompt: Prompt) -> Answer | None:
    """Promise what it has no tool for, as models do."""
    if "schedule_insert" in prompt.offered:
        return None
    if re.search(r"提醒我|remind me", prompt.last, re.IGNORECASE):
        return Answer(prompt.in_language("好的，到时提醒你。", "Sure, I'll remind you then."))
    return None


def kind_of(text: str) -> str:
    """Return the type of a note."""
    for kind, pattern in _LASTING.items():
        if re.search(pattern, text, re.IGNORECASE):
            return kind
    return "fact"


Arguments = Callable[["re.Match[str]"], Json]

TOOL_RULES: Sequence[tuple[str, str, Arguments]] = (
    (
        "memory_save",
        r"(?:帮我)?(?:记住|记着)[，,：: ]*(.+)|\bremember (?:that )?(.+)",
        lambda m: {"type": kind_of(m[1] or m[2]), "text": (m[1] or m[2]).strip(" 。.")},
    ),
    (
        "profile_update",
        r"(?:以后)?(?:叫我|喊我)(\S+?)(?:吧)?[。.!！]?$|\bcall me (\w+)",
        lambda m: {"change": {"name": m[1] or m[2]}},
    ),
    ("now_time", r"几点|几号|星期几|what time|what day", lambda _: {}),
    ("conversation_list", r"(?:对话|会话)列表|list .*conversations", lambda _: {}),
    ("conversation_current", r"当前(?:对话|会话)|current conversation", lambda _: {}),
    ("memory_list", r"(?:列出|有哪些).*记忆|list .*memor", lambda _: {}),
    ("fetch_url", r"(https?://\S+)", lambda m: {"url": m[1]}),
    (
        "maps_weather",
        r"(\w{2,4})(?:今天|明天|的)?天气|weather in (\w+)",
        lambda m: {"city": m[1] or m[2]},
    ),
)

RULES: Sequence[Rule] = (
    obey,
    forget,
    use_tool,
    tell_results,
    see,
    who_am_i,
    recall,
    promise,
)
