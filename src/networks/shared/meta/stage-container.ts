import * as z from "zod";
import { PublishingError } from "../../../wire/errors.ts";
import type { PlannedMedia } from "../../contract/plan.ts";
import { NotReady, type StageContext } from "../../contract/request.ts";
import { answersOf } from "../answer.ts";
import { isFirstTime } from "../first-time.ts";
import type { ContainerFailure, ContainerState } from "./container.ts";
import { graphId } from "./graph-id.ts";
import { sendVideo } from "./video-upload.ts";

/**
 * A container is valid for 24 hours.
 * https://developers.facebook.com/documentation/instagram-platform/instagram-graph-api/reference/ig-container (2026-09)
 */
const keepSeconds = 20 * 3600;

/** The operation of requests that create a container. After an error nothing is live: users do not see containers. */
export const containerOperation = "container";

/** The network fetches files while it processes the container, which may take a while. */
export const pullSeconds = 2 * 3600;

/** The form fields that create a container. Values that are not strings are JSON. */
export type ContainerFields = Record<string, string>;

/** How a network creates containers. */
export interface ContainerMaker {
  /** The network's own spelling of its name. */
  name: string;
  /** The URL that creates one. */
  url: string;
  /** The state of a container. Null: the network shows none with this id. */
  look(id: string): Promise<ContainerState | null>;
  failureOf(state: ContainerState): ContainerFailure;
}

export interface WantedContainer {
  /** The name under which its id is kept. */
  name: string;
  /** The form fields that create it. */
  fields(): Promise<ContainerFields> | ContainerFields;
  /** How long to wait before publishing it after it was created, even if it is finished. @default 0 */
  restSeconds?: number;
  /** The video that is uploaded after the container exists. Absent: the network fetches all files. */
  video?: PlannedMedia | undefined;
}

/**
 * Creates the containers and waits until they are finished, which is required before another container can combine
 * them. https://github.com/exileum/meta-mcp/issues/138 (2026-09)
 */
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
 * Creates a container and waits until it is finished. If it is already published, it is not replaced.
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
  // A container that is not shown now may be shown soon. Only the status `EXPIRED` says that it is gone.
  if (state === null || state.status === "IN_PROGRESS") throw new NotReady(`${maker.name} is processing the post.`);
  if (state.status === "EXPIRED") {
    await forget(context, wanted);
    throw new NotReady(`${maker.name} discarded the upload; it is sent again.`);
  }
  if (state.status === "ERROR") await again(context, wanted, maker.failureOf(state));
  if (state.status === "FINISHED" && context.now() < restsUntil)
    throw new NotReady(`${maker.name} has the post ready; publishing follows after a short wait.`);
}

/** The end of the wait, counted from a time when the container certainly exists. */
async function restEnd(context: StageContext, { name, restSeconds = 0 }: WantedContainer): Promise<number> {
  if (restSeconds === 0) return 0;
  return context.once(restName(name), async () => context.now() + restSeconds * 1_000, { keepSeconds });
}

const restName = (name: string): string => `${name}_rests_until`;

async function forget(context: StageContext, { name, restSeconds = 0 }: WantedContainer): Promise<void> {
  await context.forget(name);
  if (restSeconds > 0) await context.forget(restName(name));
}

/** Meta sometimes rejects a video that it accepts an hour later. https://github.com/FedorMilovanov/video-channel-manager/issues/613 (2026-08) */
const notTaken = { code: "media_error", passes: true } as const;

const createdSchema = z.object({ id: graphId });
const emptySchema = z.object({ id: graphId, uri: z.url() });

/** Creates a container. Its id is kept only after its video has arrived. Until then it is useless, and invisible to users. */
function created(context: StageContext, maker: ContainerMaker, wanted: WantedContainer): Promise<string> {
  const { name, fields, video } = wanted;
  const create = async (): Promise<string> => {
    const response = await context.request({
      method: "POST",
      url: maker.url,
      body: { form: await fields() },
      operation: containerOperation,
    });
    if (video === undefined) return answersOf(maker.name).readAnswer(createdSchema, response).id;
    const { id, uri } = answersOf(maker.name).readAnswer(emptySchema, response);
    const isTaken = await sendVideo(context, { name: maker.name, url: uri, media: video });
    return isTaken
      ? id
      : again(context, wanted, { ...notTaken, message: `${maker.name} could not process the video.` });
  };
  return context.once(name, create, { keepSeconds });
}

/** Some failures are temporary, so a second container is created, but no third. A failed container can never be published. */
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
