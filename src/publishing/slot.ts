/** One commit at a time on a profile, in the order asked for. */
export interface CommitSlot {
  /** Waits for its turn. False: a part that is still undecided keeps the slot. */
  acquire(subjectId: string): Promise<boolean>;
  /** `undecided`: the part's outcome is not known yet, so nobody else may commit. */
  release(subjectId: string, options: { undecided: boolean }): void;
  /** After a fault: if it was this one's turn, nobody knows what became of its request. */
  abandon(subjectId: string): void;
}

/** `keptBy`: the target whose part was undecided when the profile was claimed. */
export function createCommitSlot(keptBy: string | null): CommitSlot {
  let keeper = keptBy;
  let holder: string | null = null;
  const waiting: (() => void)[] = [];
  return {
    async acquire(subjectId) {
      while (holder !== null && holder !== subjectId) {
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      if (keeper !== null && keeper !== subjectId) return false;
      holder = subjectId;
      return true;
    },
    release(subjectId, { undecided }) {
      if (undecided) keeper = subjectId;
      else if (keeper === subjectId) keeper = null;
      endTurn(subjectId);
    },
    abandon(subjectId) {
      if (holder === subjectId) keeper = subjectId;
      endTurn(subjectId);
    },
  };

  function endTurn(subjectId: string): void {
    if (holder !== subjectId) return;
    holder = null;
    for (const wake of waiting.splice(0)) wake();
  }
}
