import { describe, expect, it } from "vitest";
import type { Reply } from "../../../src/networks/contract/inbox.ts";
import { contractFile, openApiChecker } from "../../support/openapi.ts";
import { app, connectedBench, type Desk } from "./bench.ts";

const contract = contractFile("twitch.json");
const target = { url: "https://app.example.com/hooks/twitch/app", appId: app.client_id, secret: app.client_secret };

/** Sends a reply as the engine would. */
async function answer({ bench, connected }: Desk, reply: Reply): Promise<void> {
  const replier = bench.adapter.inbox?.reply;
  const publisher = replier?.publishers?.[reply.kind];
  if (replier === undefined || publisher === undefined) throw new Error("Twitch has no answers");
  const { part, previous } = replier.asPost(reply, connected.profile);
  const { commit } = publisher;
  const input = { profile: connected.profile, secret: {}, part, index: 0, staged: {}, first: null, previous };
  await bench.run(() => connected.send(commit({ ...input, key: "", created_at: "2026-11-20T12:00:00.000Z" })));
}

describe.skipIf("skip" in contract)("traffic with the simulated Twitch", () => {
  it("conforms to Twitch's OpenAPI document", async () => {
    if ("skip" in contract) return;
    const desk = await connectedBench();
    const { bench, connected, channel } = desk;
    const hooks = bench.adapter.inbox?.hooks;
    const context = {
      ...connected.context,
      known: async () => new Map(),
      knownThreads: async () => new Set<string>(),
      connectedAt: 0,
    };
    bench.network.sendHooksTo(async (request) => {
      const { challenge } = (await request.json()) as { challenge: string };
      return new Response(challenge);
    });
    expect(await bench.run(async () => hooks?.subscribe(context, target))).toEqual({ state: "asked" });
    expect(await bench.run(async () => hooks?.subscribe(context, target))).toEqual({ state: "confirmed" });
    await bench.run(async () => hooks?.unsubscribe?.(connected.context, target));
    const ann = bench.network.addViewer("ann");
    const line = bench.network.lineAs(ann, channel, { text: "@fox hi" });
    const to = { external_id: line, author: { id: ann, name: "ann" }, sent_at: 0, ref: null };
    await answer(desk, { text: "Hello", kind: "mention", to, by: "automation", isOpen: true });
    await answer(desk, { text: "Hello", kind: "dm", to, by: "automation", isOpen: true });
    const checker = openApiChecker(contract.file);
    const findings = bench.seen
      .filter(({ url }) => url.hostname === "api.twitch.tv")
      .flatMap(({ method, url, bytes, answer: given }) => {
        const path = url.pathname.replace("/helix", "");
        const body = bytes.length === 0 ? undefined : JSON.parse(new TextDecoder().decode(bytes));
        const lines = [...checker.request(method, path, body)];
        if (given !== null) lines.push(...checker.reply(method, path, given.status, given.json));
        return lines.map((finding) => `${method} ${path}: ${finding}`);
      });
    expect(findings).toEqual([]);
    expect(new Set(bench.seen.map(({ operation }) => operation))).toEqual(
      new Set([
        ...["validate", "getUsers", "token", "listSubscriptions", "createSubscription", "deleteSubscription"],
        ...["sendLine", "sendWhisper"],
      ]),
    );
  });
});
