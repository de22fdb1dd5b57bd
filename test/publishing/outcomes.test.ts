import { describe, expect, it } from "vitest";
import type { Fault } from "../../src/sandbox/faults.ts";
import { crashRun } from "../support/crash.ts";
import { crashNetworks } from "../support/crash-networks.ts";

/** How one post ends when its commit goes wrong this way: code of the target's error, or published; and on the network so often. */
interface Expected {
  ends: "published" | "network_error" | "timeout" | "rejected_by_network" | "reauthentication_required";
  posts: number;
}

const once: Expected = { ends: "published", posts: 1 };

const faults: readonly { name: string; fault: Fault; asked: Expected; unasked: Expected }[] = [
  { name: "name look-up fails", fault: { kind: "not_sent", code: "ENOTFOUND" }, asked: once, unasked: once },
  { name: "connection refused", fault: { kind: "not_sent", code: "ECONNREFUSED" }, asked: once, unasked: once },
  { name: "certificate refused", fault: { kind: "not_sent", code: "CERT_HAS_EXPIRED" }, asked: once, unasked: once },
  {
    name: "connection refused, for hours",
    fault: { kind: "not_sent", code: "ECONNREFUSED", times: 1_000 },
    asked: { ends: "network_error", posts: 0 },
    unasked: { ends: "network_error", posts: 0 },
  },
  {
    name: "reset before the network acted",
    fault: { kind: "drop_before" },
    asked: once,
    unasked: { ends: "timeout", posts: 0 },
  },
  {
    name: "reset after the network acted",
    fault: { kind: "drop_after" },
    asked: once,
    unasked: { ends: "timeout", posts: 1 },
  },
  { name: "no answer ever", fault: { kind: "hang" }, asked: once, unasked: { ends: "timeout", posts: 0 } },
  { name: "an answer after 5 s", fault: { kind: "slow", seconds: 5 }, asked: once, unasked: once },
  {
    name: "an answer after the hard end",
    fault: { kind: "slow", seconds: 600 },
    asked: once,
    unasked: { ends: "timeout", posts: 1 },
  },
  { name: "a 2xx cut in the middle", fault: { kind: "cut_body" }, asked: once, unasked: { ends: "timeout", posts: 1 } },
  {
    name: "a 2xx without a body",
    fault: { kind: "refuse_though_done", answer: { status: 200 } },
    asked: once,
    unasked: { ends: "timeout", posts: 1 },
  },
  {
    name: "a 2xx with a page",
    fault: { kind: "refuse_though_done", answer: { status: 200, text: "<html>All well</html>" } },
    asked: once,
    unasked: { ends: "timeout", posts: 1 },
  },
  {
    name: "a 2xx with another JSON",
    fault: { kind: "refuse_though_done", answer: { status: 200, json: { ok: true } } },
    asked: once,
    unasked: { ends: "timeout", posts: 1 },
  },
  {
    name: "a redirect",
    fault: { kind: "refuse", answer: { status: 302, headers: { location: "https://elsewhere.example/" } } },
    asked: once,
    unasked: { ends: "timeout", posts: 0 },
  },
  ...[500, 502, 503, 504].flatMap((status) => [
    {
      name: `${status} though it was posted`,
      fault: { kind: "refuse_though_done" as const, answer: { status, text: "oops" } },
      asked: once,
      unasked: { ends: "timeout" as const, posts: 1 },
    },
    {
      name: `${status}, not posted`,
      fault: { kind: "refuse" as const, answer: { status, text: "oops" } },
      asked: once,
      unasked: { ends: "timeout" as const, posts: 0 },
    },
  ]),
  ...[408, 409, 425, 499].map((status) => ({
    name: `${status} of a proxy`,
    fault: { kind: "refuse" as const, answer: { status, text: "oops" } },
    asked: once,
    unasked: { ends: "timeout" as const, posts: 0 },
  })),
];

describe.each(crashNetworks)("a text on $name", (network) => {
  it.each(faults)("$name", async ({ fault, asked, unasked }) => {
    const { world, post } = await crashRun(network, "text", {
      prepare: ({ sandbox }) => network.faults(sandbox).add({ ...fault, operation: "commit" }),
    });
    const expected = network.canBeAsked ? asked : unasked;
    const target = post?.targets[0];
    expect(target?.error?.code ?? target?.status).toBe(expected.ends);
    expect(network.posts(world.sandbox)).toHaveLength(expected.posts);
    expect(target?.post_ids).toEqual(
      expected.ends === "published" ? network.posts(world.sandbox).map(({ id }) => id) : [],
    );
  });
});
