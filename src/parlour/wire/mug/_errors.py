"""The ways of XMPP to say no (RFC 6120, section 8.3)."""

import enum


class Condition(enum.StrEnum):
    """A stanza error, with the kind of error this protocol sends it as."""

    type: str

    def __new__(cls, value: str, type: str) -> "Condition":
        condition = str.__new__(cls, value)
        condition._value_ = value
        condition.type = type
        return condition

    BAD_REQUEST = ("bad-request", "modify")
    CONFLICT = ("conflict", "cancel")
    FEATURE_NOT_IMPLEMENTED = ("feature-not-implemented", "cancel")
    FORBIDDEN = ("forbidden", "auth")
    INTERNAL_SERVER_ERROR = ("internal-server-error", "cancel")
    ITEM_NOT_FOUND = ("item-not-found", "cancel")
    JID_MALFORMED = ("jid-malformed", "modify")
    NOT_ACCEPTABLE = ("not-acceptable", "modify")
    NOT_ALLOWED = ("not-allowed", "cancel")
    NOT_AUTHORIZED = ("not-authorized", "auth")
    POLICY_VIOLATION = ("policy-violation", "modify")
    REGISTRATION_REQUIRED = ("registration-required", "auth")
    RESOURCE_CONSTRAINT = ("resource-constraint", "wait")
    SERVICE_UNAVAILABLE = ("service-unavailable", "wait")
    UNDEFINED_CONDITION = ("undefined-condition", "cancel")
