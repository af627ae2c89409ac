"""Words, patterns and replies in the file `languages/CODE/facts.yaml`.

A pattern is a regular expression for the words of a clause in lower case, without accents, separated by spaces. A group
in round brackets does not capture. Placeholders in curly brackets stand for the parts of the statement:

- `{me}`: the person who speaks; `{my}`: "my" or "our"
- `{x}`: somebody or something else, such as "my sister", "she" or "Bella"; `{its}`: "her", "his" or "its"
- `{whom}`: the same before a value that follows at once
- `{name}`, `{place}`, `{thing}`, `{number}`, `{date}`, `{spot}`: the value; `{of}`: what a favorite or attribute is of
- `{trait}`: a lasting property; `{shade}`: a color; `{where}`: a preposition of place
- `{a}` and `{noun}`: indefinite article and noun of somebody or something that a person has
- `{they}`: empty, for a verb whose subject is left out: "vive en Roma"
"""

from __future__ import annotations

from pydantic import Field

from reachy_agent_ros.nlu.facts.statement import Gender
from reachy_agent_ros.storage.strict_yaml import StrictForm


class FactReplies(StrictForm):
    """Replies of the robot in one language.

    Attributes:
        met: Reply to a person who tells the robot their `name`.
        named: Answer to a person who asks for their own `name`.
        remembered: Confirmation, with the `facts` in the person's words.
        told: Answer with `facts` that the person has told.
        elsewhere: Answer with `facts` that come from a document, a web page or another program.
        unknown: Reply to a question whose answer is not known.
        no_memory: Reply if facts can be neither stored nor found.
        quote: Quotation of one `fact`.
        more: Number of facts that are not listed, with `count`.
        forgotten: Confirmation that everything about a `name` is forgotten.
        nothing_known: Reply if nothing is known about a `name` that is to be forgotten.
        learned: Answer with the `phrases` that the robot has learned.
        nothing_learned: Answer if it has learned none.
        learned_forgotten: Confirmation that they are forgotten.
    """

    met: str
    named: str
    remembered: str
    told: str
    elsewhere: str
    unknown: str
    no_memory: str
    quote: str
    more: str
    forgotten: str
    nothing_known: str
    learned: str
    nothing_learned: str
    learned_forgotten: str


class FactWords(StrictForm):
    """Words and patterns of one language.

    Attributes:
        spellings: Patterns and replacements with the same number of words: "don t" becomes "do not".
        me: Pronouns for the person who speaks, a pattern.
        my: First-person determiners, such as "my", a pattern.
        pronouns: Pronouns by gender.
        its: Third-person determiners, such as "her", by gender.
        articles: Articles, which are not part of a value.
        determiners: First-person determiner for each indefinite article: "a sister" becomes "my sister".
        plural: First-person determiner of a plural noun: "two sisters" become "my sisters".
        openings: Words before a statement that do not change it, such as "by the way".
        refusals: Words that correct the sentence before if they are a clause of their own: "no, Bella".
        corrections: Openings that correct the sentence before, such as "I mean".
        restated: Words before the new value of a correction, a pattern: "no, it is Bella".
        articled_names: Whether a name can have an article.
        closings: Words after a statement that do not change it.
        months: Names of months, a pattern.
        fillers: Words that do not change a statement anywhere, such as "really".
        breaks: Words at which another clause begins.
        doubts: Words of sentences that are not statements of the person: hypotheses, reports, stories, orders.
        retractions: Sentences that retract the sentences before them, such as "just kidding".
        denial: Words that deny a value: "not Rex, Bella"; a pattern.
        not_first: Words with which no value begins.
        barred: Words that are not part of a name or a value.
        people: Nouns for people by gender and English noun.
        animals: Nouns for animals by English noun.
        things: Nouns for things that people own for a long time, by English noun.
        trait: Lasting properties of people, a pattern.
        shade: Colors, a pattern.
        where: Prepositions of place, a pattern.
        named: Statement of a name with `{subject}` and `{value}`.
        statements: Patterns by relation. "not" before a relation denies it.
        asking: Words before an indirect question: "do you know where my sister lives".
        questions: Patterns by relation. "who" before a relation asks who has it.
        replies: Replies of the robot.
    """

    spellings: dict[str, str] = Field(default_factory=dict)
    me: str
    my: str
    pronouns: dict[Gender, list[str]]
    its: dict[Gender, list[str]]
    articles: list[str]
    determiners: dict[str, str]
    plural: str
    openings: list[str]
    refusals: list[str]
    corrections: list[str]
    restated: str
    articled_names: bool = False
    closings: list[str]
    months: str
    fillers: list[str]
    breaks: list[str]
    doubts: list[str]
    retractions: list[str]
    denial: str
    not_first: list[str]
    barred: list[str]
    people: dict[Gender, dict[str, list[str]]]
    animals: dict[str, list[str]]
    things: dict[str, list[str]]
    trait: str
    shade: str
    where: str
    named: str
    statements: dict[str, list[str]]
    asking: list[str]
    questions: dict[str, list[str]]
    replies: FactReplies
