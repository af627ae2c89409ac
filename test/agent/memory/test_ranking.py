from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.memory.ranking import hybrid_score

cosines = st.floats(-1.0, 1.0)
shares = st.floats(0.0, 1.0)


@given(cosines, shares, cosines, shares)
def test_nearer_or_more_words_never_score_less(cosine: float, share: float, nearer: float, more: float) -> None:
    assert 0.0 <= hybrid_score(cosine, share) <= 1.0
    assert hybrid_score(max(cosine, nearer), max(share, more)) >= hybrid_score(cosine, share)
