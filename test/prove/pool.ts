import { type ChildProcess, fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";

/**
 * Gives jobs to as many processes as the machine has cores. Each gets one as a
 * message, answers with one message, and gets the next.
 *
 * @param script a file beside this one
 * @param options.maxJobMs a process that takes longer for one job is ended
 * @throws Error when a process ends, with the job it had
 */
export async function runJobs<Job, Result>(
  script: string,
  jobs: readonly Job[],
  onResult: (result: Result, left: number) => void,
  { maxJobMs }: { maxJobMs?: number } = {},
): Promise<void> {
  const queue = [...jobs];
  let left = jobs.length;
  const processes: ChildProcess[] = [];

  function runProcess(): Promise<void> {
    const child = fork(fileURLToPath(new URL(script, import.meta.url)));
    processes.push(child);
    return new Promise((resolve, reject) => {
      let job: Job | undefined;
      let timer: NodeJS.Timeout | undefined;
      const giveNext = (): void => {
        clearTimeout(timer);
        job = queue.shift();
        if (job !== undefined && maxJobMs !== undefined) timer = setTimeout(() => child.kill("SIGKILL"), maxJobMs);
        if (job !== undefined) return void child.send(job as object);
        resolve();
        child.kill();
      };
      child.on("message", (result) => {
        left -= 1;
        onResult(result as Result, left);
        giveNext();
      });
      child.once("exit", (code, signal) => {
        clearTimeout(timer);
        reject(new Error(`A process ended with ${code ?? signal} at ${JSON.stringify(job)}.`));
      });
      giveNext();
    });
  }

  const most = Math.min(availableParallelism(), jobs.length);
  try {
    await Promise.all(Array.from({ length: most }, runProcess));
  } finally {
    for (const child of processes) child.kill();
  }
}
