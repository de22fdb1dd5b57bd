/** What goes out on a profile in turn: its posts, or the messages of one conversation. */
export type Lane = "posts" | `conversation:${string}`;

/**
 * A commit slot for each lane of a profile. What waits in one lane holds up no other.
 *
 * @param keptBy the subject, by lane, of which nothing was known yet when the profile was claimed
 */
export function createCommitSlots(keptBy: ReadonlyMap<Lane, string>): (lane: Lane) => CommitSlot {
  const slots = new Map<Lane, CommitSlot>();
  return (lane) => {
    const slot = slots.get(lane) ?? createCommitSlot(keptBy.get(lane) ?? null);
    slots.set(lane, slot);
    return slot;
  };
}

/** One commit at a time in a lane of a profile, in the order asked for. */
export interface CommitSlot {
  /** Waits for its turn. False: a part of which nothing is known yet keeps the slot. */
  acquire(subjectId: string): Promise<boolean>;
  /** `isKept`: nothing is known of the part yet, so nobody else may commit. */
  release(subjectId: string, options: { isKept: boolean }): void;
  /** Runs work while nobody commits, whoever keeps the slot. */
  whileFree<Value>(subjectId: string, work: () => Promise<Value>): Promise<Value>;
  /** After a fault: if it was this one's turn, nobody knows what became of its request. */
  abandon(subjectId: string): void;
}

/** `keptBy`: the subject of which nothing was known yet when the profile was claimed. */
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
