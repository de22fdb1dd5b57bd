import { expect, it } from "vitest";
import type { InboxKind } from "../../networks/contract/inbox.ts";
import type { InboxScene } from "../../sandbox/inbox-scene.ts";
import { SocialError } from "../../wire/errors.ts";
import type { JsonObject } from "../../wire/json.ts";
import { type InboxContractOptions, type InboxTest, openInbox } from "./bench.ts";
import { inboxKinds } from "./reading.ts";

/** Requirements of replies. */
export function replyingContract(options: InboxContractOptions, probe: InboxScene): void {
  const ann = probe.person("Ann");
  const kinds = inboxKinds.filter((kind) => ann[kind] !== undefined);

  it.each(kinds)("sends a reply to a %s with one committing request, or says why it cannot", async (kind) => {
    const { test, conversationId } = await asked(options, kind);
    const outcome = await reply(test, conversationId, { text: "We do." });
    await test.settle();
    const sent = test.scene.texts().filter((text) => text.includes("We do.")).length;
    if (outcome.id === undefined) {
      expect([sent, test.commits, await test.shown("We do.")]).toEqual([0, [], []]);
      expect(outcome.error).toMatchObject({ code: "publish_failed", details: [{ network: test.scene.network }] });
      return;
    }
    expect([sent, test.commits.length]).toEqual([1, 1]);
    const shown = await test.shown("We do.");
    expect(shown.map(({ message }) => [message.id, message.direction])).toEqual([[outcome.id, "outbound"]]);
    expect(shown[0]?.conversation.unread_count).toBe(1);
  });

  it("sends one reply for a key, however often it is requested", async () => {
    const { test, conversationId } = await asked(options, await answerable());
    const given = { text: "We do.", idempotency_key: "reply-000001" };
    const [one, other] = await Promise.all([reply(test, conversationId, given), reply(test, conversationId, given)]);
    const later = await reply(test, conversationId, given);
    expect(new Set([one.id, other.id, later.id]).size).toBe(1);
    expect(test.scene.texts().filter((text) => text.includes("We do."))).toHaveLength(1);
  });

  it("never sends a reply twice whose response was lost, and sends the next one", async () => {
    const { test, conversationId } = await asked(options, await answerable());
    test.host.faults.add({ kind: "drop_after", operation: "commit" });
    const given = { text: "We do.", idempotency_key: "reply-000001" };
    const first = await reply(test, conversationId, given);
    await test.settle();
    const again = await reply(test, conversationId, given);
    const next = await reply(test, conversationId, { text: "Until four.", idempotency_key: "reply-000002" });
    await test.settle();
    const texts = test.scene.texts();
    expect(texts.filter((text) => text.includes("We do."))).toHaveLength(1);
    expect(texts.filter((text) => text.includes("Until four."))).toHaveLength(next.id === undefined ? 0 : 1);
    expect(next.error).toBeUndefined();
    for (const { error } of [first, again]) if (error !== undefined) expect(isUnclear(error)).toBe(true);
  });

  it("rejects a reply that is too long, names the field, and stores nothing", async () => {
    const { test, conversationId } = await asked(options, await answerable());
    const { error } = await reply(test, conversationId, { text: "long ".repeat(12_000) });
    expect(error?.details.map(({ field }) => field)).toEqual(["text"]);
    expect(test.commits).toEqual([]);
    const { rows } = await test.storage.find("messages", { where: { direction: "outbound" }, isCounted: false });
    expect(rows).toEqual([]);
  });

  it.each([400, 401, 403, 500])(
    "keeps secrets out of errors and logs when the network responds with %d",
    async (status) => {
      const { test, conversationId } = await asked(options, await answerable());
      test.host.faults.add({ kind: "refuse", answer: { status, json: {} }, times: 1_000 });
      const { error } = await reply(test, conversationId, { text: "We do." });
      await test.settle();
      const said = [JSON.stringify(error), error?.stack, JSON.stringify(await test.social.inbox.status())];
      for (const secret of secretsIn(test.scene.credentials))
        expect([...said, ...test.log].join("\n")).not.toContain(secret);
    },
  );

  /** The first kind of conversation in which the account can reply. */
  async function answerable(): Promise<InboxKind> {
    for (const kind of kinds) {
      const { test, conversationId } = await asked(options, kind);
      const { id } = await reply(test, conversationId, { text: "We do." });
      if (id !== undefined) return kind;
    }
    throw new Error("The account cannot reply to anything.");
  }
}

async function asked(
  options: InboxContractOptions,
  kind: InboxKind,
): Promise<{ test: InboxTest; conversationId: string }> {
  const test = await openInbox(options);
  test.scene.person("Ann")[kind]?.("Do you ship?");
  await test.settle();
  const [shown] = await test.shown("Do you ship?");
  return { test, conversationId: shown?.conversation.id ?? "" };
}

interface Outcome {
  id?: string;
  error?: SocialError;
}

/** Replies, and waits for the outcome. */
async function reply(
  { clock, social }: InboxTest,
  conversationId: string,
  given: { text: string; idempotency_key?: string },
): Promise<Outcome> {
  return clock.run(() =>
    social.inbox.conversations.reply(conversationId, given).then(
      ({ id }): Outcome => ({ id }),
      (error: unknown): Outcome => {
        if (SocialError.is(error)) return { error };
        throw error;
      },
    ),
  );
}

/** True: the service says that nobody knows whether the reply was sent. */
function isUnclear({ details }: SocialError): boolean {
  return details.some(({ code }) => code === "timeout");
}

function secretsIn(credentials: JsonObject): string[] {
  return Object.entries(credentials)
    .filter(([name]) => /token|password|secret/.test(name))
    .map(([, value]) => String(value));
}
