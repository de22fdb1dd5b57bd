import type { Conversation, InboxMessage } from "../../src/inbox/schema.ts";
import type { ConnectedScene, InboxWorld } from "./inbox-world.ts";

/** Somebody who follows an inbox by its changes alone. */
export interface Follower {
  scene: ConnectedScene;
  conversations: Map<string, Conversation>;
  messages: Map<string, InboxMessage>;
  /** Reads on, through whoever lives; what fails is read again another time. */
  follow(): Promise<void>;
}

/** Few, so that pages end in the middle of things. */
const limit = 7;

export function createFollower(world: InboxWorld, scene: ConnectedScene): Follower {
  const conversations = new Map<string, Conversation>();
  const messages = new Map<string, InboxMessage>();
  let after = 0;

  async function readPage(): Promise<boolean> {
    const process = world.anyone();
    const { inbox } = process.social.forAccount(scene.accountId);
    const page = await Promise.race([inbox.changes({ profile_id: scene.profileId, after, limit }), process.died]);
    if (page === undefined) return false;
    for (const each of page.conversations) conversations.set(each.id, each);
    for (const each of page.messages) messages.set(each.id, each);
    after = page.next;
    return page.has_more;
  }

  return {
    scene,
    conversations,
    messages,
    async follow() {
      while (await readPage().catch(() => false));
    },
  };
}
