import { byName, type InboxScene, type OwnerWho, type PersonWho, saidToStrangers } from "../inbox-scene.ts";
import type { SandboxPost } from "../network.ts";
import type { NewAccount } from "./accounts.ts";
import type { SandboxChat } from "./chat.ts";
import type { HandPosts } from "./hand-posts.ts";

/** The parts of the simulation that people use. */
interface Network extends HandPosts {
  addAccount(account: NewAccount): { did: string; handle: string; password: string };
  posts(): SandboxPost[];
  chat: SandboxChat;
}

/** More likes than a page of notifications shows. */
const likesAtOnce = 13;

/** An account whose app password may read messages, and people who write to it. */
export interface BlueskyPeople extends InboxScene {
  /** The network's id. */
  network: "bluesky";
  /** The credentials that connect the account. */
  credentials: { identifier: string; app_password: string };
  /** The person with this name, of letters and digits; the first call creates them. */
  person(name: string): PersonWho<"handle" | "dm" | "comment" | "mention" | "reply" | "unsend" | "react" | "attach">;
  /** The account's owner. */
  owner: OwnerWho<"dm" | "reply" | "remove">;
  /** The id of the post on which people comment. */
  post: string;
  /** Fills the lists of the account with events that do not belong in its inbox. */
  disturb(): void;
}

export function blueskyPeople(there: Network, { name }: { name: string }): BlueskyPeople {
  const handleOf = (who: string): string => `${who.toLowerCase()}.sandbox.example`;
  const owner = there.addAccount({ handle: handleOf(name), scope: "com.atproto.appPassPrivileged" });
  const post = there.postAs(owner.did, { text: `${name} is open` });
  const isMessage = (id: string): boolean => !id.startsWith("at://");
  const stored = () => [
    ...there.posts(),
    ...there.chat.messages().filter(({ deleted_for }) => !deleted_for.includes(owner.did)),
  ];

  const person = byName((who: string) => {
    const { did: id, handle } = there.addAccount({ handle: handleOf(`${who}-${name}`), display_name: who });
    const dm = (text: string): string => there.chat.write(id, [owner.did], { text });
    return {
      id,
      handle: `@${handle}`,
      dm,
      comment: (text: string) => there.postAs(id, { text, reply_to: post }),
      mention: (text: string) => there.postAs(id, { text: `@${owner.handle} ${text}` }),
      reply: (to: string, text: string) => (isMessage(to) ? dm(text) : there.postAs(id, { text, reply_to: to })),
      unsend(written: string) {
        // A deleted message stays with its recipient.
        if (!isMessage(written)) there.removePost(written);
        return !isMessage(written);
      },
      react: (to: string, emoji: string) => there.chat.react(id, to, { value: emoji }),
      attach: () => there.postAs(id, { text: "", reply_to: post, picture: "a cat" }),
    };
  });

  return {
    network: "bluesky",
    credentials: { identifier: owner.handle, app_password: owner.password },
    handle: `@${owner.handle}`,
    post,
    person,
    owner: {
      id: owner.did,
      dm: ({ id }: { id: string }, text: string) => there.chat.write(owner.did, [id], { text }),
      reply: (to: string, text: string) => there.postAs(owner.did, { text, reply_to: to }),
      remove(id: string) {
        if (isMessage(id)) there.chat.remove(owner.did, id);
        return isMessage(id);
      },
    },
    texts: () => stored().map(({ text }) => text),
    idOf: (isWanted: (text: string) => boolean) => stored().find(({ text }) => isWanted(text))?.id ?? null,
    lists: { messages: true, changes: true },
    disturb() {
      const bystander = person("Bystander");
      const overheard = there.postAs(bystander.id, { text: "tea is ready" });
      there.postAs(owner.did, { text: saidToStrangers, reply_to: overheard });
      for (let left = likesAtOnce; left > 0; left--) there.likeAs(bystander.id, post, left);
    },
  };
}
