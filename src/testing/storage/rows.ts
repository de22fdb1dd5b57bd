import { expect } from "vitest";
import type { Operation } from "../../storage/storage.ts";
import type { JsonObject } from "../../wire/json.ts";
import type { StorageCase } from "./case.ts";
import { conflictOf, everything, idsOf, inserts, post } from "./fixtures.ts";

const awkwardJson: JsonObject = {
  text: "Grüße 👩‍👩‍👧‍👦 שלום\n\u2028 ' \" \\ ; -- ? $1 %",
  zeroes: "before\0after",
  loneSurrogate: "\ud83d",
  large: "0123456789 été 😀 ".repeat(20_000),
  numbers: [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 0, -1, 0.1, 1e300],
  nested: { list: [[], {}, [{ deep: { deeper: [null, true, false, ""] } }]] },
  yes: true,
  no: false,
  nothing: null,
  data: { data: "a field may be called data" },
  "": "a field may have no name",
  'quo"ted.$[0]': 1,
};

/** Values that no column of that kind can hold. */
const misfits: readonly [column: string, value: unknown][] = [
  ["version", "1"],
  ["version", 1.5],
  ["version", 2 ** 53],
  ["version", true],
  ["status", 1],
  ["status", false],
  ["status", ["draft"]],
  ["status", { is: "draft" }],
  ["status", "before\0after"],
  ["status", "\ud83d"],
];

export const rowCases: readonly StorageCase[] = [
  {
    test: "returns null for a missing row",
    async run({ storage }) {
      expect(await storage.get("posts", "post_1")).toBeNull();
    },
  },
  {
    test: "returns an inserted row with all columns, null if absent",
    async run({ storage }) {
      await storage.write(inserts("posts", [{ id: "post_1", text: "Hello", status: "draft" }]));
      const row = {
        id: "post_1",
        account_id: null,
        status: "draft",
        scheduled_at: null,
        due_at: null,
        idempotency_key: null,
        target_networks: null,
        created_at: null,
        version: null,
        text: "Hello",
      };
      expect(await storage.get("posts", "post_1")).toStrictEqual(row);
      expect(await everything(storage, "posts")).toStrictEqual([row]);
      expect(Object.keys((await storage.get("posts", "post_1")) ?? {})).toEqual(Object.keys(row));
    },
  },
  {
    test: "stores unicode, large texts, nested JSON, booleans and integers up to 2^53 unchanged, and minus zero as zero",
    async run({ storage }) {
      await storage.write(inserts("posts", [post("post_1", awkwardJson)]));
      expect(await storage.get("posts", "post_1")).toMatchObject(awkwardJson);
      await storage.write([
        { kind: "update", collection: "posts", id: "post_1", change: { again: awkwardJson }, where: {} },
      ]);
      expect(await storage.get("posts", "post_1")).toMatchObject({ ...awkwardJson, again: awkwardJson });
      await storage.write(inserts("posts", [post("post_2", { zero: -0 })]));
      expect(Object.is((await storage.get("posts", "post_2"))?.zero, 0)).toBe(true);
    },
  },
  {
    test: "changes fields with any name, beside fields of any depth",
    async run({ storage }) {
      let deep: JsonObject = { end: "here" };
      for (let level = 0; level < 1_200; level++) deep = { deep };
      const names = { 'quo"ted.$[0]': 2, "it's": 1, 'back\\slash"': 1, "": 3, "ünï.cödé": 4, $: 5, toString: 6 };
      await storage.write(inserts("posts", [post("post_1", { ...awkwardJson, deep })]));
      await storage.write([{ kind: "update", collection: "posts", id: "post_1", change: { plain: 1 }, where: {} }]);
      await storage.write([{ kind: "update", collection: "posts", id: "post_1", change: names, where: {} }]);
      const changed = post("post_1", { ...awkwardJson, plain: 1, ...names });
      const found = await storage.get("posts", "post_1");
      expect(found).toMatchObject(changed);
      // As text: not every tool that compares objects goes so deep.
      expect(JSON.stringify(found?.deep)).toBe(JSON.stringify(deep));
      await storage.write([{ kind: "update", collection: "posts", id: "post_1", change: { deep: null }, where: {} }]);
      expect(await storage.get("posts", "post_1")).toMatchObject({ ...changed, deep: null });
    },
  },
  {
    test: "stores unicode and integers up to 2^53 in columns, and finds rows by them",
    async run({ storage }) {
      const columns = { status: "Grüße 👩‍👩‍👧‍👦 ' \" \\ ? \uffff", version: Number.MAX_SAFE_INTEGER };
      const small = { status: "", version: Number.MIN_SAFE_INTEGER };
      await storage.write(inserts("posts", [post("pöst_😀", columns), post("post_2", small)]));
      expect(await storage.get("posts", "pöst_😀")).toMatchObject(columns);
      for (const [where, id] of [
        [columns, "pöst_😀"],
        [small, "post_2"],
      ] as const) {
        const { rows } = await storage.find("posts", { where });
        expect(idsOf(rows)).toEqual([id]);
        expect(rows[0]).toMatchObject(where);
      }
    },
  },
  {
    test: "stores a field named __proto__ as a field",
    async run({ storage }) {
      const row = JSON.parse('{ "id": "post_1", "__proto__": { "polluted": true } }');
      await storage.write(inserts("posts", [row]));
      const found = await storage.get("posts", "post_1");
      expect(Object.getOwnPropertyDescriptor(found, "__proto__")?.value).toEqual({ polluted: true });
      expect(found?.polluted).toBeUndefined();
    },
  },
  {
    test: "does not change if the caller changes a passed or returned row",
    async run({ storage }) {
      const row = post("post_1", { tags: ["kept"] });
      const change: JsonObject = { links: ["kept"] };
      const writing = storage.write([
        { kind: "insert", collection: "posts", row },
        { kind: "update", collection: "posts", id: "post_1", change, where: {} },
      ]);
      for (const list of [row.tags, change.links]) (list as string[]).push("added");
      row.status = "changed";
      await writing;
      const got = await storage.get("posts", "post_1");
      const [found] = await everything(storage, "posts");
      for (const copy of [got, found]) (copy?.tags as unknown[] | undefined)?.push("added");
      expect(await storage.get("posts", "post_1")).toMatchObject({ status: "draft", tags: ["kept"], links: ["kept"] });
    },
  },
  {
    test: "rejects a value that its column cannot hold, and names the column",
    async run({ storage }) {
      await storage.write(inserts("posts", [post("post_1")]));
      for (const [column, value] of misfits) {
        const fields = { [column]: value } as JsonObject;
        const where = fields as Record<string, string>;
        const operations: Operation[] = [
          { kind: "insert", collection: "posts", row: { id: "post_2", ...fields } },
          { kind: "update", collection: "posts", id: "post_1", change: fields, where: {} },
        ];
        for (const operation of operations) {
          await expect(storage.write([operation])).rejects.toThrow(`posts.${column}`);
        }
        if (typeof value !== "object") {
          await expect(storage.find("posts", { where })).rejects.toThrow(`posts.${column}`);
        }
      }
      expect(await everything(storage, "posts")).toMatchObject([post("post_1")]);
    },
  },
  {
    test: "rejects an unknown collection and a change of the id, and names them",
    async run({ storage }) {
      await storage.write(inserts("posts", [post("post_1")]));
      await expect(storage.get("nowhere" as "posts", "post_1")).rejects.toThrow('"nowhere"');
      await expect(storage.find("toString" as "posts", { where: {} })).rejects.toThrow('"toString"');
      // It has no `created_at`, by which rows are sorted by default.
      await expect(storage.find("grants", { where: {} })).rejects.toThrow("created_at");
      await expect(storage.write(inserts("nowhere" as "posts", [post("post_2")]))).rejects.toThrow('"nowhere"');
      const change = { id: "post_2" };
      await expect(
        storage.write([{ kind: "update", collection: "posts", id: "post_1", change, where: {} }]),
      ).rejects.toThrow("id");
    },
  },
  {
    test: "migrates twice, and concurrently, without losing a row",
    async run({ storage, another }) {
      await storage.write(inserts("posts", [post("post_1")]));
      await Promise.all([storage.migrate(), another.migrate(), storage.migrate(), another.migrate()]);
      expect(idsOf(await everything(storage, "posts"))).toEqual(["post_1"]);
      const conflict = await conflictOf(storage.write(inserts("posts", [post("post_1")])));
      expect(conflict.reason).toBe("exists");
    },
  },
  {
    test: "shows in a second handle what the first one wrote",
    needsAnother: true,
    async run({ storage, another }) {
      await storage.write(inserts("posts", [post("post_1", { text: "Hello" })]));
      expect(await another.get("posts", "post_1")).toEqual(await storage.get("posts", "post_1"));
    },
  },
  {
    test: "finds the same rows if the caller needs only their columns",
    async run({ storage }) {
      await storage.write(inserts("posts", [post("post_1"), post("post_2"), post("post_3")]));
      const page = { where: {}, limit: 2, offset: 1 };
      const { rows, total } = await storage.find("posts", page);
      const found = await storage.find("posts", { ...page, needsOnlyColumns: true });
      expect(found).toMatchObject({
        rows: rows.map(({ id, status, created_at }) => ({ id, status, created_at })),
        total,
      });
    },
  },
];
