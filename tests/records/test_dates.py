"""Dates by arithmetic agree with the standard library's."""

import datetime

from hypothesis import given
from hypothesis import strategies as st

from parlour.records import json_record
from tests.records.play import Table

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)


@given(
    st.datetimes(
        min_value=datetime.datetime(1, 1, 1), max_value=datetime.datetime(9999, 12, 31)
    ).map(lambda at: at.replace(microsecond=at.microsecond // 1000 * 1000, tzinfo=datetime.UTC))
)
def test_a_moment_is_read_back_by_the_standard_library(at: datetime.datetime) -> None:
    table = Table("tictactoe", {})
    table.now = (at - EPOCH) // datetime.timedelta(milliseconds=1)
    table.play("0,0")

    told = json_record("match-1", table.history).decode()

    assert f'"at": "{at.isoformat(timespec="milliseconds").replace("+00:00", "Z")}"' in told
