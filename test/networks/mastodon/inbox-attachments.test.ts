import { describe, expect, it } from "vitest";
import { attachedSchema, attachedTo } from "../../../src/networks/mastodon/inbox-attachments.ts";

describe("an inbox item's attachments from a Mastodon status", () => {
  it.each([
    [
      "a file that only its own server has so far",
      {
        media_attachments: [
          { type: "unknown", url: null, remote_url: "https://far.example/1.jpg", description: "a fox" },
        ],
      },
      { type: "unknown", url: "https://far.example/1.jpg", description: "a fox" },
    ],
    [
      "a link, with its title",
      { card: { url: "https://example.com/fox", title: "A fox", description: "" } },
      { type: "link", url: "https://example.com/fox", title: "A fox", description: null },
    ],
    [
      "a poll, with its choices",
      { poll: { options: [{ title: "Red" }, { title: "Blue" }], expires_at: "2026-11-21T12:00:00.000Z" } },
      { type: "poll", url: null, options: ["Red", "Blue"], until: "2026-11-21T12:00:00.000Z" },
    ],
    [
      "a quoted status",
      {
        quote: {
          state: "accepted",
          quoted_status: { url: "https://far.example/@ann/1", uri: "https://far.example/1" },
        },
      },
      { type: "quote", url: "https://far.example/@ann/1" },
    ],
  ])("include %s", (_, status, attachment) => {
    expect(attachedTo(attachedSchema.parse(status))).toEqual([attachment]);
  });

  it("skip a part of an unknown form, and keep the rest", () => {
    expect(attachedTo(attachedSchema.parse({ card: 1, poll: [], quote: { quoted_status: 7 } }))).toEqual([]);
  });
});
