import { memoryMediaStore } from "../../../src/media/memory.ts";
import { mediaStoreContract } from "../../../src/testing/media-store.ts";

mediaStoreContract({ name: "memory", create: () => ({ store: memoryMediaStore() }) });
