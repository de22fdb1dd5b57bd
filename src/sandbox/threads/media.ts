import { ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { type ContainerState, createContainers } from "../parts/containers.ts";
import { graphPage, graphRefusal, graphTime } from "../parts/graph.ts";
import { fieldsOf } from "../parts/graph-fields.ts";
import { takeOut } from "../parts/known.ts";
import type { Lag } from "../parts/listing.ts";
import type { Accounts, Holding, ThreadsAccount } from "./accounts.ts";
import { type Draft, readDraft } from "./draft.ts";
import { permalinkOf, type StoredPost, toPost } from "./posts.ts";
import { type PullFailure, pull } from "./pull.ts";

/** How the account's lists may differ from what was sent. */
export interface ListWays {
  /** True: texts are shown without trailing blanks. @default true */
  trimsTexts: boolean;
  /** True: the topic is shown without its sign. @default false */
  showsTopicsBare: boolean;
  /** True: ghost posts are shown. @default true */
  showsGhosts: boolean;
}

/** A post that the owner writes in Threads' own app. */
export interface PostByHand {
  /** Its text. */
  text: string;
  /** What it is. @default "TEXT_POST" */
  kind?: Draft["kind"];
  /** The id of the post that it replies to. */
  reply_to?: string | undefined;
}

const dayMs = 24 * 3_600_000;

/**
 * The error for a container that does not exist, and for one that cannot be published: both have the same message.
 * https://github.com/gitroomhq/postiz-app/pull/2047 (2026-08)
 */
function notThere(): Error {
  return graphRefusal("24/4279009", "The requested resource does not exist");
}

export function createMedia(
  accounts: Accounts,
  { nextId, lag }: { nextId: () => string; lag: Lag },
  ports: SandboxPorts,
) {
  const { clock } = ports;
  const containers = createContainers<Draft, PullFailure>({ clock, newId: nextId });
  const drafts = new Map<string, { draft: Draft; created_at: number }>();
  const stored: StoredPost[] = [];
  const usedBefore = new Map<string, ThreadsAccount["quota"]>();
  const ways: ListWays = { trimsTexts: true, showsTopicsBare: false, showsGhosts: true };
  let spreadMs = 0;
  // https://github.com/gitroomhq/postiz-app/issues/1441 (2026-04)
  let parentlessMs = 30_000;
  let failsShare = false;

  const own = ({ id }: ThreadsAccount): StoredPost[] => stored.filter(({ account }) => account === id);

  function used(account: ThreadsAccount): ThreadsAccount["quota"] {
    const recent = own(account).filter(({ created_at }) => created_at > clock.now() - dayMs);
    const before = usedBefore.get(account.id) ?? { posts: 0, replies: 0 };
    const replies = recent.filter(({ draft }) => draft.reply_to !== null).length;
    return { posts: before.posts + recent.length - replies, replies: before.replies + replies };
  }

  function keep(account: ThreadsAccount, draft: Draft): StoredPost {
    const items = draft.children.flatMap((child) => drafts.get(child)?.draft ?? []);
    const { id, username } = account;
    const post = { id: nextId(), account: id, username, draft, items, created_at: clock.now() };
    stored.push(post);
    return post;
  }

  /** Fields without a value are omitted; requested fields that this type of object lacks are rejected by name. */
  function pick(all: Readonly<Record<string, unknown>>, fields: readonly string[]): SandboxAnswer {
    const missing = fields.find((field) => !(field in all));
    if (missing !== undefined)
      throw graphRefusal(100, `Tried accessing nonexisting field (${missing})`, { type: "THApiException" });
    const shown = Object.fromEntries(fields.map((field) => [field, all[field]]).filter(([, value]) => value != null));
    return ok({ ...shown, id: all.id });
  }

  function shownText({ text, topic }: Draft): string {
    const bare = ways.showsTopicsBare && topic !== null ? text.replace(`#${topic}`, topic) : text;
    return ways.trimsTexts ? bare.trim() : bare;
  }

  function entity(post: StoredPost): Record<string, unknown> {
    const { id, draft, created_at } = post;
    const text = shownText(draft);
    return {
      id,
      text: text === "" ? null : text,
      media_type: draft.kind,
      permalink: permalinkOf(post),
      timestamp: graphTime(created_at),
      is_reply: draft.reply_to !== null,
      replied_to: draft.reply_to === null ? null : { id: draft.reply_to },
      link_attachment_url: draft.link,
    };
  }

  function hasVideo({ kind, children }: Draft): boolean {
    return kind === "VIDEO" || children.some((child) => drafts.get(child)?.draft.kind === "VIDEO");
  }

  /**
   * Replies are possible only to public posts.
   * https://developers.facebook.com/documentation/threads/retrieve-and-manage-replies/create-replies (2025-12)
   */
  function assertParent({ reply_to }: Draft): void {
    if (reply_to !== null && !stored.some(({ id }) => id === reply_to)) throw notThere();
  }

  return {
    async create(holding: Holding, request: SandboxRequest): Promise<SandboxAnswer> {
      const draft = await readDraft(request, holding);
      assertParent(draft);
      const id = await containers.create({
        owner: holding.account.id,
        content: draft,
        children: draft.children,
        pull: () => pull(ports.fetch, draft),
      });
      if (id === null) throw notThere();
      drafts.set(id, { draft, created_at: clock.now() });
      return ok({ id });
    },
    async publish({ account }: Holding, request: SandboxRequest): Promise<SandboxAnswer> {
      const { creation_id } = await fieldsOf(request);
      const id = String(creation_id ?? "");
      const made = drafts.get(id);
      if (account.status !== "active") throw graphRefusal("10/4279013", "The user is restricted");
      if (made === undefined || made.draft.isChild || clock.now() < made.created_at + spreadMs) throw notThere();
      const what = made.draft.reply_to === null ? "posts" : "replies";
      // The message is not documented (unconfirmed).
      if (used(account)[what] >= account.quota[what]) throw graphRefusal("9/2207042", "Too many posts");
      const result = await containers.publish(account.id, id);
      if ("refused" in result) throw notThere();
      const { isShared } = result.content;
      const share = isShared ? { crossreshare_to_ig_status: failsShare ? "FAILED" : "SUCCESS" } : {};
      const losesParent = hasVideo(result.content) && clock.now() < made.created_at + parentlessMs;
      const draft = losesParent ? { ...result.content, reply_to: null } : result.content;
      return ok({ id: keep(account, draft).id, ...share });
    },
    /** A container or a post; null: the account has nothing with this id. */
    async show(account: ThreadsAccount, id: string, fields: readonly string[]): Promise<SandboxAnswer | null> {
      const container = await containers.look(account.id, id);
      if (container !== null) return pick({ id, ...containerFields(container) }, fields);
      const post = own(account).find((each) => each.id === id);
      return post === undefined ? null : pick(entity(post), fields);
    },
    list(account: ThreadsAccount, edge: "threads" | "replies", url: URL): SandboxAnswer {
      const fields = (url.searchParams.get("fields") ?? "id").split(",");
      const since = Number(url.searchParams.get("since") ?? 0) * 1000;
      const shown = own(account)
        .filter(({ draft, created_at }) => {
          if ((draft.reply_to !== null) !== (edge === "replies") || !lag.shows(created_at)) return false;
          return created_at >= since && (ways.showsGhosts || !draft.isGhost);
        })
        .reverse();
      const data = shown.map((post) => pick(entity(post), fields).json);
      return ok(graphPage(data, url));
    },
    quota(account: ThreadsAccount): SandboxAnswer {
      const { posts, replies } = used(account);
      const config = (quota_total: number) => ({ quota_total, quota_duration: 86_400 });
      const ofPosts = { quota_usage: posts, config: config(account.quota.posts) };
      const ofReplies = { reply_quota_usage: replies, reply_config: config(account.quota.replies) };
      return ok({ data: [{ ...ofPosts, ...ofReplies }] });
    },
    posts: () => stored.map(toPost),
    switches: {
      containers: () => drafts.size,
      postAs(externalId: string, given: PostByHand): string {
        const { text, kind = "TEXT_POST", reply_to = null } = given;
        return keep(accounts.named(externalId), { ...emptyDraft, text, kind, reply_to }).id;
      },
      removePost: (id: string) => void takeOut(stored, id, "post"),
      changeLists: (given: Partial<ListWays>) => void Object.assign(ways, given),
      useUpPosts: (externalId: string, given: Partial<ThreadsAccount["quota"]>) =>
        void usedBefore.set(externalId, { posts: 0, replies: 0, ...given }),
      spreadContainersFor(seconds: number): void {
        spreadMs = seconds * 1000;
      },
      loseParentsFor(seconds: number): void {
        parentlessMs = seconds * 1000;
      },
      failShares(): void {
        failsShare = true;
      },
      processMediaFor: containers.take,
      failNextMedia: containers.failNext,
    },
  };
}

const emptyDraft: Draft = {
  kind: "TEXT_POST",
  isChild: false,
  text: "",
  address: null,
  alt: "",
  children: [],
  reply_to: null,
  link: null,
  topic: null,
  quoted: null,
  isGhost: false,
  isSpoiler: false,
  poll: [],
  isShared: false,
};

/** The names differ from Instagram's. https://developers.facebook.com/docs/threads/troubleshooting (2026-08) */
function containerFields({ status, failure }: ContainerState<PullFailure>): Record<string, unknown> {
  return { status, error_message: failure };
}
