import { describe, expect, it } from "vitest";
import { createBatcher } from "../../../src/storage/postgres/batcher.ts";
import { singleWrite, withTheFirst } from "../../../src/storage/postgres/single.ts";
import type { Operation } from "../../../src/storage/storage.ts";

interface Item {
  name: string;
}

/** A batcher of two concurrent runs that end when the test says so. */
function bench() {
  const runs: { names: string[]; end(): void; fail(): void }[] = [];
  const ask = createBatcher<Item, string>({
    maxAtOnce: 2,
    shapeOf: ({ name }) => (name < "x" ? "early" : "late"),
    choose: (waiting) => waiting.slice(0, 3),
    run(chosen) {
      const names = chosen.map(({ name }) => name);
      const done = new Promise<void>((resolve, reject) => {
        runs.push({ names, end: resolve, fail: () => reject(new Error(`no ${names}`)) });
      });
      return names.map((name) => done.then(() => `${name}!`));
    },
  });
  return { runs, asked: (...names: string[]) => names.map((name) => ask({ name })) };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("the batcher", () => {
  it("runs a lone item immediately, and batches the items that wait", async () => {
    const { runs, asked } = bench();
    const answers = asked("a", "b", "c", "d", "e", "f");
    expect(runs.map(({ names }) => names)).toEqual([["a"], ["b"]]);
    runs[1]?.end();
    await settled();
    expect(runs.map(({ names }) => names).slice(2)).toEqual([["c", "d", "e"]]);
    for (const run of runs) run.end();
    await settled();
    expect(runs[3]?.names).toEqual(["f"]);
    runs[3]?.end();
    expect(await Promise.all(answers)).toEqual(["a!", "b!", "c!", "d!", "e!", "f!"]);
  });

  it("lets no item of one shape wait for another shape", async () => {
    const { runs, asked } = bench();
    const answers = asked("a", "b", "c", "x", "y", "z", "d");
    expect(runs.map(({ names }) => names)).toEqual([["a"], ["b"], ["x"], ["y"]]);
    for (const run of runs) run.end();
    await settled();
    expect(runs.slice(4).map(({ names }) => names)).toEqual([["c", "d"], ["z"]]);
    for (const run of runs) run.end();
    expect(await Promise.all(answers)).toEqual(["a!", "b!", "c!", "x!", "y!", "z!", "d!"]);
  });

  it("continues after a failure, which rejects for the items of its batch", async () => {
    const { runs, asked } = bench();
    const answers = asked("a", "b", "c", "d", "e", "f").map((answer) => answer.catch((error: Error) => error.message));
    runs[0]?.end();
    runs[1]?.end();
    await settled();
    runs[2]?.fail();
    runs[3]?.end();
    expect(await Promise.all(answers)).toEqual(["a!", "b!", "no c,d,e", "no c,d,e", "no c,d,e", "f!"]);
  });
});

describe("writes of one shape that go together", () => {
  const update = (id: string, change: object = { version: 2 }): Operation =>
    ({ kind: "update", collection: "posts", id, change, where: { version: 1 } }) as Operation;
  const check = (id: string): Operation => ({ kind: "check", collection: "profiles", id, where: { epoch: 1 } });
  const togetherOf = (...writes: Operation[][]): string[] => {
    const singles = writes.map((operations, place) => singleWrite(operations, "", String(place)));
    return withTheFirst(singles.filter((single) => single !== null)).map(({ id }) => id);
  };

  it.each<[title: string, writes: Operation[][], together: string[]]>([
    ["differ only in their values", [[update("a")], [update("b", { version: 9 })]], ["0", "1"]],
    [
      "name no row twice",
      [
        [check("p"), update("a")],
        [check("p"), update("b")],
        [check("q"), update("c")],
      ],
      ["0", "2"],
    ],
    ["change no unique", [[update("a", { idempotency_key: "k" })], [update("b", { idempotency_key: "l" })]], ["0"]],
    ["are 1, 2, 4 …", ["a", "b", "c", "d", "e", "f", "g"].map((id) => [update(id)]), ["0", "1", "2", "3"]],
    [
      "have 25 operations at most",
      Array.from({ length: 40 }, (_, id) => [check(`${id}`), update(`${id}`)]),
      [..."01234567"],
    ],
  ])("are those that %s", (_, writes, together) => {
    expect(togetherOf(...writes)).toEqual(together);
  });
});
