"""The page's files and the sign-in form, with the headers that lock them down."""

import hashlib
import html
from importlib.resources import files
from string import Template

from aiohttp import hdrs, web

from bot.locales.catalogue import LOCALES, catalogue, nearest_locale

_TYPES = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "webmanifest": "application/manifest+json",
}
_CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _CSP,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


def lock_down(response: web.StreamResponse) -> None:
    """Add the security headers that the response does not set itself."""
    if not response.prepared:
        for name, value in _HEADERS.items():
            response.headers.setdefault(name, value)


class Pages:
    """The page's files; `load` reads them once."""

    def __init__(self) -> None:
        self._files: dict[str, bytes] = {}

    def load(self) -> None:
        """Read the files and the texts; it blocks, so call it in a thread."""
        folder = files("adapters.web.static")
        self._files = {
            entry.name: entry.read_bytes()
            for entry in folder.iterdir()
            if entry.name.rpartition(".")[2] in _TYPES
        }
        for locale in LOCALES:
            catalogue(locale)

    def file(self, request: web.Request, name: str) -> web.Response:
        """Return a file of the page; browsers ask each time and mostly hear "not modified".

        Raises:
            aiohttp.web.HTTPNotFound: there is no such file.
        """
        if (body := self._files.get(name)) is None:
            raise web.HTTPNotFound(text="Not found.\n")
        etag = hashlib.sha256(body).hexdigest()[:20]
        headers = {hdrs.CACHE_CONTROL: "no-cache", hdrs.ETAG: f'"{etag}"'}
        if any(tag.value == etag for tag in request.if_none_match or ()):
            return web.Response(status=web.HTTPNotModified.status_code, headers=headers)
        headers[hdrs.CONTENT_TYPE] = _TYPES[name.rpartition(".")[2]]
        return web.Response(body=body, headers=headers)

    def login(self, request: web.Request, *, failed: bool) -> web.Response:
        """Return the sign-in form in the browser's language.

        Its referrer policy differs: under ``no-referrer`` a browser posts a form with
        ``Origin: null``. Source: https://fetch.spec.whatwg.org/#origin-header, 2026-11-30.
        """
        locale = nearest_locale(request.headers.get(hdrs.ACCEPT_LANGUAGE, ""))
        said = catalogue(locale)
        note = said["web.login_failed"] if failed else ""
        shown = {
            "lang": locale,
            "title": said["web.name"],
            "intro": said["web.login_intro"],
            "label": said["web.login_label"],
            "submit": said["web.login_submit"],
            "note": note,
            "note_class": "login-note" if failed else "login-note hidden",
        }
        page = Template(self._files["login.html"].decode()).substitute(
            {name: html.escape(value) for name, value in shown.items()}
        )
        return web.Response(
            body=page.encode(),
            status=web.HTTPUnauthorized.status_code if failed else web.HTTPOk.status_code,
            headers={
                hdrs.CONTENT_TYPE: _TYPES["html"],
                hdrs.CACHE_CONTROL: "no-store",
                "Referrer-Policy": "same-origin",
            },
        )
