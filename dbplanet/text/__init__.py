"""Text for a model to read: pure functions, without I/O and without any knowledge of Haiilo.

`html_to_text` turns a page into Markdown, `clean_html` an excerpt or a title into one line, `clean_text`
removes what nobody can see from text that is no HTML, and `split_text` cuts a long text into parts.
"""

from dbplanet.text.html import clean_html, html_to_text
from dbplanet.text.hygiene import clean_text
from dbplanet.text.split import split_text

__all__ = ["clean_html", "clean_text", "html_to_text", "split_text"]
