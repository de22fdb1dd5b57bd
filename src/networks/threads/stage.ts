import type { IdentifiedPart, Part } from "../contract/plan.ts";
import type { StageContext } from "../contract/request.ts";
import {
  type ContainerFields,
  type ContainerMaker,
  pullSeconds,
  stageChildren,
  stageContainer,
} from "../shared/meta/stage-container.ts";
import { endpoint } from "./api.ts";
import { failureOf, lookAtContainer } from "./container.ts";
import { fieldsOfCarousel, fieldsOfChild, fieldsOfSingle, fieldsOfText } from "./fields.ts";
import type { ThreadsOptions } from "./options.ts";
import { assertQuota } from "./quota.ts";

type Given = Part<ThreadsOptions>;

/**
 * Pause before a video reply is published, seconds. Without it the video may become a separate post outside the thread.
 * https://developers.facebook.com/docs/threads/retrieve-and-manage-replies/create-replies/ (2026-04),
 * https://github.com/gitroomhq/postiz-app/issues/1441 (2026-04)
 */
const restSeconds = 30;

/** True: a video reply. The problem was never reported for images and texts. Same source. */
export function mayLoseParent({ media }: Given, previous: IdentifiedPart | null): previous is IdentifiedPart {
  return previous !== null && media.some(({ type }) => type === "video");
}

/**
 * Makes the container that the commit publishes, and waits until Threads has processed it: `container`; for carousels
 * also `child_0`, `child_1`, … None of them is public. It names the post that it replies to, so that post must exist
 * first.
 */
export async function stage(context: StageContext, part: Given): Promise<void> {
  const maker = makerOf(context);
  const children = part.media.length > 1 ? await stageChildren(context, maker, childrenOf(context, part)) : [];
  await stageContainer(context, maker, {
    name: "container",
    fields: () => fieldsOf(context, part, children),
    restSeconds: mayLoseParent(part, context.previous) ? restSeconds : 0,
  });
  await assertQuota(context);
}

async function fieldsOf(context: StageContext, part: Given, children: readonly string[]): Promise<ContainerFields> {
  const place = { index: context.index, previous: context.previous };
  if (children.length > 0) return fieldsOfCarousel(part, { ...place, children });
  const [media] = part.media;
  if (media === undefined) return fieldsOfText(part, place);
  return fieldsOfSingle(part, { ...place, file: { media, address: await addressOf(context, media.url) } });
}

function childrenOf(context: StageContext, part: Given) {
  return part.media.map((media, index) => ({
    name: `child_${index}`,
    fields: async () => fieldsOfChild({ media, address: await addressOf(context, media.url) }),
  }));
}

function addressOf(context: StageContext, url: string): Promise<string> {
  return context.signedUrl(url, { seconds: pullSeconds });
}

function makerOf(context: StageContext): ContainerMaker {
  return {
    name: "Threads",
    url: endpoint([context.profile.external_id, "threads"]),
    look: (id) => lookAtContainer(context, { id, why: "staging" }),
    failureOf,
  };
}
