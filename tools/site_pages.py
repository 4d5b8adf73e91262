"""What the site needs beyond the documents: README and changelog as pages, links and anchors as in a checkout.

Called by mkdocs (see mkdocs.yml). The documents are written to be read in a checkout, where README and changelog stand
one directory above them.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

REPOSITORY = Path(__file__).resolve().parent.parent

# Pages that are made of files elsewhere.
_PAGES = {"index.md": "README.md", "changelog.md": "CHANGELOG.md"}


def on_config(config: Any) -> Any:
    """Give headings the anchors that the documents' own links expect."""
    config.mdx_configs.setdefault("toc", {})["slugify"] = slug
    return config


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that are made of files elsewhere."""
    for page, file in _PAGES.items():
        files.append(File.generated(config, page, content=(REPOSITORY / file).read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown: str, **_rest: Any) -> str:
    """Lead links to where things are on the site; what is no page there becomes plain text."""
    markdown = re.sub(r"\]\((?:\.\./)?docs/", "](", markdown)
    for page, file in _PAGES.items():
        markdown = re.sub(rf"\]\((?:\.\./)?{re.escape(file)}(#[^)]*)?\)", rf"]({page}\1)", markdown)
    return re.sub(r"(?<!!)\[([^\]]+)\]\((?:\.\./)?(?:packaging/[^)]*|LICENSE)\)", r"\1", markdown)


def slug(text: str, separator: str) -> str:
    """The anchor of a heading as viewers of checkouts make it: small letters, blanks as dashes, no other signs."""
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", separator)
