/** Node's exit code for a script whose top-level await never settles: https://nodejs.org/api/process.html#exit-codes (2026-11) */
const unsettledAwait = 13;

let sleeping = 0;
let isListening = false;

/**
 * Counts the calls that wait for a manual clock. If a script ends because nobody moves the clock, Node names only the
 * line that awaits. This names the reason.
 */
export function countSleep(by: 1 | -1): void {
  sleeping += by;
  if (isListening) return;
  isListening = true;
  process.on("exit", () => {
    if (process.exitCode === unsettledAwait && sleeping > 0) process.stderr.write(`${hint}\n`);
  });
}

const hint =
  "postrider: the script ended while a call waited for a manualClock, which moves only when you move it. " +
  "Pass the call to clock.run(), for example: await clock.run(() => social.posts.create(post))";
