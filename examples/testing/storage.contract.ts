import { memoryStorage } from "postrider/storage/memory";
import { storageContract } from "postrider/testing/contracts";

// Vitest runs it. Put your own storage in place of this one.
storageContract({ name: "a storage of your own", create: () => ({ storage: memoryStorage() }) });
