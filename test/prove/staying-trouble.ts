/** A network that cannot renew a login for ten minutes, while a backlog needs it. */
import type { FaultKind } from "../../src/sandbox/faults.ts";
import { type RotatingWorld, rotatingWorld } from "../support/rotating/world.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const posts = 12;
/** Of requests for a renewal, for one profile. */
const mostAMinute = 5;
const page = (status: number): FaultKind => ({ kind: "refuse", answer: { status, text: "<html>Oops</html>" } });

/** All of it passes: only `invalid_grant` says that a login is over. */
export const troubles: Readonly<Record<string, FaultKind>> = {
  "answers with 503": page(503),
  "answers with a page": page(200),
  "answers with a page that says no": page(401),
  "asks to be left alone": { kind: "refuse", answer: { status: 429, json: { error: "slow_down" } } },
  "refuses the app": { kind: "refuse", answer: { status: 401, json: { error: "invalid_client" } } },
  "has no name": { kind: "not_sent", code: "ENOTFOUND" },
  "breaks the connection": { kind: "drop_before" },
  "does not answer": { kind: "hang" },
};

/** Returns what must not be. */
export async function getOver(fault: FaultKind): Promise<string[]> {
  const world = rotatingWorld();
  const { clock, network, asked } = world;
  const { social } = world.start();
  const complaints: string[] = [];
  social.on("profile.needs_attention", () => complaints.push("told of a revocation that there was not"));
  await clock.run(async () => {
    const { id } = await world.connect(world.start(), "alice");
    const scheduled_at = new Date(clock.now() + 3 * hourMs).toISOString();
    for (let number = 1; number <= posts; number++) {
      await social.posts.create({ profile_ids: [id], text: `Post ${number}`, scheduled_at });
    }
    await clock.sleep(3 * hourMs);
    network.faults.add({ ...fault, operation: "POST /token", times: Number.POSITIVE_INFINITY });
    await sweep(world, social, 10 * minuteMs);
    const most = mostInAMinute(asked);
    if (most > mostAMinute) complaints.push(`asked ${most} times in a minute`);
    if (asked.length <= mostAMinute) complaints.push(`given up after ${asked.length} tries`);
    network.faults.clear();
    await sweep(world, social, 10 * minuteMs);
    const { status } = await world.row(id);
    if (status !== "connected") complaints.push(`the profile is ${status}`);
  });
  const published = (await social.posts.list({ status: "published" })).pagination.total;
  if (network.notes().length !== posts || published !== posts)
    complaints.push(`${network.notes().length} notes and ${published} published posts instead of ${posts}`);
  return [...complaints, ...network.usedTwice().map((token) => `${token} was used twice`)];
}

/** Sweeps for a while, as a process does that goes on running. */
async function sweep({ clock }: RotatingWorld, social: { runDue(): Promise<unknown> }, forMs: number): Promise<void> {
  const until = clock.monotonic() + forMs;
  while (clock.monotonic() < until) {
    await social.runDue();
    await clock.sleep(10_000);
  }
}

/** The most that lie within one minute. */
function mostInAMinute(moments: readonly number[]): number {
  return Math.max(0, ...moments.map((from) => moments.filter((at) => at >= from && at < from + minuteMs).length));
}
