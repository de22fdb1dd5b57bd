import { expect } from "vitest";
import type { Condition, FindQuery, Row, Storage, Where } from "../../storage/storage.ts";
import type { StorageCase } from "./case.ts";
import { idsOf, inserts, post, target } from "./fixtures.ts";

/** Five posts; `e` has nothing but its id. */
const fivePosts: readonly Row[] = [
  post("a", { status: "draft", scheduled_at: "2026-11-01", version: 1 }),
  post("b", { status: "scheduled", scheduled_at: "2026-11-02", version: 2 }),
  post("c", { status: "published", scheduled_at: "2026-11-03", version: 3 }),
  post("d", { status: "Draft", scheduled_at: null, version: -4 }),
  { id: "e" },
];

/** Condition on the five posts → the ids that match it. */
const conditions: readonly [where: Where, ids: string][] = [
  [{}, "abcde"],
  [{ status: "draft" }, "a"],
  [{ status: "nothing such" }, ""],
  [{ version: 2 }, "b"],
  [{ id: "c" }, "c"],
  [{ status: null }, "e"],
  [{ scheduled_at: null }, "de"],
  [{ status: { in: ["draft", "published"] } }, "ac"],
  [{ version: { in: [3, -4, 3] } }, "cd"],
  [{ id: { in: ["a", "e", "z"] } }, "ae"],
  [{ status: { in: [] } }, ""],
  [{ status: { not_in: ["draft", "published"] } }, "bde"],
  [{ version: { not_in: [3, -4], gte: 1 } }, "ab"],
  [{ status: { not_in: [] } }, "abcde"],
  [{ version: { lt: 2 } }, "ad"],
  [{ version: { lte: 2 } }, "abd"],
  [{ version: { gte: 2 } }, "bc"],
  [{ version: { gte: 1, lt: 3 } }, "ab"],
  [{ version: { gte: 2, lte: 2 } }, "b"],
  [{ scheduled_at: { gte: "2026-11-02" } }, "bc"],
  [{ scheduled_at: { lt: "2026-11-02T00" } }, "ab"],
  [{ scheduled_at: { not_null: true } }, "abc"],
  [{ version: { not_null: true, lt: 0 } }, "d"],
  [{ version: { in: [1, 2, 3], gte: 2 } }, "bc"],
  [{ version: {} }, "abcde"],
  [{ version: { lt: undefined, gte: 3 } }, "c"],
  [{ status: "draft", version: 1, scheduled_at: { not_null: true } }, "a"],
  [{ status: "draft", version: 2 }, ""],
];

/** The targets of each of forty posts: two on Bluesky or none, half of them on Mastodon, one on Discord. */
const addresseesOf = (number: number): { profile_id: string; network: string }[] =>
  [
    { profile_id: "prof_1", network: "bluesky", isThere: number % 3 !== 0 },
    { profile_id: "prof_2", network: "bluesky", isThere: number % 3 !== 0 },
    { profile_id: "prof_3", network: "mastodon", isThere: number % 2 === 0 },
    { profile_id: "prof_4", network: "discord", isThere: number === 22 },
  ].flatMap(({ isThere, ...addressee }) => (isThere ? [addressee] : []));

/** Thirty posts of one account and ten of another; three in a row have the same time, and the ids are in no order. */
const manyPosts: readonly Row[] = Array.from({ length: 40 }, (_, number) =>
  post(`post_${String((number * 17) % 40).padStart(2, "0")}`, {
    account_id: number % 4 === 0 ? "other" : "acct",
    created_at: `2026-11-${10 + Math.floor(number / 3)}`,
    status: number % 5 === 0 ? "failed" : "published",
    target_networks: [...new Set(addresseesOf(number).map(({ network }) => network))].sort().join(","),
  }),
);

const targetsOfMany: readonly Row[] = manyPosts.flatMap(
  ({ id, account_id = null, created_at = null, status = null }, number) =>
    addresseesOf(number).map((addressee) =>
      target(`${id}_${addressee.profile_id}`, id, { ...addressee, account_id, created_at, post_status: status }),
    ),
);

interface TargetQuery extends FindQuery {
  where: { account_id: string; status?: string | { in: string[] }; created_at?: { gte: string } };
  some: { targets: { network?: { in: string[] }; profile_id?: string } };
}

const targetConditions: readonly TargetQuery["some"]["targets"][] = [
  { network: { in: ["bluesky"] } },
  { network: { in: ["discord"] } },
  { network: { in: ["mastodon", "bluesky", "mastodon", "discord"] } },
  { network: { in: ["nowhere"] } },
  { network: { in: [] } },
  // More than a database may combine into one statement.
  { network: { in: ["bluesky", "discord", ...Array.from({ length: 2000 }, (_, number) => `network ${number}`)] } },
  { profile_id: "prof_2" },
  { profile_id: "prof_3", network: { in: ["mastodon", "bluesky"] } },
  { profile_id: "prof_3", network: { in: ["bluesky"] } },
];

const targetQueries: readonly TargetQuery[] = targetConditions.flatMap((targets) =>
  [
    {},
    { created_at: { gte: "2026-11-15" } },
    { status: "failed" },
    { status: { in: ["published", "failed", "draft"] } },
    { status: { in: ["failed", "draft"] }, created_at: { gte: "2026-11-15" } },
  ].flatMap((where) =>
    (["desc", "asc"] as const).map((direction) => ({
      where: { account_id: "acct", ...where },
      some: { targets },
      order: { column: "created_at", direction },
    })),
  ),
);

export const queryCases: readonly StorageCase[] = [
  {
    test: "finds by equality, null, lists, ranges and all of them together",
    async run({ storage }) {
      await storage.write(inserts("posts", fivePosts));
      for (const [where, ids] of conditions) {
        expect([where, await found(storage, { where })]).toEqual([where, ids]);
      }
    },
  },
  {
    test: "finds by a list of several thousand values",
    async run({ storage }) {
      await storage.write(inserts("posts", fivePosts));
      const members = Array.from({ length: 5000 }, (_, index) => index + 2);
      expect(await found(storage, { where: { version: { in: members } } })).toBe("bc");
    },
  },
  {
    test: "rejects an unknown column in where, order and some, and names it",
    async run({ storage }) {
      const where = { colour: "red" };
      const queries: FindQuery[] = [
        { where },
        { where: { colour: null } },
        { where: { colour: {} } },
        { where: { colour: { in: [] } } },
        { where: {}, order: { column: "colour", direction: "asc" } },
        { where: {}, some: { targets: where } },
        { where: JSON.parse('{ "__proto__": 1, "colour": 1 }') },
      ];
      for (const query of queries) {
        await expect(storage.find("posts", query)).rejects.toThrow(/colour|__proto__/);
      }
      await expect(storage.write([{ kind: "check", collection: "posts", id: "a", where }])).rejects.toThrow("colour");
      await expect(
        storage.write([{ kind: "update", collection: "posts", id: "a", change: {}, where }]),
      ).rejects.toThrow("colour");
    },
  },
  {
    test: "rejects an unknown condition, null in a list, and negative or fractional limits",
    async run({ storage }) {
      const odd = (condition: unknown): Where => ({ version: condition as Condition });
      await expect(storage.find("posts", { where: odd({ gt: 1 }) })).rejects.toThrow('"gt"');
      await expect(storage.find("posts", { where: odd({ in: [1, null] }) })).rejects.toThrow("posts.version");
      await expect(storage.find("posts", { where: odd(undefined) })).rejects.toThrow("posts.version");
      await expect(storage.find("posts", { where: {}, limit: -1 })).rejects.toThrow("limit");
      await expect(storage.find("posts", { where: {}, offset: 0.5 })).rejects.toThrow("offset");
    },
  },
  {
    test: "finds posts of which a single target meets all conditions",
    async run({ storage }) {
      await storage.write(inserts("posts", fivePosts));
      await storage.write(
        inserts("targets", [
          target("1", "a", { network: "bluesky", status: "published" }),
          target("2", "a", { network: "mastodon", status: "failed" }),
          target("3", "b", { network: "bluesky", status: "failed", post_status: "scheduled" }),
          target("4", "b", { network: "bluesky", status: "failed", post_status: "scheduled" }),
        ]),
      );
      const some = { targets: { network: "bluesky", status: "failed" } };
      expect(await found(storage, { where: {}, some })).toBe("b");
      expect(await found(storage, { where: {}, some: { targets: { status: { in: ["failed"] } } } })).toBe("ab");
      expect(await found(storage, { where: { status: "draft" }, some: { targets: {} } })).toBe("a");
      expect(await storage.find("posts", { where: {}, some, limit: 0 })).toEqual({ rows: [], total: 1 });
      await expect(storage.find("profiles", { where: {}, some })).rejects.toThrow("profiles");
    },
  },
  {
    test: "finds posts by their targets in order, each once, page by page, with the total number",
    async run({ storage }) {
      await storage.write([...inserts("posts", manyPosts), ...inserts("targets", targetsOfMany)]);
      for (const query of targetQueries) {
        const ids = expectedIds(query);
        for (const page of [
          {},
          { limit: 7 },
          { limit: 7, offset: 7 },
          { limit: 3, offset: ids.length },
          { limit: 0 },
        ]) {
          const { offset = 0, limit = ids.length } = page;
          const { rows, total } = await storage.find("posts", { ...query, ...page });
          const shown = ids.slice(offset, offset + limit);
          expect([query, page, idsOf(rows), total]).toEqual([query, page, shown, ids.length]);
        }
      }
    },
  },
  {
    test: "sorts newest first by default, and equal times by id",
    async run({ storage }) {
      const times = { a: "2026-11-02", b: "2026-11-01", c: "2026-11-02", d: "2026-11-03", e: null };
      await storage.write(
        inserts(
          "posts",
          Object.entries(times).map(([id, created_at]) => post(id, { created_at })),
        ),
      );
      expect(await sorted(storage, { where: {} })).toBe("dcabe");
      expect(await sorted(storage, { where: {}, order: { column: "created_at", direction: "asc" } })).toBe("ebacd");
    },
  },
  {
    test: "sorts by a column in both directions, null as the lowest value, and equal values by id",
    async run({ storage }) {
      await storage.write(inserts("posts", [...fivePosts, post("f", { version: 2 })]));
      expect(await sorted(storage, { where: {}, order: { column: "version", direction: "asc" } })).toBe("edabfc");
      expect(await sorted(storage, { where: {}, order: { column: "version", direction: "desc" } })).toBe("cfbade");
      expect(await sorted(storage, { where: {}, order: { column: "id", direction: "desc" } })).toBe("fedcba");
    },
  },
  {
    test: "sorts and compares text by code point",
    async run({ storage }) {
      const texts = ["", "10", "9", "A", "Z", "a", "z", "é", "\ue000", "\uffee", "😀", "😀a", "😁"];
      await storage.write(
        inserts(
          "posts",
          [...texts.keys()].reverse().map((place) => post(`post_${place}`, { status: texts[place] ?? null })),
        ),
      );
      const { rows } = await storage.find("posts", { where: {}, order: { column: "status", direction: "asc" } });
      expect(rows.map((row) => row.status)).toEqual(texts);
      const { total } = await storage.find("posts", { where: { status: { gte: "\uffee", lt: "😁" } } });
      expect(total).toBe(3);
    },
  },
  {
    test: "pages through rows of equal time without omitting or repeating one",
    async run({ storage }) {
      const ids = Array.from({ length: 25 }, (_, index) => `post_${String((index * 7) % 25).padStart(2, "0")}`);
      await storage.write(
        inserts(
          "posts",
          ids.map((id) => post(id)),
        ),
      );
      const seen: string[] = [];
      for (const [offset, size] of [
        [0, 10],
        [10, 10],
        [20, 5],
        [30, 0],
      ] as const) {
        const page = await storage.find("posts", { where: { status: "draft" }, limit: 10, offset });
        expect([page.rows.length, page.total]).toEqual([size, 25]);
        seen.push(...idsOf(page.rows));
      }
      expect(seen).toEqual([...ids].sort().reverse());
    },
  },
  {
    test: "continues after the end of a page, in both directions, also if the page's last row was deleted",
    async run({ storage }) {
      await storage.write([...inserts("posts", manyPosts), ...inserts("targets", targetsOfMany)]);
      for (const query of [...targetQueries, ...targetQueries.map(({ some: _, ...own }) => own)]) {
        const ids = expectedIds(query);
        for (const place of [0, 4, ids.length - 1]) {
          const last = manyPosts.find(({ id }) => id === ids[place]);
          if (last === undefined) continue;
          const after = { value: String(last.created_at), id: last.id };
          const { rows, total } = await storage.find("posts", { ...query, after, limit: 3 });
          const behind = ids.slice(place + 1);
          expect([query, after, idsOf(rows), total]).toEqual([query, after, behind.slice(0, 3), behind.length]);
          const uncounted = await storage.find("posts", { ...query, after, limit: 3, offset: 1, isCounted: false });
          expect(idsOf(uncounted.rows)).toEqual(behind.slice(1, 4));
        }
      }
      const gone = { value: "2026-11-15", id: "post_0" };
      const query: FindQuery = { where: { account_id: "acct" }, after: gone, limit: 2 };
      const before = await storage.find("posts", query);
      await storage.write([{ kind: "delete", collection: "posts", id: String(before.rows[0]?.id) }]);
      expect(idsOf((await storage.find("posts", query)).rows)[0]).toBe(before.rows[1]?.id);
    },
  },
  {
    test: "omits rows without a value after a position, and compares text by code point",
    async run({ storage }) {
      await storage.write(
        inserts("posts", [...fivePosts, post("f", { status: "\ue000" }), post("g", { status: "😀" })]),
      );
      const behind = async (value: string, id: string, direction: "asc" | "desc"): Promise<string> =>
        sorted(storage, { where: {}, order: { column: "status", direction }, after: { value, id } });
      expect(await behind("draft", "a", "desc")).toBe("d");
      expect(await behind("draft", "a", "asc")).toBe("cbfg");
      expect(await behind("\ue000", "f", "asc")).toBe("g");
      const broken = { where: {}, after: { value: 7, id: "a" } };
      await expect(storage.find("posts", broken)).rejects.toThrow("posts.created_at");
    },
  },
  {
    test: "counts only the page unless the total is requested",
    async run({ storage }) {
      await storage.write(inserts("posts", fivePosts));
      const page = { where: {}, limit: 2, offset: 1 };
      const counted = await storage.find("posts", page);
      expect(await storage.find("posts", { ...page, isCounted: false })).toEqual({ rows: counted.rows, total: 2 });
      expect(counted.total).toBe(5);
    },
  },
  {
    test: "skips rows without a limit, and counts only matching rows",
    async run({ storage }) {
      await storage.write(inserts("posts", fivePosts));
      const query: FindQuery = { where: { version: { not_null: true } }, order: { column: "id", direction: "asc" } };
      const { rows, total } = await storage.find("posts", { ...query, offset: 3 });
      expect([idsOf(rows), total]).toEqual([["d"], 4]);
      expect(await storage.find("posts", { where: { version: 99 } })).toEqual({ rows: [], total: 0 });
    },
  },
  {
    test: "returns to each of many concurrent callers its own result",
    async run({ storage }) {
      const numbers = Array.from({ length: 40 }, (_, number) => number);
      const networkOf = (number: number): string => ["bluesky", "mastodon", "discord"][number % 3] ?? "";
      const accountOf = (number: number): string => `a?"'${number % 4}`;
      const posts = numbers.map((number) => ({
        id: `post_${number}`,
        account_id: accountOf(number),
        due_at: number % 5,
      }));
      const targets = posts.map(({ id, account_id }, number) =>
        target(`tgt_${number}`, id, { account_id, network: networkOf(number) }),
      );
      await storage.write([
        ...inserts(
          "posts",
          posts.map(({ id, ...fields }) => post(id, fields)),
        ),
        ...inserts("targets", targets),
      ]);
      const fitting = (fits: (number: number) => boolean): string[] =>
        numbers
          .filter(fits)
          .map((number) => `post_${number}`)
          .sort()
          .reverse();
      await Promise.all(
        numbers.map(async (number) => {
          const where = { account_id: accountOf(number) };
          const due = { ...where, due_at: { lte: number % 6 } };
          const some = { targets: { network: { in: ["bluesky", networkOf(number)] } } };
          const [got, missing, found, paged] = await Promise.all([
            storage.get("posts", `post_${number}`),
            storage.get("posts", `none_${number}`),
            storage.find("posts", { where: due, order: { column: "id", direction: "desc" }, limit: 3 }),
            storage.find("posts", { where, some, limit: 5, offset: 1 }),
          ]);
          expect([got?.id, missing]).toEqual([`post_${number}`, null]);
          const isDue = (other: number): boolean => other % 5 <= number % 6 && accountOf(other) === accountOf(number);
          expect(idsOf(found.rows)).toEqual(fitting(isDue).slice(0, 3));
          expect(found.total).toBe(fitting(isDue).length);
          const isThere = (other: number): boolean =>
            accountOf(other) === accountOf(number) && ["bluesky", networkOf(number)].includes(networkOf(other));
          expect(idsOf(paged.rows)).toEqual(fitting(isThere).slice(1, 6));
        }),
      );
    },
  },
];

/** The ids that a query of `targetQueries` must find, in order. */
function expectedIds({ where, some, order }: FindQuery & Pick<TargetQuery, "where"> & Partial<TargetQuery>): string[] {
  const sign = order?.direction === "asc" ? 1 : -1;
  const isWanted = (row: Row): boolean =>
    row.account_id === where.account_id &&
    (where.status === undefined || [where.status].flatMap(membersOf).includes(String(row.status))) &&
    String(row.created_at) >= (where.created_at?.gte ?? "") &&
    (some === undefined ||
      targetsOfMany.some(
        ({ post_id, network, profile_id }) =>
          post_id === row.id &&
          (some.targets.network?.in.includes(String(network)) ?? true) &&
          (some.targets.profile_id ?? profile_id) === profile_id,
      ));
  const place = ({ created_at, id }: Row): string => `${created_at} ${id}`;
  return idsOf(manyPosts.filter(isWanted).sort((one, other) => (place(one) < place(other) ? -sign : sign)));
}

function membersOf(condition: string | { in: string[] }): string[] {
  return typeof condition === "string" ? [condition] : condition.in;
}

/** The ids that a query finds, sorted by id; the total must be their number. */
async function found(storage: Storage, query: FindQuery): Promise<string> {
  const { rows, total } = await storage.find("posts", query);
  expect(total).toBe(rows.length);
  return idsOf(rows).sort().join("");
}

/** The ids that a query finds, in its order. */
async function sorted(storage: Storage, query: FindQuery): Promise<string> {
  const { rows } = await storage.find("posts", query);
  return idsOf(rows).join("");
}
