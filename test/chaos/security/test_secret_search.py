import base64
import gzip
import io
import zipfile
from pathlib import Path
from urllib.parse import quote

from backports import zstd
from hypothesis import given
from hypothesis import strategies as st

from chaos.security.secret_search import SecretSearch

SECRET = "canary0123456789abcdef"


def found(content: bytes) -> list[str]:
    search = SecretSearch({"the key": SECRET})
    search.look_at("here", content)
    return search.places


@given(st.binary(max_size=50), st.binary(max_size=50))
def test_finds_plain_or_base64_secret_in_any_bytes(before: bytes, after: bytes) -> None:
    assert "the key in here" in found(before + SECRET.encode() + after)
    assert "the key in here" in found(base64.b64encode(before + SECRET.encode() + after))


@given(st.binary(max_size=200))
def test_reports_no_secret_in_text_without_secret(content: bytes) -> None:
    assert found(content) == []


def test_finds_secret_in_url_and_archive() -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("state/log", f"It is {SECRET}.")
    assert found(quote(SECRET).encode()) == ["the key in here"]
    assert found(archive.getvalue()) == ["the key in here: state/log"]
    assert found(gzip.compress(SECRET.encode())) == ["the key in here: unpacked"]


def test_finds_secret_in_complete_or_truncated_bag() -> None:
    chunks = [zstd.compress(bytes(100) + text.encode()) for text in ("nothing", SECRET, "nothing")]
    bag = b"MCAP" + b"between".join(chunks)
    for whole_or_cut in (bag, bag[:-3]):
        assert "the key in here: unpacked" in found(whole_or_cut)


def test_finds_secret_in_file_content_and_file_name(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "log").write_text(f"It is {SECRET}.")
    (tmp_path / f"{SECRET}.txt").write_text("Nothing.")
    search = SecretSearch({"the key": SECRET})
    search.look_into([tmp_path])
    assert len(search.places) == search.searched == 2
