import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { CommitInput, Staged } from "../networks/contract/commit.ts";
import type { IdentifiedPart, Part, PublishedPart } from "../networks/contract/plan.ts";
import type { Publisher } from "../networks/contract/publish.ts";
import type { Act, Attempt } from "../sending/act.ts";
import type { Keys } from "../sending/intent.ts";
import { type SubjectRun, stagedValues } from "../sending/subject-run.ts";
import { PublishingError } from "../wire/errors.ts";
import { withFrozen } from "./files.ts";
import type { TargetRow } from "./rows.ts";

/** A target's part: its place in the thread, and what is live of that. */
interface Place {
  parts: readonly Part[];
  /** From 0. */
  index: number;
  live: readonly PublishedPart[];
}

/** Binds the network's publisher to one part of a target. */
export function createTargetAct(run: SubjectRun, { parts, index, live }: Place): Act {
  const publisher = publisherOf(run.adapter);
  const part = parts[index];
  if (part === undefined) throw new Error(`The target ${run.id} has no part ${index}.`);
  const { profile } = run.credentials.context;
  const { stage, together, identify } = publisher;
  const keys = (count: number, bodyHash: string) => keysFor(run, publisher, { index, count, bodyHash });
  const inputFor = (made: Keys, staged?: readonly Staged[]) =>
    inputOf(run, { parts, index, live }, { keys: made, staged });
  return {
    rules: publisher.rules(profile, part),
    media: part.media,
    optionFiles: part.option_files ?? [],
    isStory: part.post_type === "story",
    says: () => publisher.says(part, index),
    previous: before(part, { index, live }).previous,
    ...(stage && { stage: (context) => stage(context, part) }),
    ...(together && { together: () => together(inputFor(keys(parts.length - index, ""))) }),
    ...(identify && { identify }),
    keys,
    attempt: (made, staged) => attemptOf(publisher, inputFor(made, staged)),
  };
}

/**
 * A target's parts. They were stored with options that the schema had parsed;
 * parsed once more, they have the defaults that it has got since. Those that a
 * schema has come to refuse go out as they were accepted. From here on the
 * adapter takes their type as given.
 */
export function partsOf({ private: state }: TargetRow, { options }: Pick<NetworkAdapter, "options">): Part[] {
  return (state.parts ?? []).map((part) => ({
    ...withFrozen(part, state),
    options: options.safeParse(part.options).data ?? part.options,
  }));
}

export function publisherOf(adapter: NetworkAdapter): Publisher {
  if (adapter.publish === undefined) {
    throw new PublishingError("unsupported", `Nothing can be published on ${adapter.spec.name}.`);
  }
  return adapter.publish;
}

function attemptOf(publisher: Publisher, input: CommitInput): Attempt {
  const { staged, following = [] } = input;
  return {
    staged: [staged, ...following.map((next) => next.staged)],
    request: () => publisher.commit(input),
    accepted: (response) => publisher.accepted(response, input),
    duplicateOf: (body) => publisher.duplicateOf?.(body, input) ?? null,
    locate: (context, query) => publisher.locate(context, { ...input, ...query }),
    confirm: async (context, published) => (await publisher.confirm?.(context, published, input)) ?? published,
    listNames: () => publisher.lists?.names(input) ?? [],
    listsShowing: async (context, published) => (await publisher.lists?.showing(context, published, input)) ?? [],
  };
}

/** When the target was first begun: what networks get as its time. */
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
  { parts, index, live }: Place,
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
  if (input === undefined) throw new Error(`The target ${run.id} has no part ${index}.`);
  return {
    ...input,
    ...before(input.part, { index, live }),
    ...(following.length === 0 ? {} : { following }),
  };
}

/** What belongs to the post stands under it, however long its thread is. */
function before({ role }: Part, { index, live }: Omit<Place, "parts">): Pick<CommitInput, "first" | "previous"> {
  const first = identified(live[0]);
  return { first, previous: role === undefined ? identified(live[index - 1]) : first };
}

function identified(part: PublishedPart | undefined): IdentifiedPart | null {
  return part === undefined || part.id === null ? null : { ...part, id: part.id };
}
