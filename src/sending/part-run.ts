import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { CommitInput, Staged } from "../networks/contract/commit.ts";
import type { Part, Published } from "../networks/contract/plan.ts";
import type { CommitRules } from "../networks/contract/publish.ts";
import { isoTime } from "../ports/clock.ts";
import type { SealedPlace } from "../ports/vault.ts";
import type { OpenCredentials } from "../profiles/credentials.ts";
import type { Operation } from "../storage/storage.ts";
import { toRow } from "../storage/typed.ts";
import { PublishingError } from "../wire/errors.ts";
import type { Lease } from "../work/lease.ts";
import { type IntentRow, type Keys, keysOf } from "./intent.ts";
import type { SendingPorts } from "./ports.ts";
import type { SubjectRun } from "./subject-run.ts";

/** One part of one subject, ready to be made public. */
export interface PartRun {
  ports: SendingPorts;
  lease: Lease;
  adapter: NetworkAdapter;
  credentials: OpenCredentials;
  rules: CommitRules;
  part: Part;
  /** Position in the thread, from 0. */
  index: number;
  /** How many parts are not live yet, this one among them. */
  left: number;
  /** The part's words, in each form in which the network may show them. */
  says(): readonly string[];
  subject: { id: string; createdAt: number };
  /** The requests for this part that lost their answers or became jobs, by number: a duplicate refusal is then evidence. */
  lost: readonly IntentRow[];
  /** Intents up to this number belong to earlier attempts. */
  floor: number;
  /** The parts of others that are under way on the profile, by subject. */
  partsOfOthers: SubjectRun["partsOfOthers"];
  /** Builds what the request is made from, for as many parts as there are keys. `staged`: an intent's, part by part, where it is not what is staged now. */
  inputFor(keys: Keys, staged?: readonly Staged[]): CommitInput;
}

/** What was staged for an intent's parts now, as it is kept; null: nothing. */
export function sealHandles(run: PartRun, intentId: string, keys: Keys): string | null {
  const { staged, following = [] } = run.inputFor(keys);
  const all = [staged, ...following.map((next) => next.staged)];
  if (all.every((each) => Object.keys(each).length === 0)) return null;
  return run.ports.vault.seal(all.length === 1 ? { ...staged } : { parts: all }, placeOfHandles(run, intentId));
}

/** What an intent's request was made from. */
export function inputOf(run: PartRun, intent: IntentRow): CommitInput {
  const keys = keysOf(intent);
  const { handles } = intent.private;
  if (handles === null) return run.inputFor(keys, []);
  const opened = run.ports.vault.open(handles, placeOfHandles(run, intent.id));
  return run.inputFor(keys, keys.length === 1 ? [opened] : (opened.parts as Staged[]));
}

function placeOfHandles(run: PartRun, intentId: string): SealedPlace {
  const account = run.credentials.profile().account_id;
  return { account, collection: "intents", id: intentId, field: "handles" };
}

/** The kind of part, which decides how long the network may take. */
export function kindOf({ media }: Part): "text" | "image" | "video" {
  if (media.some(({ type }) => type === "video")) return "video";
  return media.length > 0 ? "image" : "text";
}

export function publisherOf(adapter: NetworkAdapter): NonNullable<NetworkAdapter["publish"]> {
  if (adapter.publish === undefined) {
    throw new PublishingError("unsupported", `Nothing can be published on ${adapter.spec.name}.`);
  }
  return adapter.publish;
}

/** Say whose a network's posts are, so that nobody else takes them for theirs. */
export function publicationsOf(run: PartRun, { following = [], ...first }: Published): Operation[] {
  return [first, ...following].map(({ id }) => publicationOf(run, id));
}

function publicationOf(run: PartRun, networkPostId: string): Operation {
  const { ports, lease, adapter, credentials, subject } = run;
  const now = lease.now();
  return {
    kind: "insert",
    collection: "publications",
    row: toRow({
      id: ports.ids.create("publication", now),
      network: adapter.spec.network,
      external_account_id: credentials.profile().external_id,
      network_post_id: networkPostId,
      subject_id: subject.id,
      created_at: isoTime(now),
    }),
  };
}
