/** For planted bugs, which may make a run endless. */
export async function beforeTooLong<Value>(work: Promise<Value>, maxMs: number): Promise<Value | "too long"> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<"too long">((resolve) => {
    timer = setTimeout(() => resolve("too long"), maxMs);
  });
  return Promise.race([work, tooLong]).finally(() => clearTimeout(timer));
}
