import { isoTime } from "../clock.ts";
import { PublishingError } from "../errors.ts";
import type { CommitInput, CommitRules, NetworkAdapter, Part } from "../networks/adapter.ts";
import type { OpenCredentials } from "../profiles/credentials.ts";
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
  subject: { id: string; createdAt: number };
  /** The requests for this part that lost their answers, by number: a duplicate refusal is then evidence. */
  lost: readonly IntentRow[];
  /** Intents up to this number belong to earlier attempts. */
  floor: number;
  /** Builds what the request is made from; the key is the intent's. */
  inputFor(key: string): CommitInput;
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
