import { describe, expect, it } from "vitest";
import { attachmentsOf, embedSchema } from "../../../src/networks/bluesky/inbox-attachments.ts";

describe("an inbox item's attachments from a Bluesky post", () => {
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
      "a video, with its alt text",
      { $type: "app.bsky.embed.video#view", playlist: "https://video.bsky.app/1.m3u8", alt: "a fox" },
      { type: "video", url: "https://video.bsky.app/1.m3u8", description: "a fox" },
    ],
    [
      "an embed of an unknown kind",
      { $type: "app.bsky.embed.poll#view", choices: [] },
      { type: "unsupported", url: null, of: "app.bsky.embed.poll" },
    ],
  ])("include %s", (_, embed, attachment) => {
    expect(attachmentsOf(embedSchema.parse(embed))).toEqual([attachment]);
  });
});
