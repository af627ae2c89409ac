"""Bearer tokens: a file that stores only their hashes, and the authenticator that maps a token to its caller."""

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
from hashlib import sha256
from pathlib import Path

from reachy_agent_ros.agent.permissions.principal import Decides
from reachy_agent_ros.core.durable_file import make_folder, write_durably
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.callers import LOCAL, AuthenticationError, Caller
from reachy_agent_ros.gateway.roles import Role, Scope
from reachy_agent_ros.storage.file_lock import locked
from reachy_agent_ros.storage.storing import storing

FILE_NAME = "tokens.json"
"""Name of the file in the state directory."""

_FORMAT = 2
"""Format version of the file; files without one are read as the current format. Version 2 added `mcp_client` and
`scopes`, which an older program would ignore."""

_PREFIX = "reachy_"
"""Fixed prefix of tokens, which secret scanners can search for."""

_ENTROPY = 32
"""Number of random bytes in a token."""


@dataclass(frozen=True)
class Token:
    """Entry of a token in the token file.

    Attributes:
        name: Owner or purpose of the token.
        role: Role of the bearer.
        digest: SHA-256 of the token, hexadecimal. A slow hash, as for passwords, is not needed, because 256 random bits
            cannot be guessed, and it would delay every request.
        made_at: Creation time, seconds since the epoch.
        scopes: Additional rights beyond the role.
        mcp_client: Whether an MCP client has used the token.
    """

    name: str
    role: Role
    digest: str
    made_at: float
    scopes: frozenset[Scope] = frozenset()
    mcp_client: bool = False

    @property
    def identity(self) -> str:
        """Name and start of the digest, so that a later token with the same name has a different identity."""
        return f"{self.name}#{self.digest[:8]}"


class TokenFile:
    """Finds, creates and revokes tokens. Changes by other processes take effect immediately.

    Args:
        path: Path of the token file, which need not exist.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._version: tuple[int, ...] | None = None
        self._tokens: tuple[Token, ...] = ()

    def tokens(self) -> tuple[Token, ...]:
        """Returns all valid tokens, oldest first.

        Raises:
            AgentError: `STORAGE_FAILED`: the file is damaged, cannot be read or is from a later version, so no token
                is accepted.
        """
        version = self._found()
        if version != self._version:
            self._tokens = () if version is None else _read(self._path)
            self._version = version
        return self._tokens

    def find(self, secret: str) -> Token | None:
        """Finds the token with a given secret. Returns None if the secret is unknown or its token is revoked.

        Raises:
            AgentError: `STORAGE_FAILED`, see `tokens`.
        """
        digest = _digest(secret)
        found = [token for token in self.tokens() if hmac.compare_digest(token.digest, digest)]
        return found[0] if found else None

    def make(self, name: str, role: Role, scopes: frozenset[Scope] = frozenset()) -> str:
        """Creates a token and returns its secret, which cannot be recovered later.

        Args:
            name: Owner or purpose of the token.
            role: Role of its bearer.
            scopes: Additional rights beyond the role.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: the name is invalid or in use; `STORAGE_FAILED`.
        """
        if not re.fullmatch(r"[\w.-]{1,40}", name, re.ASCII):
            raise AgentError(
                ErrorCode.INVALID_ARGUMENTS, "Invalid token name: expected 1 to 40 letters, digits, '.', '_' or '-'."
            )
        with self._alone():
            tokens = self.tokens()
            if any(token.name == name for token in tokens):
                raise AgentError(
                    ErrorCode.INVALID_ARGUMENTS, f"A token named {name!r} already exists. Revoke it first."
                )
            secret = _PREFIX + secrets.token_urlsafe(_ENTROPY)
            self._write((*tokens, Token(name, role, _digest(secret), time.time(), scopes)))
        return secret

    def revoke(self, name: str) -> Token:
        """Revokes a token, effective immediately, even for open connections.

        Raises:
            AgentError: `NOT_FOUND`, `STORAGE_FAILED`.
        """
        with self._alone():
            revoked = self._named(name)
            self._write(tuple(token for token in self.tokens() if token.name != name))
        return revoked

    def allow(self, name: str, scope: Scope, allowed: bool = True) -> Token:
        """Grants or removes a scope, effective from the next request, and returns the updated token.

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
        """Records that an MCP client uses a token. Does nothing if the token was revoked.

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
            raise AgentError(ErrorCode.NOT_FOUND, f"No token is named {name!r:.60}. See `reachy-agent tokens list`.")
        return found

    def _replace(self, changed: Token) -> None:
        self._write(tuple(changed if token.name == changed.name else token for token in self.tokens()))

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Locks the file against changes by other processes."""
        with storing(f"{self._path.parent} cannot be created"):
            make_folder(self._path.parent)
        with locked(self._path.with_suffix(".lock")):
            yield

    def _found(self) -> tuple[int, ...] | None:
        """Returns a fingerprint that changes when the file is replaced, or None if the file does not exist."""
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
    """Maps bearer tokens to callers. Implements `gateway.callers.Authenticator`.

    Args:
        tokens: File of the tokens.
        local: Whether clients without a token are accepted as the person at this machine. Use only if no other machine
            can reach the gateway. Even then, an invalid token is rejected.
    """

    def __init__(self, tokens: TokenFile, *, local: bool) -> None:
        self._tokens = tokens
        self._local = local

    def authenticate(self, token: str | None) -> Caller:
        """Returns the caller that owns a token. If no token is sent and `local` is set, returns the local caller.

        Raises:
            AuthenticationError: The token is missing, unknown or revoked.
            AgentError: `STORAGE_FAILED`: the token file cannot be read.
        """
        if token is None and self._local:
            return Caller(LOCAL, Role.ADMINISTRATOR)
        found = self._tokens.find(token) if token else None
        if found is None:
            raise AuthenticationError
        return Caller(_name(found), found.role, _decides(found))

    async def note_mcp_client(self, caller: Caller) -> None:
        """Records that an MCP client uses the caller's token.

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
            message = f"{path} was written by a later version of this program, so no token is accepted."
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
        message = f"{path} is damaged or cannot be read, so no token is accepted: {error!r:.100}."
        raise AgentError(ErrorCode.STORAGE_FAILED, message) from error


def _name(token: Token) -> str:
    return f"token:{token.identity}"


def _decides(token: Token) -> Decides:
    if token.role < Role.OPERATOR or (token.mcp_client and Scope.APPROVE_AS_MCP_CLIENT not in token.scopes):
        return Decides.NOTHING
    return Decides.EVERYTHING if Scope.APPROVE_OWN in token.scopes else Decides.FOR_OTHERS
