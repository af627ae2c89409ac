"""MkDocs hook that adds the version and the repository of the project from `package.xml`."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

from mkdocs.config.defaults import MkDocsConfig

PACKAGE = Path(__file__).parents[1] / "package.xml"


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Adds the version to the title of the site, and links to the website and the repository if their URLs are known.

    Args:
        config: Configuration of the site, which is changed.
    """
    package = ElementTree.parse(PACKAGE).getroot()  # noqa: S314 - our own file
    config.site_name = f"{config.site_name} {package.findtext('version')}"
    urls = {url.get("type", "website"): url.text for url in package.findall("url")}
    config.site_url = urls.get("website") or config.site_url
    config.repo_url = urls.get("repository") or config.repo_url
    return config
