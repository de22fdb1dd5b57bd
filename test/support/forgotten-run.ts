/** A script that forgets `clock.run`. */
import { manualClock } from "../../src/testing/clock.ts";

await manualClock().sleep(1_000);
