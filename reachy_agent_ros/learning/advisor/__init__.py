"""Which tool to consider first: logged choices, a contextual bandit learned from them, and proof that it is better."""
