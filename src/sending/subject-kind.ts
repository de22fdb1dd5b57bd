import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { ProfileFacts } from "../networks/contract/profile.ts";
import type { Row } from "../storage/storage.ts";
import type { IntentRow } from "./intent.ts";
import type { Lane } from "./slot.ts";
import type { SendingContext, SubjectRun } from "./subject-run.ts";

/** A kind of what goes out on profiles, such as the targets of posts. Its rows have `profile_id` and `due_at`. */
export interface SubjectKind {
  collection: SubjectRun["collection"];
  /** Of one profile so many are worked on side by side. */
  atOnce: number;
  /** Somebody waits for each of them: those that come while others are worked on do not wait for these. */
  isAwaited: boolean;
  /** False: none goes out there, so that none is looked for. Undefined: the service was created without the network. */
  goesOutOn(adapter: NetworkAdapter | undefined): boolean;
  run(row: Row, sending: SendingContext): SubjectRun;
  /** What one says, by the part's position; null: there is no such part. */
  textsOf(row: Row, on: SentOn): (part: number) => readonly string[] | null;
  /** Which of them keeps its lane's slot when a profile is claimed; null: none does. Absent: that is read when one's turn comes. */
  findOccupiedSlot?(
    unresolved: readonly IntentRow[],
    on: SentOn & { now: number },
  ): Promise<readonly [lane: Lane, subjectId: string] | null>;
}

/** Where something goes out. */
export interface SentOn {
  adapter: NetworkAdapter;
  profile: ProfileFacts;
}
