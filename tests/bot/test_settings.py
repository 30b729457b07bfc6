import stat
from pathlib import Path

import pytest

from bot import settings_docs
from bot.settings import Settings, load, points
from masis.errors import InvalidSettings

ROOT = Path(__file__).parents[2]


def refused(**environment: str) -> list[str]:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        with pytest.raises(InvalidSettings) as caught:
            load()
    return str(caught.value).splitlines()


def test_defaults_work_offline() -> None:
    """Without any setting it works offline in the user data folder."""
    settings = load()
    assert settings.agents_in_use == "offline"
    assert settings.embedder_in_use == "bundled"
    assert settings.qdrant_address == ""
    assert settings.data_dir.name == "masis"
    assert settings.writer_model == "gpt-4o-mini"
    assert settings.auditor_model == settings.judge_model == "gpt-4o"
    assert settings.model_calls_per_minute == 10


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("MASIS_DATADIR", "MASIS_DATA_DIR"),
        ("MASIS_QDRANT_URI", "MASIS_QDRANT_URL"),
        ("MASIS_WRITTER_MODEL", "MASIS_WRITER_MODEL"),
        ("masis_log_leval", "MASIS_LOG_LEVEL"),
        ("MASIS_RELEVANCE_TRESHOLD", "MASIS_RELEVANCE_THRESHOLD"),
    ],
)
def test_misspelt_variable_suggests_nearest_name(wrong: str, right: str) -> None:
    """A misspelt variable is refused with the nearest right name."""
    assert refused(**{wrong: "1"}) == [
        f"{wrong.upper()} is no setting of MASIS: did you mean {right}?"
    ]


def test_dissimilar_name_gets_no_suggestion() -> None:
    """A name near to nothing is refused without a guess."""
    assert refused(MASIS_XYZZY="1") == [
        "MASIS_XYZZY is no setting of MASIS: the README lists them all"
    ]


def test_misspelt_env_file_is_refused() -> None:
    """A misspelt name in the env file is refused too."""
    Path(".env").write_text("MASIS_MAX_RETRYS=1\n")
    assert refused() == ["MASIS_MAX_RETRYS is no setting of MASIS: did you mean MASIS_MAX_RETRIES?"]


def test_test_suite_variables_are_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    """Variables of the test suite are left alone."""
    monkeypatch.setenv("MASIS_TEST_POSTGRES_URL", "postgresql://localhost/x")
    assert load()


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("MASIS_CALL_TIMEOUT", "soon", "should be a valid number"),
        ("MASIS_CALL_TIMEOUT", "nan", "should be a finite number"),
        ("MASIS_CALL_TIMEOUT", "-3", "should be greater than 0"),
        ("MASIS_MAX_RETRIES", "6", "should be less than or equal to 5"),
        ("MASIS_CONFIDENCE_THRESHOLD", "65", "should be less than or equal to 1"),
        ("MASIS_AGENTS", "magic", "should be 'auto', 'model' or 'offline'"),
        ("MASIS_MODEL_BASE_URL", "localhost:8000", "should be an address such as https://"),
        (
            "MASIS_DATABASE_URL",
            "mysql://u:pass@h/d",
            "should begin with postgresql:// or sqlite://",
        ),
        (
            "MASIS_DATABASE_URL",
            "postgresql+asyncpg://u:pass@h/d",
            "should begin with postgresql:// or sqlite://",
        ),
        ("MASIS_EMBEDDING_CALIBRATION", "0.5:1 0.4:0", "should be two or more rising pairs"),
        ("MASIS_EMBEDDING_CALIBRATION", "0.5", "should be two or more rising pairs"),
        ("MASIS_EMBEDDING_CALIBRATION", "nan:0 1:1", "should be two or more rising pairs"),
        ("QDRANT_PORT", "99999", "should be less than or equal to 65535"),
        ("QDRANT_HOST", "http://localhost", "should be a bare host name"),
    ],
)
def test_bad_value_names_its_variable(name: str, value: str, says: str) -> None:
    """A bad value gets one line that names its variable."""
    lines = refused(**{name: value})
    assert len(lines) == 1
    assert lines[0].startswith(f"{name}: {says}")
    assert value not in lines[0] or value in {"6", "0.5"}


def test_all_bad_values_are_named() -> None:
    """Every bad value is named at once."""
    assert len(refused(MASIS_CALL_TIMEOUT="x", MASIS_MAX_RETRIES="y")) == 2


def test_an_empty_value_means_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MASIS_CALL_TIMEOUT", "")
    assert load().call_timeout == 30


def test_overrides_win_over_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The environment wins over the env file and overrides over both."""
    Path(".env").write_text("MASIS_MAX_RETRIES=1\nMASIS_LOG_LEVEL=ERROR\n")
    monkeypatch.setenv("MASIS_MAX_RETRIES", "3")
    assert (load().max_retries, load().log_level) == (3, "ERROR")
    assert load(max_retries=0).max_retries == 0


def test_unreadable_env_file_is_one_line() -> None:
    """An unreadable env file is one clear line."""
    Path(".env").write_bytes(b"MASIS_LOG_LEVEL=\xff\xfe\x00")
    assert refused() == ["the file .env cannot be read (UnicodeDecodeError); mend or remove it"]


def test_role_key_precedes_shared_and_openai(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A role takes its own key then the shared one then openais."""
    monkeypatch.setenv("OPENAI_API_KEY", "third")
    assert load().agents_in_use == "model"
    assert load().key("writer").get_secret_value() == "third"
    monkeypatch.setenv("MASIS_MODEL_API_KEY", "second")
    monkeypatch.setenv("MASIS_WRITER_API_KEY", "first")
    assert load().key("writer").get_secret_value() == "first"
    assert load().key("judge").get_secret_value() == "second"
    assert "first" not in repr(load())


def test_role_address_precedes_shared_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """A role takes its own address then the shared one."""
    monkeypatch.setenv("MASIS_MODEL_BASE_URL", "http://127.0.0.1:9/v1/")
    monkeypatch.setenv("MASIS_JUDGE_BASE_URL", "http://127.0.0.1:8/v1")
    assert load().base_url("writer") == "http://127.0.0.1:9/v1"
    assert load().base_url("judge") == "http://127.0.0.1:8/v1"


def test_model_agents_require_key_or_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Model agents without a key are refused unless the address is ones own."""
    (line,) = refused(MASIS_AGENTS="model")
    assert line.startswith("MASIS_MODEL_API_KEY: the writer has no key")
    (line,) = refused(MASIS_WRITER_API_KEY="k")
    assert "the auditor has no key" in line
    (line,) = refused(MASIS_EMBEDDING_MODEL="text-embedding-ada-002")
    assert "the embedding has no key" in line
    monkeypatch.setenv("MASIS_AGENTS", "model")
    monkeypatch.setenv("MASIS_MODEL_BASE_URL", "http://127.0.0.1:9/v1")
    assert load().agents_in_use == "model"


@pytest.mark.parametrize("name", ["MASIS_MODEL_BASE_URL", "MASIS_WRITER_BASE_URL"])
def test_address_without_key_selects_service(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """An address without a key is a service and never ignored."""
    monkeypatch.setenv(name, "http://127.0.0.1:9/v1")
    if name == "MASIS_MODEL_BASE_URL":
        assert load().agents_in_use == "model"
        assert load(agents="offline").agents_in_use == "offline"
    else:
        (line,) = refused()
        assert "the auditor has no key" in line


def test_openais_own_address_wants_a_key() -> None:
    address = "https://api.openai.com/v1/"
    (line,) = refused(MASIS_AGENTS="model", MASIS_MODEL_BASE_URL=address)
    assert "the writer has no key" in line
    assert load(model_base_url=address).agents_in_use == "offline"


def test_embedding_model_name_selects_service(monkeypatch: pytest.MonkeyPatch) -> None:
    """Naming an embedding model chooses the service."""
    monkeypatch.setenv("MASIS_EMBEDDING_API_KEY", "k")
    monkeypatch.setenv("MASIS_EMBEDDING_MODEL", "text-embedding-ada-002")
    settings = load()
    assert (settings.embedder_in_use, settings.agents_in_use) == ("service", "offline")


def test_qdrant_url_wins_over_host(monkeypatch: pytest.MonkeyPatch) -> None:
    """The qdrant url wins over host and port."""
    monkeypatch.setenv("QDRANT_HOST", "vectors")
    assert load().qdrant_address == "http://vectors:6333"
    monkeypatch.setenv("QDRANT_PORT", "7000")
    assert load().qdrant_address == "http://vectors:7000"
    monkeypatch.setenv("MASIS_QDRANT_URL", "https://cluster.example:6333")
    assert load().qdrant_address == "https://cluster.example:6333"


def test_the_policy_carries_what_was_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MASIS_RELEVANCE_THRESHOLD", "0.7")
    monkeypatch.setenv("MASIS_CLAMP_IS_AN_ISSUE", "false")
    policy = load().policy()
    assert policy.relevance_threshold == 0.7
    assert policy.clamp_is_an_issue is False


def test_the_env_example_is_current() -> None:
    path = ROOT / ".env.example"
    assert path.read_text(encoding="utf-8") == settings_docs.env_example(), (
        "run `python -m bot.settings_docs`"
    )


def test_commented_env_example_lines_load() -> None:
    """Every switched off line of the env example is a setting that loads."""
    text = settings_docs.env_example()
    live = [line.removeprefix("#") for line in text.splitlines() if line[:2] not in {"# ", ""}]
    Path(".env").write_text("\n".join(live))
    assert load().model_dump() == Settings(_env_file=None).model_dump()


def test_readmes_table_of_settings_is_current() -> None:
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    assert page == settings_docs.refreshed(page), "run `python -m bot.settings_docs`"


def test_settings_table_replaces_marked_part() -> None:
    """The table is put between its markers and nowhere else."""
    page = f"# Top\n{settings_docs.BEGIN}\nstale text\n{settings_docs.END}\nend\n"
    made = settings_docs.refreshed(page)
    assert made.startswith(f"# Top\n{settings_docs.BEGIN}\n| Variable |")
    assert made.endswith(f"|\n{settings_docs.END}\nend\n")
    assert "stale text" not in made
    assert settings_docs.refreshed("no markers") == "no markers"


def test_writing_the_documents_leaves_them_current(tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text(f"{settings_docs.BEGIN}{settings_docs.END}", encoding="utf-8")
    settings_docs.write(tmp_path)
    assert "MASIS_DATA_DIR" in readme.read_text(encoding="utf-8")
    assert (tmp_path / ".env.example").stat().st_mode & stat.S_IRUSR


def test_every_setting_says_what_it_does() -> None:
    for name, field in Settings.model_fields.items():
        assert field.description, name
        assert "|" not in field.description, name


def test_calibration_is_parsed_as_pairs() -> None:
    """A calibration is read as its pairs."""
    assert points("") == []
    assert points(" 0.1:0  0.35:0.6 1:1 ") == [(0.1, 0.0), (0.35, 0.6), (1.0, 1.0)]
