/** Works off the jobs of the phase `simulate`. */
import { playWeeks, type SimulateJob } from "./simulate-weeks.ts";

process.on("message", (job: SimulateJob) => {
  void playWeeks(job).then((tally) => process.send?.(tally));
});
