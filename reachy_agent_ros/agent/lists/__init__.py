"""Lists of a household, such as a shopping list."""
