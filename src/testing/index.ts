export { type ManualClock, manualClock } from "./clock.ts";
