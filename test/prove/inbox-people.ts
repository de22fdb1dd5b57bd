import type { NetworkAdapter } from "../../src/networks/contract/adapter.ts";
import type { InboxScene, ScenePerson } from "../../src/sandbox/inbox-scene.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { inboxNetworks } from "../support/inbox-networks.ts";

/** What an account is like. */
export interface Circumstances {
  name: string;
  /** True: people comment on a post that is older than those whose comments are listed often. */
  isPostOld: boolean;
}

/** A message, and the person who wrote it; null: the account's owner. */
export interface Written {
  id: string;
  by: ScenePerson | null;
}

/** The number of posts whose comments are listed often. */
const newestPosts = 25;

export const inboxAdapters = (): NetworkAdapter[] => inboxNetworks.map(({ adapter }) => adapter());

/** Opens an account on each network. */
export const inboxScenes = inboxNetworks.map(
  ({ open }) =>
    (sandbox: Sandbox, { name, isPostOld }: Circumstances): InboxScene =>
      open(sandbox, { name, newerPosts: isPostOld ? newestPosts : 0 }),
);

/** All ways to write to an account: two people, each in every kind of conversation, and the owner to one of them. */
export function waysToWrite({ person, owner }: InboxScene): ((text: string) => Written)[] {
  const people = [person("Ann"), person("Bo")] as const;
  const ofPeople = people.flatMap((by) =>
    [by.mention, by.comment, by.dm]
      .filter((write) => write !== undefined)
      .map(
        (write) =>
          (text: string): Written => ({ id: write(text), by }),
      ),
  );
  const { dm } = owner;
  return dm === undefined ? ofPeople : [...ofPeople, (text) => ({ id: dm(people[1], text), by: null })];
}
