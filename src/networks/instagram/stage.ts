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
import type { VideoUpload } from "../shared/meta/video-upload.ts";
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
export async function stage(
  context: StageContext,
  part: Part<InstagramOptions>,
  { api, videoUpload }: { api: Api; videoUpload: VideoUpload },
): Promise<void> {
  if (part.role === "comment") return;
  const maker = makerOf(context, api);
  const files = filesOf(context, part, videoUpload);
  if (files.length > 1) {
    const children = await stageChildren(context, maker, files.map(childOf(part)));
    await stageContainer(context, maker, { name: "container", fields: () => fieldsOfCarousel(part, children) });
  } else {
    await stageContainer(context, maker, singleOf(context, part, files[0]));
  }
  await assertQuota(context, api);
}

interface StagedFile {
  media: PlannedMedia;
  /** Where Instagram fetches it; null: it is sent. */
  address(): Promise<string | null>;
  /** The video, where it is sent. */
  film: PlannedMedia | undefined;
}

function filesOf(context: StageContext, { media }: Part<InstagramOptions>, videoUpload: VideoUpload): StagedFile[] {
  return media.map((file) => {
    const isSent = file.type === "video" && videoUpload === "push";
    const address = async () => (isSent ? null : addressOf(context, file.url));
    return { media: file, address, film: isSent ? file : undefined };
  });
}

function singleOf(context: StageContext, part: Part<InstagramOptions>, file: StagedFile | undefined): WantedContainer {
  if (file === undefined) throw new PublishingError("internal_error", "A post on Instagram needs a file.");
  const { media, film } = file;
  const fields = async (): Promise<Fields> => {
    const address = await file.address();
    if (part.post_type === "story") return fieldsOfStory(part, { media, address });
    const cover = coverOf(part, media);
    return fieldsOfSingle(part, { media, address, cover: cover === null ? null : await addressOf(context, cover) });
  };
  return { name: "container", fields, film };
}

function childOf(part: Part<InstagramOptions>) {
  return ({ media, film, address }: StagedFile, index: number): WantedContainer => ({
    name: `child_${index}`,
    fields: async () => fieldsOfChild(part, { media, index, address: await address() }),
    film,
  });
}

/** The cover that Instagram is to fetch as well: the option's, else the video's own. */
function coverOf({ options }: Part<InstagramOptions>, media: PlannedMedia): string | null {
  if (media.type !== "video") return null;
  const own = media.thumbnail_mime_type === undefined ? null : media.thumbnail_url;
  return options.cover_url ?? own;
}

function addressOf(context: StageContext, url: string): Promise<string> {
  return context.signedUrl(url, { seconds: pullSeconds });
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
