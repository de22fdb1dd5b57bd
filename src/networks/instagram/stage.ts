import { z } from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { Part, PlannedMedia } from "../contract/plan.ts";
import { NotReady, type StageContext } from "../contract/request.ts";
import { graphId } from "../shared/meta/graph-id.ts";
import { type Api, readAnswer } from "./api.ts";
import { failureOf, lookAtContainer } from "./container.ts";
import { type Fields, fieldsOfCarousel, fieldsOfChild, fieldsOfSingle, fieldsOfStory } from "./fields.ts";
import { readKnown } from "./known.ts";
import type { InstagramOptions } from "./options.ts";
import { assertQuota } from "./quota.ts";

/** A container lives for 24 hours. https://developers.facebook.com/documentation/instagram-platform/instagram-graph-api/reference/ig-container (2026-09) */
const keepSeconds = 20 * 3600;
/** Instagram fetches a file while it works on the container, which may take it a while. */
const pullSeconds = 2 * 3600;

const createdSchema = z.object({ id: graphId });

/**
 * Makes the container that the request publishes, and has Instagram finish it:
 * `container`; for carousels also `child_0`, `child_1`, … Nobody sees any of
 * them. One that has been published by then stays what is published: the
 * request's answer leads to the look that tells.
 */
export async function stage(context: StageContext, part: Part<InstagramOptions>, api: Api): Promise<void> {
  if (part.role === "comment") return;
  const children = part.media.length > 1 ? await stageChildren(context, part, api) : [];
  await finished(context, api, { name: "container", fields: () => fieldsOf(context, part, children) });
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

/** Instagram puts together only what it has finished. https://github.com/exileum/meta-mcp/issues/138 (2026-09) */
async function stageChildren(context: StageContext, part: Part<InstagramOptions>, api: Api): Promise<string[]> {
  const children = part.media.map((media, index) => ({
    name: `child_${index}`,
    fields: async () => fieldsOfChild(part, { media, index, address: await addressOf(context, media.url) }),
  }));
  const ids: string[] = [];
  for (const child of children) ids.push(await created(context, api, child));
  const finish = async () => {
    for (const child of children) await finished(context, api, child);
    return true;
  };
  await context.once("children_finished", finish, { keepSeconds });
  return ids;
}

interface Wanted {
  /** Under which its id is kept. */
  name: string;
  /** What it is made of. */
  fields(): Promise<Fields>;
}

function created(context: StageContext, api: Api, { name, fields }: Wanted): Promise<string> {
  const create = async (): Promise<string> => {
    const { external_id } = context.profile;
    const url = api.endpoint(readKnown(context.profile).flavour, [external_id, "media"]);
    const response = await context.request({ method: "POST", url, body: { form: await fields() } });
    return readAnswer(createdSchema, response).id;
  };
  return context.once(name, create, { keepSeconds });
}

/** @throws NotReady until Instagram has finished it · PublishingError when it cannot */
async function finished(context: StageContext, api: Api, wanted: Wanted): Promise<void> {
  const id = await created(context, api, wanted);
  const state = await lookAtContainer(context, api, { id, why: "staging" });
  // What is not shown now may be shown in a moment, and only its words say that it is gone.
  if (state === null || state.status === "IN_PROGRESS") throw new NotReady("Instagram is working on the files.");
  if (state.status === "EXPIRED") {
    await context.forget(wanted.name);
    throw new NotReady("Instagram has let go of the files; they are sent again.");
  }
  if (state.status === "ERROR") await again(context, wanted, failureOf(state));
}

/** Some failures pass: a second container is made, and no third. A failed one can never be published. */
async function again(
  context: StageContext,
  { name }: Wanted,
  { code, message, passes }: ReturnType<typeof failureOf>,
): Promise<never> {
  let isFirst = false;
  const note = async () => {
    isFirst = true;
    return true;
  };
  if (passes) await context.once(`${name}_failed`, note, { keepSeconds });
  if (!isFirst) throw new PublishingError(code, message);
  await context.forget(name);
  throw new NotReady(`${message} It is tried once more.`);
}
