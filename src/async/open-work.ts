/** Tracks work that continues after its call has returned. */
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
