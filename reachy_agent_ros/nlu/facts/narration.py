"""Reader of one text in one language: its clauses, what they leave out, and what they correct."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from reachy_agent_ros.nlu.facts.clause_words import ClauseWords, SentenceWords, sentences_of
from reachy_agent_ros.nlu.facts.entity_reader import known_noun, owned, owner, reference
from reachy_agent_ros.nlu.facts.fact_language import VALUES, FactLanguage
from reachy_agent_ros.nlu.facts.fact_values import (
    asked_value,
    core_of,
    is_replacement,
    is_written_as_name,
    specific_relation,
    stated_value,
    with_mention,
    without_article,
    without_opening,
)
from reachy_agent_ros.nlu.facts.statement import SPEAKER, Entity, EntityKind, Question, Statement, bare
from reachy_agent_ros.nlu.personal_facts import is_name, name_fact
from reachy_agent_ros.nlu.templates.tokens import folded

_MOST_WORDS = 10
"""Maximum number of words in a clause without a subject."""

_MOST_IN_NAME = 2
"""Maximum number of words in the second of two names."""

_NOT = "not "
_WHO = "who "
_OF_THINGS = frozenset(("location", "color"))
"""Relations of all things, also of "the keys"."""

_OF_KNOWN = frozenset(("location", "color", "kind", "origin"))
"""Relations that everything in the world has. A name can have them only if the person has told whose name it is."""

_PERSON = Entity(SPEAKER, EntityKind.PERSON)


@dataclass(frozen=True)
class Reading:
    """Statements of a person.

    Attributes:
        statements: Statements in the order of the text.
        entity: Entity that a pronoun in the next text can stand for; None if there is none.
        names: Names in lower case that the person has told so far.
    """

    statements: tuple[Statement, ...] = ()
    entity: Entity | None = None
    names: frozenset[str] = frozenset()


@dataclass(frozen=True)
class _Clause:
    """Clause with a statement, parts of which the next clause may leave out.

    Attributes:
        subject: Subject, as in "My sister lives in Lyon and works as a nurse".
        opening: Words before the value, as in "I have a dog and two cats".
        most: Maximum number of words of a value that is added after "and".
    """

    subject: ClauseWords | None
    opening: ClauseWords
    most: int

    @classmethod
    def of(cls, core: ClauseWords, match: re.Match[str], statement: Statement, language: FactLanguage) -> _Clause:
        groups = [name for name in ("a", *VALUES) if match.groupdict().get(name)]
        opening = replace(core, words=core.words[: len(match.string[: min(map(match.start, groups))].split())])
        most = _MOST_WORDS if statement.relation == "have" else int(statement.has_several)
        if match.groupdict().get("x"):
            return cls(core.part(match, "x"), opening, most)
        first = replace(core, words=core.words[:1])
        return cls(first if language.speaker.fullmatch(first.said) else None, opening, most)


@dataclass
class Narration:
    """Reads the statements and questions of one text in one language. Keeps what pronouns can refer to.

    Attributes:
        language: Words and patterns of the language.
        before: Statements of the same person just before, to which pronouns and corrections refer.
        found: Statements so far.
    """

    language: FactLanguage
    before: Reading
    found: list[Statement] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._entity = self.before.entity
        self._last: _Clause | None = None
        self._corrects = False

    def read(self, text: str) -> Reading:
        """Reads the statements of a text."""
        for sentence in sentences_of(text, self.language):
            self._read_sentence(sentence)
        names = {bare(one.value) for one in self.found if one.relation == "name"}
        return Reading(tuple(dict.fromkeys(self.found)), self._entity, self.before.names | names)

    def question(self, core: ClauseWords) -> Question | None:
        """Returns the question in a clause, which may be indirect."""
        asking = self.language.asking.match(core.said)
        if asking is not None:
            indirect = self.question(core.after(len(asking.group().split())))
            if indirect is not None:
                return indirect
        for relation, pattern in self.language.questions:
            match = pattern.fullmatch(core.said)
            found = None if match is None else self._question(relation, core, match)
            if found is not None:
                return found
        return None

    def _question(self, relation: str, core: ClauseWords, match: re.Match[str]) -> Question | None:
        found = match.groupdict()
        asks_who, negated = relation.startswith(_WHO), relation.startswith(_NOT)
        relation = relation.removeprefix(_WHO).removeprefix(_NOT)
        subject: str | None = None if asks_who else SPEAKER
        text, mention = core.whole, ""
        if found.get("its") is not None:
            entity = owner(found["its"], self.language, self._entity)
            if entity is None:
                return None
            subject, mention, text = entity.name, entity.mention, f"{entity.mention}: {text}"
        elif found.get("x") is not None:
            part = core.part(match, "x")
            said = reference(part, self.language, self._entity, relation in _OF_THINGS, asks=True)
            if said is None:
                return None
            subject, mention = said.name.casefold() or said.entity.name, said.name or said.entity.mention
            text = with_mention(core, part, said.entity.mention) if said.is_pronoun else text
        value = asked_value(relation, core, match, self.language)
        relation = specific_relation(relation, found)
        if value is None:
            return None
        return Question(relation, subject, value, negated, self.language.code, f"{text}?", mention)

    def _read_sentence(self, sentence: SentenceWords) -> None:
        if self.language.retraction.fullmatch(without_opening(sentence.said, self.language)):
            self.found.clear()
            return
        self._last = None
        if sentence.asks or sentence.quotes or self.language.doubt.search(sentence.marked):
            return
        for clause in sentence.clauses:
            statement = self._in_clause(clause) or self._corrected(clause)
            self._corrects = self._begins_correction(clause)
            if statement is None and self._joins_name(clause):
                continue
            if statement is None:
                self.note_entity(core_of(clause, self.language))
                continue
            self.found.append(statement)
            if statement.entity.name:
                self._entity = statement.entity

    def _begins_correction(self, clause: ClauseWords) -> bool:
        """Returns whether the next clause may be nothing but the right value: "no, Bella", "not Rex, Bella"."""
        correction = self.language.correction.fullmatch(clause.said)
        denied = self.language.denied.fullmatch(clause.said)
        values = {folded(one.value) for one in [*self.before.statements, *self.found][-1:]}
        return (correction is not None and correction["value"] is None) or (
            denied is not None and denied["value"] in values
        )

    def _joins_name(self, clause: ClauseWords) -> bool:
        """Adds the second name of "my cats are called Mia and Leo" to the statement of the first."""
        core = core_of(clause, self.language)
        last = self.found[-1] if self.found and self._last is not None else None
        is_name_alone = 0 < len(core.words) <= _MOST_IN_NAME and is_written_as_name(core, self.language)
        if last is None or last.relation != "name" or not is_name_alone:
            return False
        start = core.text.rfind(last.value, 0, core.words[0].start)
        value = core.text[start : core.words[-1].end]
        self.found[-1] = replace(last, value=value, text=last.text.replace(last.value, value))
        return True

    def _in_clause(self, clause: ClauseWords) -> Statement | None:
        """Returns the statement of a clause, which may leave out the subject of the clause before it."""
        core = core_of(clause, self.language)
        if not core.words:
            return None
        before = self._last
        found = self._matching(core) or self._introduced(core)
        if found is not None or before is None:
            return found
        for words, most in ((before.subject, _MOST_WORDS), (before.opening, before.most)):
            if words is not None and 0 < len(without_article(core, self.language).words) <= most:
                found = self._matching(replace(core, words=[*words.words, *core.words]))
                if found is not None:
                    opening = words.written if words is before.opening else found.entity.mention or words.written
                    return replace(found, text=f"{opening} {core.whole}")
        return None

    def _introduced(self, core: ClauseWords) -> Statement | None:
        """Returns the name in a clause that only introduces somebody: "this is my husband Tom"."""
        said = reference(core, self.language, None)
        return None if said is None or not said.name else self._name_statement(said.entity, said.name)

    def _matching(self, core: ClauseWords) -> Statement | None:
        for relation, pattern in self.language.statements:
            match = pattern.fullmatch(core.said)
            statement = None if match is None else self._statement(relation, core, match)
            if match is not None and statement is not None:
                self._last = _Clause.of(core, match, statement, self.language)
                return statement
        return None

    def _statement(self, relation: str, core: ClauseWords, match: re.Match[str]) -> Statement | None:
        found = match.groupdict()
        value = stated_value(relation.removeprefix(_NOT), core, match, self.language)
        subject = None if value is None else self._subject(relation, core, match)
        if value is None or subject is None:
            return None
        entity, text = subject
        if relation == "age" and entity.kind is EntityKind.THING:  # "my shoe size is 42"
            return None
        negated = relation.startswith(_NOT)
        relation = relation.removeprefix(_NOT)
        relation = specific_relation(relation, found)
        if relation == "name" and not negated and entity is _PERSON:
            if not is_name(value) and core.text != core.text.lower():
                return None
            text = name_fact(value)
        elif relation == "name" and not negated and found.get("its") is not None:
            text = self._named(entity, value)
        if relation == "have" and "noun" in found and not negated:
            self._note_owned(core, match, entity)
        return Statement(entity, relation, value, text, negated, self.language.code)

    def _subject(self, relation: str, core: ClauseWords, match: re.Match[str]) -> tuple[Entity, str] | None:
        """Returns the entity of a statement, and the statement in words that need no context."""
        found = match.groupdict()
        if found.get("its") is not None:
            entity = owner(found["its"], self.language, self._entity)
            return None if entity is None else (entity, f"{entity.mention}: {core.whole}")
        if found.get("they") is not None:
            whole = core.whole[:1].lower() + core.whole[1:]
            return None if self._entity is None else (self._entity, f"{self._entity.mention} {whole}")
        if found.get("x") is not None:
            part = core.part(match, "x")
            said = reference(part, self.language, self._entity, relation in _OF_THINGS)
            if said is None or (said.is_name and relation in _OF_KNOWN and not self._knows(said.entity)):
                return None
            if said.name:
                self.found.append(self._name_statement(said.entity, said.name))
            if not (said.is_pronoun or said.name):
                return said.entity, core.whole
            return said.entity, with_mention(core, part, said.entity.mention)
        if found.get("a") is not None and found.get("name") is not None:
            return owned(core.part(match, "noun"), found["a"], self.language), core.whole
        return _PERSON, core.whole

    def _knows(self, entity: Entity) -> bool:
        told = {bare(one.value) for one in self.found if one.relation == "name"} | self.before.names
        return entity.name in told or (self._entity is not None and entity.name == self._entity.name)

    def _name_statement(self, entity: Entity, name: str) -> Statement:
        return Statement(entity, "name", name, self._named(entity, name), language=self.language.code)

    def _named(self, entity: Entity, value: str) -> str:
        return self.language.words.named.format(subject=entity.mention, value=value)

    def _note_owned(self, core: ClauseWords, match: re.Match[str], entity: Entity) -> None:
        """Remembers the dog of "I have a dog" as what "it" stands for next."""
        if entity is _PERSON:
            self._entity = owned(core.part(match, "noun"), match.groupdict().get("a"), self.language)

    def note_entity(self, core: ClauseWords) -> None:
        """Remembers somebody whom a clause mentions without a statement: "my brother came to visit"."""
        for start in range(len(core.words)):
            own = self.language.own.match(core.after(start).said)
            if own is not None:
                noun = core.after(start + len(own.group().split()))
                first = replace(noun, words=noun.words[:1])
                if first.words and known_noun(first, self.language) is not None:
                    count = len(own.group().split()) + 1
                    said = reference(replace(core, words=core.words[start : start + count]), self.language, None)
                    self._entity = said.entity if said is not None else None
                    return
            if core.words[start].text in self.language.nouns:
                self._entity = None

    def _corrected(self, clause: ClauseWords) -> Statement | None:
        """Returns the last statement with the value that replaces it: "no, Bella"."""
        earlier = [*self.before.statements, *self.found][-1:]
        match = self.language.correction.fullmatch(clause.said)
        if self._corrects and (match is None or match["value"] is None):
            match = self.language.new_value.fullmatch(clause.said)
        if not earlier or match is None or match["value"] is None or earlier[0].language != self.language.code:
            return None
        last, part = earlier[0], clause.part(match, "value")
        if last.has_several or not is_replacement(last.relation, part, self.language):
            return None
        return replace(last, value=part.written, text=last.text.replace(last.value, part.written))
