import { expect } from "vitest";
import type { Operation } from "../../storage/storage.ts";
import type { StorageCase } from "./case.ts";
import { everything, idsOf, inserts, post } from "./fixtures.ts";

/** Lengths of texts: within a line, and longer than a page of any database. */
const lengths = [1, 20, 1_500];

const wordsOf = (id: string): string => `the words of ${id}`;

function posts(from: number, until: number): Operation[] {
  const rows = Array.from({ length: until - from }, (_, index) => {
    const id = `post_${String(from + index).padStart(3, "0")}`;
    return post(id, { text: `${wordsOf(id)} `.repeat(lengths[index % lengths.length] ?? 1) });
  });
  return inserts("posts", rows);
}

export const wipingCases: readonly StorageCase[] = [
  {
    test: "keeps every row while deleted data are wiped, beside concurrent reads and writes",
    async run({ storage, another }) {
      await storage.write(posts(0, 30));
      await storage.write([{ kind: "delete", collection: "posts", id: "post_007" }]);
      const [isWiped] = await Promise.all([
        storage.wipeDeleted?.(),
        another.write(posts(30, 60)),
        another.wipeDeleted?.(),
        another.find("posts", { where: {} }),
      ]);
      expect(["boolean", "undefined"]).toContain(typeof isWiped);
      const kept = await everything(storage, "posts");
      expect(idsOf(kept)).toEqual(
        [...posts(0, 60)].flatMap((each) =>
          each.kind === "insert" && each.row.id !== "post_007" ? [each.row.id] : [],
        ),
      );
      for (const row of kept) expect(row.text).toContain(wordsOf(row.id));
    },
  },
  {
    test: "leaves no deleted or replaced data on the disk after they are wiped",
    needsBytes: true,
    async run({ storage, bytes }) {
      const onDisk = async (id: string): Promise<boolean> => Buffer.from(await bytes()).includes(wordsOf(id));
      await storage.write(posts(0, 9));
      const text = "other words";
      await storage.write(
        ["post_000", "post_001", "post_002"].flatMap((id): Operation[] => [
          { kind: "update", collection: "posts", id, change: { text }, where: {} },
        ]),
      );
      await storage.write(
        ["post_003", "post_004", "post_005"].map((id) => ({ kind: "delete", collection: "posts", id })),
      );
      expect(await storage.wipeDeleted?.()).not.toBe(false);
      const left = [];
      for (const id of idsOf(await everything(storage, "posts"))) if (await onDisk(id)) left.push(id);
      expect(left).toEqual(["post_006", "post_007", "post_008"]);
      for (const id of ["post_003", "post_004", "post_005"]) expect([id, await onDisk(id)]).toEqual([id, false]);
    },
  },
];
