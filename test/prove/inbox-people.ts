import { bluesky } from "../../src/networks/bluesky/index.ts";
import type { NetworkAdapter } from "../../src/networks/contract/adapter.ts";
import { facebook } from "../../src/networks/facebook/index.ts";
import { mastodon } from "../../src/networks/mastodon/index.ts";
import { twitch } from "../../src/networks/twitch/index.ts";
import { sandboxApp as facebookApp } from "../../src/sandbox/facebook/logins.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { sandboxApp as twitchApp } from "../../src/sandbox/twitch/logins.ts";
import type { JsonObject } from "../../src/wire/json.ts";

/** Where people write to one account, and read what it has answered. All past the library. */
export interface Mailbox {
  network: "bluesky" | "mastodon" | "facebook" | "twitch";
  /** What connects it. */
  credentials: JsonObject;
  /** The ways in which somebody can write to it: each returns the network's id of what was written. */
  ways: readonly ((text: string) => string)[];
  /** Somebody new comes by a link of this name, and writes. Absent: nobody is told of such. */
  arrive?(link: string, text: string): { person: string; id: string };
  /** Somebody answers what stands there; null: nobody would be told of it. */
  follow: ((id: string, text: string) => string) | null;
  /** Whoever wrote it changes it; false: it cannot be changed. Null: the network has no edits. */
  edit: ((id: string, text: string) => boolean) | null;
  remove(id: string): void;
  /** Every text that stands there, with those of the account's own. */
  texts(): string[];
  /**
   * What was written is found though it was never sent, or sent in vain.
   * False: only what the service has taken with 200 must be there.
   */
  isRepaired: boolean;
  /** An edit or a deletion is found though it was never told. False: only what the service has taken with 200 must be known. */
  findsChanges: boolean;
  /** The network's lists do not show it any more. Absent: they show everything. */
  isHidden?(id: string): boolean;
  /** Some of its lists are looked at once a day. Absent: all of them more often. */
  isSlow?: true;
}

/** What an account is like. */
export interface Circumstances {
  /** Of its owner. */
  name: string;
  /** People comment on a post far below the newest. */
  isPostOld: boolean;
}

/** The owner says it to people who have not written to the account: it is none of its inbox. */
export const saidToStrangers = "quite so, said the owner";
/** After so many letters the owner talks to a stranger, and those who are muted are loud. */
const lettersBetween = 5;
/** A page is filled with what stands below them, and overflows. */
const likesAtOnce = 13;
/** More than two pages of any list, so that one of them shows nothing. */
const mutedAtOnce = 45;

/** Does something before every fifth letter. */
function nowAndThen(write: (text: string) => string, act: () => void): (text: string) => string {
  let letters = 0;
  return (text) => {
    letters += 1;
    if (letters % lettersBetween === 0) act();
    return write(text);
  };
}

/** Apps whose secrets sign what is sent. */
const facebookSettings = { client_id: facebookApp.client_id, client_secret: facebookApp.client_secret };
const twitchSettings = { client_id: twitchApp.client_id, client_secret: twitchApp.client_secret };

export function inboxAdapters(): NetworkAdapter[] {
  return [
    bluesky({ scopes: ["publish", "inbox"] }),
    mastodon({ scopes: ["publish", "inbox"] }),
    facebook({ app: facebookSettings, scopes: ["publish", "inbox"] }),
    twitch({ app: twitchSettings }),
  ];
}

/** One account on each network. */
export const mailboxes: readonly ((sandbox: Sandbox, circumstances: Circumstances) => Mailbox)[] = [
  onBluesky,
  onMastodon,
  onFacebook,
  onTwitch,
];

function onBluesky({ bluesky: there }: Sandbox, { name }: Circumstances): Mailbox {
  const owner = there.addAccount({ handle: `${name}.sandbox.example`, scope: "com.atproto.appPassPrivileged" });
  const [ann, bo] = ["ann", "bo"].map((who) => there.addAccount({ handle: `${who}-${name}.sandbox.example` }).did) as [
    string,
    string,
  ];
  const messages = () => there.chat.messages().filter(({ deleted_for }) => !deleted_for.includes(owner.did));
  const isMessage = (id: string): boolean => !id.startsWith("at://");
  const post = there.postAs(owner.did, { text: `${name} is open` });
  const disturb = (): void => {
    const overheard = there.postAs(bo, { text: "tea is ready" });
    there.postAs(owner.did, { text: saidToStrangers, reply_to: overheard });
    for (let left = likesAtOnce; left > 0; left--) there.likeAs(bo, post, left);
  };
  return {
    network: "bluesky",
    credentials: { identifier: owner.handle, app_password: owner.password },
    ways: [
      nowAndThen((text) => there.postAs(ann, { text: `@${owner.handle} ${text}` }), disturb),
      (text) => there.postAs(ann, { text, reply_to: post }),
      (text) => there.chat.write(ann, [owner.did], { text }),
      (text) => there.chat.write(bo, [owner.did], { text }),
      (text) => there.chat.write(owner.did, [bo], { text }),
    ],
    follow: (id, text) =>
      isMessage(id) ? there.chat.write(ann, [owner.did], { text }) : there.postAs(ann, { text, reply_to: id }),
    edit: null,
    // Whoever deletes a message does so for themselves alone.
    remove: (id) => (isMessage(id) ? there.chat.remove(owner.did, id) : there.removePost(id)),
    texts: () => [...there.posts(), ...messages()].map(({ text }) => text),
    isRepaired: true,
    findsChanges: true,
  };
}

function onMastodon({ mastodon: there }: Sandbox, { name }: Circumstances): Mailbox {
  const { external_id, instance, access_token } = there.addAccount({ username: name });
  const ann = there.addAccount({ username: `ann${name}` }).external_id;
  const [bo, loud] = ["bo", "loud"].map((who) => there.addAccount({ username: `${who}${name}` }).external_id) as [
    string,
    string,
  ];
  const post = there.postAs(external_id, { text: `${name} is open` });
  there.changeInstance({ filtersPages: true });
  there.mute(external_id, loud, true);
  const disturb = (): void => {
    const overheard = there.postAs(bo, { text: "tea is ready" });
    there.postAs(external_id, { text: saidToStrangers, reply_to: overheard });
    for (let left = mutedAtOnce; left > 0; left--) there.postAs(loud, { text: `@${name} nobody hears this` });
  };
  return {
    network: "mastodon",
    credentials: { instance, access_token },
    ways: [
      nowAndThen((text) => there.postAs(ann, { text: `@${name} ${text}` }), disturb),
      (text) => there.postAs(ann, { text: `@${name} ${text}`, reply_to: post }),
      (text) => there.postAs(ann, { text: `@${name} ${text}`, visibility: "direct" }),
    ],
    follow: (id, text) => there.postAs(ann, { text: `@${name} ${text}`, reply_to: id }),
    edit(id, text) {
      there.editPost(id, `@${name} ${text}`);
      return true;
    },
    remove: there.removePost,
    texts: () => there.posts().map(({ text }) => text),
    isRepaired: true,
    findsChanges: true,
  };
}

/** Posts that are looked at often. */
const newestPosts = 25;

function onFacebook({ facebook: there }: Sandbox, { name, isPostOld }: Circumstances): Mailbox {
  const { access_token, external_id } = there.addPage({ name });
  const [ann, bo] = [there.addFan("Ann Lee"), there.addFan("Bo Dun")];
  const post = there.postAs(external_id, { message: `${name} is open` });
  for (let above = 0; isPostOld && above < newestPosts; above++) there.postAs(external_id, { message: `Day ${above}` });
  const isComment = (id: string): boolean => there.comments().some((comment) => comment.id === id);
  return {
    network: "facebook",
    credentials: { access_token, client_id: facebookSettings.client_id },
    ways: [
      (text) => there.messageAs(ann, external_id, text),
      (text) => there.messageAs(bo, external_id, text),
      (text) => there.commentAs(bo, post, text),
      (text) => there.mentionAs(ann, external_id, text),
      (text) => there.answerByHand(ann, external_id, text),
    ],
    arrive(link, text) {
      const person = there.addFan("Cy Ode");
      there.referAs(person, external_id, link);
      return { person, id: there.messageAs(person, external_id, text) };
    },
    follow: null,
    edit(id, text) {
      if (isComment(id)) there.editComment(id, text);
      return isComment(id);
    },
    remove(id) {
      if (isComment(id)) there.removeComment(id);
    },
    texts: () => [...there.comments().map(({ message }) => message), ...there.messages().map(({ text }) => text)],
    isRepaired: true,
    findsChanges: false,
    isHidden(id) {
      const all = there.messages();
      const place = all.findIndex((message) => message.id === id);
      const later = all.slice(place + 1).filter(({ person }) => person === all[place]?.person);
      return place >= 0 && later.length >= newestShown;
    },
    ...(isPostOld && { isSlow: true }),
  };
}

/** Of each person's messages. https://developers.facebook.com/docs/messenger-platform/conversations (2026-02) */
const newestShown = 20;

function onTwitch({ twitch: there }: Sandbox, { name }: Circumstances): Mailbox {
  const { external_id, ...credentials } = there.addChannel(name);
  const [ann, bo] = [there.addViewer(`ann${name}`), there.addViewer(`bo${name}`)];
  const isLine = (id: string): boolean => there.lines().some((line) => line.id === id);
  return {
    network: "twitch",
    credentials,
    ways: [
      (text) => there.lineAs(ann, external_id, { text: `@${name} ${text}` }),
      (text) => there.lineAs(bo, external_id, { text: `@${name} ${text}` }),
      (text) => there.whisperAs(ann, external_id, text),
    ],
    follow: (id, text) =>
      isLine(id)
        ? there.lineAs(ann, external_id, { text: `@${name} ${text}`, reply_to: id })
        : there.whisperAs(ann, external_id, text),
    edit: null,
    remove(id) {
      if (isLine(id)) there.removeLine(id);
    },
    texts: () => [...there.lines(), ...there.whispers()].map(({ text }) => text),
    isRepaired: false,
    findsChanges: false,
  };
}
