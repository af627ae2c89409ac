"""Recognition of commands by sentence templates, in several languages."""
