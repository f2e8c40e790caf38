"""Every fuzz target by its name. A target takes any bytes and raises when something is wrong."""

from collections.abc import Callable

from tests.fuzz import (
    browser_codecs,
    browser_frames,
    browser_session,
    line_clients,
    line_codecs,
    line_sessions,
    mug_session,
    stanza_codecs,
)

TARGETS: dict[str, Callable[[bytes], None]] = {
    "textbook-server": line_codecs.check_textbook_server,
    "textbook-client": line_codecs.check_textbook_client,
    "nedap-server": line_codecs.check_nedap_server,
    "nedap-client": line_codecs.check_nedap_client,
    "ruc": line_codecs.check_ruc,
    "mug-stanza": stanza_codecs.check_stanza,
    "mug-form": stanza_codecs.check_form,
    "web-requests": browser_codecs.check_requests,
    "web-bodies": browser_codecs.check_bodies,
    "web-frames": browser_frames.check_frames,
    "web-session": browser_session.check_browser_session,
    "textbook-session": line_sessions.check_textbook_session,
    "nedap-session": line_sessions.check_nedap_session,
    "ruc-session": line_sessions.check_ruc_session,
    "mug-session": mug_session.check_mug_session,
    "textbook-terminal": line_clients.check_textbook_client,
    "nedap-terminal": line_clients.check_nedap_client,
    "ruc-terminal": line_clients.check_ruc_client,
}
