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
 * Makes the container that the commit publishes, and waits until Instagram has processed it: `container`; for carousels
 * also `child_0`, `child_1`, … None of them is public. A container that was already published is kept: the commit's
 * response then leads to a look.
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
  /** The URL from which Instagram downloads it. Null: it is uploaded. */
  address(): Promise<string | null>;
  /** The video, if it is uploaded. */
  video: PlannedMedia | undefined;
}

function filesOf(context: StageContext, { media }: Part<InstagramOptions>, videoUpload: VideoUpload): StagedFile[] {
  return media.map((file) => {
    const isSent = file.type === "video" && videoUpload === "push";
    const address = async () => (isSent ? null : addressOf(context, file.url));
    return { media: file, address, video: isSent ? file : undefined };
  });
}

function singleOf(context: StageContext, part: Part<InstagramOptions>, file: StagedFile | undefined): WantedContainer {
  if (file === undefined) throw new PublishingError("internal_error", "A post on Instagram needs a file.");
  const { media, video } = file;
  const fields = async (): Promise<Fields> => {
    const address = await file.address();
    if (part.post_type === "story") return fieldsOfStory(part, { media, address });
    const cover = coverOf(part, media);
    return fieldsOfSingle(part, { media, address, cover: cover === null ? null : await addressOf(context, cover) });
  };
  return { name: "container", fields, video };
}

function childOf(part: Part<InstagramOptions>) {
  return ({ media, video, address }: StagedFile, index: number): WantedContainer => ({
    name: `child_${index}`,
    fields: async () => fieldsOfChild(part, { media, index, address: await address() }),
    video,
  });
}

/** The cover that Instagram downloads: the option's, or else the video's own. Null: none. */
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
