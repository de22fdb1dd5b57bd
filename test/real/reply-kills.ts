import { once } from "node:events";
import { systemClock } from "../../src/ports/clock.ts";
import type { SocialService } from "../../src/service.ts";
import type { Random } from "../prove/random.ts";
import { startChild } from "./child.ts";
import type { ReplyErrand } from "./replier.ts";
import type { SkippingClock } from "./skipping-clock.ts";

/** Processes that live at the same time. */
const lanes = 4;
const longestMs = 30_000;

/**
 * Gives each reply in a process of its own, and kills it with SIGKILL at a random moment around the one at which its
 * request goes out; the first one lives until it has.
 *
 * @param isSent whether the reply stands on the server
 * @returns how many had gone out when their process was killed
 */
export async function killRepliers(
  errands: readonly ReplyErrand[],
  { random, isSent }: { random: Random; isSent(errand: ReplyErrand): Promise<boolean> },
): Promise<number> {
  const [first, ...others] = errands;
  if (first === undefined) return 0;
  // When a request goes out, as what was seen so far tells: a machine that does other things, too, is slower.
  let aboutMs = await timeToSend(first, isSent);
  const waiting = [...others];
  let sent = 1;
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const child = await startChild("replier.ts", next);
      const ended = once(child, "exit");
      await systemClock.sleep(random.between(0.7 * aboutMs, 1.3 * aboutMs));
      child.kill("SIGKILL");
      await ended;
      const wasSent = await isSent(next);
      sent += wasSent ? 1 : 0;
      aboutMs *= wasSent ? 0.9 : 1.1;
    }
  };
  await Promise.all(Array.from({ length: lanes }, work));
  return sent;
}

/** @returns milliseconds */
async function timeToSend(errand: ReplyErrand, isSent: (errand: ReplyErrand) => Promise<boolean>): Promise<number> {
  const child = await startChild("replier.ts", errand);
  const startedAt = systemClock.monotonic();
  const ended = once(child, "exit");
  while (!(await isSent(errand))) {
    if (systemClock.monotonic() - startedAt > longestMs) throw new Error(`${errand.text} was not sent in time.`);
    await systemClock.sleep(20);
  }
  const tookMs = systemClock.monotonic() - startedAt;
  child.kill("SIGKILL");
  await ended;
  return Math.ceil(tookMs);
}

/** Lets time pass until no dead process holds anything, and asks for each reply again under its key until it is there. */
export async function settleReplies(
  { social, clock }: { social: SocialService; clock: SkippingClock },
  errands: readonly ReplyErrand[],
): Promise<void> {
  for (let looks = 0; looks < 6; looks++) {
    clock.skip(10 * 60_000);
    await clock.run(() => social.runDue());
  }
  await clock.run(async () => {
    await social.start();
    for (const errand of errands) await repeat(social, clock, errand);
    await social.stop();
  });
}

const maxTries = 5;

async function repeat(
  { inbox }: SocialService,
  clock: SkippingClock,
  { conversationId, text, idempotency_key }: ReplyErrand,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    const error = await inbox.conversations.reply(conversationId, { text, idempotency_key }).then(
      () => null,
      (reason: unknown) => reason,
    );
    if (error === null) return;
    if (tries === maxTries) throw error;
    await clock.sleep(60_000);
  }
}

/** The text of every message, as the inbox has it. */
export async function everyText(social: SocialService, profileId: string): Promise<string[]> {
  const texts = new Map<string, string>();
  for (let after = 0, isMore = true; isMore; ) {
    const { messages, next, has_more } = await social.inbox.changes({ profile_id: profileId, after, limit: 500 });
    for (const { id, text } of messages) texts.set(id, text ?? "");
    [after, isMore] = [next, has_more];
  }
  return [...texts.values()];
}
