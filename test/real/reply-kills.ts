import { once } from "node:events";
import { systemClock } from "../../src/ports/clock.ts";
import type { SocialService } from "../../src/service.ts";
import type { Random } from "../prove/random.ts";
import { startChild } from "./child.ts";
import type { ReplyErrand } from "./replier.ts";
import type { SkippingClock } from "./skipping-clock.ts";

const longestMs = 30_000;
/** After this no lease of a killed process is left, milliseconds. */
const heldMs = 3 * 60_000;

/** The world of the replies: their service's clock, and the server behind it. */
export interface ReplyWorld {
  random: Random;
  clock: SkippingClock;
  /** True: the reply exists on the server. */
  isSent(errand: ReplyErrand): Promise<boolean>;
  /** Waits until the server has carried out all requests. */
  settle(): Promise<void>;
}

/**
 * Sends each reply in a separate process, and kills it with SIGKILL at a random moment around the
 * one at which its request goes out; the first one lives until its request is out.
 *
 * @returns how many had gone out when their process was killed
 */
export async function killRepliers(errands: readonly ReplyErrand[], world: ReplyWorld): Promise<number> {
  const { random, clock, isSent, settle } = world;
  // An estimate of when a request goes out, from the ones before: a busy machine is slower.
  let aboutMs: number | null = null;
  let sent = 0;
  for (const errand of errands) {
    const child = await startChild("replier.ts", { ...errand, aheadMs: clock.aheadMs() });
    const ended = once(child, "exit");
    if (aboutMs === null) aboutMs = await timeToSend(errand, isSent);
    else await systemClock.sleep(random.between(0.7 * aboutMs, 1.3 * aboutMs));
    child.kill("SIGKILL");
    await ended;
    await settle();
    const wasSent = await isSent(errand);
    sent += wasSent ? 1 : 0;
    aboutMs *= wasSent ? 0.9 : 1.1;
    clock.skip(heldMs);
  }
  return sent;
}

/** Waits until it is sent. @returns milliseconds */
async function timeToSend(errand: ReplyErrand, isSent: ReplyWorld["isSent"]): Promise<number> {
  const startedAt = systemClock.monotonic();
  while (!(await isSent(errand))) {
    if (systemClock.monotonic() - startedAt > longestMs) throw new Error(`${errand.text} was not sent in time.`);
    await systemClock.sleep(20);
  }
  return Math.ceil(systemClock.monotonic() - startedAt);
}

/** Lets time pass until no lease of a dead process is left, and repeats each reply under its key until it exists. */
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

/** The text of every message in the inbox. */
export async function everyText(social: SocialService, profileId: string): Promise<string[]> {
  const texts = new Map<string, string>();
  for (let after = 0, isMore = true; isMore; ) {
    const { messages, next, has_more } = await social.inbox.changes({ profile_id: profileId, after, limit: 500 });
    for (const { id, text } of messages) texts.set(id, text ?? "");
    [after, isMore] = [next, has_more];
  }
  return [...texts.values()];
}
