import { expect, it } from "vitest";
import { scenes } from "../networks/scenes.ts";
import { busySeconds, runArena } from "../prove/arena.ts";
import { rightMachines } from "../prove/arena-world.ts";
import { seededRandom } from "../prove/random.ts";
import { restart } from "../prove/restarts.ts";
import { sandboxVenue } from "../prove/sandbox-venue.ts";
import { table } from "../prove/screen.ts";
import { startPostgres } from "../support/postgres.ts";

const posts = 150;
const kills = 12;
const accounts = 3;
const seed = Number(process.env.POSTRIDER_SEED ?? 1);

/** Each connected account is an event, too. */
const connected =
  accounts *
  scenes.flatMap((scene) => scene.accounts).filter((account) => account.canBeAsked && account.addServer === undefined)
    .length;

/** Checks whether a server can run here. The arena starts its own. */
const server = await startPostgres();
if (typeof server !== "string") await server.remove();

it.skipIf(typeof server === "string")(
  `a PDS holds ${posts} posts, threads and images exactly once after ${kills} kill -9 on a Postgres that is restarted, seed ${seed}`,
  async () => {
    const startedAt = performance.now();
    const random = seededRandom(seed);
    const faults = { commits: 0, reads: 0, deliveries: 0 };
    const tally = await runArena({
      name: "Postgres",
      random,
      // The processes and the server die; nothing else fails.
      venue: sandboxVenue({ accounts, withUnaskable: false, faults, random }),
      store: "postgres",
      machines: rightMachines(2),
      posts,
      kills,
      trouble: restart,
      maxProfiles: 1,
      speed: 5,
      pace: null,
      toleranceSeconds: busySeconds,
    });
    console.log(table([{ phase: "Postgres", tally, seconds: (performance.now() - startedAt) / 1000 }], seed));
    const { unanswered, again, notes, ...rest } = tally;
    expect(rest).toEqual({
      tried: posts,
      kills,
      twice: 0,
      lost: 0,
      stuck: 0,
      wrong: 0,
      undecided: 0,
      excused: 0,
      reasons: [],
      unknowable: 0,
      givenUp: 0,
      deliveries: posts + connected,
      findings: [],
    });
    // Otherwise nothing was interrupted at all.
    expect(notes).toEqual([
      expect.stringMatching(/^Postgres crashed [1-9]\d* times and was shut down [1-9]\d* times$/),
    ]);
  },
  300_000,
);
