export { type ManualClock, manualClock } from "./clock.ts";
export {
  type ConnectedProfile,
  type NetworkBench,
  networkBench,
  networkScene,
  type SeenRequest,
} from "./network-bench.ts";
