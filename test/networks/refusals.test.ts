import { describe, expect, it } from "vitest";
import type { ErrorRow, ErrorTable } from "../../src/networks/contract/errors.ts";
import type { Part } from "../../src/networks/contract/plan.ts";
import { readBackRules } from "../../src/networks/contract/publish.ts";
import { readRefusal } from "../../src/networks/runtime/error-map.ts";
import type { CreatePost } from "../../src/posts/schema.ts";
import type { SandboxAnswer } from "../../src/sandbox/exchange.ts";
import type { Fault } from "../../src/sandbox/faults.ts";
import { sendWithinMs } from "../../src/sending/intent.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { png } from "../media/samples.ts";
import { type OutcomeOptions, type OutcomeRun, outcomeOf, type Setting } from "../publishing/outcomes-bench.ts";
import type { CrashNetwork } from "../support/crash.ts";
import { crashNetworks } from "../support/crash-networks.ts";
import { answerOf, misleadingAnswers } from "../support/misleading-answers.ts";
import { somebody } from "../support/profile-facts.ts";
import { createTestService } from "../support/service.ts";
import { shareOf } from "../support/share.ts";
import type { RefusedElsewhere } from "./scene.ts";

interface ListedRow {
  title: string;
  row: ErrorRow;
  network: CrashNetwork;
  /** A refusal that fits the row, in the network's format. */
  answer: SandboxAnswer;
  /** The row that decides about that response. */
  decides: ErrorRow | undefined;
}

/** Every row of every network's error table, for every kind of account that can meet it. */
const listed: readonly ListedRow[] = crashNetworks
  .filter(({ isVariant }) => !isVariant)
  .flatMap((network) => {
    const { adapter, refusals } = network.scene;
    const { errors } = adapter();
    const rows = errors.rows.filter(({ operation }) => operation === undefined || operation !== refusals.inInbox);
    return rows.map((row) => {
      const answer = answerOf(network.scene, row);
      const decides = errors.rows.find((each) => fits(each, { answer, errors, operation: row.operation }));
      const reads = [row.status, row.code, row.startsWith, row.contains].filter((each) => each !== undefined).join(" ");
      return { title: `${reads} on ${network.name}`, row, network, answer, decides };
    });
  });

/** @param operation the request's operation: rows without one fit any */
function fits(
  row: ErrorRow,
  {
    answer: { status, json },
    errors,
    operation,
  }: { answer: SandboxAnswer; errors: ErrorTable; operation?: string | undefined },
): boolean {
  const response = { status, headers: new Headers(), body: json };
  return readRefusal(response, { ...errors, rows: [row] }, { now: 0, operation }).message.startsWith(row.message);
}

/** The request that meets a row which no plain post meets. */
function elsewhere({ row: { operation }, network }: ListedRow): RefusedElsewhere | undefined {
  return operation === undefined ? undefined : network.scene.refusals.elsewhere?.[operation];
}

/** Those that a plain post can meet. */
function rowsWith(effect: ErrorRow["effect"], remedy?: string): ListedRow[] {
  return listed.filter(
    (each) =>
      elsewhere(each) === undefined &&
      each.row.effect === effect &&
      (each.row.effect === "later" ? each.row.remedy : undefined) === remedy,
  );
}

const metElsewhere = listed.filter((each) => elsewhere(each) !== undefined);

const forHours = 100_000;

/** The scene's steps beside the fault: none if no look is necessary. */
function aside({ scene: { asks } }: CrashNetwork, { again = 0, yes = 0 }): { looked: number; seconds: number } {
  const { beforeAgain = 0, afterYes = { looks: 0, seconds: 0 } } = asks ?? {};
  return { looked: again * beforeAgain + yes * afterYes.looks, seconds: yes * afterYes.seconds };
}

function refused(answer: SandboxAnswer, times: number): Fault {
  return { kind: "refuse", operation: "commit", answer, times };
}

/** The message for the user: the library's words, then the network's. */
function expectExplained({ post }: OutcomeRun, row: ErrorRow): void {
  const message = post.targets[0]?.error?.message ?? "";
  expect(message).toContain(row.message);
  expect(message).toContain("(words)");
}

const breaksProfile: ReadonlySet<string> = new Set(["reauthentication_required", "profile_unavailable"]);

function withPicture({ sandbox }: Setting): Partial<CreatePost> {
  return { media: [{ url: sandbox.media.put("a.png", png(8, 8)) }] };
}

function statusAfter(row: ErrorRow): string {
  return breaksProfile.has(row.as) ? "needs_attention" : "connected";
}

it("no row of an error table is hidden by an earlier one", () => {
  expect(listed.filter(({ row, decides }) => row !== decides).map(({ title }) => title)).toEqual([]);
});

it("every row is tested in one of the ways below", () => {
  const tried = [
    rowsWith("none"),
    rowsWith("later", "refresh"),
    rowsWith("later", "rate_limit"),
    rowsWith("later", "not_ready"),
    rowsWith("later", "stage_again"),
    rowsWith("later", "sign_again"),
    rowsWith("duplicate"),
    rowsWith("unknown"),
    metElsewhere,
  ];
  for (const rows of tried) expect(rows.length).toBeGreaterThan(0);
  expect(new Set(tried.flat())).toEqual(new Set(listed));
});

describe("a final refusal ends the target with its row's code, and is never repeated,", () => {
  it.each(shareOf(rowsWith("none"), 9))("$title: $row.as", async ({ row, network, answer }) => {
    const run = await outcomeOf(network, { faults: () => [refused(answer, forHours)] });
    expect(run.outcome).toEqual({ ends: row.as, sent: 1, looked: 0, seconds: 0, there: 0 });
    expectExplained(run, row);
    expect(run.profile.status).toBe(statusAfter(row));
  });

  it.each(shareOf(rowsWith("none"), 9))(
    "$title: but not while an earlier response is missing",
    async ({ row, network, answer }) => {
      const faults: Fault[] = [{ kind: "accept_late", operation: "commit", seconds: 20 }, refused(answer, forHours)];
      const { outcome } = await outcomeOf(network, { faults: () => faults });
      expect(outcome).toMatchObject({ ends: network.canBeAsked ? "published" : "timeout", there: 1 });
      expect(outcome.ends).not.toBe(row.as);
    },
  );
});

describe("a refusal of a request before or after a post", () => {
  it.each(metElsewhere)("ends the target with its row's code, and leaves an existing post: $title", async (each) => {
    const { row, network, answer } = each;
    const { options = {}, operation = "", isBefore = false } = elsewhere(each) ?? {};
    const run = await outcomeOf(network, {
      post: (setting) => ({
        networks: { [network.scene.network]: options },
        ...(isBefore ? withPicture(setting) : {}),
      }),
      faults: () => [{ ...refused(answer, forHours), operation }],
    });
    expect(run.outcome).toMatchObject({ ends: row.as, there: isBefore ? 0 : 1 });
    expectExplained(run, row);
    expect(run.profile.status).toBe(statusAfter(row));
  });
});

describe("expired credentials", () => {
  const renewals = ({ operations }: OutcomeRun, { renew }: CrashNetwork) =>
    operations.filter((each) => each === renew).length;

  it.each(shareOf(rowsWith("later", "refresh"), 9))(
    "are renewed once, immediately: $title",
    async ({ network, answer }) => {
      const run = await outcomeOf(network, { faults: () => [refused(answer, 1)] });
      expect(run.outcome).toEqual({ ends: "published", sent: 2, ...aside(network, { again: 1, yes: 1 }), there: 1 });
      expect(renewals(run, network)).toBe(1);
      expect(run.profile.status).toBe("connected");
    },
  );

  it.each(shareOf(rowsWith("later", "refresh"), 9))(
    "that stay invalid after a renewal are retried for half an hour: $title",
    async ({ row, network, answer }) => {
      const run = await outcomeOf(network, { faults: () => [refused(answer, forHours)] });
      // Two attempts, with a renewal between them, after each of eleven waits.
      const { looked, seconds } = aside(network, { again: 23 });
      expect(run.outcome).toEqual({ ends: row.as, sent: 24, looked, seconds: 1915 + seconds, there: 0 });
      // More if the new ones expire during a wait.
      expect(renewals(run, network)).toBeGreaterThanOrEqual(12);
      expect(run.profile.status).toBe("needs_attention");
    },
  );
});

/** Some limits end at a time that follows only from their name, such as the day's end: the tests do not wait for that. */
function isTooFar({ scene }: CrashNetwork, { json }: SandboxAnswer): boolean {
  const now = manualClock().now();
  const end = scene.adapter().errors.rateLimitEnd({ headers: new Headers(), body: json }, now);
  return end !== null && end > now + maxRetryMs;
}

/** The default. */
const maxRetryMs = 1_800_000;

describe("a rate limit", () => {
  it.each(shareOf(rowsWith("later", "rate_limit"), 9))(
    "delays the request until it ends, without a look: $title",
    async ({ network, answer }) => {
      const faults = ({ scene, now }: Setting): Fault[] => {
        const limited = scene.refusals.limited({ now, endsAt: now + 60_000 });
        const json = { ...(limited.json as object), ...(answer.json as object) };
        return [refused({ ...limited, status: answer.status, json }, 1)];
      };
      const { outcome } = await outcomeOf(network, { faults });
      const { looked, seconds } = aside(network, { again: 1, yes: 1 });
      const waited = network.scene.refusals.tellsWholeSeconds ? 61 : 60;
      expect(outcome).toEqual({ ends: "published", sent: 2, looked, seconds: waited + seconds, there: 1 });
    },
  );

  it.each(shareOf(rowsWith("later", "rate_limit"), 9))(
    "is not waited for forever: $title",
    async ({ row, network, answer }) => {
      const run = await outcomeOf(network, { faults: () => [refused(answer, forHours)] });
      const seconds = isTooFar(network, answer) ? 0 : 1835;
      const { looked } = aside(network, { again: run.outcome.sent - 1 });
      expect(run.outcome).toMatchObject({ ends: row.as, looked, seconds, there: 0 });
      expectExplained(run, row);
    },
  );
});

describe("an object that is not ready yet", () => {
  it.each(shareOf(rowsWith("later", "not_ready"), 9))(
    "is waited for without a look: $title",
    async ({ network, answer }) => {
      const { outcome } = await outcomeOf(network, { faults: () => [refused(answer, 3)] });
      const { looked, seconds } = aside(network, { again: 3, yes: 1 });
      expect(outcome).toEqual({ ends: "published", sent: 4, looked, seconds: 5 + 10 + 20 + seconds, there: 1 });
    },
  );

  it.each(shareOf(rowsWith("later", "not_ready"), 9))(
    "is not waited for forever: $title",
    async ({ row, network, answer }) => {
      const run = await outcomeOf(network, { faults: () => [refused(answer, forHours)] });
      const { looked } = aside(network, { again: run.outcome.sent - 1 });
      expect(run.outcome).toMatchObject({ ends: row.as, looked, seconds: 1835, there: 0 });
      expectExplained(run, row);
    },
  );
});

describe("a request that must be signed again", () => {
  it.each(shareOf(rowsWith("later", "sign_again"), 9))(
    "is signed and sent again immediately, without a look: $title",
    async ({ network, answer }) => {
      const { outcome } = await outcomeOf(network, { faults: () => [refused(answer, 1)] });
      expect(outcome).toEqual({ ends: "published", sent: 2, looked: 0, seconds: 0, there: 1 });
    },
  );

  it.each(shareOf(rowsWith("later", "sign_again"), 9))(
    "waits if the second signature fails too: $title",
    async ({ network, answer }) => {
      const { outcome } = await outcomeOf(network, { faults: () => [refused(answer, 3)] });
      expect(outcome).toEqual({ ends: "published", sent: 4, looked: 0, seconds: 5 + 10, there: 1 });
    },
  );

  it.each(shareOf(rowsWith("later", "sign_again"), 9))(
    "does not wait forever: $title",
    async ({ row, network, answer }) => {
      const run = await outcomeOf(network, { faults: () => [refused(answer, forHours)] });
      expect(run.outcome).toMatchObject({ ends: row.as, looked: 0, seconds: 1835, there: 0 });
      expectExplained(run, row);
    },
  );
});

describe("an upload that is gone", () => {
  const uploads = ({ operations }: OutcomeRun, { scene }: CrashNetwork) =>
    operations.filter((each) => each === scene.operations.upload).length;

  it.each(shareOf(rowsWith("later", "stage_again"), 9))(
    "is repeated immediately: $title",
    async ({ network, answer }) => {
      const run = await outcomeOf(network, { post: withPicture, faults: () => [refused(answer, 1)] });
      expect(run.outcome).toEqual({ ends: "published", sent: 2, ...aside(network, { yes: 1 }), there: 1 });
      expect(uploads(run, network)).toBe(2);
    },
  );

  it.each(shareOf(rowsWith("later", "stage_again"), 9))(
    "is repeated only once: $title",
    async ({ row, network, answer }) => {
      const run = await outcomeOf(network, { post: withPicture, faults: () => [refused(answer, forHours)] });
      expect(run.outcome).toEqual({ ends: row.as, sent: 2, looked: 0, seconds: 0, there: 0 });
      expect(uploads(run, network)).toBe(2);
      expectExplained(run, row);
    },
  );
});

describe("a refusal as a duplicate", () => {
  const lost: Fault = { kind: "drop_after", operation: "commit" };

  /** The post appears this late, so the worker sends it again, and the network refuses it. */
  function shownAfter(seconds: number, { network, answer }: ListedRow): OutcomeOptions {
    return {
      faults({ sandbox }) {
        network.lagReads(sandbox, seconds);
        return [lost, refused(answer, forHours)];
      },
    };
  }

  it.each(shareOf(rowsWith("duplicate"), 9))(
    "is a plain refusal if no response is missing: $title",
    async ({ row, network, answer }) => {
      const run = await outcomeOf(network, { faults: () => [refused(answer, forHours)] });
      expect(run.outcome).toEqual({ ends: row.as, sent: 1, looked: 0, seconds: 0, there: 0 });
      expectExplained(run, row);
    },
  );

  /** The time after which enough looks have failed for the text to be sent again, seconds. */
  function sentAgainAfter({ scene }: CrashNetwork): number {
    const part: Part = { text: "Once.", media: [], link: null, title: null, post_type: "post", options: {} };
    const rules = scene.adapter().publish?.rules({ ...somebody, ...scene.wire.profile }, part) ?? readBackRules;
    const { hardEndSeconds, settleSeconds, betweenLooksSeconds } = rules;
    return sendWithinMs / 1000 + hardEndSeconds + settleSeconds.text + betweenLooksSeconds;
  }

  it.each(shareOf(rowsWith("duplicate"), 9))(
    "is evidence after a lost response, and the post is found: $title",
    async (each) => {
      const { outcome } = await outcomeOf(each.network, shownAfter(sentAgainAfter(each.network) + 25, each));
      expect(outcome).toMatchObject({ ends: "published", sent: 2, there: 1 });
    },
  );

  it.each(shareOf(rowsWith("duplicate"), 9))("is evidence even if the post is never found: $title", async (each) => {
    const { outcome } = await outcomeOf(each.network, shownAfter(100_000, each));
    expect(outcome).toMatchObject({ ends: "timeout", sent: 2, there: 1 });
  });
});

describe("a listed refusal with a status that leaves the outcome open", () => {
  const misleading = crashNetworks
    .filter(({ isVariant }) => !isVariant)
    .flatMap((network) =>
      misleadingAnswers(network.scene).map((answer) => {
        const said = answer.json === undefined ? String(answer.text) : JSON.stringify(answer.json);
        return { title: `${answer.status} ${said} on ${network.name}`, network, answer };
      }),
    );

  it.each(shareOf(misleading, 60))(
    "neither ends the target nor breaks the profile: $title",
    async ({ network, answer }) => {
      const faults: Fault[] = [{ kind: "refuse_though_done", operation: "commit", answer }];
      const run = await outcomeOf(network, { faults: () => faults });
      expect(run.outcome).toMatchObject({ ends: network.canBeAsked ? "published" : "timeout", there: 1 });
      expect(run.profile.status).toBe("connected");
    },
  );

  it.each(shareOf(misleading, 60))(
    "leads to a second request if the post is not there: $title",
    async ({ network, answer }) => {
      const run = await outcomeOf(network, { faults: () => [refused(answer, 1)] });
      expect(run.outcome).toMatchObject(
        network.canBeAsked ? { ends: "published", there: 1 } : { ends: "timeout", there: 0 },
      );
      expect(run.profile.status).toBe("connected");
    },
  );
});

describe("a connection", () => {
  const ends = listed.filter(({ row, network }) => {
    const isOver = breaksProfile.has(row.as) && row.operation === undefined;
    return isOver && network.read !== null;
  });

  it.each(shareOf(ends, 9))("does not end with a 500, whatever its message: $title", async ({ network, answer }) => {
    const clock = manualClock();
    const { social, sandbox } = createTestService({ clock });
    const { id } = await clock.run(() => social.profiles.connect(network.connect(sandbox)));
    network.faults(sandbox).add({ kind: "refuse", answer: { ...answer, status: 500 }, times: forHours });
    await expect(clock.run(() => social.profiles.check(id))).rejects.toMatchObject({ code: "publish_failed" });
    expect(await social.profiles.get(id)).toMatchObject({ status: "connected" });
  });
});

describe("a response that does not say whether the request was carried out", () => {
  const kinds = ["refuse", "refuse_though_done"] as const;
  const cases = rowsWith("unknown").flatMap((each) => kinds.map((kind) => ({ ...each, kind })));

  it.each(shareOf(cases, 9))("is trusted in neither direction: $title, $kind", async ({ network, answer, kind }) => {
    const { outcome } = await outcomeOf(network, { faults: () => [{ kind, operation: "commit", answer }] });
    const there = network.canBeAsked || kind === "refuse_though_done" ? 1 : 0;
    expect(outcome).toMatchObject({ ends: network.canBeAsked ? "published" : "timeout", there });
  });
});
