import { expect, it } from "vitest";
import { bluesky } from "../../src/networks/bluesky/index.ts";
import { createSandbox } from "../../src/sandbox/sandbox.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { createProcess, type SimulatedProcess } from "../support/process.ts";
import { isWhole, shareNumber } from "../support/share.ts";

/**
 * Ann had written before, and writes again; a reply accepts the request; one process dies on the
 * way, another continues.
 */
async function play(dieAt?: number) {
  const clock = manualClock();
  const sandbox = createSandbox({ clock });
  const storage = memoryStorage({ clock });
  const spawn = (at?: number): SimulatedProcess => {
    const service = { networks: [bluesky({ scopes: ["publish", "inbox"] })] };
    return createProcess({ clock, storage, sandbox, service, ...(at === undefined ? {} : { dieAt: at }) });
  };
  const { chat, addAccount } = sandbox.bluesky;
  const owner = addAccount({ handle: "fox.sandbox.example", scope: "com.atproto.appPassPrivileged" });
  const ann = addAccount({ handle: "ann.sandbox.example" }).did;
  chat.write(ann, [owner.did], { text: "Hello?" });
  await clock.advance(60_000);
  const [first, second] = [spawn(dieAt), spawn()];
  const credentials = { identifier: owner.handle, app_password: owner.password };
  const connect = ({ social }: SimulatedProcess) => social.profiles.connect({ network: "bluesky", credentials });
  const opening = spawn();
  await clock.run(() => connect(opening));
  opening.kill();
  await clock.run(() => Promise.race([first.social.start(), first.died]));
  await clock.advance(60_000);
  chat.write(ann, [owner.did], { text: "Do you ship?" });
  await clock.advance(120_000);
  const answer = async ({ social }: SimulatedProcess): Promise<void> => {
    const [asked] = (await social.inbox.conversations.list()).data;
    const body = { text: "We do.", idempotency_key: "answer-0001" };
    if (asked !== undefined) await social.inbox.conversations.reply(asked.id, body).catch(() => undefined);
  };
  await clock.run(() => Promise.race([answer(first), first.died]));
  await clock.run(() => second.social.start());
  await clock.advance(1_200_000);
  await clock.run(() => answer(second));
  await clock.advance(600_000);
  const { rows } = await storage.find("messages", { where: { state: "live" } });
  const [conversation] = (await second.social.inbox.conversations.list()).data;
  return {
    shown: rows.map(({ direction, text }) => `${direction}: ${text}`).sort(),
    unread: conversation?.unread_count,
    sent: chat.messages().filter(({ text }) => text === "We do.").length,
    isAccepted: chat.hasAccepted(owner.did, conversation?.external_id ?? ""),
    moments: first.moments(),
  };
}

const right = {
  shown: ["inbound: Do you ship?", "inbound: Hello?", "outbound: We do."],
  unread: 1,
  sent: 1,
  isAccepted: true,
};
const whole = await play();

it("a message is read and answered once, without a death", () => {
  expect(whole).toMatchObject(right);
});

const step = isWhole ? 1 : 20;
const from = shareNumber % step;
const moments = Array.from({ length: Math.ceil((whole.moments - from) / step) }, (_, index) => from + index * step);

it.each(moments)("a message is read and answered once, whenever the process dies: moment %i", async (moment) => {
  const { moments: _, ...outcome } = await play(moment);
  expect(outcome).toEqual(right);
});
