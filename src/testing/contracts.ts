export type { InboxContractOptions, OpenedScene } from "./inbox/bench.ts";
export { inboxContract } from "./inbox.ts";
export {
  type MediaStoreContractOptions,
  mediaStoreContract,
  type TestedMediaStore,
} from "./media-store.ts";
export type { NetworkCase, NetworkScene } from "./network/scene.ts";
export { type NetworkContractOptions, networkContract } from "./network.ts";
export { type SchedulerContractOptions, schedulerContract, type TestedScheduler } from "./scheduler.ts";
export { type StorageContractOptions, storageContract, type TestedStorage } from "./storage.ts";
