import type { Pace } from "../async/pace.ts";
import type { InFairTurn } from "../async/shares.ts";
import type { MediaSource } from "../networks/contract/plan.ts";
import type { FileSlice, PullOptions } from "../networks/contract/request.ts";
import type { SessionPorts } from "../networks/runtime/session.ts";
import type { Outbound } from "../outbound/http.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { Logger } from "../ports/logger.ts";
import type { Vault } from "../ports/vault.ts";
import type { ProfileEvent } from "../profiles/schema.ts";
import type { Storage } from "../storage/storage.ts";
import type { Outbox } from "../webhooks/outbox.ts";
import type { SentHere } from "./sent-here.ts";

/** The ports that sending needs. */
export interface SendingPorts {
  storage: Storage;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  outbound: Outbound;
  session: SessionPorts;
  vault: Vault;
  outbox: Outbox<ProfileEvent>;
  /** Called between the pieces of long work, so that other work gets a turn. */
  pace: Pace;
  sentHere: SentHere;
  /** Reads a caller's media file, or a slice of it. */
  readMedia(
    source: MediaSource,
    options: { maxBytes: number; slice?: FileSlice; anyKind?: boolean },
  ): Promise<Uint8Array>;
  /** Runs work that holds whole files in memory, each account within its share. */
  inFileTurn: InFairTurn;
  /** As in `StageContext`. */
  readStart(source: MediaSource, options: { bytes: number; maxBytes: number }): Promise<Uint8Array>;
  /** A URL from which the network can download a caller's media file. @throws PublishingError `media_error` */
  signedUrl(source: MediaSource, options: PullOptions): Promise<string>;
  /** How long a subject that cannot be sent yet is retried, milliseconds. */
  maxRetryMs: number;
  /** A part that is known not to be live is not sent again later than this after its request, milliseconds. */
  maxLatenessMs: number;
  /** How long it is known which posts on the networks are this service's, milliseconds. Null: for ever. */
  postsKeptMs: number | null;
}
