import type { Acceptance } from "../../src/networks/contract/acceptance.ts";
import type { CommitInput } from "../../src/networks/contract/commit.ts";
import type { LookInput, LookResult } from "../../src/networks/contract/look.ts";
import type { AnyOptions, Part, Published } from "../../src/networks/contract/plan.ts";
import type { Publisher } from "../../src/networks/contract/publish.ts";
import type { Json, JsonObject } from "../../src/wire/json.ts";
import { type Verdict, verdictOf } from "../support/sighting.ts";
import type { AnyBench, Desk } from "./desk.ts";
import { commitInputOf } from "./parts.ts";

/** A part to publish on an account, and its staged values. */
export interface Work<Options = AnyOptions, Bench extends AnyBench = AnyBench> extends Desk<Bench> {
  part: Part<Options>;
  kept: Record<string, Json>;
}

/** Work that has not been started. */
export function workOn<Options, Bench extends AnyBench>(
  { bench, connected }: Desk<Bench>,
  part: Part<Options>,
): Work<Options, Bench> {
  return { bench, connected, part, kept: {} };
}

/** What the engine does with a part, one step at a time. `more` overrides the defaults: the only part of a post, now. */
export interface Steps<Options> {
  inputOf(work: Work<Options>, more?: Partial<CommitInput<Options>>): CommitInput<Options>;
  stage(work: Work<Options>, more?: Partial<CommitInput<Options>>): Promise<void>;
  /** Sends the request that publishes. @throws Error if its response does not decide about the part */
  send(work: Work<Options>, more?: Partial<CommitInput<Options>>): Promise<Acceptance>;
  /** Stages and sends. */
  publish(work: Work<Options>, more?: Partial<CommitInput<Options>>): Promise<Acceptance>;
  /** Looks as after a lost response, or after one that named a job. */
  look(work: Work<Options>, more?: Partial<LookInput<Options>>): Promise<LookResult>;
  /** The engine's conclusion from a look. */
  judge(
    work: Work<Options>,
    more?: Partial<LookInput<Options>>,
  ): Promise<Verdict | Exclude<LookResult, { lists: unknown }>>;
}

export function stepsOf<Options extends AnyOptions>(publisher: Publisher<Options>): Steps<Options> {
  const inputOf: Steps<Options>["inputOf"] = ({ connected, part, kept }, more = {}) => {
    const { key, ...input } = commitInputOf(connected, { part, staged: kept, ...more });
    const createdAt = Date.parse(input.created_at);
    const ownKey = publisher.key?.({ subjectId: "tgt_1", createdAt, part: input.index, bodyHash: "1" });
    return { ...input, key: key || (ownKey ?? "") };
  };

  /** Like the engine: no post older than two minutes counts as the part. */
  const lookInputOf = (work: Work<Options>, more: Partial<LookInput<Options>> = {}): LookInput<Options> => ({
    ...inputOf(work, more),
    since: work.bench.clock.now() - 120_000,
    ...more,
  });

  const stage: Steps<Options>["stage"] = ({ bench, connected, ...work }, { part = work.part, index, previous } = {}) =>
    bench.run(async () => publisher.stage?.(connected.stage(work.kept, index, previous), part));

  const send: Steps<Options>["send"] = async (work, more) => {
    const { bench, connected } = work;
    const input = inputOf(work, more);
    const response = await bench.run(() => connected.send(publisher.commit(input), input.part.media));
    const accepted = publisher.accepted(response, input);
    if (accepted === null) throw new Error(`${response.status}: ${JSON.stringify(response.body)}`);
    return accepted;
  };

  return {
    inputOf,
    stage,
    send,
    async publish(work, more) {
      await stage(work, more);
      return send(work, more);
    },
    look: (work, more) => work.bench.run(() => publisher.lookFor(work.connected.context, lookInputOf(work, more))),
    async judge(work, more) {
      const input = lookInputOf(work, more);
      const sighting = await work.bench.run(() => publisher.lookFor(work.connected.context, input));
      return verdictOf(sighting, input, { publisher, since: input.since });
    },
  };
}

/** The live post in a response. @throws Error if there is none */
export function liveIn(acceptance: Acceptance): Published {
  if (!("live" in acceptance)) throw new Error(`Nothing is live: ${JSON.stringify(acceptance)}`);
  return acceptance.live;
}

/** The job that a response names. @throws Error if it names none */
export function jobIn(acceptance: Acceptance): JsonObject {
  if (!("job" in acceptance)) throw new Error(`There is no job: ${JSON.stringify(acceptance)}`);
  return acceptance.job as JsonObject;
}
