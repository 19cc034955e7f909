"""Games that tests leave unfinished stay out of the user's own folder."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "data"
    monkeypatch.setenv("ELCAPITAN_DATA", str(folder))
    return folder
