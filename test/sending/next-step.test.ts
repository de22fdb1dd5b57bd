import { describe, expect, it } from "vitest";
import type { PublishedPart } from "../../src/networks/contract/plan.ts";
import { type CommitRules, readBackRules } from "../../src/networks/contract/publish.ts";
import type { IntentAnswer, IntentRecord, IntentRow, IntentState } from "../../src/sending/intent.ts";
import { beforeFailure, blocksLane, nextStep, type StepInput } from "../../src/sending/next-step.ts";

/** When the first intent is written. Its request is over 35 s later. */
const opened = Date.parse("2026-11-21T12:00:00.000Z");
const hardEnd = opened + 35_000;
const post: PublishedPart = { id: "post-1", url: "https://network.example/post-1", ref: null };

/** One look decides immediately, as where a key protects the post. */
const keyedRules: CommitRules = { ...readBackRules, settleSeconds: { text: 0, image: 0, video: 0 }, emptyReads: 1 };
/** The network drops repetitions for 100 s. */
const replayRules: CommitRules = { ...readBackRules, replaySeconds: 100 };

interface GivenIntent extends Partial<IntentRecord> {
  number?: number;
}

function intent(state: IntentState, { number = 1, ...given }: GivenIntent = {}): IntentRow {
  return {
    id: `int_${number}`,
    profile_id: "prof_1",
    subject_id: "tgt_1",
    part: 0,
    number,
    state,
    due_at: null,
    created_at: new Date(opened).toISOString(),
    private: {
      key: "key",
      following: [],
      body: { json: {} },
      hash: "hash",
      handles: null,
      opened_at: opened,
      send_by: opened + 5_000,
      hard_end: hardEnd,
      unknown_since: null,
      empty_looks: [],
      inconclusive_looks: [],
      refused_at: null,
      outcome_before_retry: null,
      look_at: null,
      replay_at: null,
      is_duplicate: false,
      message: null,
      answer: null,
      ...given,
    },
  };
}

/** An intent whose response was lost at the hard end. */
function unknown(given: GivenIntent = {}): IntentRow {
  return intent("unknown", { unknown_since: hardEnd, ...given });
}

/** An intent that two looks, a minute apart, did not find. */
function absent(given: GivenIntent = {}): IntentRow {
  return intent("absent", { unknown_since: hardEnd, empty_looks: [hardEnd + 30_000, hardEnd + 90_000], ...given });
}

function later(remedy: IntentAnswer["remedy"], given: GivenIntent & { answer?: IntentAnswer } = {}): IntentRow {
  const answer: IntentAnswer = { code: "rejected_by_network", remedy: remedy ?? "not_ready", retry_at: null };
  return intent("later", { message: "Not now.", ...given, answer: { ...answer, ...given.answer } });
}

function refused(given: GivenIntent = {}): IntentRow {
  return intent("refused", { message: "Too long.", answer: { code: "invalid_request" }, ...given });
}

function step(intents: readonly IntentRow[], given: Partial<StepInput> = {}) {
  return nextStep({
    intents,
    lastIntentBeforeRetry: 0,
    rules: readBackRules,
    kind: "text",
    waitedFor: 0,
    now: opened,
    waitsSince: 0,
    remedy: "check the account first, then retry with force",
    sentAgoMs: () => 0,
    maxLatenessMs: 86_400_000,
    ...given,
  });
}

describe("the first read of a part's record", () => {
  it("sends a part without a record", () => {
    expect(step([])).toEqual({ do: "commit" });
  });

  it.each(["accepted", "live"] as const)("adopts the post that an %s intent names", (state) => {
    const found = intent(state, { answer: { published: post } });
    expect(step([found])).toEqual({ do: "mark_published", published: post, keys: [found.private.key] });
  });

  it("adopts the post of an earlier intent, whatever the outcome of the later ones", () => {
    const early = intent("accepted", { answer: { published: post } });
    expect(step([early, unknown({ number: 2 })])).toMatchObject({ do: "mark_published", published: post });
    expect(step([early, refused({ number: 2 })], { lastIntentBeforeRetry: 2 })).toMatchObject({
      do: "mark_published",
      published: post,
    });
  });

  it("throws rather than send again when the accepted intent does not name its post", () => {
    expect(() => step([intent("accepted")])).toThrow("int_1 is accepted without the post");
  });

  it("starts the wait for an intent whose process died", () => {
    const orphan = intent("open");
    expect(step([orphan])).toEqual({ do: "start_wait", intent: orphan });
  });

  it("fails an undecided part as one that may be live", () => {
    const last = intent("undecided", { message: "Two posts look like it." });
    expect(step([last])).toEqual({
      do: "fail",
      code: "timeout",
      message: "Two posts look like it. The post may be live: check the account first, then retry with force.",
      mayBeLive: true,
    });
  });

  it("fails a refused part with the network's reason, as known not to be live", () => {
    const expected = { do: "fail", code: "invalid_request", message: "Too long.", mayBeLive: false };
    expect(step([refused()])).toEqual(expected);
  });
});

describe("an attempt after an earlier one", () => {
  it.each([
    ["not sent", intent("not_sent")],
    ["refused", refused()],
    ["refused for now", later("rate_limit")],
    ["refused until the credentials are renewed", later("refresh")],
    ["absent", absent()],
    ["undecided", intent("undecided")],
  ])("sends again what the earlier one left %s", (_, last) => {
    expect(step([last], { lastIntentBeforeRetry: 1 })).toEqual({ do: "commit" });
  });

  it("still waits for a response that the earlier one lost", () => {
    const lost = unknown();
    expect(step([lost], { lastIntentBeforeRetry: 1, now: hardEnd })).toMatchObject({
      do: "wait",
      until: hardEnd + 30_000,
    });
    expect(step([lost], { lastIntentBeforeRetry: 1, now: hardEnd + 30_000 })).toEqual({ do: "look", intent: lost });
  });

  it("still handles an intent that the earlier one left open", () => {
    const orphan = intent("open");
    expect(step([orphan], { lastIntentBeforeRetry: 1 })).toEqual({ do: "start_wait", intent: orphan });
  });

  it("reads its own intents by the same rules, and remembers that the earlier one may be live", () => {
    const second = refused({ number: 2 });
    expect(step([intent("undecided"), second], { lastIntentBeforeRetry: 1 })).toEqual({
      do: "fail",
      code: "timeout",
      message: "Too long. An earlier request for it may be live: check the account first, then retry with force.",
      mayBeLive: true,
    });
    expect(step([refused(), second], { lastIntentBeforeRetry: 1 })).toMatchObject({
      do: "fail",
      code: "invalid_request",
    });
  });
});

describe("a lost response", () => {
  it.each([
    { kind: "text", settleMs: 30_000 },
    { kind: "image", settleMs: 120_000 },
    { kind: "video", settleMs: 300_000 },
  ] as const)("is looked for $settleMs ms after the hard end of a part with $kind, and not before", (row) => {
    const lost = unknown({ unknown_since: opened + 1_000 });
    const lookAt = hardEnd + row.settleMs;
    expect(step([lost], { kind: row.kind, now: lookAt - 1 })).toEqual({
      do: "wait",
      until: lookAt,
      blocksLane: true,
      message: "waiting to check whether it was published",
    });
    expect(step([lost], { kind: row.kind, now: lookAt })).toEqual({ do: "look", intent: lost });
  });

  it("is waited for from the takeover when that came after the hard end", () => {
    const takenOver = hardEnd + 3_600_000;
    const lost = unknown({ unknown_since: takenOver });
    expect(step([lost], { now: takenOver })).toMatchObject({ do: "wait", until: takenOver + 30_000 });
    expect(step([lost], { now: takenOver + 30_000 })).toMatchObject({ do: "look" });
  });

  it("is looked for immediately, before the hard end, where no settle window is needed", () => {
    const lost = unknown({ unknown_since: opened + 1_000 });
    expect(step([lost], { rules: keyedRules, now: opened + 1_000 })).toEqual({ do: "look", intent: lost });
  });

  it("is looked for a second time a minute after a look that found nothing", () => {
    const first = hardEnd + 30_000;
    const lost = unknown({ empty_looks: [first] });
    expect(readBackRules.betweenLooksSeconds).toBe(60);
    expect(step([lost], { now: first + 59_999 })).toMatchObject({ do: "wait", until: first + 60_000 });
    expect(step([lost], { now: first + 60_000 })).toEqual({ do: "look", intent: lost });
  });

  it("counts the minute from the newest of several looks", () => {
    const lost = unknown({ empty_looks: [hardEnd + 30_000, hardEnd + 80_000] });
    expect(step([lost], { now: hardEnd + 139_999 })).toMatchObject({ do: "wait", until: hardEnd + 140_000 });
  });

  it.each([1, 2, 3])("is looked for again a minute after the newest of %i inconclusive looks", (count) => {
    const looks = [hardEnd + 30_000, hardEnd + 80_000, hardEnd + 130_000].slice(0, count);
    const until = Math.max(...looks) + 60_000;
    expect(step([unknown({ inconclusive_looks: looks })], { now: until - 1 })).toMatchObject({ do: "wait", until });
  });

  it("is not looked for before the time set by a network that is still working", () => {
    const lost = unknown({ look_at: hardEnd + 500_000 });
    expect(step([lost], { now: hardEnd + 499_999 })).toMatchObject({ do: "wait", until: hardEnd + 500_000 });
    expect(step([lost], { now: hardEnd + 500_000 })).toMatchObject({ do: "look" });
  });
});

describe("a lost response where the same request may be repeated", () => {
  it("repeats it before any look", () => {
    const lost = unknown({ unknown_since: opened + 2_000, replay_at: opened });
    expect(step([lost], { rules: replayRules, now: opened + 2_000 })).toEqual({ do: "replay", intent: lost });
  });

  it("waits for the moment of the next repetition", () => {
    const lost = unknown({ unknown_since: opened + 2_000, replay_at: opened + 7_000 });
    expect(step([lost], { rules: replayRules, now: opened + 6_999 })).toEqual({
      do: "wait",
      until: opened + 7_000,
      blocksLane: true,
      message: "the response was lost; asking again",
    });
  });

  it.each([
    { name: "at the window's end", replayAt: 100_000, now: 100_000, expected: "replay" },
    { name: "after the window", replayAt: 100_000, now: 100_001, expected: "look" },
    { name: "when the next repetition would come after it", replayAt: 100_001, now: 99_000, expected: "look" },
  ])("$name: $expected", ({ replayAt, now, expected }) => {
    const lost = unknown({ replay_at: opened + replayAt });
    expect(step([lost], { rules: replayRules, now: opened + now })).toMatchObject({ do: expected });
  });

  it.each([
    { name: "this process sent it long enough ago", agoMs: 100_001, expected: "look" },
    { name: "another process sent it, perhaps before the store's clock was set back", agoMs: null, expected: "look" },
    { name: "this process sent it within the window", agoMs: 100_000, expected: "replay" },
  ])("$name, whatever the store's clock says: $expected", ({ agoMs, expected }) => {
    const lost = unknown({ unknown_since: opened, hard_end: opened - 200_000, replay_at: opened });
    const given = { rules: replayRules, now: opened, sentAgoMs: () => agoMs };
    expect(step([lost], given)).toMatchObject({ do: agoMs === 100_000 ? "replay" : "wait" });
    expect(step([lost], { ...given, now: opened + 90_000 })).toMatchObject({ do: expected });
  });

  it("looks when the request can no longer be repeated", () => {
    const lost = unknown({ replay_at: null });
    expect(step([lost], { rules: replayRules, now: hardEnd + 30_000 })).toMatchObject({ do: "look" });
  });

  it("never repeats where the network knows no key, not even in the very moment of the intent", () => {
    const lost = unknown({ unknown_since: opened, replay_at: opened });
    expect(step([lost], { now: opened })).toMatchObject({ do: "wait", until: hardEnd + 30_000 });
  });
});

describe("a job at the network", () => {
  const since = opened + 2_000;
  const job = (given: GivenIntent = {}) => intent("job", { job: { handle: "7", since }, ...given });

  it("is looked at after a few seconds, then when the network says, and does not block other posts", () => {
    expect(step([job()], { now: since + 4_999 })).toEqual({
      do: "wait",
      until: since + 5_000,
      blocksLane: false,
      message: "the network is still processing it",
    });
    expect(step([job()], { now: since + 5_000 })).toMatchObject({ do: "look" });
    const told = job({ look_at: since + 60_000, message: "42 % done" });
    expect(step([told], { now: since + 59_999 })).toMatchObject({ do: "wait", message: "42 % done" });
    expect(step([told], { now: since + 60_000 })).toMatchObject({ do: "look" });
  });

  it("that the network does not know is looked at a second time, after the settle window of its rules", () => {
    const rules = { ...readBackRules, betweenLooksSeconds: 120 };
    const empty = job({ empty_looks: [since + 5_000] });
    expect(step([empty], { rules, now: since + 124_999 })).toMatchObject({ do: "wait", until: since + 125_000 });
    expect(step([empty], { rules, now: since + 125_000 })).toMatchObject({ do: "look" });
  });

  it("starts its count again when the clock has jumped", () => {
    expect(step([job()], { now: since + 9_000, waitsSince: since + 1 })).toMatchObject({ do: "start_wait" });
    expect(step([job()], { now: since - 5_001 })).toMatchObject({ do: "start_wait" });
  });

  it("may be live as long as its outcome is unknown", () => {
    const failure = { do: "fail", code: "profile_unavailable", message: "Gone.", mayBeLive: false } as const;
    const input = {
      intents: [job()],
      lastIntentBeforeRetry: 0,
      rules: readBackRules,
      kind: "text",
      waitedFor: 0,
      now: since,
    } as const;
    const more = { remedy: "wait", waitsSince: 0, sentAgoMs: () => null, maxLatenessMs: 1 };
    expect(beforeFailure(failure, { ...input, ...more })).toMatchObject({ code: "timeout", mayBeLive: true });
  });

  it("is not sent again a day after the network accepted it and lost it", () => {
    const gone = absent({ unknown_since: null, job: { handle: "7", since } });
    const message = expect.stringContaining("the network accepted it 25 h ago");
    const late = { now: opened + 25 * 3_600_000, maxLatenessMs: 24 * 3_600_000 };
    expect(step([gone], late)).toMatchObject({ do: "fail", mayBeLive: false, message });
  });
});

describe("a wait counted by a clock that cannot be trusted", () => {
  it("starts again when the clock has jumped since it began", () => {
    const lost = unknown({ empty_looks: [hardEnd + 30_000], replay_at: opened });
    const now = hardEnd + 3_600_000;
    expect(step([lost], { now, waitsSince: hardEnd + 1 })).toEqual({ do: "start_wait", intent: lost });
    expect(step([lost], { now, waitsSince: hardEnd })).toMatchObject({ do: "look" });
    const startedAgain = unknown({ unknown_since: now });
    expect(step([startedAgain], { now, waitsSince: now })).toMatchObject({ do: "wait", until: now + 30_000 });
  });

  it("starts again before a repetition, too: the same clock counted its window", () => {
    const lost = unknown({ unknown_since: opened, replay_at: opened });
    expect(step([lost], { rules: replayRules, now: opened, waitsSince: opened + 1 })).toMatchObject({
      do: "start_wait",
    });
  });

  it("starts again when it seems to begin in the future", () => {
    const now = hardEnd - 3_600_000;
    expect(step([unknown()], { now })).toMatchObject({ do: "start_wait" });
  });

  it("tolerates the small difference between two machines", () => {
    expect(step([unknown()], { now: hardEnd - 5_000 })).toMatchObject({ do: "wait" });
    expect(step([unknown()], { now: hardEnd - 5_001 })).toMatchObject({ do: "start_wait" });
  });
});

describe("a part that is known not to be at the network", () => {
  it("is postponed first, then sent again", () => {
    expect(step([absent()])).toEqual({
      do: "put_off",
      number: 1,
      until: null,
      code: "network_error",
      message: "The response was lost and the network does not have the post; it is sent again",
    });
    expect(step([absent()], { waitedFor: 1 })).toEqual({ do: "commit" });
  });

  it("is sent again at most twice", () => {
    const twice = [absent(), absent({ number: 2 })];
    expect(step(twice, { waitedFor: 2 })).toEqual({ do: "commit" });
    expect(step([...twice, absent({ number: 3 })], { waitedFor: 3 })).toMatchObject({
      do: "fail",
      code: "network_error",
      mayBeLive: false,
    });
  });

  it("counts only the repetitions of this attempt", () => {
    const intents = [absent(), absent({ number: 2 }), absent({ number: 3 })];
    expect(step(intents, { lastIntentBeforeRetry: 1, waitedFor: 3 })).toEqual({ do: "commit" });
  });

  it("counts the lost responses, not the passing refusals in between", () => {
    const intents = [absent(), intent("not_sent", { number: 2 }), absent({ number: 3 })];
    expect(step(intents, { waitedFor: 3 })).toEqual({ do: "commit" });
  });
});

describe("a part that could not go out yet", () => {
  it("is postponed after a request that was not sent, then sent again", () => {
    const last = intent("not_sent", { message: "network.example could not be reached." });
    expect(step([last])).toEqual({
      do: "put_off",
      number: 1,
      until: null,
      code: "network_error",
      message: "network.example could not be reached.",
    });
    expect(step([last], { waitedFor: 1 })).toEqual({ do: "commit" });
  });

  it.each(["rate_limit", "not_ready"] as const)(
    "is postponed after %s, then sent again, without a limit on the number",
    (remedy) => {
      const intents = [later(remedy), later(remedy, { number: 2 })];
      expect(step(intents, { waitedFor: 1 })).toMatchObject({ do: "put_off", number: 2, until: null });
      expect(step(intents, { waitedFor: 2 })).toEqual({ do: "commit" });
    },
  );

  it("is postponed until the rate limit's end, where the network names it", () => {
    const last = later("rate_limit", { answer: { code: "network_error", remedy: "rate_limit", retry_at: 1_234 } });
    expect(step([last])).toMatchObject({ do: "put_off", until: 1_234, code: "network_error", message: "Not now." });
  });

  it("makes a staged value anew immediately, but only once in a row", () => {
    const again = later("stage_again", { number: 2, message: "Still not." });
    expect(step([later("stage_again")])).toEqual({ do: "stage_again" });
    expect(step([later("stage_again"), again])).toEqual({
      do: "fail",
      code: "rejected_by_network",
      message: "Still not.",
      mayBeLive: false,
    });
  });

  it("renews the credentials immediately, and waits where the new ones are refused as well", () => {
    const [first, second] = [later("refresh"), later("refresh", { number: 2, message: "Still not." })];
    const third = later("refresh", { number: 3 });
    expect(step([first])).toEqual({ do: "renew" });
    expect(step([first, second], { waitedFor: 1 })).toMatchObject({ do: "put_off", number: 2, message: "Still not." });
    expect(step([first, second], { waitedFor: 2 })).toEqual({ do: "commit" });
    expect(step([first, second, third], { waitedFor: 2 })).toEqual({ do: "renew" });
    const intents = [first, second, third, later("refresh", { number: 4 })];
    expect(step(intents, { waitedFor: 3 })).toMatchObject({ do: "put_off", number: 4 });
  });

  it("is signed anew immediately, and postponed when that did not help", () => {
    const again = later("sign_again", { number: 2 });
    expect(step([later("sign_again")])).toEqual({ do: "commit" });
    expect(step([later("sign_again"), again])).toMatchObject({ do: "put_off", number: 2, until: null });
    expect(step([later("sign_again"), again], { waitedFor: 2 })).toEqual({ do: "commit" });
  });

  it("renews the credentials once, however often they are signed anew in between", () => {
    expect(step([later("sign_again"), later("refresh", { number: 2 })])).toEqual({ do: "renew" });
    const intents = [later("refresh"), later("sign_again", { number: 2 }), later("refresh", { number: 3 })];
    expect(step(intents, { waitedFor: 1 })).toMatchObject({ do: "put_off", number: 3 });
  });

  it.each(["refresh", "stage_again"] as const)(
    "does not apply the remedy %s again when only a later step had to wait",
    (remedy) => {
      expect(step([later(remedy)], { waitedFor: 1 })).toEqual({ do: "commit" });
    },
  );

  it("does not alternate between two remedies forever", () => {
    const intents = [later("refresh"), later("stage_again", { number: 2 }), later("refresh", { number: 3 })];
    expect(step(intents, { waitedFor: 2 })).toMatchObject({ do: "put_off", number: 3 });
    const again = [...intents, later("stage_again", { number: 4 })];
    expect(step(again, { waitedFor: 3 })).toMatchObject({ do: "fail", message: "Not now." });
  });

  it("renews the credentials again when they expire during a long wait", () => {
    const intents = [later("refresh"), later("rate_limit", { number: 2 }), later("refresh", { number: 3 })];
    expect(step(intents, { waitedFor: 2 })).toEqual({ do: "renew" });
  });

  it.each(["refresh", "stage_again"] as const)("applies the remedy %s anew in a new attempt", (remedy) => {
    const intents = [later(remedy), later(remedy, { number: 2 })];
    expect(step(intents, { lastIntentBeforeRetry: 1 })).not.toMatchObject({ do: "fail" });
  });

  it("renews the credentials although a staged value had to be made anew before", () => {
    expect(step([later("stage_again"), later("refresh", { number: 2 })])).toEqual({ do: "renew" });
  });
});

describe("a part that is known to be absent, a day and more after its request", () => {
  const late = { now: opened + 86_400_001 };

  it("is not sent again: a user may have deleted it by hand", () => {
    expect(step([absent()], late)).toEqual({
      do: "fail",
      code: "network_error",
      message:
        "Certainly not posted: the response was lost 24 h ago, and the network does not have it. Retry it if it should still be published.",
      mayBeLive: false,
    });
  });

  it("is sent where a restored store only assumed the request", () => {
    expect(step([absent({ is_restored: true })], { ...late, waitedFor: 1 })).toEqual({ do: "commit" });
  });
});

describe("a failure with another cause", () => {
  const failure = { do: "fail", code: "media_error", message: "Gone.", mayBeLive: false } as const;
  const counts = {
    lastIntentBeforeRetry: 0,
    waitedFor: 0,
    now: opened,
    waitsSince: 0,
    remedy: "check the account first, then retry with force",
    sentAgoMs: () => null,
    maxLatenessMs: 86_400_000,
  };
  const input = { ...counts, rules: readBackRules, kind: "text" } as const;

  it.each([[], [refused()], [absent()], [intent("not_sent")], [later("rate_limit")]])(
    "is final after %o",
    (...intents) => {
      expect(beforeFailure(failure, { ...input, intents })).toEqual(failure);
    },
  );

  it.each(["open", "unknown", "undecided"] as const)("leaves an %s part as one that may be live", (state) => {
    expect(beforeFailure(failure, { ...input, intents: [intent(state)] })).toMatchObject({
      code: "timeout",
      mayBeLive: true,
    });
  });

  it.each(["accepted", "live"] as const)("adopts an %s part instead", (state) => {
    const found = intent(state, { answer: { published: post } });
    const intents = [found, absent({ number: 2, empty_looks: [opened] })];
    expect(beforeFailure(failure, { ...input, intents })).toMatchObject({ do: "mark_published", published: post });
  });

  it("needs no look at a part that was absent before a retry whose own look was refused", () => {
    const before = absent({ empty_looks: [], outcome_before_retry: "absent" });
    expect(beforeFailure(failure, { ...input, intents: [before] })).toBe(failure);
  });

  it("waits for the last look at a part that one look found absent", () => {
    const early = absent({ empty_looks: [opened] });
    expect(beforeFailure(failure, { ...input, intents: [early] })).toMatchObject({
      do: "wait",
      until: hardEnd + 30_000,
    });
  });
});

describe("a refusal after an earlier request that a key protects", () => {
  /** Found absent by a single look, before its request must have ended. */
  const early = absent({ unknown_since: opened + 1_000, empty_looks: [opened + 1_500] });

  it.each([
    { kind: "text", settleMs: 30_000 },
    { kind: "image", settleMs: 120_000 },
    { kind: "video", settleMs: 300_000 },
  ] as const)("looks a last time when no request of a part with $kind can be under way", ({ kind, settleMs }) => {
    const intents = [early, refused({ number: 2 })];
    const lookAt = hardEnd + settleMs;
    expect(step(intents, { rules: keyedRules, kind, now: lookAt - 1 })).toEqual({
      do: "wait",
      until: lookAt,
      blocksLane: false,
      message: "checking that nothing was published",
    });
    expect(step(intents, { rules: keyedRules, kind, now: lookAt })).toEqual({ do: "look", intent: early });
  });

  it.each([
    ["three lost responses", absent({ number: 2 }), absent({ number: 3, empty_looks: [hardEnd] })],
    ["a staged value that is gone twice", later("stage_again", { number: 2 }), later("stage_again", { number: 3 })],
  ])("is not the only failure that waits for the last look: %s", (_, second, third) => {
    const intents = [early, second, third];
    const given = { rules: keyedRules, waitedFor: 2 };
    expect(step(intents, { ...given, now: hardEnd })).toMatchObject({ do: "wait", until: hardEnd + 30_000 });
    expect(step(intents, { ...given, now: hardEnd + 30_000 })).toEqual({ do: "look", intent: early });
  });

  it("waits with the last look while the network is still working", () => {
    const pending = absent({ empty_looks: [opened + 1_500], look_at: hardEnd + 90_000 });
    const intents = [pending, refused({ number: 2 })];
    expect(step(intents, { rules: keyedRules, now: hardEnd + 89_999 })).toMatchObject({ do: "wait" });
    expect(step(intents, { rules: keyedRules, now: hardEnd + 90_000 })).toEqual({ do: "look", intent: pending });
  });

  it("may be live when the last look was inconclusive", () => {
    const intents = [intent("undecided"), refused({ number: 2 })];
    expect(step(intents, { rules: keyedRules })).toMatchObject({ do: "fail", code: "timeout", mayBeLive: true });
  });

  it("is final once the last look has found nothing", () => {
    const lookedTwice = absent({ empty_looks: [opened + 1_500, hardEnd + 30_000] });
    const intents = [lookedTwice, refused({ number: 2 })];
    expect(step(intents, { rules: keyedRules, now: hardEnd + 30_000 })).toMatchObject({
      do: "fail",
      code: "invalid_request",
      mayBeLive: false,
    });
  });

  it("is replaced by the post that the last look finds", () => {
    const found = intent("live", { answer: { published: post } });
    expect(step([found, refused({ number: 2 })], { rules: keyedRules })).toMatchObject({
      do: "mark_published",
      published: post,
    });
  });
});

describe("a part keeps its profile's slot", () => {
  const keyed: CommitRules = { ...readBackRules, isKeyed: true };
  const tenMinutesMs = 600_000;

  it.each<[string, IntentRow, CommitRules, number]>([
    ["while its request is out", intent("open"), keyed, opened],
    ["until the first look", unknown(), readBackRules, hardEnd + 1],
    ["for ten minutes", unknown(), readBackRules, hardEnd + tenMinutesMs - 1],
  ])("%s", (_, row, rules, now) => {
    expect(blocksLane(row, rules, now)).toBe(true);
  });

  it.each<[string, IntentRow, CommitRules, number]>([
    ["after ten minutes", unknown(), readBackRules, hardEnd + tenMinutesMs],
    ["after a look that found nothing", unknown({ empty_looks: [hardEnd] }), readBackRules, hardEnd + 1],
    ["after an inconclusive look", unknown({ inconclusive_looks: [hardEnd] }), readBackRules, hardEnd + 1],
    ["where a key identifies it", unknown(), keyed, hardEnd + 1],
    ["when only a retry looks once more", unknown({ outcome_before_retry: "absent" }), readBackRules, hardEnd + 1],
    ["when its outcome is known", absent(), readBackRules, hardEnd + 1],
    ["when it is undecided for good", intent("undecided"), readBackRules, hardEnd + 1],
  ])("no longer %s", (_, row, rules, now) => {
    expect(blocksLane(row, rules, now)).toBe(false);
  });
});
