import { randomUUID } from "node:crypto";
import type { Post, SocialService } from "postrider";
import type { Sandbox } from "postrider/sandbox";
import { drawPicture, pictureAlt } from "./picture.ts";
import { showOutcome, showPosts } from "./report.ts";
import { blank, headline, say, step } from "./screen.ts";
import { firstText } from "./texts.ts";
import type { Wire } from "./wire.ts";

/** One post on three networks. True when all have it. */
export async function firstAct(stage: { social: SocialService; sandbox: Sandbox; wire: Wire; profileIds: string[] }): Promise<boolean> {
  const { social, sandbox, wire, profileIds } = stage;
  headline("1. One post, three networks");
  say(`A text of ${firstText.length} characters, with a picture. Bluesky takes 300 at once, Mastodon 500, Discord 2000; where it is too long, it becomes a thread. Each network is asked:`);
  blank();

  wire.listen(({ network, operation, status, part }) => {
    step(network, `${operation.padEnd(26)}${status}${part === null ? "" : `   part ${part} is public`}`);
  });
  const picture = sandbox.media.put("hills.png", drawPicture(), { contentType: "image/png" });
  const post: Post = await social.posts.create({
    profile_ids: profileIds,
    text: firstText,
    auto_thread: true,
    media: [{ url: picture, alt: pictureAlt }],
    idempotency_key: randomUUID(),
  });

  showOutcome(post);
  say("What the networks now show:");
  blank();
  showPosts("bluesky", sandbox.bluesky.posts());
  showPosts("mastodon", sandbox.mastodon.posts());
  showPosts("discord", sandbox.discord.posts());
  return post.status === "published";
}
