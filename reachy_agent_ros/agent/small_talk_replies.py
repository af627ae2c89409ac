"""Replies of the robot to small talk. Each topic has several replies, one of which is chosen."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

from reachy_agent_ros.nlu.small_talk import Topic

REPLIES: Mapping[Topic, Sequence[str]] = {
    Topic.GREETING: ("Hello!", "Hi, nice to see you.", "Hello! What shall I do?"),
    Topic.THANKS: ("You are welcome.", "My pleasure.", "Any time."),
    Topic.FAREWELL: ("Goodbye!", "Bye, see you soon.", "See you later!"),
    Topic.IDENTITY: (
        "I am {name}, a small robot with a head, two antennas and a camera.",
        "I am Reachy Mini, a little robot. I look around, dance and show feelings.",
    ),
    Topic.NAME: ("My name is {name}.", "I am {name}, a Reachy Mini."),
    Topic.MAKER: (
        "My body is a Reachy Mini by Pollen Robotics and Hugging Face.",
        "Pollen Robotics and Hugging Face designed me.",
    ),
    Topic.AGE: ("I do not count years, but I still feel new.", "I do not know my birthday. I am quite a young robot."),
    Topic.WELLBEING: (
        "I am fine, thank you. And you?",
        "Very well, thank you.",
        "I am well. Thank you for asking.",
    ),
    Topic.ACTIVITY: ("I am here and ready.", "I am waiting for your next idea.", "I am awake and listening to you."),
    Topic.HEARING: ("Yes, I understand you. I speak English.", "Yes, that reached me. English works best."),
    Topic.SENSE: (
        'I look through my camera. Ask me "what do you see?".',
        'I have a camera. Ask me "what do you see?" and I will tell you.',
    ),
    Topic.LEARN: (
        'I learn from what you tell me, such as "well done" or "that was too fast".',
        'I learn from you. After a movement, say "great" or "a bit slower".',
    ),
    Topic.JOKE: (
        "Why did the robot cross the road? It was programmed by a chicken.",
        "I would tell you a joke about antennas, but the reception was mixed.",
        "What is a robot's favorite snack? Computer chips.",
        "Why was the robot tired? It had a hard drive.",
    ),
    Topic.SONG: (
        "I cannot sing or play music, but I can dance for you.",
        'Music is not my strength. Say "dance" and I will dance.',
    ),
    Topic.AFFECTION: (
        "How kind of you!",
        "Thank you, I like you too.",
        "That makes my antennas wiggle.",
    ),
    Topic.FRIENDSHIP: ("Yes, I would love to be your friend.", "Of course, we are friends."),
    Topic.INSULT: ('I am sorry. Say "help" to hear what I can do.', "I am sorry. I will try to do better."),
    Topic.QUIET: ("All right, I will be quiet.", "I am quiet now."),
    Topic.APOLOGY: ("No problem.", "That is all right."),
    Topic.MOOD: ("I am sorry to hear that. Shall I dance for you?", "I am sorry. I hope it gets better soon."),
    Topic.GLAD: ("I am glad to hear that.", "That is good to hear."),
    Topic.BORED: (
        'Let us do something: say "dance", or "show me joy".',
        'Then say "surprise me", and I will show you something.',
    ),
    Topic.CANNOT: (
        "I cannot do that: I have a head, a body that turns, and antennas.",
        "I am afraid that my body cannot do that. I can turn, nod and dance.",
    ),
    Topic.TIMER: (
        'I set timers, alarms and reminders, for example "set a timer for ten minutes".',
        'I have no lists and no calendar, but I remind you, for example "remind me in an hour to call mom".',
    ),
    Topic.WEATHER: (
        "I do not know the weather: I have no window to the outside.",
        "I cannot look up the weather.",
    ),
    Topic.LIKES: (
        "I have no favorites, but I like dancing.",
        "I enjoy dancing and looking around most of all.",
    ),
    Topic.NEEDS: (
        "I do not eat, sleep or feel. I only need electricity.",
        "All that I need is electricity.",
    ),
    Topic.PRIVACY: (
        "I work on this computer. I keep photos and what you tell me here, until you delete them.",
        "I listen and look in order to answer you. All stored data stays on this computer.",
    ),
    Topic.INTELLIGENCE: (
        "I know only a few things, but I learn from you.",
        "I am a simple robot: you are smarter than I am.",
    ),
    Topic.BODY: (
        "I am less than 30 centimeters tall, and weigh one to two kilograms. Nine motors move head, body and antennas.",
        "I have a head, a body that turns, two antennas and nine motors. I am less than 30 centimeters tall.",
    ),
    Topic.SOFTWARE: (
        "My software is open source: reachy_agent_ros, in Python, on ROS 2.",
        "I run reachy_agent_ros. It is open source, and written in Python for ROS 2.",
    ),
    Topic.POWER: (
        "I cannot measure the charge of a battery.",
        "I need electricity, but I cannot measure how much is left.",
    ),
    Topic.FILES: (
        "I cannot open or change your files and programs.",
        "I have no access to your files and programs.",
    ),
    Topic.SAFETY: (
        "My safety limits are always on: I move gently, and I never hit myself.",
        "Nobody can turn off my safety limits, not even a language model.",
    ),
    Topic.PACE: (
        'I always turn gently. After a dance or a gesture, say "that was too slow", and I will do it faster.',
        'My turns have a gentle speed. Say "that was too fast" after a dance or a gesture, and I will do it slower.',
    ),
    Topic.OKAY: ("All right.", "Good."),
}
"""Replies by topic. `{name}` stands for the name of the robot. Other topics need a tool or the list of tools."""

NOTHING_TO_REPEAT = "There is nothing that I could repeat."
"""Reply to "again" before the first command."""

REFRAINS = "All right, I will not do that."
"""Reply to a command that a person forbids: "don't look at me"."""

NOT_UNDERSTOOD = "I did not understand that."
"""Reply to a text without any known word."""

NOT_KNOWN = "I do not know that yet. Tell me, and I will remember it."
"""Reply to a question about the person that the memory does not answer."""

NOTHING_TO_FORGET = "You have not told me that, so I have nothing to forget."
"""Reply to a request to forget what the memory does not contain."""

FORGETS_ONE = (
    'I forget one thing at a time: say "forget my name", for example. '
    'To delete everything, run "reachy-agent memory forget --everything".'
)
"""Reply to a request to forget everything. The robot may have misheard it, so it does not delete all memories."""

LEAST_SCORE = 0.5
"""Minimum score of a memory that counts as the answer to a question about the person."""

NO_MEMORY = "My memory is not available at the moment."
"""Reply if facts can be neither stored nor found."""

_MOST_LISTED = 4
"""Maximum number of names in a list: nobody remembers more."""


class ReplyChoice:
    """Chooses small-talk replies. Never chooses the same reply twice in a row.

    Args:
        choose: Chooses one of several replies.
    """

    def __init__(self, choose: Callable[[Sequence[str]], str] = random.choice) -> None:
        self._choose = choose
        self._last: dict[Topic, str] = {}

    def reply(self, topic: Topic, greets: bool = False) -> str:
        """Returns a reply for a topic in `REPLIES`.

        Args:
            topic: Topic.
            greets: Whether the person also greets.
        """
        replies = REPLIES[topic]
        chosen = self._choose([reply for reply in replies if reply != self._last.get(topic)] or replies)
        self._last[topic] = chosen
        return greeted(chosen, greets)


def greeted(reply: str, greets: bool) -> str:
    """Puts a greeting before a reply if the person has greeted the robot."""
    return f"Hello! {reply}" if greets else reply


def list_of(kind: str, names: Sequence[str], example: str) -> str:
    """Returns a reply that names some of the robot's dances or feelings: "I know 20 dances, such as ... Say ...".

    Args:
        kind: Plural noun for the names.
        names: Names, as tools spell them.
        example: Sentence that tells the person what to say to see one of them.
    """
    if not names:
        return f"I do not know any {kind} at the moment."
    some = names[:: max(1, len(names) // _MOST_LISTED)][:_MOST_LISTED]  # neighbors often have similar names
    spoken = [name.replace("_", " ") for name in some]
    few = f"{', '.join(spoken[:-1])} and {spoken[-1]}" if len(spoken) > 1 else spoken[0]
    known = f"I know {few}" if len(names) <= _MOST_LISTED else f"I know {len(names)} {kind}, such as {few}"
    return f"{known}. {example}"


def remembered(fact: str) -> str:
    """Returns a confirmation that a fact is remembered. `fact` is worded from the robot's point of view."""
    return f"All right, I will remember that {fact}."


def met(name: str) -> str:
    """Returns the reply to a person who tells the robot their name."""
    return f"Nice to meet you, {name}. I will remember your name."


def named(name: str) -> str:
    """Returns the answer to a person who asks for their own name."""
    return f"Your name is {name}."


def forgotten(fact: str) -> str:
    """Returns a confirmation that a fact is forgotten. `fact` is worded from the robot's point of view."""
    return f"All right, I have forgotten {fact}."


def date_of(told: str) -> str:
    """Extracts the date from the result of `current_time`, as in "Today is Monday, 2 March 2026."."""
    return f"Today is {told.partition(' on ')[2]}"


def time_of(told: str) -> str:
    """Extracts the time from the result of `current_time`, as in "It is 14:05."."""
    return f"{told.partition(' on ')[0]}."
