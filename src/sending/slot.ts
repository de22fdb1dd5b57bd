/** A sequence of sends on a profile: its posts, or the messages of one conversation. */
export type Lane = "posts" | `conversation:${string}`;

/**
 * Creates a commit slot for each lane of a profile. A wait in one lane delays no other.
 *
 * @param keptBy by lane, the subject whose outcome was unknown when the profile was claimed
 */
export function createCommitSlots(keptBy: ReadonlyMap<Lane, string>): (lane: Lane) => CommitSlot {
  const slots = new Map<Lane, CommitSlot>();
  return (lane) => {
    const slot = slots.get(lane) ?? createCommitSlot(keptBy.get(lane) ?? null);
    slots.set(lane, slot);
    return slot;
  };
}

/** Allows one commit at a time in a lane of a profile, in the order of the calls. */
export interface CommitSlot {
  /** Waits for its turn. False: a part whose outcome is unknown keeps the slot. */
  acquire(subjectId: string): Promise<boolean>;
  /** `isKept`: the part's outcome is unknown, so no other subject may commit. */
  release(subjectId: string, options: { isKept: boolean }): void;
  /** Runs work while no commit runs, even if another subject keeps the slot. */
  whileFree<Value>(subjectId: string, work: () => Promise<Value>): Promise<Value>;
  /** Call this after a fault: if it was this subject's turn, the outcome of its request is unknown. */
  abandon(subjectId: string): void;
}

/** `keptBy`: the subject whose outcome was unknown when the profile was claimed. */
export function createCommitSlot(keptBy: string | null): CommitSlot {
  let keeper = keptBy;
  let holder: string | null = null;
  const waiting: (() => void)[] = [];
  return {
    async acquire(subjectId) {
      while (isTaken(subjectId)) await nextEnd();
      if (keeper !== null && keeper !== subjectId) return false;
      holder = subjectId;
      return true;
    },
    async whileFree(subjectId, work) {
      while (isTaken(subjectId)) await nextEnd();
      const isOurs = holder === subjectId;
      holder = subjectId;
      try {
        return await work();
      } finally {
        if (!isOurs) endTurn(subjectId);
      }
    },
    release(subjectId, { isKept }) {
      if (isKept) keeper = subjectId;
      else if (keeper === subjectId) keeper = null;
      endTurn(subjectId);
    },
    abandon(subjectId) {
      if (holder === subjectId) keeper = subjectId;
      endTurn(subjectId);
    },
  };

  function isTaken(subjectId: string): boolean {
    return holder !== null && holder !== subjectId;
  }

  function nextEnd(): Promise<void> {
    return new Promise((resolve) => waiting.push(resolve));
  }

  function endTurn(subjectId: string): void {
    if (holder !== subjectId) return;
    holder = null;
    for (const wake of waiting.splice(0)) wake();
  }
}
