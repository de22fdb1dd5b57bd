import type { Profile } from "../../src/profiles/schema.ts";
import type { ListedNetwork, ListedScene, Written } from "../support/inbox-networks.ts";
import { createTestService, type TestService } from "../support/service.ts";

/** A connected account, and Ann, who writes to it. */
export interface InboxBench extends TestService {
  profile: Profile;
  scene: ListedScene;
  ann: ReturnType<ListedScene["person"]>;
  /** Sends a message, and gives the inbox time to read it. */
  writes(written: Written, by?: string): Promise<string>;
  /** Publishes from the account; returns the network's id of the post. */
  publish(text: string): Promise<string>;
  /** Waits until the inbox was read, however long its network delays it. */
  read(): Promise<void>;
}

/** Longer than any source waits between two reads, milliseconds. */
const longestWaitMs = 20 * 60_000;

export async function inboxBench(
  network: ListedNetwork,
  options: Parameters<typeof createTestService>[0] = {},
): Promise<InboxBench> {
  const service = createTestService({ networks: [network.adapter()], ...options });
  const { social, clock, sandbox } = service;
  await clock.run(() => social.start());
  const scene = network.open(sandbox, { name: "alice" });
  const { credentials } = scene;
  const profile = await clock.run(() => social.profiles.connect({ network: network.network, credentials }));
  const ann = scene.person("Ann");
  const read = () => clock.advance(longestWaitMs);
  await read();
  return {
    ...service,
    profile,
    scene,
    ann,
    read,
    async writes(written, by = ann.id) {
      const id = network.write(sandbox, by, written);
      await read();
      return id;
    },
    async publish(text) {
      const { targets } = await clock.run(() => social.posts.create({ profile_ids: [profile.id], text }));
      return targets[0]?.post_ids[0] ?? "";
    },
  };
}
