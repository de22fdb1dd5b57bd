import type { PlantedBug } from "./bugs.ts";

/** Mistakes that the simulation found in this engine, and that the deaths of `crash` do not show. */
export const simulateBugs: readonly PlantedBug[] = [
  {
    name: "a machine that slept since the intent sends all the same",
    hunter: "simulate-hunt.ts",
    changes: [
      { file: "src/sending/commit.ts", from: "lease.hasClockJumped() || ", to: "" },
      { file: "src/sending/commit.ts", from: " || before.now + wallPassed > sendBy", to: "" },
    ],
  },
  {
    name: "a target that settled unnoticed is written over",
    hunter: "simulate-hunt.ts",
    changes: [
      {
        file: "src/publishing/target-run.ts",
        from: "          where: { status: target.status },\n",
        to: "          where: {},\n",
      },
    ],
  },
  {
    name: "an intent is deleted while its post is still being sent",
    hunter: "simulate-hunt.ts",
    changes: [
      { file: "src/sending/intent.ts", from: "settledKeptMs = 30 * 86_400_000", to: "settledKeptMs = 0" },
      {
        file: "src/sending/retention.ts",
        from: 'if (stage === "open" || inconclusive.has(state)) return true;',
        to: 'if (stage === "open") return false;',
      },
    ],
  },
  {
    // A second look at the record, before anybody says so, would hide it.
    name: "an answer that is on record already is taken for one that came too late",
    hunter: "simulate-hunt.ts",
    changes: [
      {
        file: "src/sending/subject.ts",
        from: 'return last === "too_late" ?',
        to: 'return last === null || last === "too_late" ?',
      },
      {
        file: "src/sending/subject.ts",
        from: "      intents = await readIntents(run, index);\n      const known",
        to: "      const known",
      },
    ],
  },
  {
    name: "a post that has ended leaves its old status on its other targets",
    hunter: "simulate-hunt.ts",
    changes: [
      {
        file: "src/publishing/settle.ts",
        from: "      ...(post_status === post.status ? [] : await markOthers(ports, { targets, settled: target, post_status })),\n",
        to: "",
      },
    ],
  },
  {
    // Within one process a queue for each post would hide it.
    name: "settle without the post's version",
    hunter: "simulate-hunt.ts",
    changes: [
      { file: "src/publishing/settle.ts", from: "where: { version: post.version }", to: "where: {}" },
      {
        file: "src/publishing/settle.ts",
        from: "ports.inTurn(target.post_id, () => settleUntilAgreed(ports, target, settlement, options))",
        to: "settleUntilAgreed(ports, target, settlement, options)",
      },
    ],
  },
  {
    // A second lock, on the target's own status, would hide it.
    name: "no epoch check: whoever held the profile goes on writing",
    hunter: "simulate-hunt.ts",
    changes: [
      { file: "src/work/lease.ts", from: "    where: { epoch: row.epoch, ...where },\n", to: "    where,\n" },
      {
        file: "src/publishing/target-run.ts",
        from: "          where: { status: target.status },\n",
        to: "          where: {},\n",
      },
    ],
  },
  {
    // That a mark whose moment has come is written again would hide it after long work.
    name: "what became due while a profile was held is forgotten when it is given back",
    hunter: "simulate-hunt.ts",
    changes: [
      {
        file: "src/work/lease.ts",
        from: "      if (isOwnDueAtUnsafe()) {",
        to: "      if (isOwnDueAtUnsafe() && false) {",
      },
      {
        file: "src/work/lease.ts",
        from: "            where: { epoch: row.epoch, due_at: mark },\n",
        to: "            where: { epoch: row.epoch },\n",
      },
    ],
  },
  {
    name: "a process that has died keeps the posts that it was starting",
    hunter: "simulate-hunt.ts",
    changes: [
      {
        file: "src/storage/memory.ts",
        from: "matcher({ due_at: { gte: -leaseUntil, lt: -now } })",
        to: "matcher({ due_at: { lt: 0 } })",
      },
    ],
  },
  {
    name: "a post whose claim has ended is started once more",
    hunter: "simulate-hunt.ts",
    changes: [
      {
        file: "src/publishing/start.ts",
        from: '      where: { version: post.version, status: "scheduled" },\n',
        to: "      where: {},\n",
      },
    ],
  },
];
