"""The tokens that let people and programs in: a file that holds none of them, and who bears one."""

from __future__ import annotations

import asyncio
import hmac
import json
import os
import re
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from hashlib import sha256
from pathlib import Path

from reachy_agent_ros.agent.permissions.principal import Decides
from reachy_agent_ros.core.durable_file import make_folder, write_durably
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.callers import LOCAL, Caller, DeniedError, Role
from reachy_agent_ros.storage.file_lock import locked
from reachy_agent_ros.storage.storing import storing

FILE_NAME = "tokens.json"
"""In the state directory."""

_FORMAT = 2
"""Counts up where an earlier program must not read what a later one wrote: before 2 it would overlook who decides
nothing. The first files had none."""

_PREFIX = "reachy_"
"""What scanners for lost secrets can look for."""

_ENTROPY = 32
"""B."""


class Scope(StrEnum):
    """What a person allows a token beyond its role; nothing unless they do."""

    APPROVE_OWN = "approve-own"
    """Approves what was requested with this very token."""
    APPROVE_AS_MCP_CLIENT = "approve-as-mcp-client"
    """Decides although an MCP client uses it."""


@dataclass(frozen=True)
class Token:
    """What is kept of a token.

    Attributes:
        name: Whose or what for.
        role: What its bearer may do.
        digest: SHA-256 of it, hexadecimal. A slow hash guards passwords, which can be guessed; 256 random bits cannot,
            and a slow one would cost every request its time.
        made_at: s since the epoch.
        scopes: What a person allowed it beyond its role.
        mcp_client: Whether an MCP client has used it.
    """

    name: str
    role: Role
    digest: str
    made_at: float
    scopes: frozenset[Scope] = frozenset()
    mcp_client: bool = False

    @property
    def identity(self) -> str:
        """The name with a mark of this very token: a later one of the same name has another."""
        return f"{self.name}#{self.digest[:8]}"


class TokenFile:
    """Finds, makes and revokes tokens; other processes may do so meanwhile, and what they did holds at once.

    Args:
        path: The file, which need not exist.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._version: tuple[int, ...] | None = None
        self._tokens: tuple[Token, ...] = ()

    def tokens(self) -> tuple[Token, ...]:
        """All that hold, oldest first.

        Raises:
            AgentError: `STORAGE_FAILED`: the file is damaged or cannot be read, so that nobody is known.
        """
        version = self._found()
        if version != self._version:
            self._tokens = () if version is None else _read(self._path)
            self._version = version
        return self._tokens

    def find(self, secret: str) -> Token | None:
        """The token of a secret, None if it never was one or was revoked.

        Raises:
            AgentError: As `tokens`.
        """
        digest = _digest(secret)
        found = [token for token in self.tokens() if hmac.compare_digest(token.digest, digest)]
        return found[0] if found else None

    def make(self, name: str, role: Role, scopes: frozenset[Scope] = frozenset()) -> str:
        """Makes a token. Returns its secret, which nobody can find out again.

        Args:
            name: Whose or what for.
            role: What its bearer may do.
            scopes: What it may beyond that.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: no fit name, or one that is taken; `STORAGE_FAILED`.
        """
        if not re.fullmatch(r"[\w.-]{1,40}", name, re.ASCII):
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, "A name has 1 to 40 letters, digits, dots, dashes.")
        with self._alone():
            tokens = self.tokens()
            if any(token.name == name for token in tokens):
                raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"There is a token {name!r}; revoke it first.")
            secret = _PREFIX + secrets.token_urlsafe(_ENTROPY)
            self._write((*tokens, Token(name, role, _digest(secret), time.time(), scopes)))
        return secret

    def revoke(self, name: str) -> Token:
        """Ends a token; it is refused from now on, in connections that are open too.

        Raises:
            AgentError: `NOT_FOUND`, `STORAGE_FAILED`.
        """
        with self._alone():
            revoked = self._named(name)
            self._write(tuple(token for token in self.tokens() if token.name != name))
        return revoked

    def allow(self, name: str, scope: Scope, allowed: bool = True) -> Token:
        """Gives a token a scope or takes it away; it holds from the next request on. Returns the token as it is now.

        Raises:
            AgentError: `NOT_FOUND`, `STORAGE_FAILED`.
        """
        with self._alone():
            token = self._named(name)
            scopes = token.scopes | {scope} if allowed else token.scopes - {scope}
            changed = replace(token, scopes=scopes)
            self._replace(changed)
        return changed

    def note_mcp_client(self, token: Token) -> None:
        """Takes note that an MCP client uses a token; not of one that was revoked meanwhile.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        with self._alone():
            for known in self.tokens():
                if known.digest == token.digest:
                    self._replace(replace(known, mcp_client=True))

    def _named(self, name: str) -> Token:
        found = next((token for token in self.tokens() if token.name == name), None)
        if found is None:
            raise AgentError(ErrorCode.NOT_FOUND, f"There is no token {name!r:.60}.")
        return found

    def _replace(self, changed: Token) -> None:
        self._write(tuple(changed if token.name == changed.name else token for token in self.tokens()))

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keeps others from changing the file meanwhile."""
        with storing(f"{self._path.parent} cannot be made"):
            make_folder(self._path.parent)
        with locked(self._path.with_suffix(".lock")):
            yield

    def _found(self) -> tuple[int, ...] | None:
        """Differs when the file was replaced; None where there is none."""
        with storing(f"{self._path} cannot be read"):
            try:
                state = os.stat(self._path)
            except FileNotFoundError:
                return None
        return state.st_ino, state.st_mtime_ns, state.st_size

    def _write(self, tokens: tuple[Token, ...]) -> None:
        entries = [
            {**asdict(token), "role": token.role.name.lower(), "scopes": sorted(token.scopes)} for token in tokens
        ]
        with storing(f"{self._path} cannot be written"):
            write_durably(self._path, json.dumps({"format": _FORMAT, "tokens": entries}, indent=2) + "\n")


class TokenAuthenticator:
    """Implements `gateway.callers.Authenticator`.

    Args:
        tokens: Those that hold.
        local: Whether only this machine reaches the gateway, so that who sends no token is the person at it. A token
            that is wrong is refused even then.
    """

    def __init__(self, tokens: TokenFile, *, local: bool) -> None:
        self._tokens = tokens
        self._local = local

    def caller(self, token: str | None) -> Caller:
        """The bearer of a token, or the person at the machine.

        Raises:
            DeniedError: A token is missing, wrong or revoked.
            AgentError: `STORAGE_FAILED`: the tokens cannot be read.
        """
        if token is None and self._local:
            return Caller(LOCAL, Role.ADMINISTRATOR)
        found = self._tokens.find(token) if token else None
        if found is None:
            raise DeniedError
        return Caller(_name(found), found.role, _decides(found))

    async def note_mcp_client(self, caller: Caller) -> None:
        """Takes note that an MCP client bears the caller's token.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        found = next((one for one in self._tokens.tokens() if _name(one) == caller.name), None)
        if found is not None and not found.mcp_client:
            await asyncio.to_thread(self._tokens.note_mcp_client, found)


def _digest(secret: str) -> str:
    return sha256(secret.encode(errors="surrogateescape")).hexdigest()


def _read(path: Path) -> tuple[Token, ...]:
    try:
        content = json.loads(path.read_bytes())
        if content.get("format", _FORMAT) > _FORMAT:
            message = f"{path} was written by a later version of this program, so no token is known."
            raise AgentError(ErrorCode.STORAGE_FAILED, message)
        return tuple(
            Token(
                str(one["name"]),
                Role[str(one["role"]).upper()],
                bytes.fromhex(one["digest"]).hex(),
                float(one["made_at"]),
                frozenset(Scope(scope) for scope in one.get("scopes", ())),
                bool(one.get("mcp_client", False)),
            )
            for one in content["tokens"]
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        message = f"{path} is damaged, so no token is known: {error!r:.100}."
        raise AgentError(ErrorCode.STORAGE_FAILED, message) from error


def _name(token: Token) -> str:
    return f"token:{token.identity}"


def _decides(token: Token) -> Decides:
    if token.role < Role.OPERATOR or (token.mcp_client and Scope.APPROVE_AS_MCP_CLIENT not in token.scopes):
        return Decides.NOTHING
    return Decides.EVERYTHING if Scope.APPROVE_OWN in token.scopes else Decides.FOR_OTHERS
