/** Python tokens for syntax colors. */

export type TokenKind = "comment" | "string" | "number" | "keyword" | "builtin" | "decorator" | "defined" | "plain";

export interface Token {
  kind: TokenKind;
  text: string;
}

const KEYWORDS = new Set(
  (
    "False None True and as assert async await break class continue def del elif else except finally for from global " +
    "if import in is lambda nonlocal not or pass raise return try while with yield match case"
  ).split(" "),
);

const BUILTINS = new Set(
  (
    "abs all any bool dict enumerate filter float int isinstance len list map max min print range reversed round set " +
    "sorted str sum tuple zip Exception KeyError TypeError ValueError RuntimeError"
  ).split(" "),
);

const END = "$(?![^])";

const QUOTED = [
  String.raw`"""[^]*?(?:"""|${END})`,
  String.raw`'''[^]*?(?:'''|${END})`,
  String.raw`"(?:\\.|[^"\\\n])*"?`,
  String.raw`'(?:\\.|[^'\\\n])*'?`,
].join("|");

/** The first alternative wins. An unclosed string ends at the end of its line, a triple-quoted one at the end of the source. */
const PATTERN = new RegExp(
  [
    String.raw`(?<comment>#[^\n]*)`,
    String.raw`(?<string>(?:\b[rbfuRBFU]{1,2})?(?:${QUOTED}))`,
    String.raw`(?<decorator>(?<=^[ \t]*)@[\w.]+)`,
    String.raw`(?<number>\b(?:0[xXbBoO][\da-fA-F_]+|\d[\d_]*\.?[\d_]*(?:[eE][+-]?\d+)?j?)|\.\d+)`,
    String.raw`(?<word>[^\W\d]\w*)`,
  ].join("|"),
  "gm",
);

/** Tokens of each line. Joined, they are the source. */
export function pythonLines(source: string): Token[][] {
  const lines: Token[][] = [[]];
  const put = (kind: TokenKind, text: string) =>
    text.split("\n").forEach((part, index) => {
      if (index) lines.push([]);
      if (part) lines.at(-1)!.push({ kind, text: part });
    });
  let end = 0;
  let before = "";
  for (const found of source.matchAll(PATTERN)) {
    put("plain", source.slice(end, found.index));
    const text = found[0];
    put(kindOf(found.groups!, before), text);
    before = found.groups!.word ?? "";
    end = found.index + text.length;
  }
  put("plain", source.slice(end));
  return lines;
}

function kindOf(groups: Record<string, string | undefined>, before: string): TokenKind {
  const word = groups.word;
  if (word === undefined) {
    return (["comment", "string", "decorator", "number"] as const).find((kind) => groups[kind] !== undefined)!;
  }
  if (before === "def" || before === "class") return "defined";
  if (KEYWORDS.has(word)) return "keyword";
  return BUILTINS.has(word) ? "builtin" : "plain";
}
