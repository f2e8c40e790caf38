"""Tables with a password: what the log keeps of it, and who is let in.

The log has a salted hash, so that a table asks for its password after a restart too. To compute
one takes a moment, and is done in another thread; once it was right, a password is known again
without it.
"""

import base64
import hashlib
import hmac
import secrets
from functools import partial

from parlour.games import Refusal
from parlour.gateways import WRONG_MOST, Guesses
from parlour.gateways.web._declined import Declined, No
from parlour.gateways.web._errands import Errands
from parlour.host import Directory
from parlour.match import Listing

COST = (1 << 14, 8, 1)  # N, r and p of scrypt (RFC 7914, 2): 16 MiB and some 50 ms
SALT_LENGTH = 16
LISTED, UNLISTED = "listed", "unlisted"
ADMITTED_MOST = 1000  # guests who need not say a table's password again

WRONG = "this table has another password"


class Lock:
    """What a table's `lock` in the log says. One that makes no sense is opened by nothing.

    `listed` ones are shown to everybody, the others found by link only.
    """

    def __init__(self, text: str) -> None:
        self.admitted: set[str] = set()
        self.known: bytes | None = None  # the password, by `Locks`, once it was said
        self._cost: tuple[int, ...] = COST
        self._salt = self._hash = b""
        kind, _, kept = text.partition(" ")
        self.listed = kind == LISTED
        try:
            *cost, salt, hashed = kept.split(" ")
            self._cost = tuple(map(int, cost))
            self._salt, self._hash = base64.b64decode(salt), base64.b64decode(hashed)
        except ValueError:
            pass

    def fits(self, password: str) -> bool:
        """Whether that is the password. Takes a while."""
        try:
            hashed = _scrypt(password, self._cost, self._salt)
        except ValueError:
            return False
        return hmac.compare_digest(hashed, self._hash)


def new_lock(password: str, listed: bool) -> str:
    """What the log keeps of a password. Takes a while."""
    salt = secrets.token_bytes(SALT_LENGTH)
    hashed = _scrypt(password, COST, salt)
    parts = (*map(str, COST), *(base64.b64encode(one).decode() for one in (salt, hashed)))
    return " ".join((LISTED if listed else UNLISTED, *parts))


class Locks:
    """The locks of all matches that are not finished."""

    def __init__(self, directory: Directory) -> None:
        self._directory = directory
        self._locks: dict[str, Lock] = {}
        self._guesses = Guesses()
        self._secret = secrets.token_bytes(32)
        self._errands = Errands()  # a word that opens a table waits behind no long matches
        directory.watch(self._listed)
        for stream, listing in directory.unfinished.items():
            self._listed(stream, listing)

    def locked(self, stream: str) -> bool:
        """Whether a password is needed."""
        return stream in self._locks

    def listed(self, stream: str) -> bool:
        """Whether a table with a password is shown to everybody."""
        return stream in self._locks and self._locks[stream].listed

    async def new(self, password: str, listed: bool, customer: str) -> str:
        """See `new_lock`.

        Raises:
            Declined: LIMIT.
        """
        return await self._errands.do(partial(new_lock, password, listed), customer=customer)

    def admit(self, stream: str, password: str, identity: str, customer: str, now: int) -> bool:
        """Let somebody watch or join; `customer` may be wrong a few times a minute.

        False when it takes a `look` first.

        Raises:
            Declined: PASSWORD, LIMIT.
        """
        lock = self._locks.get(stream)
        if lock is None or (identity and identity in lock.admitted):
            return True
        listing = self._directory.get(stream)
        if listing is None or not identity or not listing.sits(identity):
            if not password:  # so one asks whether there is one: no guess
                raise Declined(No.PASSWORD, "this table has a password")
            if not self._guesses.may(stream, customer, now):
                raise Declined(Refusal.LIMIT, f"more than {WRONG_MOST} wrong passwords a minute")
            if lock.known is None:
                return False
            if not hmac.compare_digest(lock.known, self._short(password)):
                self._guesses.wrong(stream, customer, now)
                raise Declined(No.PASSWORD, WRONG)
        if identity and len(lock.admitted) < ADMITTED_MOST:
            lock.admitted.add(identity)
        return True

    async def look(self, stream: str, password: str, customer: str, now: int) -> None:
        """Find out what `admit` could not say; it can when this returns.

        Raises:
            Declined: PASSWORD, LIMIT.
        """
        lock = self._locks.get(stream)
        if lock is None or lock.known is not None:
            return
        self._guesses.wrong(stream, customer, now)  # so long as it is not found right
        try:
            fits = await self._errands.do(partial(lock.fits, password), customer=customer)
        except Declined:  # nobody has looked at it
            self._guesses.right(stream, customer)
            raise
        if not fits:
            raise Declined(No.PASSWORD, WRONG)
        self._guesses.right(stream, customer)
        lock.known = self._short(password)

    def _short(self, password: str) -> bytes:
        """The password as this process remembers it."""
        return hmac.digest(self._secret, password.encode(), "sha256")

    def _listed(self, stream: str, listing: Listing) -> None:
        if listing.status.finished:
            self._locks.pop(stream, None)
        elif listing.lock and stream not in self._locks:
            self._locks[stream] = Lock(listing.lock)


def _scrypt(password: str, cost: tuple[int, ...], salt: bytes) -> bytes:
    n, r, p = cost
    return hashlib.scrypt(password.encode(), salt=salt, n=n, r=r, p=p, dklen=32)
