"""A figure and how it is printed."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured value with its unit."""

    what: str
    value: float
    unit: str

    def row(self) -> str:
        """Return the figure as a row of a Markdown table."""
        return f"| {self.what} | {self.value:,.2f} {self.unit} |"
