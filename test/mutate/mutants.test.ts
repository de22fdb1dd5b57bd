import { describe, expect, it } from "vitest";
import { applied, mutantsOf } from "./mutants.ts";
import { sample } from "./sample.ts";

function changed(text: string): string[] {
  return mutantsOf("a.ts", text).map((mutant) => applied(text, mutant));
}

describe("mutants", () => {
  it.each([
    ["conditions", "if (a) b", ["if (true) b", "if (false) b", "if (a) ;"]],
    ["choices", "const c = a ? x : y", ["const c = true ? x : y", "const c = false ? x : y"]],
    ["comparisons", "const c = a < b", ["const c = a <= b", "const c = a >= b"]],
    ["what is the same", "const c = a === b", ["const c = a !== b"]],
    ["arithmetic", "const c = a + b", ["const c = a - b"]],
    ["logic", "const c = a && !b", ["const c = a || !b", "const c = a && b"]],
    ["numbers", "const c = [1, 7]", ["const c = []", "const c = [0, 7]", "const c = [1, 8]"]],
    ["words", 'const c = ["a", ""]', ["const c = []", 'const c = ["", ""]', 'const c = ["a", "mutant"]']],
    ["truth", "const c = true", ["const c = false"]],
    ["statements", "save(row);", [";"]],
    ["errors", "throw error;", [";"]],
    ["answers", "function f() { return a }", ["function f() { return; }"]],
    ["short answers", "const f = () => a", ["const f = () => undefined"]],
    ["waiting", "const c = await a", ["const c = a"]],
    ["steps", "const c = i++", ["const c = i--"]],
  ])("change %s", (_, text, expected) => {
    expect(changed(text)).toEqual(expected);
  });

  it.each([
    ["types", 'type A = "a" | 1; interface B { a: true } const c = a as "b" | 7'],
    ["imports", 'import { a } from "b"; export { c } from "d"'],
    ["names", 'const c = { "a-b": c }'],
    ["wording", 'const c = say("What a human reads.")'],
  ])("leave %s alone", (_, text) => {
    expect(changed(text)).toEqual([]);
  });

  it("say where they are", () => {
    expect(mutantsOf("a.ts", "\n\nconst c = true")).toMatchObject([
      { file: "a.ts", line: 3, original: "true", replacement: "false" },
    ]);
  });
});

describe("a sample", () => {
  const items = Array.from({ length: 100 }, (_, place) => place);

  it("is the same for the same seed, in the items' order", () => {
    const chosen = sample(items, 10, 7);
    expect(chosen).toHaveLength(10);
    expect(chosen).toEqual([...new Set(chosen)].sort((one, other) => one - other));
    expect(sample(items, 10, 7)).toEqual(chosen);
    expect(sample(items, 10, 8)).not.toEqual(chosen);
  });

  it("is everything when no more is there", () => {
    expect(sample(items, 1_000, 7)).toEqual(items);
  });
});
