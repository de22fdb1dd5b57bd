import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { Staged } from "../networks/contract/commit.ts";
import type { Part } from "../networks/contract/plan.ts";
import type { StageContext } from "../networks/contract/request.ts";
import type { OpenCredentials } from "../profiles/credentials.ts";
import type { Json } from "../wire/json.ts";
import { keepWhile, type Lease } from "../work/lease.ts";
import { sha256 } from "./intent.ts";
import type { SendingPorts } from "./ports.ts";
import type { CommitSlot } from "./slot.ts";
import type { Failure, SubjectError, SubjectState } from "./state.ts";

/** In whose hands a subject is, and what it is sent with. */
export interface SubjectHands {
  ports: SendingPorts;
  lease: Lease;
  adapter: NetworkAdapter;
  credentials: OpenCredentials;
  slot: CommitSlot;
  /** Waits that started before this were counted by a clock that has jumped since. */
  waitsSince: number;
}

/** Something that is to go out, in the hands of its profile's holder: a target of a post. */
export interface SubjectRun extends SubjectHands {
  id: string;
  /** ISO 8601. */
  createdAt: string;
  /** What it is called, as in "the target tgt_1". */
  noun: string;
  /** What goes out, in order; null: not planned yet. */
  parts(): readonly Part[] | null;
  state(): SubjectState;
  /** It has neither gone out nor failed. */
  isOpen(): boolean;
  /** What it shows. */
  error(): SubjectError | null;
  /** Changes it here; stored with the next `save` or when it settles. */
  remember(state: Partial<SubjectState>): void;
  /** Stores it, changed, in order; only while the profile is held. */
  save(change: SubjectChange): Promise<void>;
  /** Ends it: all of it is live, or it failed. */
  settle(failure: Failure | null): Promise<void>;
  /** The parts of others that are under way on the profile, by subject. */
  partsOfOthers(subjectIds: readonly string[]): Promise<ReadonlyMap<string, readonly Part[]>>;
}

export interface SubjectChange {
  state?: Partial<SubjectState>;
  due_at?: number | null;
  error?: SubjectError | null;
}

/** What the adapter's `stage` sees: a context whose values outlive a crash. */
export function createStageContext(run: SubjectRun, index: number): StageContext {
  const context = run.credentials.context;
  return {
    profile: context.profile,
    get secret() {
      return context.secret;
    },
    now: () => context.now(),
    request: (request) => context.request(request),
    index,
    uniqueName: sha256(`${run.id}/${index}`).slice(0, 16),
    readMedia: (url, options) => keepWhile(run.lease, run.ports.clock, () => run.ports.readMedia(url, options)),
    async once<Value extends Json>(name: string, make: () => Promise<Value>, options: { keepSeconds: number }) {
      const kept = run.state().kept[index]?.[name];
      if (kept !== undefined && kept.expires_at > run.lease.now()) return kept.value as Value;
      const value = await make();
      const expires_at = run.lease.now() + options.keepSeconds * 1000;
      const all = run.state().kept;
      await run.save({ state: { kept: { ...all, [index]: { ...all[index], [name]: { value, expires_at } } } } });
      return value;
    },
  };
}

export function stagedValues(run: SubjectRun, index: number): Staged {
  const kept = run.state().kept[index] ?? {};
  return Object.fromEntries(Object.entries(kept).map(([name, { value }]) => [name, value]));
}

export function partsOf(run: SubjectRun): readonly Part[] {
  const parts = run.parts();
  if (parts === null) throw new Error(`The ${run.noun} ${run.id} was started without parts.`);
  return parts;
}
