"""How well what was learnt works, judged by simulated people and over many seeds."""
