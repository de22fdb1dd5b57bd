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
  /** Must hold when a request for it is put on record. */
  guard: SubjectRun["guard"];
  /** Position in the thread, from 0. */
  index: number;
  /** The requests for this part that lost their answers or became jobs, by number: a duplicate refusal is then evidence. */
  unresolvedIntents: readonly IntentRow[];
  /** Intents up to this number belong to earlier attempts. */
  lastIntentBeforeRetry: number;
  /** It goes out soon or never: what was made later is not it. */
  isPrompt: boolean;
  /** What others that are under way on the profile say. */
  textsInFlight: SubjectRun["textsInFlight"];
}

/** What was staged for an intent's parts now, as it is kept; null: nothing. */
export function sealHandles(run: PartRun, intentId: string, keys: Keys): string | null {
  const { staged } = run.publisher.requestFor(keys);
  if (staged.every((each) => Object.keys(each).length === 0)) return null;
  const handles = staged.length === 1 ? { ...staged[0] } : { parts: [...staged] };
  return run.ports.vault.seal(handles, placeOfHandles(run, intentId));
}

/** An intent's request, made from what it was made from. */
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

/** Say whose a network's posts are, so that nobody else takes them for theirs. */
export function publicationsOf(run: Publisher, { following = [], ...first }: Published): Operation[] {
  return [first, ...following].flatMap(({ id }) => (id === null ? [] : [publicationOf(run, id)]));
}

/** Who publishes, for which subject. */
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
