import { PublishingError } from "../../wire/errors.ts";
import type { Part, PlannedMedia } from "../contract/plan.ts";
import type { StageContext } from "../contract/request.ts";
import {
  type ContainerMaker,
  pullSeconds,
  stageChildren,
  stageContainer,
  type WantedContainer,
} from "../shared/meta/stage-container.ts";
import type { Api } from "./api.ts";
import { failureOf, lookAtContainer } from "./container.ts";
import { type Fields, fieldsOfCarousel, fieldsOfChild, fieldsOfSingle, fieldsOfStory } from "./fields.ts";
import { readKnown } from "./known.ts";
import type { InstagramOptions } from "./options.ts";
import { assertQuota } from "./quota.ts";

/**
 * Makes the container that the request publishes, and has Instagram finish it:
 * `container`; for carousels also `child_0`, `child_1`, … Nobody sees any of
 * them. One that has been published by then stays what is published: the
 * request's answer leads to the look that tells.
 */
export async function stage(context: StageContext, part: Part<InstagramOptions>, api: Api): Promise<void> {
  if (part.role === "comment") return;
  const maker = makerOf(context, api);
  const children = part.media.length > 1 ? await stageChildren(context, maker, childrenOf(context, part)) : [];
  await stageContainer(context, maker, { name: "container", fields: () => fieldsOf(context, part, children) });
  await assertQuota(context, api);
}

async function fieldsOf(
  context: StageContext,
  part: Part<InstagramOptions>,
  children: readonly string[],
): Promise<Fields> {
  if (children.length > 0) return fieldsOfCarousel(part, children);
  const [media] = part.media;
  if (media === undefined) throw new PublishingError("internal_error", "A post on Instagram needs a file.");
  const address = await addressOf(context, media.url);
  if (part.post_type === "story") return fieldsOfStory(part, { media, address });
  const cover = coverOf(part, media);
  return fieldsOfSingle(part, { media, address, cover: cover === null ? null : await addressOf(context, cover) });
}

/** The cover that Instagram is to fetch as well: the option's, else the film's own. */
function coverOf({ options }: Part<InstagramOptions>, media: PlannedMedia): string | null {
  if (media.type !== "video") return null;
  const own = media.thumbnail_mime_type === undefined ? null : media.thumbnail_url;
  return options.cover_url ?? own;
}

function addressOf(context: StageContext, url: string): Promise<string> {
  return context.pullUrl(url, { seconds: pullSeconds });
}

function childrenOf(context: StageContext, part: Part<InstagramOptions>): WantedContainer[] {
  return part.media.map((media, index) => ({
    name: `child_${index}`,
    fields: async () => fieldsOfChild(part, { media, index, address: await addressOf(context, media.url) }),
  }));
}

function makerOf(context: StageContext, api: Api): ContainerMaker {
  const { external_id } = context.profile;
  return {
    name: "Instagram",
    url: api.endpoint(readKnown(context.profile).flavour, [external_id, "media"]),
    look: (id) => lookAtContainer(context, api, { id, why: "staging" }),
    failureOf,
  };
}
