import { describe, expect, it } from "vitest";
import { createHandler } from "../../src/http/index.ts";
import { createSandbox } from "../../src/sandbox/sandbox.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { SocialError } from "../../src/wire/errors.ts";
import { type InboxNetwork, inboxNetworks } from "../support/inbox-networks.ts";
import { createProcess, type SimulatedProcess } from "../support/process.ts";
import { testBaseUrl } from "../support/service.ts";
import { isWhole, shareNumber } from "../support/share.ts";

/** Long enough for failed webhooks to be repeated, milliseconds. */
const repeatedMs = 3 * 3_600_000;

/**
 * Ann writes in every kind of conversation, changes a message and deletes another, and gets a
 * reply; one process dies on the way, and another continues.
 */
async function play(network: InboxNetwork, dieAt?: number) {
  const clock = manualClock();
  const sandbox = createSandbox({ clock });
  const storage = memoryStorage({ clock });
  const scene = network.open(sandbox, { name: "fox" });
  const ann = scene.person("Ann");
  const processes: SimulatedProcess[] = [];
  const spawn = (at?: number): SimulatedProcess => {
    const service = { networks: [network.adapter()], baseUrl: testBaseUrl };
    const process = createProcess({ clock, storage, sandbox, service, ...(at === undefined ? {} : { dieAt: at }) });
    processes.push(process);
    return process;
  };
  // Webhooks reach the living process. A dead process breaks the connection.
  scene.hooks?.sendTo((request) => {
    const living = processes.find((process) => !process.isDead());
    if (living === undefined) return Promise.reject(new TypeError("fetch failed"));
    const broken = living.died.then(() => Promise.reject(new TypeError("the connection was closed")));
    return Promise.race([createHandler(living.social)(request), broken]);
  });
  const opening = spawn();
  await clock.run(() => opening.social.start());
  const { credentials } = scene;
  await clock.run(() => opening.social.profiles.connect({ network: network.network, credentials }));
  await clock.advance(180_000);
  await clock.run(() => opening.social.stop());
  opening.kill();

  const [first, second] = [spawn(dieAt), spawn()];
  const readMs = scene.hooks === undefined ? 360_000 : 1_000;
  await clock.run(() => Promise.race([first.social.start(), first.died]));
  for (const kind of ["dm", "comment", "mention"] as const) ann[kind]?.(`A ${kind}?`);
  const changed = (ann.comment ?? ann.mention)?.("Untill when?") ?? "";
  const rude = (ann.mention ?? ann.comment)?.("Rude words") ?? "";
  await clock.advance(readMs);
  ann.edit?.(changed, "Until when?");
  ann.unsend?.(rude);
  await clock.advance(readMs);
  await clock.run(() => Promise.race([answer(first, network), first.died]));
  await clock.run(() => second.social.start());
  await clock.advance(repeatedMs);
  const told = await clock.run(() => answer(second, network));
  await clock.advance(repeatedMs);
  const { rows } = await storage.find("messages", { where: { state: "live" } });
  const conversations = (await storage.find("conversations", { where: {} })).rows;
  const events = (await storage.find("hook_events", { where: { state: { in: ["new", "aside"] } } })).rows;
  return {
    // A message that was deleted before it was read never was in the inbox.
    shown: rows
      .flatMap(({ direction, text, deleted_at }) => (deleted_at === null ? `${direction}: ${text}` : []))
      .sort(),
    unread: conversations.reduce((sum, { unread_count }) => sum + Number(unread_count), 0),
    sent: scene.texts().filter((text) => text.includes("We do.")).length,
    left: events.length,
    told,
    moments: first.moments(),
  };
}

/** Replies under one key; returns how the request ended. */
async function answer({ social }: SimulatedProcess, { network }: InboxNetwork): Promise<string> {
  // Whispers are never shown again, so that a lost response stays unknown.
  const kind = network === "twitch" ? ("mention" as const) : ("dm" as const);
  const { data } = await social.inbox.conversations.list({ kind: [kind] });
  const asked = data.find(({ last_message: { text } }) => text.includes(`A ${kind}?`) || text.includes("We do."));
  if (asked === undefined) return "nothing to answer";
  const reply = { text: "We do.", idempotency_key: "answer-0001" };
  return social.inbox.conversations.reply(asked.id, reply).then(
    () => "sent",
    (error: unknown) => (SocialError.is(error) ? (error.details[0]?.code ?? error.code) : String(error)),
  );
}

for (const network of inboxNetworks) {
  const { moments: count, ...whole } = await play(network);
  const step = isWhole ? 1 : 30;
  const from = shareNumber % step;
  const moments = Array.from({ length: Math.ceil((count - from) / step) }, (_, index) => from + index * step);

  describe(`people write to an account on ${network.network}, and get a reply`, () => {
    it("is read, and answered once, without a death", () => {
      expect(whole).toMatchObject({ sent: 1, left: 0, told: "sent" });
      expect(whole.shown.filter((text) => text.includes("We do."))).toHaveLength(1);
    });

    const unsent: number[] = [];
    it.each(moments)("is read, and answered at most once, whenever the process dies: moment %i", async (moment) => {
      const { moments: _, ...outcome } = await play(network, moment);
      if (outcome.sent > 0) expect(outcome).toEqual(whole);
      else {
        unsent.push(moment);
        const shown = whole.shown.filter((text) => !text.includes("We do."));
        expect(outcome).toEqual({ ...whole, shown, sent: 0, told: "timeout" });
      }
    });

    // Twitch shows no trace of a line that was not sent.
    it("is not answered only at the moments between the record and the request", () => {
      expect(unsent.length).toBeLessThanOrEqual(network.network === "twitch" ? 2 : 0);
    });
  });
}
