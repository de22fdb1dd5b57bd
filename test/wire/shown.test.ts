import { describe, expect, it } from "vitest";
import { z } from "zod";
import { conversationSchema, messageSchema } from "../../src/inbox/schema.ts";
import { shownBy } from "../../src/wire/shown.ts";

const conversation = {
  id: "cnv_1",
  profile_id: "prof_1",
  network: "facebook",
  kind: "dm",
  status: "open",
  unread_count: 2,
  profile_external_id: "4",
  external_id: "5",
  url: null,
  referral: { ad: { id: "6" } },
  participant: { id: "7", name: null, handle: "ann", avatar_url: null, secret: "no" },
  reply_until: null,
  last_message: { text: "Hello", at: "2026-01-01T00:00:00.000Z", secret: "no" },
  created_at: "2026-01-01T00:00:00.000Z",
  account_id: "no",
  key: "no",
  seq: 3,
  private: { news: 1 },
};

const message = {
  id: "msg_1",
  conversation_id: "cnv_1",
  direction: "inbound",
  text: null,
  author_id: "no",
  state: "live",
  attachments: [{ type: "image", url: "https://example.com/a.png" }],
  author: { id: "7", name: "Ann", handle: "no" },
  sent_at: "2026-01-01T00:00:00.000Z",
  edited_at: null,
  deleted_at: null,
  delivered_at: null,
  read_at: null,
  reply_to: null,
  awaits_approval: false,
  created_at: "2026-01-01T00:00:00.000Z",
  private: {},
};

describe("the public form of a row", () => {
  it.each([
    ["a conversation", conversationSchema, conversation],
    ["a conversation without a referral", conversationSchema, { ...conversation, referral: null }],
    ["a message", messageSchema, { ...message, reactions: [{ from: "7", emoji: null, secret: "no" }] }],
    [
      "a message with an id, on a network without reactions",
      messageSchema,
      { ...message, external_id: "8", reactions: null },
    ],
  ] as [string, z.ZodObject, object][])("equals the result of the schema's parse: %s", (_, schema, row) => {
    const shown = shownBy(schema)(row);
    expect(shown).toEqual(schema.parse(row));
    expect(Object.keys(shown)).toEqual(Object.keys(schema.parse(row)));
    expect(JSON.stringify(shown)).not.toContain('"no"');
  });

  it("goes into lists and objects that may be absent", () => {
    const inner = z.object({ a: z.number() });
    const show = shownBy(z.object({ list: z.array(inner.nullable()), some: inner.optional() }));
    expect(show({ list: [{ a: 1, b: 2 }, null], some: { a: 3, b: 4 } })).toEqual({
      list: [{ a: 1 }, null],
      some: { a: 3 },
    });
    expect(show({ list: [] })).toEqual({ list: [] });
  });
});
