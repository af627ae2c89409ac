"""Text of others that wants to give orders, and honest use of such text."""
