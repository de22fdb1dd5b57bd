import type { PlantedBug } from "./bugs.ts";

const ingest = "src/inbox/ingest.ts";
const changedRows = "src/inbox/changed-rows.ts";

const bugs: readonly Omit<PlantedBug, "hunter">[] = [
  {
    name: "inbox: an answer that was read from the network already is shown twice",
    startAt: "21",
    changes: [
      {
        file: "src/inbox/settle-reply.ts",
        from: "    if (echo !== undefined && echo.id !== message.id) return merge(ports, message, echo.id, given);",
        to: "",
      },
      {
        file: "src/inbox/settle-reply.ts",
        from: "    const settled = shownMessage(message, { key, published",
        to: "    const settled = shownMessage(message, { key: echo === undefined ? key : message.key, published",
      },
    ],
  },
  {
    name: "inbox: what a webhook brings and what a list brings are two messages",
    changes: [
      {
        file: "src/networks/facebook/inbox-messaging.ts",
        from: "key: messageKey(mid), external_id",
        to: 'key: messageKey(mid + "-hook"), external_id',
      },
    ],
  },
  {
    name: "inbox: unread messages are counted without a look at who else writes",
    startAt: "97",
    changes: [
      {
        file: changedRows,
        from: "change, where: { seq: before.seq }, isComplete: true };",
        to: "change, where: {}, isComplete: true };",
      },
      { file: ingest, from: "where: { epoch: lease.epoch, seq: inbox.seq },", to: "where: { epoch: lease.epoch }," },
    ],
  },
  {
    name: "inbox: a webhook is answered before it is stored",
    changes: [
      {
        file: "src/inbox/hook-intake.ts",
        from: "    const { inboxes, isTooMuch, isOfOthers } = await take(ports, { where: senders.inboxes, events, now }, admit);",
        to: `    void take(ports, { where: senders.inboxes, events, now }, admit).catch(() => undefined);
    const { inboxes, isTooMuch, isOfOthers } = { inboxes: [], isTooMuch: false, isOfOthers: false };`,
      },
    ],
  },
  {
    name: "inbox: a walk counts as whole before it is",
    startAt: "23",
    changes: [
      {
        file: "src/networks/shared/walk.ts",
        from: "    : { floor, top: reached, page: next,",
        to: "    : { floor: reached, top: reached, page: next,",
      },
    ],
  },
  {
    name: "inbox: comments under older posts are looked for under the newest",
    startAt: "12",
    changes: [
      {
        file: "src/networks/facebook/inbox-comments.ts",
        from: "  const pages = (posts?.pages ?? 0) + 1;",
        to: "  const pages = reach.pages;",
      },
    ],
  },
  {
    name: "inbox: where to read on is written before what was read",
    startAt: "3",
    changes: [
      {
        file: "src/inbox/poll.ts",
        from: "await turn.ingest({ facts, readAt, state: after });",
        to: `(await turn.ingest({ facts: [], readAt, state: after })) +
          (await turn.ingest({ facts, readAt, state: (stored) => stored }));`,
      },
    ],
  },
  {
    name: "inbox: what a list brings beyond its allowance is dropped",
    changes: [
      {
        file: "src/inbox/poll.ts",
        from: "    const facts = reader.readable(found.facts, lease.now());",
        to: `    const all = reader.readable(found.facts, lease.now());
    await allowance.count({ facts: all, rows: 0, isMore: found.more, now: lease.now() });
    const facts = allowance.isUsedUp(lease.now()) ? [] : all;`,
      },
    ],
  },
  {
    name: "inbox: a page that shows nothing ends its list",
    changes: [
      {
        file: "src/networks/mastodon/inbox-pages.ts",
        from: "if (linked !== null) return linked;",
        to: "if (linked !== null && page.length > 0) return linked;",
      },
    ],
  },
  {
    name: "inbox: what the owner writes to strangers begins conversations",
    changes: [
      {
        file: "src/networks/mastodon/inbox-thread.ts",
        from: "isOurs: !isUnanswered",
        to: "isOurs: true || isUnanswered",
      },
    ],
  },
  {
    name: "inbox: what is told of a message before the message is dropped",
    startAt: "38",
    changes: [{ file: ingest, from: "    ...pending,\n", to: "" }],
  },
  {
    name: "inbox: what is told of a thread before the thread is dropped",
    changes: [
      {
        file: "src/inbox/changes.ts",
        from: "    pendingUpdates: [...pending, ...threadUpdates.values()],",
        to: "    pendingUpdates: threadUpdates.size > 0 ? pending : pending,",
      },
    ],
  },
  {
    name: "inbox: a key whose answer is not known yet gives a new answer",
    changes: [
      {
        file: "src/inbox/reply.ts",
        from: 'if (earlier !== null && earlier.state !== "failed") return',
        to: 'if (earlier !== null && earlier.state === "live") return',
      },
      {
        file: "src/inbox/reply.ts",
        from: "begin(ports, conversation, { text, key, earlier, reply_to, by })",
        to: `begin(ports, conversation, earlier === null || earlier.state === "failed" ? { text, key, earlier, reply_to, by } : { text, key: null, earlier: null, reply_to, by })`,
      },
    ],
  },
  {
    name: "inbox: an answer goes out after its end",
    changes: [
      {
        file: "src/sending/progress.ts",
        from: "  return run.sendUntil !== null && Math.max(at, run.lease.now()) > run.sendUntil;",
        to: "  return false && Math.max(at, run.lease.now()) > (run.sendUntil ?? 0);",
      },
      { file: "src/sending/commit.ts", from: '  if (until !== null && now > until) return "too_late";\n', to: "" },
    ],
  },
  {
    name: "inbox: a message that is deleted unread stays unread",
    startAt: "5",
    changes: [
      {
        file: "src/inbox/changes.ts",
        from: "      if (draft.before !== null && countsAsNews(row, stored.inbox)) withdraw(row);\n",
        to: "",
      },
    ],
  },
  {
    name: "inbox: rows of one write have one number",
    changes: [{ file: changedRows, from: "    next += 1;\n", to: "" }],
  },
  {
    name: "inbox: what failed to be read stays due",
    startAt: "13",
    changes: [
      {
        file: "src/inbox/hook-work.ts",
        from: "      if (round === 0 && state !== undefined && state.failures > 0) await forgetFailure(turn);\n",
        to: "",
      },
    ],
  },
];

/** Mistakes that the simulated days of inboxes are to notice. */
export const inboxBugs: readonly PlantedBug[] = bugs.map((bug) => ({ ...bug, hunter: "inbox-hunt.ts" }));
