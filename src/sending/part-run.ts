import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { Staged } from "../networks/contract/commit.ts";
import type { PlannedMedia, Published } from "../networks/contract/plan.ts";
import { isoTime } from "../ports/clock.ts";
import type { SealedPlace } from "../ports/vault.ts";
import type { OpenCredentials } from "../profiles/credentials.ts";
import type { Operation } from "../storage/storage.ts";
import { toRow } from "../storage/typed.ts";
import type { Lease } from "../work/lease.ts";
import type { BoundPublisher, BoundRequest } from "./bound-publisher.ts";
import { type IntentRow, type Keys, keysOf } from "./intent.ts";
import type { SendingPorts } from "./ports.ts";
import type { SubjectRun } from "./subject-run.ts";

/** One part of one subject, ready to be made public. */
export interface PartRun {
  ports: SendingPorts;
  lease: Lease;
  adapter: NetworkAdapter;
  credentials: OpenCredentials;
  publisher: BoundPublisher;
  subjectId: string;
  /** Operations whose conditions must hold when a request for it is recorded. */
  guard: SubjectRun["guard"];
  /** Position in the thread, from 0. */
  index: number;
  /**
   * The requests for this part whose responses were lost or that became jobs, by number. With them, a duplicate refusal
   * is evidence.
   */
  unresolvedIntents: readonly IntentRow[];
  /** Intents up to this number belong to earlier attempts. */
  lastIntentBeforeRetry: number;
  /** True: it is sent soon or never, so a post that was made later is another one. */
  isPrompt: boolean;
  /** The texts of other subjects in progress on the profile. */
  textsInFlight: SubjectRun["textsInFlight"];
}

/** The current staged values of an intent's parts, sealed. Null: none. */
export function sealHandles(run: PartRun, intentId: string, keys: Keys): string | null {
  const { staged } = run.publisher.requestFor(keys);
  if (staged.every((each) => Object.keys(each).length === 0)) return null;
  const handles = staged.length === 1 ? { ...staged[0] } : { parts: [...staged] };
  return run.ports.vault.seal(handles, placeOfHandles(run, intentId));
}

/** An intent's request, made from the intent's staged values. */
export function boundRequestOf(run: PartRun, intent: IntentRow): BoundRequest {
  const keys = keysOf(intent);
  const { handles } = intent.private;
  if (handles === null) return run.publisher.requestFor(keys, []);
  const opened = run.ports.vault.open(handles, placeOfHandles(run, intent.id));
  return run.publisher.requestFor(keys, keys.length === 1 ? [opened] : (opened.parts as Staged[]));
}

function placeOfHandles(run: PartRun, intentId: string): SealedPlace {
  const account = run.credentials.profile().account_id;
  return { account, collection: "intents", id: intentId, field: "handles" };
}

/** The kind of part, which decides how long the network may take. */
export function kindOf({ media }: { media: readonly PlannedMedia[] }): "text" | "image" | "video" {
  if (media.some(({ type }) => type === "video")) return "video";
  return media.length > 0 ? "image" : "text";
}

/** Operations that record the owner of a network's posts, so that no other subject is matched with them. */
export function publicationsOf(run: Publisher, { following = [], ...first }: Published): Operation[] {
  return [first, ...following].flatMap(({ id }) => (id === null ? [] : [publicationOf(run, id)]));
}

/** The publishing profile and the subject. */
type Publisher = Pick<PartRun, "ports" | "lease" | "adapter" | "credentials" | "subjectId">;

function publicationOf(run: Publisher, networkPostId: string): Operation {
  const { ports, lease, adapter, credentials, subjectId } = run;
  const now = lease.now();
  return {
    kind: "insert",
    collection: "publications",
    row: toRow({
      id: ports.ids.create("publication", now),
      network: adapter.spec.network,
      external_account_id: credentials.profile().external_id,
      network_post_id: networkPostId,
      subject_id: subjectId,
      created_at: isoTime(now),
    }),
  };
}
