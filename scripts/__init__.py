"""Programs for working on the repository; each says in its first lines what it does."""
