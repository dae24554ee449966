"""The file of forms: what is written is read again, and what is wrong in it is said with its line."""

from pathlib import Path

import pytest

from qlc.base.errors import ConfigurationError, UsageError
from qlc.base.options import moment
from qlc.translator.forms.file import HEAD, LARGEST_FILE, Forms, beside, read_forms, written
from qlc.translator.forms.form import Form, Sample
from qlc.translator.forms.teaching import failing
from tests import data_sets
from tests.tables import rows

from .conftest import OPTIONS, School
from .test_forms import TAUGHT

PAIR = TAUGHT["other fillers of the same types"]["pairs"][0][:2]

NOW = moment(OPTIONS["now"])


@pytest.fixture
def form(school: School) -> Form:
    school.teach(*PAIR)
    (made,) = school.forms.all
    return made


def test_a_form_has_no_literal_of_its_pair(form: Form) -> None:
    text = written((form,))
    assert not any(word in text for word in ("spreadsheets", "Anne-Marie", "2025"))


def test_what_is_written_is_read_again(form: Form, tmp_path: Path) -> None:
    path = tmp_path / "shop.forms.yaml"
    kept = Forms(path)
    kept.add(form)
    kept.add(form)
    assert Forms(path).all == (form,)
    assert path.read_text("utf-8").startswith(HEAD)
    kept.drop(form.id)
    assert (Forms(path).all, [one.name for one in tmp_path.iterdir()]) == ((), ["shop.forms.yaml"])
    with pytest.raises(UsageError, match="no form has the id"):
        kept.drop(form.id)


def test_forms_are_beside_their_catalog() -> None:
    assert beside(Path("a/shop.yaml")) == Path("a/shop.forms.yaml")


@pytest.mark.parametrize(("change", "said"), rows(__file__, "test_what_is_wrong_in_a_file"))
def test_what_is_wrong_in_a_file(form: Form, change: tuple[str, str], said: str) -> None:
    text = written((form,))
    assert change[0] in text
    with pytest.raises(ConfigurationError, match="has errors") as caught:
        read_forms(text.replace(*change), "shop.forms.yaml")
    assert said in str(caught.value)


def test_a_file_without_keys_says_that_they_are_missing() -> None:
    with pytest.raises(ConfigurationError, match="line 1: the file: keys are expected here"):
        read_forms("[]", "shop.forms.yaml")


def test_the_line_of_what_is_wrong(form: Form) -> None:
    text = written((form,))
    line = 1 + next(at for at, one in enumerate(text.splitlines()) if "origin" in one)
    with pytest.raises(ConfigurationError, match=rf"^forms has errors:\nline {line}: "):
        read_forms(text.replace("origin: person", "origin: nobody"))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "x.forms.yaml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigurationError, match="UTF-8"):
        Forms(path)
    path.write_bytes(b"#" * (LARGEST_FILE + 1))
    with pytest.raises(ConfigurationError, match="larger than"):
        Forms(path)


def test_a_form_passes_its_own_test(form: Form) -> None:
    assert [*failing([form], data_sets.drive().schema, NOW)] == []


@pytest.mark.parametrize(("changed", "said"), [
    ({"program": "find documents where colour = $extension and creator = $person and created >= $created"}, "not used"),
    ({"program": "find documents where type = $extension and creator = $person and created >= $created"}, "no longer"),
    ({"test": Sample(question="what 'Example 2' uploaded", program="find documents where size > 5 MB")}, "its test"),
])  # fmt: skip
def test_what_no_longer_fits_is_reported(form: Form, changed: dict[str, object], said: str) -> None:
    ((_, problem),) = failing([form.model_copy(update=changed)], data_sets.drive().schema, NOW)
    assert said in problem


def test_forms_that_disagree_are_reported(school: School) -> None:
    school.teach("heaviest papers", "find documents where size > 5 MB")
    school.teach("the heaviest papers please", "find documents where size > 50 MB")
    found = [*failing(school.forms.all, data_sets.drive().schema, NOW)]
    assert len(found) == 2
    assert all("read differently" in problem for _, problem in found)


def test_a_form_that_no_longer_fits_is_not_used(school: School, form: Form) -> None:
    other = form.model_copy(update={"program": form.program.replace("creator", "colour")})
    school.forms.drop(form.id)
    school.forms.add(other)
    assert school.ask(PAIR[0]) is None
