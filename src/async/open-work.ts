/** Work that goes on after the call that began it has answered. */
export function createOpenWork(): { add(work: Promise<unknown>): void; untilIdle(): Promise<void> } {
  const open = new Set<Promise<unknown>>();
  return {
    add(work) {
      open.add(work);
      void work.finally(() => open.delete(work));
    },
    async untilIdle() {
      while (open.size > 0) await Promise.allSettled(open);
    },
  };
}
