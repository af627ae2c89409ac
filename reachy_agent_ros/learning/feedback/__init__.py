"""From what people say and do to rewards that are on disk: stop net, intake, credit, implicit signals, store."""
