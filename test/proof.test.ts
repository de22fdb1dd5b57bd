import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { readArguments } from "./prove/arguments.ts";
import { plantedBugs } from "./prove/bugs.ts";
import { chosenBugs } from "./prove/planted.ts";
import { buildProgram } from "./support/built-programs.ts";

describe("the planted bugs", () => {
  it.each(plantedBugs)("can be planted: $name", ({ changes }) => {
    for (const { file, from, to } of changes) {
      const source = readFileSync(new URL(`../${file}`, import.meta.url), "utf8");
      expect(source.split(from), `${file}: ${from}`).toHaveLength(2);
      expect(to).not.toBe(from);
    }
  });
});

describe("the hunt for the planted bugs", () => {
  it("picks a fifth by default, others with each seed, and all of them in the end", () => {
    const drawn = Array.from({ length: 60 }, (_, seed) => chosenBugs({ ...readArguments([]), seed }));
    expect(new Set(drawn.map(({ length }) => length))).toEqual(new Set([Math.ceil(plantedBugs.length / 5)]));
    expect(new Set(drawn.flat()).size).toBe(plantedBugs.length);
    expect(chosenBugs(readArguments(["--seed", "7"]))).toEqual(drawn[7]);
  });

  it("picks all on demand, or all with a given name", () => {
    expect(chosenBugs(readArguments(["planted", "--full"]))).toEqual(plantedBugs);
    const named = chosenBugs(readArguments(["planted", "--bug", "retry"]));
    expect(named).toEqual(plantedBugs.filter(({ name }) => name.includes("retry")));
    expect(named.length).toBeGreaterThan(0);
  });
});

describe("the proof's command line", () => {
  it("runs everything by default", () => {
    expect(readArguments([])).toMatchObject({ seed: 1, pairs: 0.04, series: 0.2, kills: 48, burst: 1_500, bug: null });
    expect(readArguments([]).phases).toContain("planted");
  });

  it("accepts phases and counts", () => {
    const options = readArguments(["kill", "--kills", "7", "--seed", "42"]);
    expect(options).toMatchObject({ phases: ["kill"], kills: 7, seed: 42 });
  });

  it.each([[["everything"]], [["--kills", "many"]], [["--kills", "-1"]], [["--speed", "9"]], [["--help"]]])(
    "prints its usage: %o",
    (given) => {
      expect(() => readArguments(given)).toThrow("npm run prove -- [phases] [options]");
    },
  );

  it("ends with 1 when it found a failure, and when a phase ended early", async () => {
    const built = await buildProgram(new URL("prove/prove.ts", import.meta.url));
    onTestFinished(built.remove);
    const ended = spawnSync(process.execPath, [built.path, "planted", "--bug", "none of them"]);
    expect([ended.status, String(ended.stderr)]).toEqual([1, expect.stringContaining("No planted bug is called")]);
  }, 30_000);
});
