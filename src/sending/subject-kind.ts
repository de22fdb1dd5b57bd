import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { ProfileFacts } from "../networks/contract/profile.ts";
import type { Row } from "../storage/storage.ts";
import type { IntentRow } from "./intent.ts";
import type { Lane } from "./slot.ts";
import type { SendingContext, SubjectRun } from "./subject-run.ts";

/**
 * A kind of subject that is sent on profiles, such as the targets of posts. Its rows have `profile_id` and `due_at`.
 */
export interface SubjectKind {
  collection: SubjectRun["collection"];
  /** Subjects of one profile that are processed concurrently. */
  atOnce: number;
  /** True: a user waits for each of them, so new ones do not wait until those in progress have ended. */
  isAwaited: boolean;
  /**
   * False: this kind is never sent there, so no row is searched for. Undefined: the service was created without the
   * network.
   */
  goesOutOn(adapter: NetworkAdapter | undefined): boolean;
  run(row: Row, sending: SendingContext): SubjectRun;
  /** The text of a subject, by the part's position. Null: there is no such part. */
  textsOf(row: Row, on: SentOn): (part: number) => readonly string[] | null;
  /**
   * What may still become of a subject. `ended`: it is never sent again. `retryable`: only a retry can send it again.
   * `open`: it is being sent.
   */
  stageOf(row: Row): "open" | "retryable" | "ended";
  /**
   * Which of them keeps its lane's slot when a profile is claimed; null: none. Absent: it is read when a subject's turn
   * comes.
   */
  findOccupiedSlot?(
    unresolved: readonly IntentRow[],
    on: SentOn & { now: number },
  ): Promise<readonly [lane: Lane, subjectId: string] | null>;
}

/** Where a subject is sent. */
export interface SentOn {
  adapter: NetworkAdapter;
  profile: ProfileFacts;
}
