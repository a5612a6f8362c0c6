"""Characters that can be kept and sent: halves of surrogate pairs cannot."""

from pydantic import JsonValue


def whole_characters(text: str) -> str:
    """Return the text with "\ufffd" in the place of a half; two halves are one character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def whole_values(value: JsonValue) -> JsonValue:
    """Return JSON as it came with every text in it made whole."""
    match value:
        case str():
            return whole_characters(value)
        case list():
            return [whole_values(item) for item in value]
        case dict():
            return {whole_characters(key): whole_values(item) for key, item in value.items()}
        case _:
            return value
