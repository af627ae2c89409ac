"""Git checkout of this program, with git operations and other commands that run in it."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode

GIT_TIMEOUT = 600.0
"""Time limit of a git command, s. Fetching over a slow connection takes longest."""

LOCK_PATIENCE = 10.0
"""Time to wait for commands that a killed update has left running, s."""

_RELEASE = re.compile(r"v?\d+\.\d+\.\d+")
_TAIL = 12
"""Number of lines of a failed command's output that the error contains."""


class Checkout:
    """Git checkout with a lock. Commands inherit the lock, so it is held until the last command has ended.

    Args:
        root: Folder of the checkout.

    Attributes:
        folder: Folder for the files of an update, inside the git directory and outside the work tree.
        log: File with the output of all commands of `run`.

    Raises:
        AgentError: `INVALID_GOAL`: git does not know the folder, or is not installed.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._lock: int | None = None
        self._git_folder = Path(self.git("rev-parse", "--absolute-git-dir"))
        self.folder = self._git_folder / "reachy_agent_update"
        self.log = self.folder / "log"

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Locks the checkout during a `with` block, so that no other update can run.

        Raises:
            AgentError: `INVALID_GOAL`: another update is running, or a command that a killed update left behind.
        """
        self.folder.mkdir(mode=0o700, exist_ok=True)
        self._lock = os.open(self.folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        deadline = Deadline(LOCK_PATIENCE)
        try:
            while not _acquired(self._lock):
                if deadline.passed:
                    message = (
                        f"Another update of {self.root} is still running. Wait until it has ended, then try again."
                    )
                    raise AgentError(ErrorCode.INVALID_GOAL, message)
                time.sleep(0.1)
            yield
        finally:
            os.close(self._lock)
            self._lock = None

    def git(self, *arguments: str, given: str = "") -> str:
        """Runs a git command.

        Args:
            arguments: Arguments of git.
            given: Standard input.

        Returns:
            Output of the command, without trailing white space.

        Raises:
            AgentError: `INVALID_GOAL` with git's message, or `TIMEOUT`.
        """
        environment = {**os.environ, "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
        try:
            done = subprocess.run(  # noqa: S603 - git, without a shell
                ["git", *arguments],  # noqa: S607 - the one of the path
                cwd=self.root,
                env=environment,
                input=given,
                capture_output=True,
                text=True,
                timeout=GIT_TIMEOUT,
                pass_fds=self._inherited,
            )
        except FileNotFoundError:
            raise AgentError(ErrorCode.INVALID_GOAL, "git is not installed.") from None
        except subprocess.TimeoutExpired:
            raise AgentError(ErrorCode.TIMEOUT, f"git {arguments[0]} did not end within {GIT_TIMEOUT:.0f} s.") from None
        if done.returncode:
            problem = " ".join(done.stderr.split()) or f"exit code {done.returncode}"
            raise AgentError(ErrorCode.INVALID_GOAL, f"git {arguments[0]} failed: {problem}")
        return done.stdout.rstrip()

    def run(
        self,
        command: Sequence[str],
        timeout: float,
        variables: Mapping[str, str],
        folder: Path | None = None,
        accepted: Collection[int] = (0,),
    ) -> None:
        """Runs a command in the checkout, and writes its output to the log.

        Args:
            command: Program, relative to the checkout, and arguments.
            timeout: Time limit, s.
            variables: Additional environment variables.
            folder: Working directory; None for the checkout.
            accepted: Exit codes that count as success.

        Raises:
            AgentError: `INVALID_GOAL` with the end of the output, or `TIMEOUT`.
        """
        with self.log.open("ab") as output:
            start = output.tell()
            try:
                done = subprocess.run(  # noqa: S603 - a program of the checkout
                    [str(self.root / command[0]), *command[1:]],
                    cwd=folder or self.root,
                    env={**os.environ, **variables},
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    timeout=timeout,
                    pass_fds=self._inherited,
                )
            except OSError as error:
                raise AgentError(ErrorCode.INVALID_GOAL, f"{command[0]} cannot run: {error.strerror}.") from error
            except subprocess.TimeoutExpired:
                message = f"{' '.join(command)} did not end within {timeout:.0f} s."
                raise AgentError(ErrorCode.TIMEOUT, message) from None
        if done.returncode not in accepted:
            said = self.log.read_bytes()[start:].decode(errors="replace").strip().splitlines()[-_TAIL:]
            message = f"{' '.join(command)} failed with exit code {done.returncode}: {' '.join(said)}"
            raise AgentError(ErrorCode.INVALID_GOAL, message)

    def commit(self, name: str = "HEAD") -> str:
        """Returns the full hash of a commit.

        Raises:
            AgentError: `INVALID_GOAL`: there is no such commit.
        """
        return self.git("rev-parse", "--verify", "--end-of-options", f"{name}^{{commit}}")

    def contains(self, commit: str, earlier: str) -> bool:
        """Returns whether a commit is `earlier` or a descendant of `earlier`."""
        return not self.git("rev-list", "--max-count=1", earlier, f"^{commit}")

    def target(self, wanted: str) -> tuple[str, str]:
        """Fetches from the remote repository. Returns the name and the commit of a version.

        Args:
            wanted: Tag, remote branch or commit; empty for the newest release, or for the upstream branch if there are
                no releases.

        Raises:
            AgentError: `NOT_FOUND`: there is no such version; `INVALID_GOAL`: there is no remote, or it cannot be read;
                `TIMEOUT`: it does not answer in time.
        """
        remote = self._remote()
        self.git("fetch", "--quiet", "--tags", remote)
        if not wanted:
            tags = self.git("tag", "--list", "--sort=-version:refname").splitlines()
            wanted = next(filter(_RELEASE.fullmatch, tags), "@{upstream}")
        for name in (f"refs/tags/{wanted}", f"refs/remotes/{remote}/{wanted}", wanted):
            try:
                return wanted, self.commit(name)
            except AgentError:
                continue
        message = f"{remote} has no version {wanted!r}. Name a tag, a branch or a commit: --to REF"
        raise AgentError(ErrorCode.NOT_FOUND, message)

    def require_clean(self, new: str) -> None:
        """Checks that an update does not overwrite local changes or untracked files.

        Args:
            new: Commit after the update.

        Raises:
            AgentError: `INVALID_GOAL`: tracked files were changed, or untracked files have the same names as new ones.
        """
        changed = self.git("status", "--porcelain", "--untracked-files=no").splitlines()
        if changed:
            listed = ", ".join(line[3:] for line in changed[:5])
            message = f"{self.root} has local changes: {listed}. Commit them, or put them aside: git stash"
            raise AgentError(ErrorCode.INVALID_GOAL, message)
        in_the_way = [path for path in self._added("HEAD", new) if os.path.lexists(self.root / path)]
        if in_the_way:
            message = f"The update contains files that already exist: {', '.join(in_the_way[:5])}. Move them away."
            raise AgentError(ErrorCode.INVALID_GOAL, message)

    def switch(self, commit: str, old: str, new: str) -> None:
        """Moves the branch and all tracked files to a commit, even after an interrupted switch.

        Files whose content matches neither commit are first copied to the folder of the update.

        Args:
            commit: One of the two commits.
            old: Commit before the update.
            new: Commit after the update.

        Raises:
            AgentError: `INVALID_GOAL`: git fails.
        """
        for lock in ("index.lock", "HEAD.lock"):  # left by a killed git; the update lock excludes a running one
            (self._git_folder / lock).unlink(missing_ok=True)
        self._save_edits(old, new)
        # First to the new commit, so that git knows its files and removes them on the way back.
        for one in dict.fromkeys((new, commit)):
            self.git("reset", "--quiet", "--hard", one)

    def _save_edits(self, old: str, new: str) -> None:
        known = {line.split()[2] for one in (old, new) for line in self.git("ls-tree", "-r", one).splitlines()}
        names = {*self._differing(new), *self._added(old, new)}
        files = sorted(name for name in names if (self.root / name).is_file() and not (self.root / name).is_symlink())
        hashes = self.git("hash-object", "--stdin-paths", given="\n".join(files)).split() if files else []
        for name, content in zip(files, hashes, strict=True):
            if content not in known:
                kept = self.folder / f"edited-{new[:12]}" / name
                kept.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(self.root / name, kept)

    def _differing(self, commit: str) -> list[str]:
        return self._names("diff", "--name-only", "-z", "--no-renames", commit)

    def _added(self, old: str, new: str) -> list[str]:
        return self._names("diff", "--name-only", "-z", "--no-renames", "--diff-filter=A", old, new)

    def _names(self, *command: str) -> list[str]:
        return [name for name in self.git(*command).split("\0") if name]

    def _remote(self) -> str:
        remotes = self.git("remote").splitlines()
        if not remotes:
            message = f"{self.root} has no remote repository. Add one: git remote add origin URL"
            raise AgentError(ErrorCode.INVALID_GOAL, message)
        return "origin" if "origin" in remotes else remotes[0]

    @property
    def _inherited(self) -> tuple[int, ...]:
        return () if self._lock is None else (self._lock,)


def _acquired(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
