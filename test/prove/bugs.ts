import { deliveryBugs } from "./delivery-bugs.ts";
import { inboxBugs } from "./inbox-bugs.ts";
import { networkBugs } from "./network-bugs.ts";
import { restBugs } from "./rest-bugs.ts";
import { simulateBugs } from "./simulate-bugs.ts";
import { stayingBugs } from "./staying-bugs.ts";

/** A mistake that somebody could make: what it does, and the lines that make it. */
export interface PlantedBug {
  name: string;
  /** Which runs look for it: `hunt.ts` those of the phase `crash`, `crash-servers-hunt.ts` those on small servers, `delivery-hunt.ts` of `webhooks`, `fuzz-hunt.ts` of `fuzz`, `simulate-hunt.ts` of `simulate`, `inbox-hunt.ts` of `inbox`; `network-hunt.ts` and `staying-hunt.ts` runs of their own. */
  hunter:
    | "hunt.ts"
    | "network-hunt.ts"
    | "crash-servers-hunt.ts"
    | "delivery-hunt.ts"
    | "fuzz-hunt.ts"
    | "simulate-hunt.ts"
    | "inbox-hunt.ts"
    | "staying-hunt.ts";
  changes: readonly Change[];
  /** Where its hunter begins, as others take minutes to come there: a part of a run's name (`crash`), a series (`webhooks`), a seed (`simulate`, `inbox`). Absent: with its first run. */
  startAt?: string;
}

/** In one file, text that stands there exactly once and what it becomes. */
export interface Change {
  file: string;
  from: string;
  to: string;
}

const commit = "src/sending/commit.ts";
const record = "src/sending/record.ts";
const subject = "src/sending/subject.ts";
const settle = "src/publishing/settle.ts";
const lease = "src/work/lease.ts";

const engineBugs: readonly Omit<PlantedBug, "hunter">[] = [
  {
    name: "no intent: it is written with the answer",
    changes: [
      {
        file: commit,
        from: '    operations: [...run.guard(), { kind: "insert", collection: "intents", row: toRow(intent) }],',
        to: "    operations: [],",
      },
      {
        file: record,
        from: `  const now = run.lease.now();
  const { unknown_since: wasUnknown, replay_at } = intent.private;
`,
        to: `  const now = run.lease.now();
  await run.ports.storage
    .write([{ kind: "insert", collection: "intents", row: JSON.parse(JSON.stringify(intent)) }])
    .catch(() => undefined);
  const { unknown_since: wasUnknown, replay_at } = intent.private;
`,
      },
    ],
  },
  {
    name: "no settle window: the network is asked at once",
    changes: [
      {
        file: "src/sending/next-step.ts",
        from: "  return Math.max(intent.private.hard_end, since) + waitMs;",
        to: "  return since;",
      },
    ],
  },
  {
    name: "one empty read instead of two",
    changes: [{ file: "src/sending/look.ts", from: "taken.length < run.publisher.rules.emptyReads", to: "false" }],
  },
  {
    name: "a lease shorter than the call",
    startAt: "the network acts after 25 s, beside a second worker; dies: all networks, a file made to fit",
    changes: [{ file: lease, from: "now() + ms + leaseMarginMs", to: "now() + leaseMarginMs" }],
  },
  {
    name: "blind retry on 5xx",
    changes: [
      {
        file: "src/networks/runtime/error-map.ts",
        from: '  return { effect: "unknown", code: "network_error", message, networkMessage, status };',
        to: `  const seen = { code: "network_error", message, networkMessage, status } as const;
  return status >= 500
    ? { effect: "later", remedy: "not_ready", retryAt: null, scope: "profile", ...seen }
    : { effect: "unknown", ...seen };`,
      },
    ],
  },
  {
    name: "known words are believed under a 5xx",
    startAt: "though posted; dies: threads, text",
    changes: [
      {
        file: "src/networks/runtime/error-map.ts",
        from: '  return row.effect === "unknown" || !isUndecided(status);',
        to: "  return true;",
      },
    ],
  },
  {
    name: "retry after a timeout",
    changes: [
      {
        file: commit,
        from: 'error.kind === "not_sent" && !replayed',
        to: 'error.kind === "not_sent" || error.kind === "timeout"',
      },
    ],
  },
  {
    name: "settle in two writes",
    changes: [
      {
        file: settle,
        from: `    await onlyWhileHeld("profiles", () => ports.outbox.write(operations, event, now));`,
        to: `    await onlyWhileHeld("profiles", () => ports.outbox.write(operations.slice(0, 2), event, now));
    await onlyWhileHeld("profiles", () => ports.storage.write(operations.slice(2)));`,
      },
    ],
  },
  {
    name: "files that were made for a post are kept for good",
    changes: [{ file: settle, from: "isFrozen ? await releaseAllOperations(storage, id) : ", to: "isFrozen ? [] : " }],
  },
  {
    name: "what goes out is the file as it came, not the one that was made to fit",
    changes: [{ file: "src/publishing/files.ts", from: "...withFrozen(part, state),", to: "...part," }],
  },
  {
    name: "a container's id is taken for the post's",
    changes: [
      {
        file: "src/networks/instagram/look-for.ts",
        from: "      return publishedAs(context, input, api);",
        to: "      return { live: { id: container, url: null, ref: null } };",
      },
    ],
  },
  {
    name: "facebook: a post that shows none of our photos is taken for somebody else's",
    changes: [
      {
        file: "src/networks/facebook/feed.ts",
        from: 'origin: photos.some((id) => ids.has(id)) ? "ours" : null,',
        to: 'origin: photos.some((id) => ids.has(id)) ? "ours" : "foreign",',
      },
    ],
  },
  {
    name: "a new key on a replay",
    changes: [
      {
        file: commit,
        from: "{ ...boundRequestOf(run, intent).request(), ...(given && { body: given }) }",
        to: '{ ...run.publisher.requestFor([intent.private.key.split("").reverse().join("")]).request() }',
      },
      {
        file: commit,
        from: "await sameBody(run, intent)",
        to: "await encode(run, stored.body, await filesOf(run, stored.body))",
      },
    ],
  },
  {
    name: "replay before reading back, on a server that ignores the key",
    changes: [
      { file: "src/networks/contract/publish.ts", from: "  replaySeconds: 0,\n", to: "  replaySeconds: 100,\n" },
    ],
  },
  {
    name: "a commit sent after its send_by",
    startAt: "one call takes 5 min longer, beside a second worker: pinterest, media",
    changes: [
      {
        file: commit,
        from: "lease.now() > sendBy || before.now + wallPassed > sendBy",
        to: "lease.now() + before.now + wallPassed + sendBy < 0",
      },
    ],
  },
  {
    name: "how long ago a part was sent is told by the store's clock alone",
    startAt: "in which the store's clock is put back",
    changes: [{ file: "src/sending/ask-network.ts", from: "...ages.flat()", to: "...ages.map(([first]) => first)" }],
  },
  {
    name: "a late answer thrown away with the lost lease",
    startAt: "one call takes 1 min longer, beside a second worker: linkedin member, text",
    changes: [
      {
        file: record,
        from: `  const operations: Operation[] = [
    {
`,
        to: `  const operations: Operation[] = [
    run.lease.check(),
    {
`,
      },
      {
        file: record,
        from: 'if (error.operation.collection === "intents") return false;',
        to: 'if (error.operation.collection !== "publications") return false;',
      },
    ],
  },
  {
    name: "a thread resumed at the wrong part",
    changes: [
      {
        file: subject,
        from: "    const index = run.state().live.length;\n",
        to: `    const known = run.state().live.length;
    const index = known === 0 && (await readIntents(run, 1)).length > 0 ? 1 : known;
`,
      },
    ],
  },
];

/** What a network's adapter could get wrong, one for each way in which networks publish. */
const adapterBugs: readonly Omit<PlantedBug, "hunter">[] = [
  {
    name: "an upload that is not known any more was never finished",
    changes: [
      {
        file: "src/networks/youtube/look-for.ts",
        from: 'if (state.at === "gone") return sightUploads(context, input);',
        to: 'if (state.at === "gone") return { absent: true };',
      },
    ],
  },
  {
    name: "a look leaves out an entry of an unordered list, and takes it for the whole",
    changes: [
      {
        file: "src/networks/pinterest/look-for.ts",
        from: "  const own = items.filter(({ is_owner }) => is_owner !== false);\n",
        to: "  const own = items.filter(({ is_owner }) => is_owner !== false).slice(1);\n",
      },
    ],
  },
  {
    name: "a reply is looked for among the posts that begin threads",
    startAt: "beside a second worker; dies: threads, thread",
    changes: [
      {
        file: "src/networks/threads/look-for.ts",
        from: 'isReply ? "replies" : "threads"',
        to: '"threads"',
      },
    ],
  },
  {
    name: "google_business: times of posts read as seconds",
    changes: [
      {
        file: "src/networks/google_business/look-for.ts",
        from: 'return Date.parse(createTime ?? "");',
        to: 'return Date.parse(createTime ?? "") / 1000;',
      },
    ],
  },
  {
    name: "tiktok: an upload with all its bytes taken for one that was never finished",
    changes: [
      {
        file: "src/networks/tiktok/look-for.ts",
        from: "  const status = await readStatus(context, publishId);\n  return",
        to: `  const status = await readStatus(context, publishId);
  const { total = 0 } = uploadIn(input.staged) ?? {};
  if (input.job === undefined && (status?.uploadedBytes ?? 0) <= total) return { absent: true };
  return`,
      },
    ],
  },
];

const evidence = "src/networks/runtime/match-posts.ts";
const look = "src/sending/look.ts";

/** What two small servers of Mastodon's API once showed: a look that does not recognise, or cannot see, what went out. */
const lookBugs: readonly Omit<PlantedBug, "hunter">[] = [
  {
    name: "equality of rendered text",
    changes: [
      {
        file: look,
        from: "    textForms: run.publisher.textForms(),\n",
        to: "    textForms: run.publisher.textForms().slice(0, 1),\n",
      },
      {
        file: evidence,
        from: "  return { strong, unexplained };\n",
        to: "  return { strong: [], unexplained: [] };\n",
      },
    ],
  },
  {
    name: "an incomplete listing taken as complete",
    changes: [
      {
        file: evidence,
        from: "  const isWhole = sight.lists.some((list) => list.isWhole && isTrusted(list, sought));\n",
        to: "  const isWhole = sight.lists.length > 0 || sought.trusted.size >= 0;\n",
      },
    ],
  },
  {
    name: "a short text that is not ours to the letter is somebody else's",
    changes: [{ file: evidence, from: " : haveNothingInCommon(ours, theirs);", to: " : differ(ours, theirs);" }],
  },
  {
    name: "unexplained posts ignored",
    changes: [
      {
        file: look,
        from: "  if (evidence.unexplained.length === 0) return null;\n",
        to: "  if (evidence.unexplained.length >= 0) return null;\n",
      },
    ],
  },
];

export const plantedBugs: readonly PlantedBug[] = [
  ...[...engineBugs, ...adapterBugs].map((bug) => ({ ...bug, hunter: "hunt.ts" as const })),
  ...lookBugs.map((bug) => ({ ...bug, hunter: "crash-servers-hunt.ts" as const })),
  ...deliveryBugs,
  ...simulateBugs,
  ...inboxBugs,
  ...stayingBugs,
  ...networkBugs,
  ...restBugs.map((bug) => ({ ...bug, hunter: "fuzz-hunt.ts" as const })),
];
