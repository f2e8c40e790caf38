"""Moments as ISO 8601 text in UTC, by arithmetic: nothing here knows the hour or the place."""

DAY = 24 * 3600 * 1000  # milliseconds
FIRST = 719_468  # days from 0000-03-01, where the years below begin, to 1970-01-01
CENTURIES = 146_097  # days in the 400 years after which the Gregorian calendar repeats

# Milliseconds of the years 1 to 9999: what others read as a date has a year of four digits.
CALENDAR = range(-62_135_596_800_000, 253_402_300_800_000)


def date(at: int) -> str:
    """`YYYY-MM-DD` of a moment in milliseconds since the Unix epoch."""
    # Years begin in March here, so that a leap day is the last day of its year.
    era, day = divmod(at // DAY + FIRST, CENTURIES)
    year = (day - day // 1460 + day // 36524 - day // 146_096) // 365
    day -= 365 * year + year // 4 - year // 100
    month = (5 * day + 2) // 153  # the months from March on are 153 days for each five
    day -= (153 * month + 2) // 5
    year += 400 * era + month // 10
    return f"{year:04d}-{(month + 2) % 12 + 1:02d}-{day + 1:02d}"


def moment(at: int) -> str:
    """`YYYY-MM-DDThh:mm:ss.mmmZ` of a moment in milliseconds since the Unix epoch."""
    seconds, milliseconds = divmod(at % DAY, 1000)
    minutes, second = divmod(seconds, 60)
    hour, minute = divmod(minutes, 60)
    return f"{date(at)}T{hour:02d}:{minute:02d}:{second:02d}.{milliseconds:03d}Z"
