import { expect, test } from "vitest";
import { pythonLines } from "./python_tokens";

const kinds = (source: string) =>
  pythonLines(source)
    .flat()
    .filter((token) => token.text.trim())
    .map((token) => [token.kind, token.text.trim()]);

const joined = (source: string) =>
  pythonLines(source)
    .map((line) => line.map((token) => token.text).join(""))
    .join("\n");

test("distinguishes keywords, defined names, numbers and comments", () => {
  expect(kinds("def nod(times: int) -> None:  # twice\n    return 1.5e-3")).toEqual([
    ["keyword", "def"],
    ["defined", "nod"],
    ["plain", "("],
    ["plain", "times"],
    ["plain", ":"],
    ["builtin", "int"],
    ["plain", ") ->"],
    ["keyword", "None"],
    ["plain", ":"],
    ["comment", "# twice"],
    ["keyword", "return"],
    ["number", "1.5e-3"],
  ]);
});

test("marks every line of a docstring as a string", () => {
  const lines = pythonLines('"""One.\n\n# no comment\n"""\nx = 1');
  expect(lines[0]).toEqual([{ kind: "string", text: '"""One.' }]);
  expect(lines[2]).toEqual([{ kind: "string", text: "# no comment" }]);
  expect(lines[4]![0]).toEqual({ kind: "plain", text: "x" });
});

test("does not end strings at quotes, prefixes or hashes inside them", () => {
  expect(kinds(`f"it's # {x}" + r'\\n' + "a\\"b"`)).toEqual([
    ["string", `f"it's # {x}"`],
    ["plain", "+"],
    ["string", "r'\\n'"],
    ["plain", "+"],
    ["string", '"a\\"b"'],
  ]);
});

test("ends an unclosed string at the end of its line", () => {
  expect(pythonLines('x = "open\ny = 2').at(-1)!.at(-1)).toEqual({ kind: "number", text: "2" });
});

test("reads @ as a decorator only at the start of a line", () => {
  expect(kinds("@tool\na @ b")[0]).toEqual(["decorator", "@tool"]);
  expect(kinds("a @b").map(([kind]) => kind)).not.toContain("decorator");
});

test.each(["", "\n\n", "\t x\r\n", '"""never closed\n', "größe = 'ä' # ü\n", "'''a'''\"b\"", "0x1f + .5 + 1_000"])(
  "joins tokens to the source: %j",
  (source) => expect(joined(source)).toBe(source),
);
