"""Pictures of the tour, which it shares with 01 and 05."""

from helpers.draw.census import census as census
from helpers.draw.table import table as table
