import type { JsonObject } from "../../wire/json.ts";
import { jsonBody, ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { readAs } from "../parts/fields.ts";
import { withId } from "../parts/known.ts";
import { createLag } from "../parts/listing.ts";
import type { SandboxAccount } from "./accounts.ts";
import { bodySchema, type Draft, draftOf, type StatusBody } from "./draft.ts";
import { keptText, mentionedIn, type StoredStatus, statusEntity } from "./entities.ts";
import { floodDraft, type MentionFlood } from "./flood.ts";
import type { MediaStore, NewFile } from "./media.ts";
import { idOf, notificationEntity, statusBounds, typeOf } from "./notifications.ts";
import { type MastodonPost, toPost } from "./posts.ts";
import { broken, invalid, notFound, Refusal } from "./refusal.ts";
import { byConversation, linkBelow, pageOf } from "./timelines.ts";
import type { Visibility } from "./ways.ts";

/** How long a key is stored: an hour. https://docs.joinmastodon.org/methods/statuses/ (2026-07) */
const keyKeptMs = 3_600_000;
/** Where two concurrent requests can both succeed: how long after the first one the key is known. */
const keyLateMs = 1_000;
/** https://docs.joinmastodon.org/methods/statuses/#index (2026-07) */
const maxShown = 20;
/** Version 4.5. */
const firstApiWithQuotes = 7;

export interface Statuses {
  create(account: SandboxAccount, request: SandboxRequest): SandboxAnswer;
  show(account: SandboxAccount, id: string): SandboxAnswer;
  /** Several posts, if the reader may see them. */
  showAll(reader: SandboxAccount, parameters: URLSearchParams): SandboxAnswer;
  source(account: SandboxAccount, id: string): SandboxAnswer;
  /** The posts of one account. */
  list(reader: SandboxAccount, accountId: string, parameters: URLSearchParams): SandboxAnswer;
  /** The reader's own posts, and those of the accounts that it follows. */
  home(reader: SandboxAccount, parameters: URLSearchParams): SandboxAnswer;
  /** The posts above a post, the topmost first, and those below it. */
  context(reader: SandboxAccount, id: string): SandboxAnswer;
  /** Posts of others that mention the reader. */
  notifications(reader: SandboxAccount, parameters: URLSearchParams): SandboxAnswer;
  /** The account's owner posts without the library. */
  add(account: SandboxAccount, given: PostByHand): string;
  posts(): MastodonPost[];
  count(account: SandboxAccount): number;
  /** The author edits a post; returns its id. */
  edit(id: string, text: string): string;
  /** The author of the post above approves a reply. */
  approve(id: string): void;
  /** The author deletes a post. */
  remove(id: string): void;
  lagReads(seconds: number): void;
  /** Makes each read of the reader's newest notifications return new ones by `author`; null: no more. */
  flood(reader: SandboxAccount, author: SandboxAccount, flood: MentionFlood | null): void;
}

/** A post that an account writes without the library. */
export interface PostByHand {
  /** Its text. */
  text: string;
  /** Who can see it. @default "public" */
  visibility?: Visibility;
  /** The id of another post on the same instance. */
  reply_to?: string | undefined;
  /** Its files, in order. */
  media?: readonly NewFile[];
}

export function createStatuses(
  ports: SandboxPorts,
  options: { nextId: () => string; media: MediaStore; accounts: () => readonly SandboxAccount[] },
): Statuses {
  const { media } = options;
  let stored: StoredStatus[] = [];
  const keys = new Map<string, { id: string; from: number; until: number }>();
  const lag = createLag(ports.clock);
  const floods = new Map<SandboxAccount, MentionFlood & { author: SandboxAccount }>();

  function isReadable(status: StoredStatus, reader: SandboxAccount): boolean {
    const { account, visibility } = status;
    if (account.instance !== reader.instance || account.status === "suspended") return false;
    if (account === reader || visibility === "public" || visibility === "unlisted") return true;
    return (visibility === "private" && reader.follows.has(account)) || isNamed(status, reader);
  }

  function isNamed(status: StoredStatus, reader: SandboxAccount): boolean {
    return mentionedIn(status, options.accounts()).includes(reader);
  }

  /** A post whose id has changed is also found by its first id. */
  const isCalled = (status: StoredStatus, id: string | null | undefined): boolean =>
    status.id === id || status.address === id;
  const find = (reader: SandboxAccount, id: string | null | undefined): StoredStatus | undefined =>
    stored.find((status) => isCalled(status, id) && isReadable(status, reader));

  function entity(status: StoredStatus, reader: SandboxAccount): JsonObject {
    return statusEntity(status, {
      reader,
      accounts: options.accounts(),
      media: status.media.map((file) => media.entity(media.current(file))),
      quoted: status.quoted === null ? null : entity(status.quoted, reader),
      replies: stored.filter(({ reply_to }) => reply_to === status).length,
      statusesCount: count(status.account),
      now: ports.clock.now(),
    });
  }

  function count(account: SandboxAccount): number {
    return stored.filter((status) => status.account === account).length;
  }

  function create(account: SandboxAccount, request: SandboxRequest): SandboxAnswer {
    const unreadable = () => new Refusal(400, "Error occurred while parsing request parameters");
    const body = readAs(bodySchema, jsonBody(request), unreadable);
    // This sandbox publishes immediately or not at all, as the library requests.
    if (body.scheduled_at !== undefined) throw invalid("Scheduled at is not simulated");
    const replyTo = body.in_reply_to_id == null ? null : find(account, body.in_reply_to_id);
    if (replyTo === undefined) throw new Refusal(404, "The post you are trying to reply to does not appear to exist.");
    const key = request.headers.get("idempotency-key");
    const first = key === null ? null : firstUnder(account, key);
    if (first !== null && account.instance.ways.keys === "fails") throw broken();
    if (first !== null) return show(account, first);
    const quoted = quotedBy(account, body);
    const status = place(account, { draft: draftOf(account, body, media), reply_to: replyTo, quoted });
    if (key !== null) rememberKey(status, key);
    return ok(entity(status, account));
  }

  /** The id of the post that was created with this key before. */
  function firstUnder({ id, instance }: SandboxAccount, key: string): string | null {
    const first = keys.get(`${id}/${key}`);
    if (first === undefined || instance.ways.keys === "ignored") return null;
    return ports.clock.now() >= first.from && ports.clock.now() < first.until ? first.id : null;
  }

  function rememberKey({ id, account, created_at }: StoredStatus, key: string): void {
    const from = created_at + (account.instance.ways.keys === "late" ? keyLateMs : 0);
    keys.set(`${account.id}/${key}`, { id, from, until: created_at + keyKeptMs });
  }

  function place(
    account: SandboxAccount,
    { draft, ...around }: { draft: Draft } & Pick<StoredStatus, "reply_to" | "quoted">,
  ): StoredStatus {
    const id = options.nextId();
    const made = { created_at: ports.clock.now(), edited_at: null, isApproved: false };
    const status = { ...draft, ...around, ...made, id, address: id, account };
    stored.push(status);
    for (const file of status.media) file.attached = true;
    return status;
  }

  function bringFlood(reader: SandboxAccount): void {
    const { author, mentions = 0, characters = 0 } = floods.get(reader) ?? {};
    if (author === undefined) return;
    for (let brought = 0; brought < mentions; brought++)
      place(author, { draft: floodDraft(reader, { characters, number: stored.length }), reply_to: null, quoted: null });
  }

  /** An older server ignores unknown fields. */
  function quotedBy(account: SandboxAccount, { quoted_status_id }: StatusBody): StoredStatus | null {
    const { instance } = account;
    const knowsQuotes = (instance.api_version ?? 0) >= firstApiWithQuotes;
    if (quoted_status_id == null || !knowsQuotes || instance.ways.drops.includes("quoted_status_id")) return null;
    const quoted = find(account, quoted_status_id);
    if (quoted === undefined) throw new Refusal(404, "The post you are trying to quote does not appear to exist.");
    return quoted;
  }

  function show(account: SandboxAccount, id: string): SandboxAnswer {
    const status = find(account, id);
    if (status === undefined) throw notFound();
    return ok(entity(status, account));
  }

  function listed(fits: (status: StoredStatus) => boolean): StoredStatus[] {
    return stored.filter((status) => lag.shows(status.created_at) && fits(status));
  }

  return {
    create,
    show,
    showAll(reader, parameters) {
      const ids = parameters.getAll("id[]");
      if (reader.instance.ways.lacksManyAtOnce) throw notFound();
      if (ids.length > maxShown) throw invalid("Too many statuses requested");
      return ok(ids.flatMap((id) => find(reader, id) ?? []).map((each) => entity(each, reader)));
    },
    source(account, id) {
      const status = find(account, id);
      if (status === undefined || status.account !== account || account.instance.ways.lacksSource) throw notFound();
      return ok({ id, text: status.text, spoiler_text: status.spoiler_text });
    },
    list(reader, accountId, parameters) {
      const { instance } = reader;
      const { listHides, listHidesReplies, listOrder, listsWhole } = instance.ways;
      if (!options.accounts().some((each) => each.id === accountId && each.instance === instance)) throw notFound();
      const hidesReplies = listHidesReplies || parameters.get("exclude_replies") === "true";
      const shown = listed(
        (status) =>
          status.account.id === accountId &&
          isReadable(status, reader) &&
          !listHides.includes(status.visibility) &&
          !(hidesReplies && status.reply_to !== null),
      );
      const page = listsWhole ? [...shown].reverse() : pageOf(shown, { parameters, ways: instance.ways });
      const last = listsWhole ? null : (page.at(-1)?.id ?? null);
      const headers = linkBelow(`/api/v1/accounts/${accountId}/statuses`, { last, parameters, instance });
      const ordered = listOrder === "conversation" ? byConversation(page) : page;
      return { status: 200, headers, json: ordered.map((each) => entity(each, reader)) };
    },
    home(reader, parameters) {
      const { ways } = reader.instance;
      if (ways.lacksHome) throw notFound();
      const shown = listed((status) => {
        if (status.account === reader) return isOwnAtHome(status);
        return reader.follows.has(status.account) && isReadable(status, reader);
      });
      return ok(pageOf(shown, { parameters, ways }).map((each) => entity(each, reader)));
    },
    context(reader, id) {
      const status = find(reader, id);
      if (status === undefined) throw notFound();
      const ancestors: JsonObject[] = [];
      for (let above = status.reply_to; above !== null; above = above.reply_to)
        if (stored.includes(above) && isReadable(above, reader)) ancestors.unshift(entity(above, reader));
      const below = listed((each) => isBelow(each, status) && isReadable(each, reader));
      return ok({ ancestors, descendants: below.map((each) => entity(each, reader)) });
    },
    notifications(reader, parameters) {
      const { instance, mutes } = reader;
      const { ways } = instance;
      const types = parameters.getAll("types[]");
      const known = ["mention", ...(ways.asksApproval ? ["pending.reply"] : [])];
      if (ways.refusesTypes && types.some((type) => !known.includes(type))) throw invalid("Types are not all known");
      const isAsked = (status: StoredStatus): boolean => types.length === 0 || types.includes(typeOf(status));
      if (!parameters.has("max_id")) bringFlood(reader);
      const isTold = ({ account }: StoredStatus): boolean => !mutes.has(account);
      const named = listed((status) => isAsked(status) && status.account !== reader && isNamed(status, reader));
      const told = ways.filtersPages ? named : named.filter(isTold);
      const page = pageOf(told, { parameters: statusBounds(parameters), ways });
      const lowest = page.at(-1);
      const last = lowest === undefined ? null : idOf(lowest);
      return {
        status: 200,
        headers: linkBelow("/api/v1/notifications", { last, parameters, instance }),
        json: page.filter(isTold).map((status) => notificationEntity(status, entity(status, reader))),
      };
    },
    add(account, { text, visibility = "public", reply_to: replyTo, media: files = [] }) {
      const reply_to = replyTo === undefined ? null : find(account, replyTo);
      if (reply_to === undefined) throw new Error(`The sandbox has no post ${replyTo} that this account can see.`);
      const media_ids = files.map((file) => media.add(account, file).id);
      const body = bodySchema.parse({ status: text, visibility, media_ids });
      return place(account, { draft: draftOf(account, body, media), reply_to, quoted: null }).id;
    },
    posts: () => stored.map((status) => toPost(status, media)),
    count,
    edit(id, text) {
      const status = withId(stored, id, "post");
      Object.assign(status, { ...keptText(text), edited_at: ports.clock.now() });
      if (status.account.instance.ways.editsChangeIds) status.id = options.nextId();
      return status.id;
    },
    approve(id) {
      for (const status of stored) if (status.id === id) status.isApproved = true;
    },
    remove(id) {
      stored = stored.filter((status) => status.id !== id);
    },
    lagReads: lag.take,
    flood(reader, author, flood) {
      if (flood === null) floods.delete(reader);
      else floods.set(reader, { ...flood, author });
    },
  };
}

function isOwnAtHome({ account, visibility, reply_to }: StoredStatus): boolean {
  const { homeHides, homeHidesAnswers } = account.instance.ways;
  const isStranger = reply_to !== null && reply_to.account !== account && !account.follows.has(reply_to.account);
  return !homeHides.includes(visibility) && !(homeHidesAnswers && isStranger);
}

function isBelow({ reply_to }: StoredStatus, status: StoredStatus): boolean {
  return reply_to !== null && (reply_to === status || isBelow(reply_to, status));
}
