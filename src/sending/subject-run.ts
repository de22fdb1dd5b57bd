import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { Staged } from "../networks/contract/commit.ts";
import type { MediaSource, PublishedPart } from "../networks/contract/plan.ts";
import type { KeepOptions, StageContext } from "../networks/contract/request.ts";
import type { KeptValue } from "../networks/runtime/session.ts";
import { wholeMs } from "../ports/clock.ts";
import type { SealedPlace } from "../ports/vault.ts";
import type { OpenCredentials } from "../profiles/credentials.ts";
import type { Operation } from "../storage/storage.ts";
import type { Json } from "../wire/json.ts";
import { keepWhile, type Lease } from "../work/lease.ts";
import type { BoundPublisher } from "./bound-publisher.ts";
import { type IntentRow, sha256 } from "./intent.ts";
import type { SendingPorts } from "./ports.ts";
import type { CommitSlot, Lane } from "./slot.ts";
import type { Failure, SubjectError, SubjectState } from "./state.ts";

/** What a subject is sent with, and the lease that it is sent under. */
export interface SendingContext {
  ports: SendingPorts;
  lease: Lease;
  adapter: NetworkAdapter;
  credentials: OpenCredentials;
  slots: (lane: Lane) => CommitSlot;
  /** A clock that has jumped since timed the waits that started before this. */
  waitsSince: number;
  /** The texts of other subjects in progress on the profile, by part. Null: the part is unknown. */
  textsInFlight(subjectIds: readonly string[]): Promise<(subjectId: string, part: number) => readonly string[] | null>;
}

/** Why a subject whose turn has come is not sent. */
export interface Hindrance {
  /** The reason, for humans, as in "It was not sent: …". */
  reason: string;
  /** When it ends at the latest, milliseconds. Null: unknown. */
  until: number | null;
  /** True: it does not end; the subject fails. */
  isFinal: boolean;
}

/** A subject that is being sent under the profile's lease: a target of a post, or a reply in a conversation. */
export interface SubjectRun extends SendingContext {
  id: string;
  /** The collection that stores it. */
  collection: "targets" | "messages";
  /** ISO 8601. */
  createdAt: string;
  /** The sequence in which it waits for its turn. */
  lane: Lane;
  /** Nothing is sent for it after this, milliseconds. Null: no limit. */
  sendUntil: number | null;
  /** Operations whose conditions must hold when a request for it is recorded, in addition to the lease. */
  guard(): readonly Operation[];
  /** Its name in messages, as in "the target tgt_1". */
  label: string;
  /** What to do if its outcome is unknown, as in "The post may be live: …". */
  adviceIfUnknown: string;
  /** Number of parts. Null: not planned yet. */
  count(): number | null;
  /** The publisher of a part, by its position. `live`: the parts before it. @default those on record */
  publisherOf(index: number, live?: readonly PublishedPart[]): BoundPublisher;
  state(): SubjectState;
  /** True: it has neither been published nor failed. */
  isOpen(): boolean;
  /** The error that it shows. */
  error(): SubjectError | null;
  /**
   * Stores the files that it is sent with, once, before anything is sent. True: its bound publishers have changed.
   *
   * @throws PublishingError `media_error`
   */
  prepare(): Promise<boolean>;
  /**
   * Why it cannot be sent although its turn has come. Null: it can. `lost`: this attempt's requests whose responses
   * were lost. Absent: it always can.
   */
  hindrance?(lost: readonly IntentRow[]): Promise<Hindrance | null>;
  /** Changes the state in memory. The next `save` or `settle` stores it. */
  remember(state: Partial<SubjectState>): void;
  /** Stores a change, in order, and only while the profile's lease is held. */
  save(change: SubjectChange): Promise<void>;
  /**
   * Ends it: all parts are live, or it failed. `dueAt`: when it is processed once more, milliseconds. @default null,
   * never
   */
  settle(failure: Failure | null, dueAt?: number | null): Promise<void>;
}

export interface SubjectChange {
  state?: Partial<SubjectState>;
  due_at?: number | null;
  error?: SubjectError | null;
}

/** The context for the adapter's `stage`, whose values survive a crash. */
export function createStageContext(run: SubjectRun, index: number): StageContext {
  const context = run.credentials.context;
  return {
    accountId: context.accountId,
    profile: context.profile,
    get secret() {
      return context.secret;
    },
    now: () => context.now(),
    request: (request) => context.request(request),
    index,
    count: countOf(run),
    previous: run.publisherOf(index).previous,
    uniqueName: sha256(`${run.id}/${index}`).slice(0, 16),
    readMedia: (url, options) =>
      keepWhile(run.lease, run.ports.clock, () => run.ports.readMedia(sourceOf(run, index, url), options)),
    readStart: (url, options) =>
      keepWhile(run.lease, run.ports.clock, () => run.ports.readStart(sourceOf(run, index, url), options)),
    signedUrl: (url, options) => run.ports.signedUrl(sourceOf(run, index, url), options),
    async once<Value extends Json>(name: string, make: () => Promise<Value>, { keepSeconds, sealed }: KeepOptions) {
      const kept = run.state().kept[index]?.[name];
      if (kept !== undefined && kept.expires_at > run.lease.now()) return openKept(run, { index, name, kept }) as Value;
      const value = await make();
      const expires_at = run.lease.now() + wholeMs(keepSeconds * 1000);
      const stored: KeptValue =
        sealed === true ? { ...seal(run, { index, name, value }), expires_at } : { value, expires_at };
      const all = run.state().kept;
      await run.save({ state: { kept: { ...all, [index]: { ...all[index], [name]: stored } } } });
      return value;
    },
    async forget(name) {
      const all = run.state().kept;
      const { [name]: _, ...others } = all[index] ?? {};
      await run.save({ state: { kept: { ...all, [index]: others } } });
    },
  };
}

/** The facts of the file at a URL, if it is one of the part's, a cover, or named by its options. */
function sourceOf(run: SubjectRun, index: number, url: string): MediaSource {
  const { media, optionFiles } = run.publisherOf(index);
  const known = [...media, ...optionFiles].find((file) => file.url === url);
  if (known !== undefined) return known;
  const cover = media.find(({ thumbnail_url }) => thumbnail_url === url);
  const { thumbnail_mime_type: mime_type, thumbnail_stored: stored } = cover ?? {};
  return { url, ...(mime_type && { mime_type }), ...(stored && { stored }) };
}

function seal(
  run: SubjectRun,
  { index, name, value }: { index: number; name: string; value: Json },
): { value: string; sealed: true } {
  return { value: run.ports.vault.seal({ value }, placeOfKept(run, index, name)), sealed: true };
}

function openKept(run: SubjectRun, { index, name, kept }: { index: number; name: string; kept: KeptValue }): Json {
  if (kept.sealed !== true) return kept.value;
  return run.ports.vault.open(String(kept.value), placeOfKept(run, index, name)).value ?? null;
}

function placeOfKept(run: SubjectRun, index: number, name: string): SealedPlace {
  const account = run.credentials.profile().account_id;
  return { account, collection: run.collection, id: run.id, field: `kept.${index}.${name}` };
}

export function stagedValues(run: SubjectRun, index: number): Staged {
  const kept = run.state().kept[index] ?? {};
  return Object.fromEntries(
    Object.entries(kept).map(([name, each]) => [name, openKept(run, { index, name, kept: each })]),
  );
}

export function countOf(run: SubjectRun): number {
  const count = run.count();
  if (count === null) throw new Error(`The ${run.label} ${run.id} was started without parts.`);
  return count;
}
