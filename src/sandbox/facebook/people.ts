import { byName, type InboxScene, type OwnerWho, type PersonWho, type SceneHooks } from "../inbox-scene.ts";
import type { AudienceSwitches } from "./audience.ts";
import type { HookSwitches } from "./hooks.ts";
import { sandboxApp } from "./logins.ts";
import type { StoredMessage } from "./messenger.ts";
import type { NewPage } from "./pages.ts";
import type { NewPost } from "./posts.ts";
import type { StoredComment } from "./state.ts";

/** The parts of the simulation that people use. */
interface Network extends AudienceSwitches, HookSwitches {
  addPage(page: NewPage): { access_token: string; external_id: string };
  postAs(externalId: string, post: Partial<NewPost>): string;
  comments(): StoredComment[];
  messages(): StoredMessage[];
}

/** Of each person's messages. https://developers.facebook.com/docs/messenger-platform/conversations (2026-02) */
const newestShown = 20;

/** A Page, and people who write to it. */
export interface FacebookPeople extends InboxScene {
  /** The network's id. */
  network: "facebook";
  /** The credentials that connect the account. */
  credentials: { access_token: string; client_id: string };
  /** The person with this name, of letters and digits; the first call creates them. */
  person(name: string): PersonWho<"dm" | "comment" | "mention" | "edit" | "unsend" | "react" | "attach" | "follow">;
  /** The account's owner. */
  owner: OwnerWho<"dm">;
  /** The id of the post on which people comment. */
  post: string;
  /** The webhooks of the network. */
  hooks: SceneHooks;
}

/** @param options.newerPosts how many posts the Page has that are newer than the one with comments */
export function facebookPeople(
  there: Network,
  { name, newerPosts = 0 }: { name: string; newerPosts?: number },
): FacebookPeople {
  const { access_token, external_id: page } = there.addPage({ name });
  const post = there.postAs(page, { message: `${name} is open` });
  for (let newer = 1; newer <= newerPosts; newer++) there.postAs(page, { message: `Day ${newer}` });
  const isComment = (id: string): boolean => there.comments().some((comment) => comment.id === id);
  const stored = () => [
    ...there.comments().map(({ id, message: text }) => ({ id, text })),
    ...there.messages().map(({ id, text }) => ({ id, text })),
  ];

  const person = byName((who: string) => {
    const id = there.addFan(who);
    return {
      id,
      dm: (text: string) => there.messageAs(id, page, text),
      comment: (text: string) => there.commentAs(id, post, text),
      mention: (text: string) => there.mentionAs(id, page, text),
      edit(written: string, text: string) {
        if (isComment(written)) there.editComment(written, text);
        return isComment(written);
      },
      unsend(written: string) {
        const isRemoved = isComment(written);
        if (isRemoved) there.removeComment(written);
        return isRemoved;
      },
      react: (to: string, emoji: string) => there.reactAs(id, page, to, emoji),
      attach: () => there.sendAs(id, page, { attachments: [{ type: "image", payload: { url: pictureUrl } }] }),
      follow: (ref: string) => there.referAs(id, page, ref),
    };
  });

  return {
    network: "facebook",
    credentials: { access_token, client_id: sandboxApp.client_id },
    handle: name,
    post,
    person,
    owner: { id: page, dm: ({ id }: { id: string }, text: string) => there.answerByHand(id, page, text) },
    texts: () => stored().map(({ text }) => text),
    idOf: (isWanted: (text: string) => boolean) => stored().find(({ text }) => isWanted(text))?.id ?? null,
    hooks: {
      sendTo: there.sendHooksTo,
      change: there.changeHooks,
      answers: there.hookAnswers,
      end: () => there.unsubscribe(page),
    },
    lists: { messages: true, changes: false },
    isUnlisted(id: string) {
      const all = there.messages();
      const place = all.findIndex((message) => message.id === id);
      const later = all.slice(place + 1).filter(({ person: other }) => other === all[place]?.person);
      return place >= 0 && later.length >= newestShown;
    },
  };
}

const pictureUrl = "https://scontent.sandbox.example/a-cat.jpg";
