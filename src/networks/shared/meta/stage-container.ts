import * as z from "zod";
import { PublishingError } from "../../../wire/errors.ts";
import type { PlannedMedia } from "../../contract/plan.ts";
import { NotReady, type StageContext } from "../../contract/request.ts";
import { answersOf } from "../answer.ts";
import { isFirstTime } from "../first-time.ts";
import type { ContainerFailure, ContainerState } from "./container.ts";
import { graphId } from "./graph-id.ts";
import { sendVideo } from "./video-upload.ts";

/** A container lives for 24 hours. https://developers.facebook.com/documentation/instagram-platform/instagram-graph-api/reference/ig-container (2026-09) */
const keepSeconds = 20 * 3600;

/** What requests that make a container are for: nobody sees one, so a refusal of such a request is certain. */
export const containerOperation = "container";

/** The network fetches a file while it works on the container, which may take it a while. */
export const pullSeconds = 2 * 3600;

/** What a container is made of, as form fields: what is no text is JSON. */
export type ContainerFields = Record<string, string>;

/** How a network makes containers. */
export interface ContainerMaker {
  /** As the network writes itself. */
  name: string;
  /** Where one is made. */
  url: string;
  /** How far one is; null: none is shown under this id. */
  look(id: string): Promise<ContainerState | null>;
  failureOf(state: ContainerState): ContainerFailure;
}

export interface WantedContainer {
  /** Under which its id is kept. */
  name: string;
  /** What it is made of. */
  fields(): Promise<ContainerFields> | ContainerFields;
  /** It is left alone for so long after it was made, though it is finished. @default 0 */
  restSeconds?: number;
  /** The video of it that is sent, once there is a container; absent: the network fetches all that it is made of. */
  film?: PlannedMedia | undefined;
}

/** Makes each and has it finished, which a container that puts them together needs. https://github.com/exileum/meta-mcp/issues/138 (2026-09) */
export async function stageChildren(
  context: StageContext,
  maker: ContainerMaker,
  children: readonly WantedContainer[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const child of children) ids.push(await created(context, maker, child));
  const finish = async () => {
    for (const child of children) await stageContainer(context, maker, child);
    return true;
  };
  await context.once("children_finished", finish, { keepSeconds });
  return ids;
}

/**
 * Makes a container and has it finished. One that has been published by then stays what is published.
 *
 * @throws NotReady until the network has finished it · PublishingError when it cannot
 */
export async function stageContainer(
  context: StageContext,
  maker: ContainerMaker,
  wanted: WantedContainer,
): Promise<void> {
  const id = await created(context, maker, wanted);
  const restsUntil = await restEnd(context, wanted);
  const state = await maker.look(id);
  // What is not shown now may be shown in a moment, and only its words say that it is gone.
  if (state === null || state.status === "IN_PROGRESS") throw new NotReady(`${maker.name} is processing the post.`);
  if (state.status === "EXPIRED") {
    await forget(context, wanted);
    throw new NotReady(`${maker.name} discarded the upload; it is sent again.`);
  }
  if (state.status === "ERROR") await again(context, wanted, maker.failureOf(state));
  if (state.status === "FINISHED" && context.now() < restsUntil)
    throw new NotReady(`${maker.name} has the post ready; publishing follows after a short wait.`);
}

/** Counted from when the container is certainly there. */
async function restEnd(context: StageContext, { name, restSeconds = 0 }: WantedContainer): Promise<number> {
  if (restSeconds === 0) return 0;
  return context.once(restName(name), async () => context.now() + restSeconds * 1_000, { keepSeconds });
}

const restName = (name: string): string => `${name}_rests_until`;

async function forget(context: StageContext, { name, restSeconds = 0 }: WantedContainer): Promise<void> {
  await context.forget(name);
  if (restSeconds > 0) await context.forget(restName(name));
}

/** Now and then Meta cannot use what it takes an hour later. https://github.com/FedorMilovanov/video-channel-manager/issues/613 (2026-08) */
const notTaken = { code: "media_error", passes: true } as const;

const createdSchema = z.object({ id: graphId });
const emptySchema = z.object({ id: graphId, uri: z.url() });

/** One whose video has not arrived is of no use, and nobody sees it: it is kept when the video is there. */
function created(context: StageContext, maker: ContainerMaker, wanted: WantedContainer): Promise<string> {
  const { name, fields, film } = wanted;
  const create = async (): Promise<string> => {
    const response = await context.request({
      method: "POST",
      url: maker.url,
      body: { form: await fields() },
      operation: containerOperation,
    });
    if (film === undefined) return answersOf(maker.name).readAnswer(createdSchema, response).id;
    const { id, uri } = answersOf(maker.name).readAnswer(emptySchema, response);
    const isTaken = await sendVideo(context, { name: maker.name, url: uri, media: film });
    return isTaken
      ? id
      : again(context, wanted, { ...notTaken, message: `${maker.name} could not process the video.` });
  };
  return context.once(name, create, { keepSeconds });
}

/** Some failures pass: a second container is made, and no third. A failed one can never be published. */
async function again(
  context: StageContext,
  wanted: WantedContainer,
  { code, message, passes }: ContainerFailure,
): Promise<never> {
  const mayPass = passes && (await isFirstTime(context, `${wanted.name}_failed`, { keepSeconds }));
  if (!mayPass) throw new PublishingError(code, message);
  await forget(context, wanted);
  throw new NotReady(`${message} It is retried once.`);
}
