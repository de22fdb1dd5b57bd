import { randomUUID } from "node:crypto";
import { withNeeds } from "./networks.ts";
import { drawPicture, pictureAlt } from "./picture.ts";
import { showOutcome, showPosts } from "./report.ts";
import { blank, headline, publicParts, say, step } from "./screen.ts";
import { settled } from "./settled.ts";
import type { Stage } from "./stage.ts";
import { firstText, textsThatFit } from "./texts.ts";

/** How fast time runs while videos are worked on and nothing is asked. */
const speed = 60;

/** One post on all networks. True when all have it. */
export async function firstAct({ social, sandbox, wire, hurry, clock, profileIds }: Stage): Promise<boolean> {
  const networks = social.networks.list();
  headline(`1. One post, ${networks.length} networks`);
  const limits = networks.map(({ name, text }) => `${name} takes ${text.max}`).join(", ");
  say(
    `A text of ${firstText.length} characters, with a picture. At once ${limits}; where it is too long, it becomes ` +
      "a thread, or is left shorter where there are none. Some networks work on a video for a while after they have " +
      `it: while nothing is asked, the demo's clock runs ${speed} times as fast. What each network is asked:`,
  );
  wire.nextPost();
  wire.listen(({ network, operation, status, parts }) => {
    step(network, `${operation} → ${status}`, parts === null ? "" : publicParts(parts, true));
  });
  hurry.begin(speed);
  const picture = sandbox.media.put("hills.png", drawPicture(), { contentType: "image/png" });
  const begun = await social.posts.create({
    profile_ids: profileIds,
    text: firstText,
    networks: withNeeds(
      networks.map(({ network }) => network),
      sandbox,
      textsThatFit(firstText, networks),
    ),
    auto_thread: true,
    media: [{ url: picture, alt: pictureAlt }],
    idempotency_key: randomUUID(),
  });
  const post = await settled(begun, { social, clock });
  hurry.end();
  blank();
  showOutcome(post);

  say("What the networks now show:");
  for (const { network, posts } of sandbox.networks) showPosts(network, posts());
  return post.status === "published";
}
