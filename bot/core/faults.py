"""What is wrong with a value that a person wrote, in one plain line; never the value itself."""

from pydantic import ValidationError


def plain_fault(error: ValidationError) -> tuple[str, str]:
    """Return the field (empty for the whole) and what is wrong with it, of the first fault."""
    first = error.errors(include_input=False, include_url=False)[0]
    field = ".".join(str(part) for part in first["loc"])
    said = {"missing": "is missing", "extra_forbidden": "is no field here; see the README"}
    says = said.get(first["type"], str(first["msg"]))
    for shown, plain in (
        ("Value error, ", ""),
        ("Assertion failed, ", ""),
        ("Input should be ", "must be "),
        (" or instance of Manifest", " of fields"),
    ):
        says = says.replace(shown, plain)
    return field, says.partition(", unable to parse")[0]
