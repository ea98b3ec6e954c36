"""Notebook 04: what its picture shows before an exercise asks for it."""

from helpers.lessons import distances


def test_the_picture_of_falls_gives_away_one_case_only():
    # Notebook 04 draws widths 8, 128 and 512 just before the exercise.
    tested = {d_model for (d_model,) in distances.first_fall.cases}
    assert tested & {8, 128, 512} == {8}
