import { isoTime } from "../clock.ts";
import { PublishingError } from "../errors.ts";
import type { CommitInput, CommitRules, NetworkAdapter, Part, Staged } from "../networks/adapter.ts";
import type { OpenCredentials } from "../profiles/credentials.ts";
import type { SealedPlace } from "../profiles/vault.ts";
import type { Lease } from "../storage/lease.ts";
import type { Operation } from "../storage/storage.ts";
import { toRow } from "../storage/typed.ts";
import type { IntentRow } from "./intent.ts";
import type { PublishingPorts } from "./ports.ts";

/** One part of one target, ready to be made public. */
export interface PartRun {
  ports: PublishingPorts;
  lease: Lease;
  adapter: NetworkAdapter;
  credentials: OpenCredentials;
  rules: CommitRules;
  part: Part;
  /** Position in the thread, from 0. */
  index: number;
  /** The part's words, in each form in which the network may show them. */
  says(): readonly string[];
  subject: { id: string; createdAt: number };
  /** The requests for this part that lost their answers, by number: a duplicate refusal is then evidence. */
  lost: readonly IntentRow[];
  /** Intents up to this number belong to earlier attempts. */
  floor: number;
  /** Builds what the request is made from. `staged`: an intent's, where it is not what is staged now. */
  inputFor(key: string, staged?: Staged): CommitInput;
}

/** What was staged for the part now, as an intent keeps it; null: nothing. */
export function sealHandles(run: PartRun, intentId: string): string | null {
  const { staged } = run.inputFor("");
  return Object.keys(staged).length === 0 ? null : run.ports.vault.seal({ ...staged }, placeOfHandles(run, intentId));
}

/** What an intent's request was made from. */
export function inputOf(run: PartRun, { id, private: { key, handles } }: IntentRow): CommitInput {
  return run.inputFor(key, handles === null ? {} : run.ports.vault.open(handles, placeOfHandles(run, id)));
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

/** Says whose a network's post is, so that nobody else takes it for theirs. */
export function publicationOf(run: PartRun, networkPostId: string): Operation {
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
