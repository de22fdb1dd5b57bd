import { expect, it } from "vitest";
import { createHandler } from "../../src/http/index.ts";
import { twitch } from "../../src/networks/twitch/index.ts";
import { createSandbox } from "../../src/sandbox/sandbox.ts";
import { sandboxApp } from "../../src/sandbox/twitch/logins.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { SocialError } from "../../src/wire/errors.ts";
import { createProcess, type SimulatedProcess } from "../support/process.ts";
import { testBaseUrl } from "../support/service.ts";
import { isWhole, shareNumber } from "../support/share.ts";

const { client_id, client_secret } = sandboxApp;

/**
 * Ann names a channel's owner, gets a reply, and a line of hers is removed; one process dies on
 * the way, another continues.
 */
async function play(dieAt?: number) {
  const clock = manualClock();
  const sandbox = createSandbox({ clock });
  const storage = memoryStorage({ clock });
  const processes: SimulatedProcess[] = [];
  const spawn = (at?: number): SimulatedProcess => {
    const service = { networks: [twitch({ app: { client_id, client_secret } })], baseUrl: testBaseUrl };
    const process = createProcess({ clock, storage, sandbox, service, ...(at === undefined ? {} : { dieAt: at }) });
    processes.push(process);
    return process;
  };
  // Events reach the living process. A dead process breaks the connection.
  sandbox.twitch.sendHooksTo((request) => {
    const living = processes.find((process) => !process.isDead());
    if (living === undefined) return Promise.reject(new TypeError("fetch failed"));
    const broken = living.died.then(() => Promise.reject(new TypeError("the connection was closed")));
    return Promise.race([createHandler(living.social)(request), broken]);
  });
  const opening = spawn();
  const { external_id: fox, ...credentials } = sandbox.twitch.addChannel("fox");
  await clock.run(() => opening.social.start());
  await clock.run(() => opening.social.profiles.connect({ network: "twitch", credentials }));
  await clock.advance(180_000);
  await clock.run(() => opening.social.stop());
  opening.kill();
  const first = spawn(dieAt);
  const second = spawn();
  await clock.run(() => Promise.race([first.social.start(), first.died]));
  const ann = sandbox.twitch.addViewer("ann");
  sandbox.twitch.lineAs(ann, fox, { text: "@fox do you ship?" });
  await clock.advance(1_000);
  const rude = sandbox.twitch.lineAs(ann, fox, { text: "@fox rude words" });
  await clock.advance(1_000);
  sandbox.twitch.removeLine(rude);
  const answer = async ({ social }: SimulatedProcess): Promise<string> => {
    const { data } = await social.inbox.conversations.list();
    const asked = data.find(({ last_message }) => /ship|We do/.test(last_message.text));
    const reply = { text: "We do.", idempotency_key: "answer-0001" };
    if (asked === undefined) return "nothing to answer";
    return social.inbox.conversations.reply(asked.id, reply).then(
      () => "sent",
      (error: unknown) => (SocialError.is(error) ? (error.details[0]?.code ?? error.code) : String(error)),
    );
  };
  await clock.run(() => Promise.race([answer(first), first.died]));
  await clock.run(() => second.social.start());
  await clock.advance(1_200_000);
  const told = await clock.run(() => answer(second));
  await clock.advance(600_000);
  const { rows } = await storage.find("messages", { where: { state: "live" } });
  const events = (await storage.find("hook_events", { where: { state: { in: ["new", "aside"] } } })).rows;
  return {
    shown: rows.map(({ direction, text }) => `${direction}: ${text}`.replace("@ann ", "")).sort(),
    sent: sandbox.twitch.lines().filter(({ text }) => text.includes("We do.")).length,
    left: events.length,
    told,
    moments: first.moments(),
  };
}

const came = ["inbound: @fox do you ship?", "inbound: null"];
const answered = { shown: [...came, "outbound: We do."], sent: 1, left: 0, told: "sent" };
/** The process died between its record and the request, and Twitch shows no trace of the unsent reply. */
const unknown = { shown: came, sent: 0, left: 0, told: "timeout" };
const whole = await play();

it("a line is read, and answered once, without a death", () => {
  expect(whole).toMatchObject(answered);
});

const unsent: number[] = [];
const step = isWhole ? 1 : 20;
const first = shareNumber % step;
const moments = Array.from({ length: Math.ceil((whole.moments - first) / step) }, (_, index) => first + index * step);

it.each(moments)("a line is read, and answered at most once, whenever the process dies: moment %i", async (moment) => {
  const { moments: _, ...outcome } = await play(moment);
  if (outcome.sent === 0) unsent.push(moment);
  expect(outcome).toEqual(outcome.sent === 0 ? unknown : answered);
});

it("a reply stays unknown only at the moments between the record and the request", () => {
  expect(unsent.length).toBeLessThanOrEqual(2);
});
