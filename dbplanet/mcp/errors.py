"""The one exception a tool raises on purpose: what the model reads instead of an answer."""

from __future__ import annotations


class ToolError(Exception):
    """A tool's refusal or failure, shown to the model as ``[label] message``.

    ``label`` is an HTTP status or a word such as TIMEOUT; ``advice`` says what the caller can do.
    The text must be fit for a stranger's eyes: no secret, no markup, no other exception's words.
    """

    def __init__(self, label: int | str, message: str, advice: str = "") -> None:
        super().__init__(message)
        self.label = label
        self.message = message
        self.advice = advice

    @property
    def text(self) -> str:
        """The whole text of the result: the message on the first line, then the advice."""
        return "\n".join(filter(None, (f"[{self.label}] {self.message}", self.advice)))
