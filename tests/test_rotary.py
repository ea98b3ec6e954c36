"""Notebook 07: rotation, layouts and theorems; its pictures and charts by their data."""

import json
import math
import re

import numpy as np
import pytest
from drawing import drawn
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.colors import to_rgb
from stored import NOTEBOOKS, code_cells

from helpers import encoding
from helpers.exercises import rotary
from helpers.explore import rotary as explore
from helpers.pictures import rotary as pictures

LENGTHS = (16, 24, 32, 64)


def by_hand(x, positions, partner, sign=1):
    """Rotate with plain loops; ``partner(i, d)`` gives the two columns of pair i."""
    d = len(x[0])
    out = [list(row) for row in x]
    for r, pos in enumerate(positions):
        for i in range(d // 2):
            one, two = partner(i, d)
            angle = sign * pos / 10_000 ** (2 * i / d)
            a, b = x[r][one], x[r][two]
            out[r][one] = a * math.cos(angle) + b * math.sin(angle)
            out[r][two] = b * math.cos(angle) - a * math.sin(angle)
    return np.array(out)


def adjacent(i, d):
    return 2 * i, 2 * i + 1


def halves(i, d):
    return i, i + d // 2


def rows(n, d, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


def diagonal_spread(scores):
    """Plain loops: the largest difference between scores with the same offset."""
    found = {}
    for p, row in enumerate(scores):
        for j, score in enumerate(row):
            found.setdefault(j - p, []).append(float(score))
    return max(max(same) - min(same) for same in found.values())


@given(
    st.integers(1, 16),
    st.lists(st.integers(-300, 5000), min_size=1, max_size=6),
    st.integers(0, 99),
)
def test_rotate_is_the_loop_and_the_matrix(pairs, positions, seed):
    x = rows(len(positions), 2 * pairs, seed)
    turned = rotary.rotate.reference(x, np.array(positions))
    assert turned == pytest.approx(by_hand(x, positions, adjacent), abs=1e-9)
    whole = [
        encoding.rotation_matrix(pos, 2 * pairs) @ row
        for pos, row in zip(positions, x, strict=True)
    ]
    assert turned == pytest.approx(np.array(whole), abs=1e-9)
    assert np.linalg.norm(turned, axis=1) == pytest.approx(np.linalg.norm(x, axis=1))


@pytest.mark.parametrize("d_model", [2, 6, 64, 128])
@pytest.mark.parametrize("start", [0, 3, 1000])
def test_rotated_scores_are_constant_along_diagonals(d_model, start):
    query, key = (np.tile(rows(1, d_model, seed), (40, 1)) for seed in (1, 2))
    positions = np.arange(start, start + 40)
    made = rotary.scores.reference(query, key, positions)
    assert diagonal_spread(made) < 1e-12 * max(1, start)
    table = encoding.positional_encoding(start + 40, d_model)[start:]
    assert diagonal_spread((query + table) @ (key + table).T) > 1


def test_both_layouts_agree_after_permuting_columns():
    for d_model in (4, 8, 64):
        x, positions = rows(9, d_model), np.arange(5, 14)
        order = np.r_[0:d_model:2, 1:d_model:2]
        turned = rotary.rotate.reference(x, positions)
        apart = rotary.spot_the_layout_bug.reference(x[:, order], positions)
        assert np.abs(turned[:, order] - apart).max() < 1e-12
        assert apart == pytest.approx(by_hand(x[:, order], positions, halves))


def test_mixed_layouts_and_opposite_turns_are_not_offset_only():
    positions = np.arange(30)
    query, key = (np.tile(rows(1, 16, seed), (30, 1)) for seed in (1, 2))
    one = by_hand(query, positions, adjacent)
    assert diagonal_spread(one @ by_hand(key, positions, adjacent).T) < 1e-12
    assert diagonal_spread(one @ by_hand(key, positions, halves).T) > 1
    assert diagonal_spread(one @ by_hand(key, positions, adjacent, sign=-1).T) > 1


def test_the_published_sign_is_offset_only_and_told_kindly():
    def published(x, positions):
        return by_hand(x, positions, adjacent, sign=-1)

    feedback = rotary.rotate.judge(published)
    assert feedback.mistake == "other sign"
    assert feedback.message.startswith("Sound")
    query, key = (np.tile(rows(1, 16, seed), (30, 1)) for seed in (1, 2))
    both = published(query, range(30)) @ published(key, range(30)).T
    assert diagonal_spread(both) < 1e-12


def test_the_layout_bug_is_a_bug_and_hides_at_two_columns():
    namespace = {"np": np}
    exec(rotary.spot_the_layout_bug.stub, namespace)
    faulty, right = namespace["turn_halves"], rotary.spot_the_layout_bug.reference
    positions = np.arange(12)
    x = rows(12, 8)
    assert np.abs(faulty(x, positions) - right(x, positions)).max() > 0.5
    assert faulty(x, 0 * positions) == pytest.approx(x)
    assert np.array_equal(faulty(x[:, :2], positions), right(x[:, :2], positions))


@pytest.mark.parametrize("seed", range(3))
def test_offset_spread_is_the_double_loop(seed):
    scores = rows(7, 7, seed)
    made = rotary.offset_spread.reference(scores)
    assert made == pytest.approx(diagonal_spread(scores))


# The pictures


def test_score_maps_hold_the_scores_and_say_which_is_striped():
    striped = np.subtract.outer(np.arange(6.0), np.arange(6.0))
    picture = pictures.score_maps({"one": striped, "two": rows(6, 6)})
    for ax, scores in zip(picture.axes[:2], (striped, rows(6, 6)), strict=True):
        image = ax.images[0]
        assert np.array_equal(image.get_array(), scores)
        low, high = image.get_clim()
        assert low == -high
    assert "Constant along every diagonal: one." in picture.alt


def test_by_offset_puts_each_score_above_its_offset():
    scores = rows(5, 5)
    picture = pictures.by_offset({"scores": scores})
    line = picture.axes[0].lines[0]
    seen = sorted(
        zip(line.get_xdata().tolist(), line.get_ydata().tolist(), strict=True)
    )
    wanted = [(j - p, float(scores[p, j])) for p in range(5) for j in range(5)]
    assert seen == sorted(wanted)


def test_layouts_colour_the_two_columns_of_a_pair_alike():
    picture = pictures.layouts(8)
    colours = [tuple(box.get_facecolor()) for box in picture.axes[0].patches]
    first, second = colours[:8], colours[8:16]
    for i in range(4):
        for row, partner in ((first, adjacent), (second, halves)):
            one, two = partner(i, 8)
            assert row[one] == row[two]
    assert len(set(first)) == 4


def test_the_order_task_is_drawn_as_it_is():
    tokens = np.array([[5, 0, 3, 1], [1, 2, 9, 0]])
    picture = pictures.order_task(tokens, [True, False], a=0, b=1)
    texts = [text.get_text() for text in picture.axes[0].texts]
    assert texts == ["3", "A", "1", "B", "A first", "B", "0", "7", "A", "B first"]


def made_up():
    return {
        "weak": {length: np.array([0.5, 0.52, 0.48]) for length in LENGTHS},
        "strong": {length: np.array([0.99, 0.97, 1.0]) for length in LENGTHS},
        "fading": {length: np.array([16, 15.8, 15.6]) / length for length in LENGTHS},
    }


def test_extrapolation_shows_every_seed_and_the_mean():
    results = made_up()
    picture = pictures.extrapolation(results)
    for ax, (name, lengths) in zip(picture.axes, results.items(), strict=True):
        assert ax.get_title(loc="left") == name
        mean, dots = ax.lines[2], ax.lines[3:]
        wanted = [sum(lengths[length]) / 3 for length in LENGTHS]
        assert mean.get_ydata() == pytest.approx(wanted)
        for seed, line in enumerate(dots):
            assert line.get_ydata() == pytest.approx(
                [lengths[n][seed] for n in LENGTHS]
            )
        assert len(dots) == 3
    assert "At 64 every seed is above 0.9 for: strong." in picture.alt
    assert "At 16 every seed is above 0.9 for: strong and fading." in picture.alt


def test_where_right_tells_apart_square_band_and_everywhere():
    place = np.arange(0, 64, 2)
    inside = (place[:, None] < 16) & (place < 16)
    near = np.abs(place[:, None] - place) < 20
    maps = {"square": inside * 1.0, "band": near * 1.0, "all": np.ones((32, 32))}
    picture = pictures.where_right(maps)
    assert np.array_equal(picture.axes[1].images[0].get_array(), near)
    for said in ("square: unreliable", "band: right anywhere", "all: right wherever"):
        assert said in picture.alt


def test_remedies_and_drift_show_their_numbers():
    results = {"as it is": [0.7, 0.8], "better": [0.9, 1.0]}
    picture = pictures.remedies(results, length=64)
    dots = [line for line in picture.axes[0].lines if line.get_marker() == "o"]
    assert [list(line.get_xdata()) for line in dots] == list(results.values())
    assert "Lowest on average: as it is." in picture.alt
    picture = pictures.drift(
        2 ** np.arange(4), {"wide": [1e-9] * 4, "half": [9] * 4}, 3
    )
    lines = picture.axes[0].lines[1:]
    assert [list(line.get_ydata()) for line in lines] == [[1e-9] * 4, [9] * 4]
    assert "typical score for: half." in picture.alt


def luminance(colour):
    """As WCAG defines it, of a Matplotlib colour."""
    linear = [
        share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4
        for share in to_rgb(colour)
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_text_in_boxes_is_readable():
    tokens = np.array([[5, 0, 3, 1], [1, 2, 9, 0]])
    for picture in (
        pictures.layouts(8),
        pictures.order_task(tokens, [True, False], a=0, b=1),
    ):
        (ax,) = picture.axes
        for text in ax.texts:
            x, y = text.get_position()
            box = [
                b
                for b in ax.patches
                if b.get_x() < x < b.get_x() + b.get_width()
                and b.get_y() < y < b.get_y() + b.get_height()
            ]
            ground = luminance(box[0].get_facecolor()) if box else 1.0
            assert (ground + 0.05) / (luminance(text.get_color()) + 0.05) >= 4.5
            assert text.get_fontsize() >= 8


def test_no_line_of_drift_is_told_by_colour_alone():
    names = ["one", "two", "three", "four", "five"]
    picture = pictures.drift(2 ** np.arange(4), {name: [1] * 4 for name in names}, 3)
    lines = picture.axes[0].lines[1:]
    assert len({line.get_marker() for line in lines}) == len(names)


# The charts


def hands_drawn(pos, k, mode):
    marks = drawn(explore.hands(), pos=pos, k=k, mode=mode)
    (score,) = {mark["score"] for mark in marks if "said" in mark}
    parts = [m["contribution to the score"] for m in marks if "pair" in m and _part(m)]
    return score, parts


def _part(mark):
    return "contribution to the score" in mark


@pytest.mark.parametrize(("pos", "k"), [(3, 4), (50, -7)])
@pytest.mark.parametrize("mode", explore.MODES)
def test_the_hands_score_as_computed_by_hand(pos, k, mode):
    score, parts = hands_drawn(pos, k, mode)
    wanted = []
    for i, (q, s) in enumerate(zip(explore._QUERY, explore._KEY, strict=True)):
        here, there = (p / 10_000 ** (i / 4) for p in (pos, pos + k))
        if mode == explore.MODES[0]:  # clockwise: the direction grows with the angle
            wanted.append(math.cos((q + here) - (s + there)))
        else:
            query = math.sin(q) + math.sin(here), math.cos(q) + math.cos(here)
            key = math.sin(s) + math.sin(there), math.cos(s) + math.cos(there)
            wanted.append(query[0] * key[0] + query[1] * key[1])
    assert parts == pytest.approx(wanted, abs=1e-4)
    assert score == pytest.approx(sum(wanted), abs=1e-4)


def test_moving_both_changes_no_score_only_when_rotated():
    rotated, added = (
        [hands_drawn(pos, 5, mode)[0] for pos in (3, 90)] for mode in explore.MODES
    )
    assert rotated == pytest.approx([rotated[0]] * 2, abs=1e-5)
    assert max(added) - min(added) > 0.5


def test_the_chart_of_lengths_draws_every_seed():
    results = made_up()
    chart = explore.extrapolation(results)
    shapes = chart.to_dict()["layer"][-1]["encoding"]["shape"]["scale"]
    assert shapes["domain"] == list(results)
    assert len(set(shapes["range"])) == len(results)  # told by shape, not colour alone
    marks = drawn(chart, shown="fading")
    dots = [m for m in marks if "seed" in m]
    assert len(dots) == 3 * len(LENGTHS) * 3
    for dot in dots:
        code, length = dot["position code"], int(dot["length of the test sequences"])
        wanted = results[code][length][int(dot["seed"])]
        assert dot["share right"] == pytest.approx(wanted, abs=1e-3)


@pytest.mark.parametrize(("base", "power"), [(10_000, 12), (10_000, 17), (500_000, 17)])
def test_turns_within_a_context(base, power):
    marks = drawn(explore.turns(), base=base, power=power)
    dots = [mark for mark in marks if "pair i" in mark]
    assert len(dots) == 64
    slow = 0
    for dot in dots:
        wanted = 2**power / base ** (2 * dot["pair i"] / 128) / (2 * math.pi)
        assert dot["turns within the context"] == pytest.approx(wanted, rel=1e-4)
        slow += wanted < 1
    said = [dot["goes_round"] for dot in dots]
    assert said.count("never goes round") == slow
    shape = explore.turns().to_dict()["layer"][1]["encoding"]["shape"]["scale"]
    assert len(set(shape["range"])) == len(shape["domain"]) == 2


# The notebook


@pytest.fixture(scope="module")
def notebook():
    (path,) = [path for path in NOTEBOOKS if path.stem == "07_rotary"]
    return path


@pytest.fixture(scope="module")
def reader(notebook):
    """The notebook's own definitions, without its training."""
    namespace = {}
    wanted = (
        r"^import numpy|^A, B, FILLERS|^SLOPES|^def turn\(|^class Reader|^def answers"
    )
    for cell in code_cells(notebook):
        if re.search(wanted, cell.source, flags=re.MULTILINE):
            exec(cell.source.replace("renderer.use();", ""), namespace)
    return namespace


def answers(reader, code, tokens, **options):
    torch = reader["torch"]
    torch.manual_seed(3)
    with torch.no_grad():
        return reader["Reader"](code)(tokens, **options)


def test_the_task_is_what_it_says(reader):
    tokens, a_first = reader["sequences"](
        200, 12, reader["torch"].Generator().manual_seed(0)
    )
    for row, first in zip(
        tokens.flatten(0, 1).tolist(), a_first.flatten(), strict=True
    ):
        assert row.count(0) == row.count(1) == 1
        assert (row.index(0) < row.index(1)) == bool(first)
        assert max(row) < 10
    assert 0.45 < a_first.float().mean() < 0.55


def test_mirror_images_look_the_same_to_a_symmetric_bias(reader):
    tokens, _ = reader["sequences"](40, 16, reader["torch"].Generator().manual_seed(0))
    tokens = tokens[0]
    for code in ("none", "linear bias"):
        same = answers(reader, code, tokens) - answers(reader, code, tokens.flip(-1))
        assert same.abs().max() < 1e-5
    for code in ("sinusoidal", "learned", "rotary", "one-sided bias", "sides only"):
        same = answers(reader, code, tokens) - answers(reader, code, tokens.flip(-1))
        assert same.abs().max() > 1e-2


def test_rotary_readers_see_offsets_only(reader):
    torch = reader["torch"]
    x, positions = torch.randn(3, 9, 16), torch.arange(9.0)
    turned = reader["turn"](x.double(), positions.double(), 10_000.0)
    for row, made in zip(x.double().numpy(), turned.numpy(), strict=True):
        assert made == pytest.approx(by_hand(row, range(9), adjacent), abs=1e-6)


def test_the_heads_with_sides_look_one_way_each(reader):
    torch = reader["torch"]
    offset = torch.arange(-3.0, 4.0).reshape(1, 1, 1, 7)
    made = reader["bias"]("one-sided bias", offset)[0, :, 0]
    back, ahead = torch.isinf(made).tolist()
    assert back == [False] * 4 + [True] * 3
    assert ahead == [True] * 3 + [False] * 4
    assert made[0, 0] == -3 / 16
    assert made[1, 6] == -3 / 256


def test_the_stored_results_are_the_ones_that_the_text_tells(notebook):
    said = {}
    for cell in code_cells(notebook):
        for output in cell.outputs:
            if "able" in cell.source and output.output_type == "execute_result":
                said["able"] = output.data["text/plain"]
    table = {
        " ".join(line.split()[:-4]): list(map(int, line.split()[-4:]))
        for line in said["able"].splitlines()[2:]
    }
    assert table["none"] == table["linear bias"] == [0, 0, 0, 0]
    assert table["learned"] == table["sinusoidal"] == [4, 0, 0, 0]
    assert table["rotary"] == [4, 4, 4, 0]
    assert table["one-sided bias"] == [4, 4, 4, 4]


def test_the_charts_are_small():
    for chart in (explore.hands(), explore.turns(), explore.extrapolation(made_up())):
        assert len(json.dumps(chart.to_dict())) < 60_000
