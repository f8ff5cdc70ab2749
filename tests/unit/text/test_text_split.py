"""`split_text`: parts of a long text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbplanet.text import split_text

_FAMILY = "👨‍👩‍👧"
_ROW = "| eins | zwei |\n"


@given(st.text(st.sampled_from("ab \n|e\u0301👩🏽\u200d🇩🇪❤\ufe0f\ud83d\ude00가\u11a8")), st.integers(1, 20))
def test_the_parts_are_the_text_once_and_none_is_too_long(text, limit):
    parts = split_text(text, limit)
    assert "".join(parts) == text
    assert all(len(part) <= limit for part in parts)
    assert all(parts) or parts == [""]


@pytest.mark.parametrize(
    ("text", "limit", "parts"),
    [
        pytest.param("kurz", 10, ["kurz"], id="one part"),
        pytest.param("", 10, [""], id="no text"),
        pytest.param("ab\ncd\n\nef\ngh", 10, ["ab\ncd\n\n", "ef\ngh"], id="a block before a line"),
        pytest.param("ab\n\ncdefgh\nij", 11, ["ab\n\ncdefgh\n", "ij"], id="a line, if the block ends early"),
        pytest.param(_ROW * 3, 40, [_ROW * 2, _ROW], id="table rows"),
        pytest.param("eins zwei drei", 10, ["eins zwei ", "drei"], id="words"),
        pytest.param("abcdef", 4, ["abcd", "ef"], id="a word longer than the limit"),
        pytest.param(
            "ab" + _FAMILY, 4, ["ab", _FAMILY[:4], _FAMILY[4:]], id="an emoji longer than the limit"
        ),
        pytest.param("ab" + _FAMILY, 5, ["ab", _FAMILY], id="an emoji sequence"),
        pytest.param("abe\u0301", 3, ["ab", "e\u0301"], id="a letter and its accent"),
        pytest.param("a🇩🇪🇫🇷", 4, ["a🇩🇪", "🇫🇷"], id="flags"),
        pytest.param("👍🏽👍🏽", 3, ["👍🏽", "👍🏽"], id="a skin tone"),
        pytest.param("a\ud83d\ude00", 2, ["a", "\ud83d\ude00"], id="a surrogate pair"),
    ],
)
def test_cuts_fall_at_the_largest_boundary(text, limit, parts):
    assert split_text(text, limit) == parts


@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_that_nothing_fits_is_refused(limit):
    with pytest.raises(ValueError, match="limit"):
        split_text("a", limit)
