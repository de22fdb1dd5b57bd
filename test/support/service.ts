import { memoryMediaStore } from "../../src/media/memory.ts";
import type { NetworkAdapter } from "../../src/networks/contract/adapter.ts";
import type { SocialServiceOptions } from "../../src/options.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";
import { createSocialService, type SocialService } from "../../src/service.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { type ManualClock, manualClock } from "../../src/testing/clock.ts";
import { scenes } from "../networks/scenes.ts";
import { hostedFiles } from "./hosted-files.ts";
import { silentLogger } from "./logger.ts";

export interface TestService {
  social: SocialService;
  clock: ManualClock;
  sandbox: Sandbox;
  storage: Storage;
}

/** A key for tests: 32 zero bytes. */
export const testKey = Buffer.alloc(32).toString("base64");

/** Where tests say that the handler is mounted. */
export const testBaseUrl = "https://app.example.com";

/** Whose pages browsers may be sent back to. */
const testTrustedOrigins = ["https://host.example"];

export function testNetworks(): NetworkAdapter[] {
  return scenes.map(({ adapter }) => adapter());
}

/** The one way to a service in tests: a clock that is moved by hand, memory storage, simulated networks. */
export function createTestService(
  options: Partial<SocialServiceOptions> & { tenants?: false; clock?: ManualClock } = {},
): TestService {
  const clock = options.clock ?? manualClock();
  const { mediaStore = memoryMediaStore(), baseUrl = testBaseUrl } = options;
  const sandbox = createSandbox({ clock, hosts: [hostedFiles(mediaStore, baseUrl)] });
  const storage = options.storage ?? memoryStorage({ clock });
  const social = createSocialService({
    networks: testNetworks(),
    encryptionKey: testKey,
    clock,
    http: sandbox.http,
    untrustedHttp: sandbox.untrustedHttp,
    logger: silentLogger,
    mediaStore,
    baseUrl,
    trustedOrigins: testTrustedOrigins,
    ...options,
    storage,
  });
  return { social, clock, sandbox, storage };
}
