import { describe, expect, it } from "vitest";
import { attachedSchema, attachedTo } from "../../../src/networks/mastodon/inbox-attachments.ts";

describe("what a status shows below its text", () => {
  it.each([
    [
      "a file that its own server alone has yet",
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
      "what it quotes",
      {
        quote: {
          state: "accepted",
          quoted_status: { url: "https://far.example/@ann/1", uri: "https://far.example/1" },
        },
      },
      { type: "quote", url: "https://far.example/@ann/1" },
    ],
  ])("is told: %s", (_, status, attachment) => {
    expect(attachedTo(attachedSchema.parse(status))).toEqual([attachment]);
  });

  it("costs nothing else where it is of a form that is not known", () => {
    expect(attachedTo(attachedSchema.parse({ card: 1, poll: [], quote: { quoted_status: 7 } }))).toEqual([]);
  });
});
