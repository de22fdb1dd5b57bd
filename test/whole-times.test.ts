import fc from "fast-check";
import { expect, it } from "vitest";
import { z } from "zod";
import { afterQuestion, afterRefusal, firstHookState } from "../src/inbox/hook-state.ts";
import type { InboxState } from "../src/inbox/rows.ts";
import { afterPoll, firstState, withFailure } from "../src/inbox/source-state.ts";
import { type CommitRules, readBackRules } from "../src/networks/contract/publish.ts";
import { readRefusal } from "../src/networks/runtime/error-map.ts";
import { pauseAfter } from "../src/profiles/refresh-pause.ts";
import { timesOf } from "../src/profiles/rows.ts";
import { type IntentState, newIntent } from "../src/sending/intent.ts";
import { nextStep } from "../src/sending/next-step.ts";
import { afterAttempt } from "../src/webhooks/outcome.ts";
import type { DeliveryRow } from "../src/webhooks/rows.ts";
import { PublishingError } from "../src/wire/errors.ts";

/** fast-check prints the seed when it fails. */
const runs = { numRuns: 300 };

const now = fc.integer({ min: 1_700_000_000_000, max: 1_900_000_000_000 });
/** Times as an adapter or a network may give them: with fractions of a second, too. */
const seconds = fc.oneof(fc.integer({ min: 1, max: 100_000 }), fc.double({ min: 0.001, max: 100_000, noNaN: true }));
const failures = fc.nat(20);

/** Times that a wait results in. Null: there is none. */
type Times = readonly (number | null)[];

const rules: fc.Arbitrary<CommitRules> = fc
  .record({ text: seconds, hardEndSeconds: seconds, betweenLooksSeconds: seconds, replaySeconds: seconds })
  .map(({ text, ...given }) => ({ ...readBackRules, ...given, settleSeconds: { text, image: text, video: text } }));

const limitRow = { status: 429, as: "network_error", effect: "later", remedy: "rate_limit", message: "Slow down." };

const waits: readonly { name: string; times: fc.Arbitrary<Times> }[] = [
  {
    name: "until a part is looked for, or sent again",
    times: fc
      .record({
        rules,
        now,
        ageMs: fc.nat(100_000_000),
        state: fc.constantFrom<IntentState>("unknown", "job", "open"),
        looks: fc.array(fc.nat(100_000), { maxLength: 2 }),
      })
      .map(({ rules, now, ageMs, state, looks }) => {
        const hardEndMs = 30_000;
        const given = { id: "int_1", profileId: "prof_1", subjectId: "tgt_1", part: 0, number: 1 } as const;
        const body = { json: {} };
        const opened = newIntent({
          ...given,
          keys: ["key"],
          body,
          fileHashes: [],
          handles: null,
          now: now - ageMs,
          hardEndMs,
        });
        const empty_looks = looks.map((ago) => now - ago);
        const lost = { unknown_since: now - ageMs, empty_looks, job: { handle: "job", since: now - ageMs } };
        const intent = { ...opened, state, private: { ...opened.private, ...lost } };
        const step = nextStep({
          remedy: "look there",
          intents: [intent],
          lastIntentBeforeRetry: 0,
          rules,
          kind: "text",
          waitedFor: 0,
          now,
          waitsSince: 0,
          sentAgoMs: () => ageMs,
          maxLatenessMs: 86_400_000,
        });
        return step.do === "wait" ? [step.until] : [];
      }),
  },
  {
    name: "until a list is read again",
    times: fc
      .record({ min: seconds, max: seconds, repair: seconds, now, failures, isRepair: fc.boolean() })
      .map(({ min, max, repair, now, failures, isRepair }) => {
        const source = { name: "list", every: { min, max, repair } };
        const first = firstState(source, now);
        const found = { facts: [], cursor: null, more: false };
        const polled = afterPoll(source, first, { found, now, isRepair });
        const later = afterPoll(source, polled, { found, now });
        let state: InboxState = { connected_at: now, sources: {}, pending_updates_until: now };
        for (let count = 0; count <= failures; count++)
          state = withFailure(state, source, { error: new Error("No."), now });
        const states = [first, polled, later, ...Object.values(state.sources)];
        return states.flatMap(({ due_at, every_ms }) => [due_at, every_ms]);
      }),
  },
  {
    name: "until a network is asked again to send",
    times: fc.record({ now, failures }).map(({ now, failures }) => {
      const state = { ...firstHookState(now), failures };
      return [afterQuestion(state, now), afterRefusal(state, { error: "No.", now })].map(({ due_at }) => due_at);
    }),
  },
  {
    name: "until a delivery is retried",
    times: fc
      .record({
        now,
        attempts: fc.nat(7),
        random: fc.double({ min: 0, max: 1, noNaN: true }),
        retryAfter: fc.option(fc.oneof(fc.nat(200_000).map(String), fc.string()), { nil: null }),
      })
      .map(({ now, attempts, random, retryAfter }) => {
        const delivery = { attempts } as DeliveryRow;
        const response = { status: 503, body: "", retryAfter };
        const attempt = { response, error: "The receiver returned status 503.", durationMs: 1.5 };
        return [afterAttempt({ delivery, attempt, endedAt: now, random }).due_at];
      }),
  },
  {
    name: "until a network's limit ends",
    times: fc.record({ now, ahead: seconds }).map(({ now, ahead }) => {
      const table = { rows: [limitRow], body: z.never(), rateLimitEnd: () => now + ahead * 1_000 };
      const response = { status: 429, headers: new Headers(), body: null };
      const refusal = readRefusal(response as never, table as never, { now });
      return [refusal.effect === "later" ? refusal.retryAt : Number.NaN];
    }),
  },
  {
    name: "until credentials are renewed",
    times: fc
      .record({ expires_at: fc.option(fc.double({ min: 0, max: 2e12, noNaN: true }), { nil: null }), now, failures })
      .map(({ expires_at, now, failures }) => {
        const refresh_at = expires_at === null ? undefined : (now + expires_at) / 2;
        const before = { failures, since: now, until: now, message: "No." };
        const pause = pauseAfter(new PublishingError("network_error", "No."), before, now);
        return [
          ...Object.values(timesOf({ expires_at, ...(refresh_at === undefined ? {} : { refresh_at }) })),
          pause?.until ?? null,
        ];
      }),
  },
];

it.each(waits)("every wait $name ends at a whole millisecond", ({ times }) => {
  fc.assert(
    fc.property(times, (all) => {
      for (const time of all) if (time !== null) expect(time).toSatisfy(Number.isSafeInteger);
    }),
    runs,
  );
});
