import fc from "fast-check";
import { expect, it } from "vitest";
import { fromRow } from "../../src/storage/typed.ts";
import type { DeliveryRow } from "../../src/webhooks/rows.ts";
import type { SimulatedProcess } from "../support/process.ts";
import { type RotatingWorld, rotatingWorld } from "../support/rotating/world.ts";
import { type Deed, lives, type Status, type Step, statusAfter, type Truth } from "./model-steps.ts";

/** fast-check prints the seed when it fails: POSTRIDER_SEED repeats it. More runs: POSTRIDER_RUNS. */
const { POSTRIDER_RUNS = "15", POSTRIDER_SEED } = process.env;
const runs = {
  numRuns: Number(POSTRIDER_RUNS),
  ...(POSTRIDER_SEED === undefined ? {} : { seed: Number(POSTRIDER_SEED) }),
};

const dayMs = 24 * 3_600_000;
const names = ["alice", "bob"] as const;
const events = ["profile.connected", "profile.disconnected", "profile.needs_attention"] as const;

interface Life {
  world: RotatingWorld;
  ids: (string | null)[];
  suspended: Set<string>;
  isBroken: boolean;
  /** The events that listeners received, in processes that are not to die. */
  heard: string[];
  /** The endpoint's recorded deliveries, by id: the store deletes them after a month. */
  told: Map<string, string>;
  posts: number;
}

function startProcess({ world, heard }: Life, dieAt: number | null): SimulatedProcess {
  const started = world.start(dieAt === null ? {} : { dieAt });
  for (const name of events) started.social.on(name, ({ profile }) => heard.push(`${name} of ${profile.id}`));
  return started;
}

async function truthOf({ world, ids, suspended, isBroken }: Life, account: number): Promise<Truth> {
  const id = ids[account] ?? null;
  const isSuspended = suspended.has(names[account] ?? "");
  if (id === null) return { status: null, isAlive: false, isFresh: false, isSuspended, isBroken };
  const { access, refresh } = await world.tokens(id);
  const { status } = await world.row(id);
  return {
    status,
    isAlive: world.network.isGood(refresh),
    isFresh: world.network.takes(access),
    isSuspended,
    isBroken,
  };
}

async function perform(life: Life, { social }: SimulatedProcess, account: number, deed: Deed): Promise<void> {
  const { world, suspended } = life;
  const { network, clock } = world;
  const name = names[account] ?? "";
  const id = life.ids[account] ?? null;
  const credentials = { name };
  if (deed === "connect") await social.profiles.connect({ network: "rotating", credentials });
  if (deed === "expire") network.expireTokens();
  if (deed === "revoke") network.revoke(name);
  if (deed === "suspend" || deed === "restore") {
    network.suspend(name, deed === "suspend");
    if (deed === "suspend") suspended.add(name);
    else suspended.delete(name);
  }
  if (deed === "break" || deed === "mend") {
    life.isBroken = deed === "break";
    const answer = { status: 503, text: "<html>Oops</html>" };
    network.faults.clear();
    if (life.isBroken)
      network.faults.add({ kind: "refuse", answer, operation: "POST /token", times: Number.POSITIVE_INFINITY });
  }
  if (deed === "idle") await clock.sleep(46 * dayMs);
  if (id === null) return;
  if (deed === "reconnect") await social.profiles.connect({ network: "rotating", credentials, profile_id: id });
  if (deed === "other")
    await social.profiles.connect({ network: "rotating", credentials: { name: "mallory" }, profile_id: id });
  if (deed === "check") await social.profiles.check(id);
  if (deed === "disconnect") await social.profiles.disconnect(id);
  if (deed === "publish") await social.posts.create({ profile_ids: [id], text: `Post ${life.posts++}` });
}

/** Runs until no work is under way: retries on a failing network have ended. */
async function comeToRest({ world }: Life, { social }: SimulatedProcess): Promise<void> {
  for (let minutes = 0; minutes < 40; minutes += 4) {
    await social.runDue();
    const open = { status: { in: ["pending", "publishing"] } };
    const targets = await world.storage.find("targets", { where: open, limit: 1 });
    const deliveries = await world.storage.find("deliveries", { where: { status: "pending" }, limit: 1 });
    if (targets.total + deliveries.total === 0) break;
    await world.clock.sleep(4 * 60_000);
  }
  // A pause between renewals is over.
  await world.clock.sleep(60_000);
}

async function noteIds(life: Life): Promise<void> {
  const { rows } = await life.world.storage.find("profiles", { where: {} });
  life.ids = names.map((name) => rows.find(({ external_id }) => external_id === name)?.id ?? null);
}

async function noteDeliveries({ world, told }: Life): Promise<void> {
  const { rows } = await world.storage.find("deliveries", { where: {} });
  for (const row of rows) {
    const { id, event, private: record } = fromRow<DeliveryRow>(row);
    const { data } = JSON.parse(record.body) as { data: { profile: { id: string; status: string } } };
    expect(event).toBe(`profile.${data.profile.status}`);
    told.set(id, `${event} of ${data.profile.id}`);
  }
}

/** The statuses that a step may leave behind. */
async function allowedAfter(life: Life, step: Step): Promise<(Status | null)[] | null> {
  if ("together" in step) return null;
  const truth = await truthOf(life, step.account);
  const after = statusAfter(step.deed, truth);
  if (step.dieAt === null) return [after];
  // Half of it may have happened; and a new token may have been lost with the process.
  return [truth.status, after, "needs_attention"];
}

async function take(life: Life, step: Step): Promise<void> {
  const { world } = life;
  const allowed = await allowedAfter(life, step);
  const stays = startProcess(life, null);
  const acting = step.dieAt === null ? stays : startProcess(life, step.dieAt);
  const deedsAtOnce = "together" in step ? step.together : [step.deed];
  const beside = startProcess(life, null);
  await world.clock.run(async () => {
    const acts = deedsAtOnce.map((deed, index) =>
      perform(life, index % 2 === 0 ? acting : beside, step.account, deed).catch(() => undefined),
    );
    await Promise.race([Promise.all(acts), acting.died]);
    await comeToRest(life, stays);
  });
  await noteIds(life);
  await noteDeliveries(life);
  const { status, isAlive, isBroken } = await truthOf(life, step.account);
  if (allowed === null) return;
  // An idle connection that could not be renewed before is retried every hour.
  const mayBeFound = !isAlive && !isBroken ? ["needs_attention"] : [];
  expect([...allowed, ...mayBeFound], JSON.stringify(step)).toContain(status);
}

/** Expects each change of a status once as a delivery, and once for listeners; nothing else. */
function judge({ world, heard, told }: Life, mayHaveDied: boolean): void {
  expect([...told.values()].sort()).toEqual([...world.news].sort());
  // A listener dies with its process.
  if (!mayHaveDied) expect([...heard].sort()).toEqual([...world.news].sort());
  else expect(without(heard, world.news)).toEqual([]);
}

/** The values of the first list without those of the second, each removed once. */
function without(some: readonly string[], others: readonly string[]): string[] {
  const left = [...some];
  for (const other of others) if (left.includes(other)) left.splice(left.indexOf(other), 1);
  return left;
}

async function live(steps: readonly Step[]): Promise<Life> {
  // Tokens expire only where a step says so.
  const world = rotatingWorld({ accessSeconds: 100 * 365 * 24 * 3_600 });
  const nothing = { ids: [null, null], suspended: new Set<string>(), isBroken: false };
  const life: Life = { world, ...nothing, heard: [], told: new Map(), posts: 0 };
  const { social } = startProcess(life, null);
  await world.clock.run(() =>
    social.webhooks.create({ url: world.sandbox.receivers.url("host"), events: [...events] }),
  );
  for (const step of steps) await take(life, step);
  judge(
    life,
    steps.some(({ dieAt }) => dieAt !== null),
  );
  return life;
}

it("any sequence of events gives an account the status that follows from the network's responses, and reports each change once", async () => {
  await fc.assert(
    fc.asyncProperty(lives, async (steps) => {
      await live(steps);
    }),
    runs,
  );
}, 600_000);

it("every change of a status happens in the model", async () => {
  const by = (deed: Deed): Step => ({ account: 0, deed, dieAt: null });
  const deeds: Deed[] = ["connect", "suspend", "check", "restore", "check", "revoke", "publish", "reconnect", "revoke"];
  const { world } = await live(
    [...deeds, "idle", "disconnect", "connect", "disconnect"].map((deed) => by(deed as Deed)),
  );
  const statuses = world.news.map((line) => line.split(" of ")[0]);
  const [on, broken, off] = ["profile.connected", "profile.needs_attention", "profile.disconnected"];
  expect(statuses).toEqual([on, broken, on, broken, on, broken, off, on, off]);
});
