"""Recognition of commands in one language by its sentence templates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from reachy_agent_ros.nlu.clause import Clause, Meanings
from reachy_agent_ros.nlu.dances import first_dance
from reachy_agent_ros.nlu.decision import DEFER, Decision
from reachy_agent_ros.nlu.perception import SIGHT
from reachy_agent_ros.nlu.reading import Reading
from reachy_agent_ros.nlu.sentence import SentencePart
from reachy_agent_ros.nlu.sentence_reader import Rulebook, is_amount
from reachy_agent_ros.nlu.templates.clause_splitter import ClauseSplitter
from reachy_agent_ros.nlu.templates.intent_classifier import SEVERAL, IntentClassifier
from reachy_agent_ros.nlu.templates.language import NO_COMMAND, Language
from reachy_agent_ros.nlu.templates.likely_reader import LikelyReader
from reachy_agent_ros.nlu.templates.meanings import (
    ANGLED,
    ANNOUNCES,
    DELAYED,
    DESCRIBES,
    Request,
    body_straight,
    meanings_of,
)
from reachy_agent_ros.nlu.templates.misspellings import Misspellings
from reachy_agent_ros.nlu.templates.modifiers import ModifierReader
from reachy_agent_ros.nlu.templates.template_index import NOUN, WILDCARD
from reachy_agent_ros.nlu.templates.tokens import tokens_of
from reachy_agent_ros.nlu.text import Word, joined, strip_courtesies, words_of
from reachy_agent_ros.nlu.vocabulary import Vocabulary

MOST_WORDS = 40
"""Maximum number of words and marks of a sentence that is classified. A longer one says more than a command."""

LEAST_ASKED = 0.5
"""Minimum probability for a sentence to have an intent that the robot asks about before it acts."""

_MOST_SPANNED = 3
"""Maximum number of clauses that one template matches together, such as "up and down"."""


class TemplateRecognizer:
    """Recognizes commands in one language. If any clause is unknown, defers the whole sentence.

    Args:
        language: Sentence templates.
        vocabulary: Emotions and dances of the robot.
        choose_dance: Chooses one of the dances if the person names none.
        classifier: Classifies clauses that no template matches; None for templates alone.
        rules: Rules for clauses of this language, which take precedence; None for none.
    """

    def __init__(
        self,
        language: Language,
        vocabulary: Vocabulary,
        choose_dance: Callable[[Sequence[str]], str | None] = first_dance,
        classifier: IntentClassifier | None = None,
        rules: Rulebook | None = None,
    ) -> None:
        common = language.common
        self._likely = None
        if classifier is not None:
            self._likely = LikelyReader(classifier, language, vocabulary, choose_dance)
        self._rules = rules
        self._language = language
        self._vocabulary = vocabulary
        self._choose_dance = choose_dance
        self._modifiers = ModifierReader(common.modifiers)
        self._clauses = ClauseSplitter(common)
        self._misspellings = Misspellings(language.words)

    def decide(self, text: str) -> Decision:
        """Decides on a sentence if templates match all of it, otherwise returns `DEFER`. Never raises an error."""
        words = tokens_of(text, self._language.code)
        if self._rules is None and not self._language.can_have(word.text for word in words):
            return DEFER
        return self._decide(text, words)

    def decide_respelled(self, text: str) -> Decision:
        """Decides like `decide` on a sentence whose words are partly misspelled, otherwise returns `DEFER`."""
        words = self._misspellings.corrected(tokens_of(text, self._language.code))
        return DEFER if words is None else self._decide(text, words, is_respelled=True)

    def _decide(self, text: str, words: Sequence[Word], is_respelled: bool = False) -> Decision:
        # "Nick dann" is one clause, and "nach links dann nach rechts" are two.
        splits = (self._clauses.parts(words, True), self._clauses.parts(words, False))
        for parts in splits if splits[0] != splits[1] else splits[:1]:
            reading = self._reading(self._sentence(text, words, parts))
            if reading is not None and not reading.has_free_text:
                return reading.decision()
            if reading is not None and is_respelled and self._likely is not None:
                return DEFER  # "shut your eyes" does not mean "shout your eyes"; the classifier reads misspellings
            if reading is not None:
                return self._checked(text, words, reading)
        return DEFER

    def _checked(self, text: str, words: Sequence[Word], reading: Reading) -> Decision:
        """Decides on a reading with free text, which almost any words can be.

        The classifier finds that "announce the winner" is talk, and that "read aloud the letter" is not a text to say.
        """
        likely = None if self._likely is None or len(words) > MOST_WORDS else self._likely.read(text, words)
        if likely is None or not (likely.is_talk or likely.is_certain):
            return reading.decision()
        if likely.is_talk:
            return DEFER
        tools = {action.tool for meanings in reading.steps for meaning in meanings for action in meaning}
        if any(action.tool in tools for meaning in likely.meanings for action in meaning):
            return reading.decision()
        return likely.decision(words)

    def decide_freely(self, text: str) -> Decision:
        """Decides like `decide`, but also classifies clauses, or the whole sentence, if no template matches.

        The classifier also reads sentences of several clauses as a whole: it tells a command with a remark, which needs
        one action, from several commands, and from talk in which a clause looks like a command.
        """
        words = tokens_of(text, self._language.code)
        if self._likely is None or not 0 < len(words) <= MOST_WORDS:
            return DEFER
        whole = self._likely.read(text, words)
        if whole is None or whole.is_talk:
            return DEFER
        sentence = self._sentence(text, words, self._clauses.parts(words, True))
        reading = self._reading(sentence, freely=True)
        if whole.intent == SEVERAL and reading is not None and len(reading.steps) == 1:
            return DEFER  # a part of the commands
        asks = reading is None and self._rules is not None  # there are questions in English only
        if whole.is_certain and (reading is None or len(reading.steps) > 1):
            return whole.decision(words)
        if asks and whole.meanings and whole.likeness >= LEAST_ASKED:
            return whole.decision(words, needs_confirmation=True)
        return DEFER if reading is None else reading.decision()

    def is_talk(self, text: str) -> bool:
        """Returns whether a sentence is certainly not a command. Without a classifier, returns False."""
        likely = None if self._likely is None else self._likely.read(text, tokens_of(text, self._language.code))
        return likely is not None and likely.is_talk

    def coverage(self, words: Sequence[str]) -> float:
        """Returns the share of words that occur in the templates of the language, from 0 to 1."""
        return self._language.coverage(words)

    def _sentence(self, text: str, words: Sequence[Word], parts: Sequence[SentencePart]) -> _Sentence:
        """Creates a sentence of clauses, which are also split where a correction or a remark follows a command."""
        whole = _Sentence(text, words, parts)

        def is_command(some: Sequence[Word]) -> bool:
            match = self._match_words(whole, self._clauses.stripped(some))
            return match is not None and not match.has_text and match.intent != "stop"

        pieces: list[SentencePart] = []
        for index, part in enumerate(parts):
            pieces += [part] if self._match(whole, index, 1) is not None else self._clauses.cut(part, is_command)
        return replace(whole, parts=self._clauses.corrected(pieces))

    def _reading(self, sentence: _Sentence, freely: bool = False) -> Reading | None:
        """Interprets all clauses of a sentence. Returns None if a clause is unknown or no clause is a command."""
        reading = Reading()
        index = 0
        in_remark = False
        while index < len(sentence.parts):
            taken = self._read(sentence, index, reading)
            in_remark = taken == 0 and self._is_remark(sentence, index, in_remark, bool(reading.steps))
            if taken == 0 and not in_remark and freely:
                taken = int(self._classify(sentence, index, reading))
            if taken == 0 and not in_remark:
                return None
            index += taken or 1
        return reading if reading.steps else None

    def _is_remark(self, sentence: _Sentence, index: int, in_remark: bool, after_command: bool) -> bool:
        """Returns whether a clause is a remark or, after one, its continuation: "because it is late and I am tired"."""
        part = sentence.parts[index]
        if self._clauses.is_remark(part) and (after_command or len(part.words) > 1):
            return True
        return in_remark and sentence.continues(index) and self._clauses.may_continue_remark(part)

    def _read(self, sentence: _Sentence, index: int, reading: Reading) -> int:
        """Interprets clauses from `index` on by templates. Returns the number of interpreted clauses."""
        longest = min(_MOST_SPANNED, len(sentence.parts) - index)
        spans = [(count, self._match(sentence, index, count)) for count in range(1, longest + 1)]
        together = [(count, match) for count, match in spans[1:] if match is not None and not match.is_open]
        if not together and self._read_by_rules(sentence, index, reading):
            return 1
        completed = None if together else self._completed(sentence, index, spans[0][1])
        found = [
            (count, match)
            for count, match in (*reversed(together), (1, completed), *spans)
            if match is not None
            if match.intent not in ANNOUNCES or index + count == len(sentence.parts)
        ]
        if not found:
            return 0
        taken, match = found[0]
        while match.has_text and index + taken < len(sentence.parts):
            longer = self._match(sentence, index, taken + 1)
            if longer is None or self._is_command(sentence, index + taken):
                break  # the words to say end where the next command begins
            taken, match = taken + 1, longer
        part = sentence.parts[index]
        meanings = match.meanings
        if match.intent == "look_straight" and _turned_body(reading) and not self._language.names_head(part.text):
            meanings = body_straight()
        reading.add_part(part, meanings)
        reading.wants_description |= match.intent == DESCRIBES
        reading.has_free_text |= match.is_open
        sentence.complete.setdefault(index + taken - 1, part.words)
        return taken

    def _is_command(self, sentence: _Sentence, index: int) -> bool:
        known = self._rules is not None and self._rules.knows(sentence.plain(index))
        return known or self._match(sentence, index, 1) is not None

    def _read_by_rules(self, sentence: _Sentence, index: int, reading: Reading) -> bool:
        """Interprets a clause by the rules, and adds its meaning to the reading. Returns whether they know it."""
        core = strip_courtesies(sentence.plain(index))
        if self._rules is None or not core or SIGHT.fullmatch(core):
            return False
        meanings = self._rules.meanings_after(reading.steps, core)
        if meanings and is_amount(core):
            reading.take_back()
        if meanings:
            reading.add_part(sentence.parts[index], meanings)
        return bool(meanings)

    def _completed(self, sentence: _Sentence, index: int, alone: _Match | None) -> _Match | None:
        """Matches a clause together with the beginning of the clause before it: "turn your body left, no, right".

        Args:
            sentence: Sentence.
            index: Index of the clause.
            alone: Match of the clause alone. A clause that names more than a direction or a number needs no completion.
        """
        part = sentence.parts[index]
        before = sentence.complete.get(index - 1)
        if before is None or not (part.corrects or alone is None or alone.intent == "look"):
            return None
        for words in self._clauses.completions(before, part.words):
            match = self._match_words(sentence, self._clauses.stripped(words))
            if match is not None and not match.is_open:
                sentence.complete[index] = words
                return match
        return None

    def _classify(self, sentence: _Sentence, index: int, reading: Reading) -> bool:
        """Classifies a clause, and adds its likely meaning to the reading. Returns whether a meaning was found."""
        part = sentence.parts[index]
        if self._likely is None or self._clauses.is_report(part):
            return False
        likely = self._likely.read(sentence.text, part.words)
        if likely is None or not likely.is_certain:
            return False
        likely.add_to(reading, part)
        return True

    def _match(self, sentence: _Sentence, index: int, count: int) -> _Match | None:
        """Matches consecutive clauses as one text. Returns the match, or None."""
        words = sentence.between(index, count)
        stripped = self._clauses.stripped(words)
        # The courtesy "du" belongs to the sentence in "wie laut bist du".
        tries = (stripped, words, self._clauses.without_repetitions(stripped))
        match = next(filter(None, (self._match_words(sentence, some) for some in tries)), None)
        if match is not None and not match.has_text:
            return match
        # Courtesies may be part of the text to say: "say thank you".
        opened = self._clauses.without_opening(words)
        with_text = self._match_words(sentence, self._clauses.without_closing(opened)) or self._match_words(
            sentence, opened
        )
        return with_text if with_text is not None and with_text.has_text else match

    def _match_words(self, sentence: _Sentence, words: Sequence[Word]) -> _Match | None:
        """Matches words with their modifiers, then without modifiers. Returns the match, or None."""
        text = joined(word for word in words if not word.is_mark)
        plain, modified = Clause(text, text), self._modifiers.read(text)
        match = self._match_clause(sentence, words, plain)
        if modified.core != text and (match is None or match.intent in DELAYED):
            match = self._match_clause(sentence, words, modified) or match
        angled = self._modifiers.with_bare_angle(modified) if match is None else None
        if angled is not None:
            match = self._match_clause(sentence, words, angled)
            return match if match is not None and match.intent in ANGLED else None
        return match

    def _match_clause(self, sentence: _Sentence, words: Sequence[Word], clause: Clause) -> _Match | None:
        results = self._language.index.matches(clause.core)
        exact = [result for result in results if result.entities.keys().isdisjoint((WILDCARD, NOUN))]
        if not exact and any(result.intent.name == NO_COMMAND for result in results):
            return None
        for result in sorted(exact or results, key=lambda result: -result.text_chunks_matched):
            if result.intent.name == NO_COMMAND:
                return None
            slots = {name: entity.value for name, entity in result.entities.items()}
            for name in slots.keys() & (WILDCARD, NOUN):
                slots[name] = sentence.as_written(words, str(slots[name]).split())
            if NOUN in slots and not self._clauses.is_noun(slots[NOUN]):
                continue
            request = Request(slots, clause, self._vocabulary, self._choose_dance)
            meanings = meanings_of(result.intent.name, request)
            if meanings:
                return _Match(result.intent.name, meanings, WILDCARD in slots, NOUN in slots)
        return None


def _turned_body(reading: Reading) -> bool:
    """Returns whether the last turn of a reading is a turn of the body."""
    actions = (action for step in reversed(reading.steps) for action in reversed(step[0]))
    return next((action.tool for action in actions if action.tool in ("move_head", "rotate_body")), "") == "rotate_body"


@dataclass(frozen=True)
class _Match:
    """Result of a template match: the intent, its meanings, and whether it has free text or an unlisted object."""

    intent: str
    meanings: Meanings
    has_text: bool
    has_noun: bool

    @property
    def is_open(self) -> bool:
        return self.has_text or self.has_noun


@dataclass(frozen=True)
class _Sentence:
    """Sentence with its words and clauses, and the complete words of clauses by index."""

    text: str
    words: Sequence[Word]
    parts: Sequence[SentencePart]
    complete: dict[int, Sequence[Word]] = field(default_factory=dict)

    def plain(self, index: int) -> str:
        """Returns the clause at `index` as plain English words, see `words_of`."""
        words = self.parts[index].words
        return joined(word for word in words_of(self.text[words[0].start : words[-1].end]) if not word.is_mark)

    def between(self, index: int, count: int) -> Sequence[Word]:
        """Returns all words from the start of the clause at `index` to the end of the last of `count` clauses."""
        if count == 1:
            return self.parts[index].words
        start, end = self.parts[index].words[0].start, self.parts[index + count - 1].words[-1].end
        return [word for word in self.words if start <= word.start < end]

    def continues(self, index: int) -> bool:
        """Returns whether no punctuation separates the clause at `index` from the clause before it."""
        start, end = self.parts[index - 1].words[-1].end, self.parts[index].words[0].start
        return not any(word.is_mark for word in self.words if start <= word.start < end)

    def as_written(self, words: Sequence[Word], said: Sequence[str]) -> str:
        """Returns words in their original spelling. The words must be consecutive, apart from punctuation."""
        plain = [word for word in words if not word.is_mark]
        texts = [word.text for word in plain]
        for start in range(len(plain) - len(said), -1, -1):
            if texts[start : start + len(said)] == list(said):
                return self.text[plain[start].start : plain[start + len(said) - 1].end]
        return " ".join(said)
