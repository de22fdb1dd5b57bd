import { expect } from "vitest";
import type { StorageCase } from "./case.ts";
import { idsOf, inserts, post, profile, target } from "./fixtures.ts";

export const claimCases: readonly StorageCase[] = [
  {
    test: "claims due rows without a lease: sets due_at and the lease, adds one to epoch, and leaves the other fields",
    async run({ storage }) {
      const row = profile("p", { due_at: 1000, scopes: ["post"], epoch: 4 });
      await storage.write(inserts("profiles", [row]));
      const [claimed, ...others] = await storage.claim("profiles", { now: 1000, leaseUntil: 1500, limit: 10 });
      expect(claimed).toStrictEqual({ ...row, status: null, due_at: 1500, lease_until: 1500, epoch: 5 });
      expect(others).toEqual([]);
      expect(await storage.get("profiles", "p")).toStrictEqual(claimed);
      (claimed?.scopes as unknown[] | undefined)?.push("added");
      expect(await storage.get("profiles", "p")).toMatchObject({ scopes: ["post"] });
    },
  },
  {
    test: "claims nothing that is not yet due, never due, or leased",
    async run({ storage }) {
      await storage.write(
        inserts("profiles", [
          profile("later", { due_at: 1001 }),
          profile("never", { due_at: null }),
          profile("leased", { due_at: 900, lease_until: 1001 }),
          profile("ended", { due_at: 900, lease_until: 1000 }),
        ]),
      );
      const claimed = await storage.claim("profiles", { now: 1000, leaseUntil: 1500, limit: 10 });
      expect(idsOf(claimed)).toEqual(["ended"]);
      expect(await storage.claim("profiles", { now: 1000, leaseUntil: 1500, limit: 10 })).toEqual([]);
    },
  },
  {
    test: "claims one row by its id, if it is due and not leased",
    async run({ storage }) {
      await storage.write(
        inserts("profiles", [
          profile("first", { due_at: 800 }),
          profile("named", { due_at: 900, epoch: 1 }),
          profile("later", { due_at: 1001 }),
          profile("leased", { due_at: 900, lease_until: 1001 }),
        ]),
      );
      const taken: string[] = [];
      for (const id of ["later", "leased", "missing", "named", "named"]) {
        const claimed = await storage.claim("profiles", { now: 1000, leaseUntil: 1500, limit: 1, id });
        taken.push(...idsOf(claimed));
      }
      expect(taken).toEqual(["named"]);
      expect(await storage.get("profiles", "named")).toMatchObject({ due_at: 1500, lease_until: 1500, epoch: 2 });
      expect(await storage.get("profiles", "first")).toMatchObject({ due_at: 800, epoch: null });
    },
  },
  {
    test: "claims no row of the excluded accounts, however early it is due",
    async run({ storage }) {
      await storage.write(
        inserts("profiles", [
          profile("a", { due_at: 100, account_id: "busy" }),
          profile("b", { due_at: 200, account_id: "other" }),
          profile("c", { due_at: 300, account_id: null }),
          profile("d", { due_at: 400, account_id: "full" }),
        ]),
      );
      const claim = (exceptAccounts: string[]) =>
        storage.claim("profiles", { now: 1000, leaseUntil: 1500, limit: 3, exceptAccounts });
      expect(idsOf(await claim(["busy", "full", "unknown"])).sort()).toEqual(["b", "c"]);
      expect(idsOf(await claim(["busy"]))).toEqual(["d"]);
      expect(idsOf(await claim([]))).toEqual(["a"]);
    },
  },
  {
    test: "claims a row again after its lease has expired, with the next epoch",
    async run({ storage }) {
      await storage.write(inserts("profiles", [profile("p", { due_at: 1000 })]));
      const epochs: unknown[] = [];
      for (const now of [1000, 1499, 1500, 2000]) {
        const claimed = await storage.claim("profiles", { now, leaseUntil: now + 500, limit: 1 });
        epochs.push(claimed.map((row) => row.epoch));
      }
      expect(epochs).toEqual([[1], [], [2], [3]]);
    },
  },
  {
    test: "claims the earliest due rows first, then by the smallest id, and at most the limit",
    async run({ storage }) {
      const due = { e: 700, d: 300, c: 500, b: 500, a: 900 };
      await storage.write(
        inserts(
          "profiles",
          Object.entries(due).map(([id, due_at]) => profile(id, { due_at })),
        ),
      );
      const order: string[] = [];
      for (const limit of [1, 1, 0, 2, 5]) {
        const claimed = await storage.claim("profiles", { now: 1000, leaseUntil: 5000, limit });
        order.push(idsOf(claimed).sort().join(""));
      }
      expect(order).toEqual(["d", "b", "", "ce", "a"]);
    },
  },
  {
    test: "gives each row to only one of many concurrent claimers",
    async run({ storage, another }) {
      const ids = Array.from({ length: 30 }, (_, index) => `p${String(index).padStart(2, "0")}`);
      await storage.write(
        inserts(
          "profiles",
          ids.map((id) => profile(id, { due_at: 1000 })),
        ),
      );
      const claims = Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? storage : another).claim("profiles", { now: 1000, leaseUntil: 2000, limit: 4 }),
      );
      const claimed = (await Promise.all(claims)).flat();
      expect(idsOf(claimed).sort()).toEqual(ids);
    },
  },
  {
    test: "returns when the next post, profile or endpoint is due, if that is soon",
    async run({ storage }) {
      const rows = [
        ...inserts("posts", [post("scheduled", { status: "scheduled", due_at: 700 }), post("draft", { due_at: 1 })]),
        ...inserts("profiles", [profile("p", { due_at: 600 }), profile("never", { due_at: null })]),
        ...inserts("endpoints", [{ id: "late", due_at: 500 }]),
        ...inserts("targets", [target("t", "scheduled", { due_at: 1 })]),
      ];
      expect(await storage.nextDueAt(1000)).toBeNull();
      await storage.write(rows);
      expect(await storage.nextDueAt(499)).toBeNull();
      for (const [collection, id, next] of [
        ["endpoints", "late", 500],
        ["profiles", "p", 600],
        ["posts", "scheduled", 700],
      ] as const) {
        expect(await storage.nextDueAt(next)).toBe(next);
        expect(await storage.nextDueAt(1000)).toBe(next);
        await storage.write([{ kind: "update", collection, id, change: { due_at: null }, where: {} }]);
      }
      expect(await storage.nextDueAt(1000)).toBeNull();
    },
  },
  {
    test: "claims due scheduled posts, each for one caller until its claim ends",
    needsClaimPosts: true,
    async run({ storage }) {
      const due = post("due", { status: "scheduled", due_at: 900, private: { body: { text: "Hello" } } });
      await storage.write(
        inserts("posts", [
          due,
          post("later", { status: "scheduled", due_at: 1001 }),
          post("never", { status: "scheduled", due_at: null }),
          post("draft", { due_at: 900 }),
        ]),
      );
      const claim = (now: number) => storage.claimPosts?.({ now, leaseUntil: now + 500, limit: 10 }) ?? [];
      const claimed = await claim(1000);
      expect(claimed).toEqual([{ ...(await storage.get("posts", "due")), due_at: -1500 }]);
      expect(claimed).toMatchObject([due].map((row) => ({ ...row, due_at: -1500 })));
      expect(idsOf(await claim(1499))).toEqual(["later"]);
      expect(idsOf(await claim(1500))).toEqual(["due"]);
      await storage.write([{ kind: "update", collection: "posts", id: "due", change: { due_at: 1600 }, where: {} }]);
      expect(idsOf(await claim(1600))).toEqual(["due"]);
    },
  },
  {
    test: "claims the earliest posts first, none of the excluded accounts, and at most the limit",
    needsClaimPosts: true,
    async run({ storage }) {
      const rows = [
        ["a", "busy", 800],
        ["b", "free", 900],
        ["c", "free", 900],
        ["d", "full", 700],
        ["e", "free", 950],
      ] as const;
      await storage.write(
        inserts(
          "posts",
          rows.map(([id, account_id, due_at]) => post(id, { account_id, due_at, status: "scheduled" })),
        ),
      );
      const order: string[] = [];
      for (const exceptAccounts of [["busy", "full"], ["full"], []]) {
        const options = { now: 1000, leaseUntil: 1500, limit: 2, exceptAccounts };
        order.push(
          idsOf((await storage.claimPosts?.(options)) ?? [])
            .sort()
            .join(""),
        );
      }
      expect(order).toEqual(["bc", "ae", "d"]);
    },
  },
  {
    test: "gives each post to only one of many concurrent claimers",
    needsClaimPosts: true,
    needsAnother: true,
    async run({ storage, another }) {
      const ids = Array.from({ length: 30 }, (_, index) => `post_${String(index).padStart(2, "0")}`);
      await storage.write(
        inserts(
          "posts",
          ids.map((id) => post(id, { status: "scheduled", due_at: 1000 })),
        ),
      );
      const claims = Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? storage : another).claimPosts?.({ now: 1000, leaseUntil: 2000, limit: 4 }),
      );
      const first = (await Promise.all(claims)).flatMap((rows) => rows ?? []);
      const rest = (await storage.claimPosts?.({ now: 1000, leaseUntil: 2000, limit: 30 })) ?? [];
      expect(idsOf([...first, ...rest]).sort()).toEqual(ids);
    },
  },
  {
    test: "ignores a claim of a post that a fast clock has made for the future",
    needsClaimPosts: true,
    async run({ storage }) {
      await storage.write(inserts("posts", [post("p", { status: "scheduled", due_at: 900 })]));
      const claim = (now: number) => storage.claimPosts?.({ now, leaseUntil: now + 500, limit: 10 }) ?? [];
      expect(idsOf(await claim(90_000))).toEqual(["p"]);
      expect(idsOf(await claim(1000))).toEqual(["p"]);
      expect(idsOf(await claim(1000))).toEqual([]);
    },
  },
  {
    test: "includes the end of a post's claim in the next due time",
    needsClaimPosts: true,
    async run({ storage }) {
      await storage.write(
        inserts("posts", [
          post("first", { status: "scheduled", due_at: 400 }),
          post("second", { status: "scheduled", due_at: 400 }),
          post("third", { status: "scheduled", due_at: 1600 }),
        ]),
      );
      await storage.claimPosts?.({ now: 500, leaseUntil: 1400, limit: 1 });
      await storage.claimPosts?.({ now: 600, leaseUntil: 1500, limit: 1 });
      expect([await storage.nextDueAt(1399), await storage.nextDueAt(2000)]).toEqual([null, 1400]);
      await storage.write([{ kind: "delete", collection: "posts", id: "first" }]);
      expect(await storage.nextDueAt(2000)).toBe(1500);
      await storage.write([{ kind: "delete", collection: "posts", id: "second" }]);
      expect(await storage.nextDueAt(2000)).toBe(1600);
    },
  },
];
