/**
 * Claims on Postgres, of rows that are due among a million that are not, by one
 * process, one after the other; each is one committed statement. The server
 * syncs its disk, tables are analyzed.
 *
 * Ours is `storage.claim` as the worker calls it: it takes the earliest due rows
 * that nobody holds, moves their due time to the end of the lease, raises their
 * epoch, insists on `synchronous_commit`, and returns the rows as this package
 * has them. It is compared with
 *
 * - the statement that one would write by hand, on the same pool, the same table
 *   and the same index, which changes the same columns and returns the same rows
 *   as `pg` gives them;
 * - pg-boss on the same pool, with as many jobs for later in its queue: `fetch`
 *   and then `complete`, which is what a job costs there. Its `complete` commits
 *   a second time, so the claim is compared with `fetch` alone, too, and claiming
 *   and giving back with the two.
 */
import PgBoss from "pg-boss";
import type { ClaimOptions, Row, Storage } from "../../src/storage/storage.ts";
import type { BenchOptions } from "./arguments.ts";
import { importBuilt } from "./built.ts";
import { openPostgres, type PostgresDatabase } from "./database.ts";
import { createInstantService } from "./instant.ts";
import { multiplyRow } from "./multiply.ts";
import { type BenchResult, ratioOf } from "./result.ts";

/** How many rows a worker takes at once. */
const batch = 100;
const leaseMs = 30_000;
const dayMs = 86_400_000;

export async function benchClaim({ rows, pairs }: BenchOptions): Promise<BenchResult[]> {
  const built = await importBuilt();
  const database = await openPostgres(built);
  try {
    const { profileIds } = await createInstantService(built, { storage: database.storage, profiles: 1, onPost() {} });
    const ours = await createClaims(database, { id: profileIds[0] ?? "", rows });
    const boss = await createBoss(database, rows);
    await database.run("VACUUM ANALYZE");
    // What the filling has left to be written would be written meanwhile.
    await database.run("CHECKPOINT");
    const results: BenchResult[] = [];
    for (const [name, size, due] of [
      ["one by one", 1, 500],
      [`${batch} at once`, batch, 50 * batch],
    ] as const) {
      const many = `${due.toLocaleString("en-US")} claims ${name}`;
      const fill = (): Promise<void> => ours.makeDue(due);
      const fillBoss = (): Promise<void> => boss.makeDue(due);
      const claim = (): Promise<void> => drain(due, () => ours.claim(size));
      const cases = [
        {
          name: `${many} against the bare statement`,
          ours: claim,
          floor: () => drain(due, () => ours.claimBare(size)),
          prepare: [fill, fill],
          goal: 0.8,
        },
        {
          name: `${many} against pg-boss, fetch and complete`,
          ours: claim,
          floor: () => drain(due, () => boss.fetch(size, { completes: true })),
          prepare: [fill, fillBoss],
          goal: 4,
        },
        {
          name: `${many} against pg-boss, fetch alone`,
          ours: claim,
          floor: () => drain(due, () => boss.fetch(size, { completes: false })),
          prepare: [fill, fillBoss],
          goal: null,
        },
        {
          name: `${many}, each given back, against pg-boss, fetch and complete`,
          ours: () => drain(due, () => ours.claimAndGiveBack(size)),
          floor: () => drain(due, () => boss.fetch(size, { completes: true })),
          prepare: [fill, fillBoss],
          goal: null,
        },
      ] as const;
      for (const { name: called, goal, ...pair } of cases) {
        results.push(await ratioOf(called, { ...pair, calls: 1, warmUp: 2 }, { goal, pairs }));
      }
    }
    await boss.stop();
    return results;
  } finally {
    await database.remove();
  }
}

/** Claims until so many are taken, and demands that it is just as many. */
async function drain(due: number, claim: () => Promise<number>): Promise<void> {
  let taken = 0;
  while (taken < due) {
    const more = await claim();
    if (more === 0) break;
    taken += more;
  }
  if (taken !== due) throw new Error(`${taken} of ${due} were claimed.`);
}

interface Claims {
  /** Makes so many rows due, each another time, and no others. */
  makeDue(due: number): Promise<void>;
  claim(limit: number): Promise<number>;
  claimAndGiveBack(limit: number): Promise<number>;
  claimBare(limit: number): Promise<number>;
}

/** A million profiles that all have something to do later. */
async function createClaims(database: PostgresDatabase, { id, rows }: { id: string; rows: number }): Promise<Claims> {
  const { storage, pool, run } = database;
  const later = Date.now() + dayMs;
  const idOf = (number: number): string => `prof_${String(number).padStart(26, "0")}`;
  await multiplyRow(
    database,
    { collection: "profiles", id },
    (function* () {
      for (let number = 0; number < rows; number++) {
        const external_id = `did:plc:${String(number).padStart(24, "a")}`;
        yield { columns: { id: idOf(number), external_id, due_at: later + number * 1_000, lease_until: 0 } };
      }
    })(),
  );
  let next = 0;

  const options = (limit: number): ClaimOptions => {
    const now = Date.now();
    return { now, leaseUntil: now + leaseMs, limit };
  };

  return {
    async makeDue(due) {
      await run("UPDATE postrider_profiles SET due_at = ?, lease_until = 0 WHERE due_at < ?", [later, later]);
      const now = Date.now();
      const ids: string[] = [];
      // Far from each other, as the profiles are that become due together.
      for (let count = 0; count < due; count++) {
        ids.push(idOf(next));
        next = (next + 7_919) % rows;
      }
      const places =
        "SELECT value, number FROM jsonb_array_elements_text(?::jsonb) WITH ORDINALITY AS due (value, number)";
      const text = `UPDATE postrider_profiles SET due_at = ? - number FROM (${places}) AS due WHERE id = value`;
      // The values are numbered in the order in which they stand in the text.
      await run(text, [now, JSON.stringify(ids)]);
    },
    async claim(limit) {
      return (await storage.claim("profiles", options(limit))).length;
    },
    async claimAndGiveBack(limit) {
      const claimed = await storage.claim("profiles", options(limit));
      for (const row of claimed) await giveBack(storage, row);
      return claimed.length;
    },
    async claimBare(limit) {
      const { now, leaseUntil } = options(limit);
      const { rows: claimed } = await pool.query(bareClaim, [leaseUntil, now, limit]);
      return claimed.length;
    },
  };
}

const bareClaim = `
  UPDATE postrider_profiles SET due_at = $1, lease_until = $1, epoch = epoch + 1
  WHERE id IN (
    SELECT id FROM postrider_profiles WHERE due_at <= $2 AND lease_until <= $2
    ORDER BY due_at NULLS FIRST LIMIT $3 FOR UPDATE SKIP LOCKED
  ) RETURNING *`;

/** As the worker does when nothing is left to do on it. */
async function giveBack(storage: Storage, { id, epoch, due_at }: Row): Promise<void> {
  const where = { epoch: Number(epoch), due_at: Number(due_at) };
  const change = { due_at: null, lease_until: 0 };
  await storage.write([{ kind: "update", collection: "profiles", id, change, where }]);
}

interface Boss {
  makeDue(due: number): Promise<void>;
  fetch(batchSize: number, options: { completes: boolean }): Promise<number>;
  stop(): Promise<void>;
}

const queue = "publish";

/** A queue with as many jobs for later, copied from one that was sent as usual. */
async function createBoss({ pool, run }: PostgresDatabase, rows: number): Promise<Boss> {
  // Its maintenance would fall into some measurements and not into others.
  const db = { executeSql: (text: string, values: unknown[]) => pool.query(text, values) };
  const boss = new PgBoss({ db, supervise: false, schedule: false });
  boss.on("error", (error) => {
    throw error;
  });
  await boss.start();
  await boss.createQueue(queue);
  const original = await boss.send(queue, { profile_id: "prof_1" }, { startAfter: new Date(Date.now() + dayMs) });
  if (original === null) throw new Error("pg-boss took no job.");

  /** @param startAfter SQL, of `number` */
  async function copy(count: number, startAfter: string): Promise<void> {
    const different = `jsonb_build_object('id', gen_random_uuid(), 'start_after', ${startAfter})`;
    const copies = `generate_series(1, ?::int) AS number, LATERAL jsonb_populate_record(job, ${different}) AS copy`;
    await run(`INSERT INTO pgboss.job SELECT copy.* FROM pgboss.job, ${copies} WHERE job.id = ?`, [
      count,
      original ?? "",
    ]);
  }

  await copy(rows, "now() + interval '1 day' + number * interval '1 second'");
  return {
    async makeDue(due) {
      await run("DELETE FROM pgboss.job WHERE start_after < now()");
      await copy(due, "now() - number * interval '1 millisecond'");
    },
    async fetch(batchSize, { completes }) {
      const jobs = await boss.fetch(queue, { batchSize });
      const ids = jobs.map(({ id }) => id);
      if (completes && ids.length > 0) await boss.complete(queue, ids);
      return jobs.length;
    },
    stop: () => boss.stop({ graceful: false, close: false }),
  };
}
