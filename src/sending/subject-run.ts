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

/** In whose hands a subject is, and what it is sent with. */
export interface SendingContext {
  ports: SendingPorts;
  lease: Lease;
  adapter: NetworkAdapter;
  credentials: OpenCredentials;
  slots: (lane: Lane) => CommitSlot;
  /** Waits that started before this were counted by a clock that has jumped since. */
  waitsSince: number;
  /** What others that are under way on the profile say in one of their parts; null: that part is not known. */
  textsInFlight(subjectIds: readonly string[]): Promise<(subjectId: string, part: number) => readonly string[] | null>;
}

/** Why a subject whose turn has come is not sent. */
export interface Hindrance {
  /** What is in its way, for humans, as in "It was not sent: …". */
  reason: string;
  /** When it is over at the latest, milliseconds; null: not known. */
  until: number | null;
  /** It stays so: the subject fails. */
  isFinal: boolean;
}

/** Something that is to go out, in the hands of its profile's holder: a target of a post, or an answer in a conversation. */
export interface SubjectRun extends SendingContext {
  id: string;
  /** Where it is stored. */
  collection: "targets" | "messages";
  /** ISO 8601. */
  createdAt: string;
  /** What it waits for its turn with. */
  lane: Lane;
  /** Nothing is sent for it after this, milliseconds; null: there is no such end. */
  sendUntil: number | null;
  /** Must hold when a request for it is put on record, besides that the profile is held. */
  guard(): readonly Operation[];
  /** What it is called, as in "the target tgt_1". */
  label: string;
  /** What to do where nobody knows whether it went out, as in "The post may be live: …". */
  adviceIfUnknown: string;
  /** How many parts go out; null: not planned yet. */
  count(): number | null;
  /** What is to be done for a part, by its position. `live`: the parts before it. @default those that are on record */
  publisherOf(index: number, live?: readonly PublishedPart[]): BoundPublisher;
  state(): SubjectState;
  /** It has neither gone out nor failed. */
  isOpen(): boolean;
  /** What it shows. */
  error(): SubjectError | null;
  /**
   * Keeps the files that it is sent with, before anything is sent; once. True: its acts are others now.
   *
   * @throws PublishingError `media_error`
   */
  prepare(): Promise<boolean>;
  /**
   * What is in its way though its turn has come; null: nothing. `lost`: the requests of this attempt whose answers were
   * lost. Absent: nothing ever is.
   */
  hindrance?(lost: readonly IntentRow[]): Promise<Hindrance | null>;
  /** Changes it here; stored with the next `save` or when it settles. */
  remember(state: Partial<SubjectState>): void;
  /** Stores it, changed, in order; only while the profile is held. */
  save(change: SubjectChange): Promise<void>;
  /** Ends it: all of it is live, or it failed. `dueAt`: when it is looked at once more all the same, milliseconds. @default null, not at all */
  settle(failure: Failure | null, dueAt?: number | null): Promise<void>;
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

/** What is known of the file at an address, if it is one of the part's, the cover of one, or named by its options. */
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
