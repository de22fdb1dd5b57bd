import { byName, type InboxScene, type OwnerWho, type PersonWho, saidToStrangers } from "../inbox-scene.ts";
import type { NewAccount } from "./accounts.ts";
import type { MastodonPost } from "./posts.ts";
import type { PostByHand } from "./statuses.ts";
import type { InstanceWays } from "./ways.ts";

/** The parts of the simulation that people use. */
interface Network {
  addAccount(account: NewAccount): { instance: string; access_token: string; external_id: string };
  changeInstance(ways: Partial<InstanceWays>): void;
  mute(externalId: string, muted: string, isMuted: boolean): void;
  postAs(externalId: string, post: PostByHand): string;
  editPost(id: string, text: string): string;
  removePost(id: string): void;
  posts(): MastodonPost[];
}

/** More than two pages of notifications, so that one of them shows nothing. */
const mutedAtOnce = 45;

/** An account, and people who write to it. */
export interface MastodonPeople extends InboxScene {
  /** The network's id. */
  network: "mastodon";
  /** The credentials that connect the account. */
  credentials: { instance: string; access_token: string };
  /** The person with this name, of letters and digits; the first call creates them. */
  person(name: string): PersonWho<"handle" | "dm" | "comment" | "mention" | "reply" | "edit" | "unsend">;
  /** The account's owner. */
  owner: OwnerWho<"reply">;
  /** The id of the post on which people comment. */
  post: string;
  /** Fills the lists of the account with events that do not belong in its inbox. */
  disturb(): void;
}

export function mastodonPeople(there: Network, { name }: { name: string }): MastodonPeople {
  const { external_id: owner, instance, access_token } = there.addAccount({ username: name });
  const post = there.postAs(owner, { text: `${name} is open` });
  const named = (text: string): string => `@${name} ${text}`;

  const person = byName((who: string) => {
    const username = `${who.toLowerCase()}_${name}`;
    const { external_id: id } = there.addAccount({ username, display_name: who });
    return {
      id,
      handle: `@${username}`,
      dm: (text: string) => there.postAs(id, { text: named(text), visibility: "direct" }),
      comment: (text: string) => there.postAs(id, { text: named(text), reply_to: post }),
      mention: (text: string) => there.postAs(id, { text: named(text) }),
      reply: (to: string, text: string) => there.postAs(id, { text: named(text), reply_to: to }),
      edit(written: string, text: string) {
        there.editPost(written, named(text));
        return true;
      },
      unsend(written: string) {
        there.removePost(written);
        return true;
      },
    };
  });

  const muted = byName((who: string) => {
    const { external_id } = there.addAccount({ username: `${who}_${name}` });
    there.mute(owner, external_id, true);
    there.changeInstance({ filtersPages: true });
    return external_id;
  });

  return {
    network: "mastodon",
    credentials: { instance, access_token },
    handle: `@${name}`,
    post,
    person,
    owner: { id: owner, reply: (to: string, text: string) => there.postAs(owner, { text, reply_to: to }) },
    texts: () => there.posts().map(({ text }) => text),
    idOf: (isWanted: (text: string) => boolean) => there.posts().find(({ text }) => isWanted(text))?.id ?? null,
    lists: { messages: true, changes: true },
    disturb() {
      const overheard = there.postAs(person("Bystander").id, { text: "tea is ready" });
      there.postAs(owner, { text: saidToStrangers, reply_to: overheard });
      for (let left = mutedAtOnce; left > 0; left--) there.postAs(muted("loud"), { text: named("nobody hears this") });
    },
  };
}
