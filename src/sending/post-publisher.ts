import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { CommitInput, Staged } from "../networks/contract/commit.ts";
import type { IdentifiedPart, Part, PublishedPart } from "../networks/contract/plan.ts";
import type { Publisher } from "../networks/contract/publish.ts";
import { PublishingError } from "../wire/errors.ts";
import type { BoundPublisher, BoundRequest } from "./bound-publisher.ts";
import type { Keys } from "./intent.ts";
import { type SubjectRun, stagedValues } from "./subject-run.ts";

/** A part's place in its thread, and what is live of that. */
interface Place {
  parts: readonly Part[];
  /** From 0. */
  index: number;
  live: readonly PublishedPart[];
  /** Somebody's post that the first part answers. @default null, none */
  answers?: IdentifiedPart | null | undefined;
  /** @default that of the network's posts */
  publisher?: Publisher;
}

/** Binds the network's publisher to one part of a subject. */
export function createPostPublisher(
  run: SubjectRun,
  { parts, index, live, answers = null, publisher = publisherOf(run.adapter) }: Place,
): BoundPublisher {
  const part = parts[index];
  if (part === undefined) throw new Error(`The ${run.label} ${run.id} has no part ${index}.`);
  const { profile } = run.credentials.context;
  const { stage, partsPerRequest, lookUpId } = publisher;
  const keys = (count: number, bodyHash: string) => keysFor(run, publisher, { index, count, bodyHash });
  const inputFor = (made: Keys, staged?: readonly Staged[]) =>
    inputOf(run, { parts, index, live, answers }, { keys: made, staged });
  return {
    rules: publisher.rules(profile, part),
    media: part.media,
    optionFiles: [...(part.option_files ?? []), ...(part.link?.picture == null ? [] : [part.link.picture])],
    isStory: part.post_type === "story",
    textForms: () => publisher.textForms(part, index),
    previous: before(part, { index, live, answers }).previous,
    ...(stage && { stage: (context) => stage(context, part) }),
    ...(partsPerRequest && { partsPerRequest: () => partsPerRequest(inputFor(keys(parts.length - index, ""))) }),
    ...(lookUpId && { lookUpId }),
    keys,
    requestFor: (made, staged) => attemptOf(publisher, inputFor(made, staged)),
  };
}

export function publisherOf(adapter: NetworkAdapter): Publisher {
  if (adapter.publish === undefined) {
    throw new PublishingError("unsupported", `${adapter.spec.name} does not support publishing.`);
  }
  return adapter.publish;
}

function attemptOf(publisher: Publisher, input: CommitInput): BoundRequest {
  const { staged, following = [] } = input;
  return {
    staged: [staged, ...following.map((next) => next.staged)],
    request: () => publisher.commit(input),
    accepted: (response) => publisher.accepted(response, input),
    duplicateOf: (body) => publisher.duplicateOf?.(body, input) ?? null,
    lookFor: (context, query) => publisher.lookFor(context, { ...input, ...query }),
    confirm: async (context, published) => (await publisher.confirm?.(context, published, input)) ?? published,
    unconfirmed: publisher.unconfirmed ?? null,
    listNames: () => publisher.lists?.names(input) ?? [],
    listsShowing: async (context, published) => (await publisher.lists?.showing(context, published, input)) ?? [],
  };
}

/** When the subject was first begun: what networks get as its time. */
function startedAt(run: SubjectRun): string {
  return run.state().started_at ?? run.createdAt;
}

function keysFor(
  run: SubjectRun,
  { key = () => "" }: Publisher,
  { index, count, bodyHash }: { index: number; count: number; bodyHash: string },
): Keys {
  const createdAt = Date.parse(run.state().keyed_at ?? startedAt(run));
  const make = (offset: number) => key({ subjectId: run.id, createdAt, part: index + offset, bodyHash });
  return [make(0), ...Array.from({ length: count - 1 }, (_, before) => make(before + 1))];
}

/** What the request for as many parts as there are keys is made from. */
function inputOf(
  run: SubjectRun,
  { parts, index, live, answers }: Place,
  { keys, staged }: { keys: Keys; staged: readonly Staged[] | undefined },
): CommitInput {
  const [input, ...following] = parts.slice(index, index + keys.length).map((part, offset) => ({
    profile: run.credentials.context.profile,
    secret: run.credentials.secret(),
    part,
    index: index + offset,
    staged: staged === undefined ? stagedValues(run, index + offset) : (staged[offset] ?? {}),
    key: keys[offset] ?? "",
    created_at: startedAt(run),
  }));
  if (input === undefined) throw new Error(`The ${run.label} ${run.id} has no part ${index}.`);
  return {
    ...input,
    ...before(input.part, { index, live, answers }),
    ...(following.length === 0 ? {} : { following }),
  };
}

/** What belongs to the post stands under it, however long its thread is. */
function before(
  { role }: Part,
  { index, live, answers = null }: Pick<Place, "index" | "live" | "answers">,
): Pick<CommitInput, "first" | "previous"> {
  const first = identified(live[0]);
  if (index === 0) return { first, previous: answers };
  return { first, previous: role === undefined ? identified(live[index - 1]) : first };
}

function identified(part: PublishedPart | undefined): IdentifiedPart | null {
  return part === undefined || part.id === null ? null : { ...part, id: part.id };
}
