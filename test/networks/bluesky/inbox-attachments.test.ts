import { describe, expect, it } from "vitest";
import { attachmentsOf, embedSchema } from "../../../src/networks/bluesky/inbox-attachments.ts";

describe("what a post of Bluesky shows below its text", () => {
  it.each([
    [
      "a link, with its title",
      {
        $type: "app.bsky.embed.external#view",
        external: { uri: "https://example.com/fox", title: "A fox", description: "It is red" },
      },
      { type: "link", url: "https://example.com/fox", title: "A fox", description: "It is red" },
    ],
    [
      "a film, with what is said of it",
      { $type: "app.bsky.embed.video#view", playlist: "https://video.bsky.app/1.m3u8", alt: "a fox" },
      { type: "video", url: "https://video.bsky.app/1.m3u8", description: "a fox" },
    ],
    [
      "something of a kind that is not known",
      { $type: "app.bsky.embed.poll#view", choices: [] },
      { type: "unsupported", url: null, of: "app.bsky.embed.poll" },
    ],
  ])("is told: %s", (_, embed, attachment) => {
    expect(attachmentsOf(embedSchema.parse(embed))).toEqual([attachment]);
  });
});
