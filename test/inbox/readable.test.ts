import { describe, expect, it } from "vitest";
import { readableFact } from "../../src/inbox/readable.ts";
import type { Attachment, InboxUpdate, MessageFact, NewMessage } from "../../src/networks/contract/inbox.ts";

const now = 2_000_000;
const ann = { id: "ann", name: "Ann", handle: null, avatar_url: null };

function written(change: Partial<NewMessage>, referral: MessageFact["thread"]["referral"] = null): MessageFact {
  return {
    fact: "message",
    at: now,
    thread: { kind: "dm", key: "dm:ann", external_id: "ann", participant: ann, url: null, referral },
    message: {
      key: "dm:1",
      external_id: "1",
      own: false,
      text: "Hello",
      attachments: [],
      author: ann,
      sent_at: now,
      edited_at: null,
      ...change,
    },
  };
}

function read(fact: InboxUpdate): MessageFact {
  const readable = readableFact(fact, { redact: (text) => text, now });
  if (readable?.fact !== "message") throw new Error("It is no message.");
  return readable;
}

const attachmentsOf = (...attachments: Attachment[]) => read(written({ attachments })).message.attachments;

describe("an attachment of a message", () => {
  it("keeps all its fields", () => {
    const place = { type: "location", url: null, title: "The Fox", coordinates: { lat: 59.9, long: 10.7 } };
    expect(attachmentsOf(place)).toEqual([place]);
  });

  it("that is too long keeps the parts that fit, the URL first", () => {
    const long = "x".repeat(20_000);
    const [kept] = attachmentsOf({ type: "file", url: "https://example.com/a", data: { long }, name: "a.pdf" });
    expect(kept).toEqual({ type: "file", url: "https://example.com/a", name: "a.pdf" });
    const [cut] = attachmentsOf({ type: "link", url: null, title: long });
    expect(String(cut?.title)).toMatch(/^x{800,1000}…$/);
  });

  it("is shown as unreadable where a message has no content at all", () => {
    const shown = (change: Partial<NewMessage>) => read(written(change)).message.attachments;
    expect(shown({ text: null })).toEqual([{ type: "unsupported", url: null }]);
    expect(shown({ text: "Hello" })).toEqual([]);
  });
});

describe("the beginning of a thread", () => {
  it("that is too long keeps the parts that fit", () => {
    const referral = { source: "ADS", ad_id: "7", context: { photo: "x".repeat(20_000) } };
    expect(read(written({}, referral)).thread.referral).toEqual({ source: "ADS", ad_id: "7" });
    const fact = { fact: "referral", at: now, thread: "dm:ann", person: "ann", referral } as const;
    expect(readableFact(fact, { redact: (text) => text, now })).toMatchObject({
      referral: { source: "ADS", ad_id: "7" },
    });
  });
});

describe("the message that a reply answers", () => {
  it("is kept where it can be requested, and costs nothing else where it cannot", () => {
    expect(read(written({ reply_to: "dm:0" })).message.reply_to).toBe("dm:0");
    const { message } = read(written({ reply_to: "no key" }));
    expect([message.text, message.reply_to]).toEqual(["Hello", undefined]);
  });
});

it("no text of an update keeps a secret that a server sends back, wherever it stands", () => {
  const secret = "s3cret-of-the-account";
  const words = `${"x".repeat(990)} ${secret}`;
  const person = { id: "ann", name: secret, handle: secret, avatar_url: `https://example.com/${secret}` };
  const attachment = { type: secret, url: `https://example.com/${secret}`, title: words, deep: [{ in: secret }] };
  const referral = { ref: secret, context: { title: secret } };
  const message = written({ text: secret, attachments: [attachment], author: person }, referral);
  const facts: InboxUpdate[] = [
    { ...message, thread: { ...message.thread, participant: person, url: `https://example.com/${secret}` } },
    { fact: "edit", at: now, key: "dm:1", text: secret, attachments: [attachment] },
    { fact: "referral", at: now, thread: "dm:ann", person: "ann", referral },
    { fact: "reaction", at: now, key: "dm:1", from: "ann", emoji: secret, gone: false },
    { fact: "reactions", at: now, key: "dm:1", all: [{ from: "ann", emoji: secret }] },
  ];
  const redact = (text: string): string => text.replaceAll(secret, "[redacted]");
  for (const fact of facts) {
    const kept = JSON.stringify(readableFact(fact, { redact, now }));
    expect(kept).toContain("[redacted]");
    expect(kept).not.toContain("s3cret");
  }
});
