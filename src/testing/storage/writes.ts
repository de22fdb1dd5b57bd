import { expect } from "vitest";
import type { Operation, Storage, StorageConflict } from "../../storage/storage.ts";
import type { JsonObject } from "../../wire/json.ts";
import type { StorageCase } from "./case.ts";
import { conflictOf, everything, idsOf, inserts, post, profile, target } from "./fixtures.ts";

const idempotencyUnique = ["account_id", "idempotency_key"];

/** A write whose third operation conflicts, and the reason. The store holds posts a and b, and profile p. */
const conflicting: readonly [Operation, Pick<StorageConflict, "reason" | "unique">][] = [
  [
    { kind: "insert", collection: "posts", row: post("b") },
    { reason: "exists", unique: undefined },
  ],
  [
    { kind: "insert", collection: "posts", row: post("c", { idempotency_key: "key a" }) },
    { reason: "unique", unique: idempotencyUnique },
  ],
  [
    { kind: "insert", collection: "posts", row: post("b", { idempotency_key: "key a" }) },
    { reason: "exists", unique: undefined },
  ],
  [
    { kind: "update", collection: "posts", id: "b", change: { idempotency_key: "key a" }, where: {} },
    { reason: "unique", unique: idempotencyUnique },
  ],
  [
    { kind: "update", collection: "posts", id: "b", change: { text: "new" }, where: { version: 2 } },
    { reason: "where", unique: undefined },
  ],
  [
    { kind: "update", collection: "posts", id: "b", change: { text: "new" }, where: { id: "a" } },
    { reason: "where", unique: undefined },
  ],
  [
    { kind: "update", collection: "posts", id: "z", change: { text: "new" }, where: {} },
    { reason: "missing", unique: undefined },
  ],
  [
    { kind: "check", collection: "posts", id: "b", where: { status: { in: ["failed"] } } },
    { reason: "where", unique: undefined },
  ],
  [
    { kind: "check", collection: "posts", id: "z", where: {} },
    { reason: "missing", unique: undefined },
  ],
];

export const writeCases: readonly StorageCase[] = [
  {
    test: "updates the fields that a change names and leaves the others",
    async run({ storage }) {
      const row = post("a", { text: "old", nested: { kept: 1, lost: 2 }, tags: ["x"] });
      await storage.write(inserts("posts", [row]));
      const change = { status: "failed", idempotency_key: "k", text: null, nested: { kept: 3 }, added: true };
      await storage.write([{ kind: "update", collection: "posts", id: "a", change, where: { status: "draft" } }]);
      expect(await storage.get("posts", "a")).toStrictEqual({
        ...row,
        scheduled_at: null,
        due_at: null,
        target_networks: null,
        ...change,
      });
      await storage.write([{ kind: "update", collection: "posts", id: "a", change: { status: null }, where: {} }]);
      expect(await storage.get("posts", "a")).toMatchObject({ ...change, status: null });
      await storage.write([{ kind: "update", collection: "posts", id: "a", change: { text: "new" }, where: {} }]);
      expect(await storage.get("posts", "a")).toMatchObject({ ...change, status: null, text: "new" });
    },
  },
  {
    test: "keeps each field byte for byte while others change, with the order of its keys",
    async run({ storage }) {
      const kept = { second: [1e21, -0.5, "a\0b \ud800 é"], first: { 2: "two", 1: null } };
      await storage.write(inserts("posts", [post("a", { kept, other: "old" })]));
      for (const other of ["new", { "a\0b": "\udfff" }, "newest"]) {
        await storage.write([{ kind: "update", collection: "posts", id: "a", change: { other }, where: {} }]);
        const row = await storage.get("posts", "a");
        expect(row?.other).toEqual(other);
        expect(JSON.stringify(row?.kept)).toBe(JSON.stringify(kept));
      }
    },
  },
  {
    test: "writes a change of all fields except columns like any other",
    async run({ storage }) {
      const rows = ["a", "b", "c"].map((id) => post(id, { text: "old", nested: { kept: 1, lost: 2 } }));
      await storage.write(inserts("posts", rows));
      const { id: _, ...fields } = rows[0] ?? post("a");
      const all = { ...fields, text: "new", nested: { kept: [1e21, "a\0b \ud800 é"] }, "a b": true };
      const change = { ...all, idempotency_key: "another" };
      await storage.write([
        { kind: "update", collection: "posts", id: "a", change, where: { status: "draft" }, isComplete: true },
        { kind: "update", collection: "posts", id: "b", change: { text: "newest" }, where: {} },
      ]);
      await storage.write([
        {
          kind: "update",
          collection: "posts",
          id: "c",
          where: {},
          isComplete: true,
          change: { text: "new", nested: { kept: 3 }, status: "failed" },
        },
      ]);
      const [first, second, third] = await Promise.all(["a", "b", "c"].map((id) => storage.get("posts", id)));
      expect(first).toMatchObject(change);
      expect(second).toMatchObject({ text: "newest", nested: { kept: 1, lost: 2 } });
      expect(third).toMatchObject({
        text: "new",
        nested: { kept: 3 },
        status: "failed",
        created_at: fields.created_at,
      });
    },
  },
  {
    test: "treats undefined as absent",
    async run({ storage }) {
      const absent = { status: undefined, text: undefined } as unknown as JsonObject;
      await storage.write(inserts("posts", [post("a", { text: "kept", nested: { lost: absent } })]));
      const change = { ...absent, added: { kept: 1, ...absent } };
      await storage.write([{ kind: "update", collection: "posts", id: "a", change, where: {} }]);
      await storage.write([{ kind: "update", collection: "posts", id: "a", change: absent, where: {} }]);
      const row = await storage.get("posts", "a");
      expect(row).toMatchObject({ status: "draft", text: "kept" });
      expect([row?.nested, row?.added]).toStrictEqual([{ lost: {} }, { kept: 1 }]);
    },
  },
  {
    test: "writes the passed values even if the caller changes them meanwhile",
    async run({ storage }) {
      const row = post("b", { nested: { list: [1] } });
      const change = { status: "failed", nested: { list: [1] } };
      const unique = { idempotency_key: "k", nested: { list: [1] } };
      await storage.write(inserts("posts", [post("a"), post("c")]));
      const writing = storage.write([
        ...inserts("posts", [row]),
        { kind: "update", collection: "posts", id: "a", change, where: {} },
        { kind: "update", collection: "posts", id: "c", change: unique, where: {} },
      ]);
      for (const given of [row, change, unique]) (given.nested as { list: number[] }).list.push(2);
      change.status = "published";
      unique.idempotency_key = "other";
      await writing;
      const rows = await everything(storage, "posts");
      expect(rows.map(({ nested }) => nested)).toEqual([1, 2, 3].map(() => ({ list: [1] })));
      expect(rows.map(({ status, idempotency_key }) => [status, idempotency_key])).toEqual([
        ["failed", null],
        ["draft", null],
        ["draft", "k"],
      ]);
    },
  },
  {
    test: "deletes a row, and treats a missing one as deleted",
    async run({ storage }) {
      await storage.write(inserts("posts", [post("a", { idempotency_key: "k" }), post("b")]));
      const remove: Operation = { kind: "delete", collection: "posts", id: "a" };
      await storage.write([remove, remove]);
      expect(await storage.get("posts", "a")).toBeNull();
      expect(idsOf(await everything(storage, "posts"))).toEqual(["b"]);
      await storage.write([remove, ...inserts("posts", [post("a", { idempotency_key: "k" })])]);
      expect(idsOf(await everything(storage, "posts"))).toEqual(["a", "b"]);
    },
  },
  {
    test: "passes a check that holds without changing the row, and applies an empty write",
    async run({ storage }) {
      await storage.write(inserts("posts", [post("a")]));
      const before = await everything(storage, "posts");
      await storage.write([{ kind: "check", collection: "posts", id: "a", where: { version: { lte: 1 } } }]);
      await storage.write([{ kind: "update", collection: "posts", id: "a", change: {}, where: { version: 1 } }]);
      await storage.write([]);
      expect(await everything(storage, "posts")).toEqual(before);
    },
  },
  {
    test: "writes to several collections in one write, in which each operation sees the previous ones",
    async run({ storage }) {
      await storage.write([
        ...inserts("posts", [post("a")]),
        ...inserts("targets", [target("t", "a")]),
        ...inserts("profiles", [profile("p")]),
        { kind: "check", collection: "targets", id: "t", where: { post_id: "a" } },
        { kind: "update", collection: "posts", id: "a", change: { version: 2 }, where: { version: 1 } },
        { kind: "update", collection: "posts", id: "a", change: { version: 3 }, where: { version: 2 } },
        { kind: "delete", collection: "profiles", id: "p" },
      ]);
      expect(await storage.get("posts", "a")).toMatchObject({ version: 3 });
      expect(await storage.get("targets", "t")).toMatchObject({ post_id: "a" });
      expect(await storage.get("profiles", "p")).toBeNull();
    },
  },
  {
    test: "applies nothing of a write that conflicts, and names the operation and the reason",
    async run({ storage }) {
      await storage.write([
        ...inserts("posts", [post("a", { idempotency_key: "key a" }), post("b")]),
        ...inserts("profiles", [profile("p")]),
      ]);
      const before = await contents(storage);
      for (const [operation, expected] of conflicting) {
        const conflict = await conflictOf(
          storage.write([
            { kind: "update", collection: "posts", id: "b", change: { text: "half" }, where: {} },
            { kind: "delete", collection: "profiles", id: "p" },
            operation,
            ...inserts("targets", [target("t", "a")]),
          ]),
        );
        expect([conflict.index, conflict.operation]).toEqual([2, operation]);
        expect({ reason: conflict.reason, unique: conflict.unique }).toEqual(expected);
        expect(await contents(storage)).toEqual(before);
      }
    },
  },
  {
    test: "applies a write of very many operations, and names a conflicting one",
    async run({ storage }) {
      const ids = Array.from({ length: 120 }, (_, number) => `post_${String(number).padStart(3, "0")}`);
      await storage.write(
        inserts(
          "posts",
          ids.map((id, number) => post(id, { text: `?"${id}`, due_at: number })),
        ),
      );
      const changes = ids.map((id, version): Operation => {
        const change: JsonObject = version % 3 === 0 ? { version, text: id } : { version };
        return { kind: "update", collection: "posts", id, change, where: { version: 1 } };
      });
      await storage.write(changes);
      const rows = await everything(storage, "posts");
      expect(rows.map(({ id, version, text, due_at }) => [id, version, text, due_at])).toEqual(
        ids.map((id, number) => [id, number, number % 3 === 0 ? id : `?"${id}`, number]),
      );
      const conflict = await conflictOf(storage.write([...changes.slice(1, 2), ...changes.slice(50)]));
      expect(conflict).toMatchObject({ index: 1, reason: "where" });
      const remove = ids.slice(1).map((id): Operation => ({ kind: "delete", collection: "posts", id }));
      await storage.write(remove);
      expect(idsOf(await everything(storage, "posts"))).toEqual(ids.slice(0, 1));
    },
  },
  {
    test: "applies nothing of a write whose last operation is invalid",
    async run({ storage }) {
      const broken = { kind: "insert", collection: "posts", row: { id: "b", version: "one" } } as const;
      await expect(storage.write([...inserts("posts", [post("a")]), broken])).rejects.toThrow("posts.version");
      expect(await everything(storage, "posts")).toEqual([]);
    },
  },
  {
    test: "enforces a unique within one write, in its order",
    async run({ storage }) {
      const twice = inserts("posts", [post("a", { idempotency_key: "k" }), post("b", { idempotency_key: "k" })]);
      const conflict = await conflictOf(storage.write(twice));
      expect(conflict).toMatchObject({ index: 1, reason: "unique", unique: idempotencyUnique });
      expect(await everything(storage, "posts")).toEqual([]);
      const handedOver: Operation[] = [
        ...inserts("posts", [post("a", { idempotency_key: "k" })]),
        { kind: "update", collection: "posts", id: "a", change: { idempotency_key: null }, where: {} },
        ...inserts("posts", [post("b", { idempotency_key: "k" })]),
      ];
      await storage.write(handedOver);
      expect(idsOf(await everything(storage, "posts"))).toEqual(["a", "b"]);
    },
  },
  {
    test: "exempts rows with null in a unique's column, and compares a unique's columns together",
    async run({ storage }) {
      await storage.write(
        inserts("posts", [post("a"), post("b"), post("c", { account_id: null, idempotency_key: "k" })]),
      );
      await storage.write(inserts("posts", [post("d", { account_id: null, idempotency_key: "k" })]));
      await storage.write(inserts("posts", [post("e", { account_id: "one", idempotency_key: "k" })]));
      await storage.write(inserts("posts", [post("f", { account_id: "two", idempotency_key: "k" })]));
      await storage.write(inserts("posts", [post("g", { account_id: "two", idempotency_key: "K" })]));
      expect(idsOf(await everything(storage, "posts")).join("")).toBe("abcdefg");
    },
  },
  {
    test: "lets a row keep its own unique values when it is updated",
    async run({ storage }) {
      await storage.write(inserts("posts", [post("a", { idempotency_key: "k" })]));
      const change = { idempotency_key: "k", text: "new" };
      await storage.write([{ kind: "update", collection: "posts", id: "a", change, where: { idempotency_key: "k" } }]);
      expect(await storage.get("posts", "a")).toMatchObject(change);
    },
  },
  {
    test: "applies exactly one of many concurrent compare-and-sets",
    async run({ storage, another }) {
      await storage.write(inserts("posts", [post("a")]));
      await expectOneWinner(
        Array.from({ length: 8 }, (_, index) => compareAndSet(index % 2 === 0 ? storage : another, index)),
      );
    },
  },
  {
    test: "applies exactly one of many concurrent inserts of one unique",
    async run({ storage, another }) {
      const writes = Array.from({ length: 8 }, (_, index) =>
        (index % 2 === 0 ? storage : another).write(inserts("posts", [post(`${index}`, { idempotency_key: "k" })])),
      );
      const conflicts = await expectOneWinner(writes);
      for (const conflict of conflicts) expect(conflict).toMatchObject({ reason: "unique", unique: idempotencyUnique });
      expect(await everything(storage, "posts")).toHaveLength(1);
    },
  },
  {
    test: "applies each of many concurrent writes, except the rejected ones",
    async run({ storage }) {
      const ids = Array.from({ length: 40 }, (_, number) => `post_${String(number).padStart(2, "0")}`);
      await Promise.all(ids.map((id) => storage.write(inserts("posts", [post(id)]))));
      const isRefused = (number: number): boolean => number % 20 === 7;
      const updates = await Promise.allSettled(
        ids.map((id, number) => {
          const where = { version: isRefused(number) ? 5 : 1 };
          return storage.write([{ kind: "update", collection: "posts", id, change: { version: 2, text: id }, where }]);
        }),
      );
      const reasons = (ends: readonly PromiseSettledResult<void>[]): unknown[] =>
        ends.map((end) => (end.status === "rejected" ? (end.reason as StorageConflict).reason : null));
      expect(reasons(updates)).toEqual(ids.map((_, number) => (isRefused(number) ? "where" : null)));
      const rows = await everything(storage, "posts");
      expect(rows.map(({ id, version }) => [id, version])).toEqual(
        ids.map((id, number) => [id, isRefused(number) ? 1 : 2]),
      );
      expect(rows.every(({ id, text }, number) => isRefused(number) || text === id)).toBe(true);
      const again = await Promise.allSettled(ids.map((id) => storage.write(inserts("posts", [post(id)]))));
      expect(reasons(again)).toEqual(ids.map(() => "exists"));
    },
  },
];

function compareAndSet(storage: Storage, writer: number): Promise<void> {
  const change = { version: 2, writer };
  return storage.write([{ kind: "update", collection: "posts", id: "a", change, where: { version: 1 } }]);
}

/** The conflicts of all writes but one, which must have been applied. */
async function expectOneWinner(writes: readonly Promise<void>[]): Promise<StorageConflict[]> {
  const outcomes = await Promise.allSettled(writes);
  const lost = outcomes.filter((outcome) => outcome.status === "rejected");
  expect(lost).toHaveLength(writes.length - 1);
  return await Promise.all(lost.map((outcome) => conflictOf(Promise.reject(outcome.reason))));
}

async function contents(storage: Storage): Promise<unknown> {
  return [
    await everything(storage, "posts"),
    await everything(storage, "targets"),
    await everything(storage, "profiles"),
  ];
}
