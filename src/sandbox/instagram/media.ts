import { ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { type ContainerState, createContainers, type NotPublished } from "../parts/containers.ts";
import { graphPage, graphRefusal, graphTime, uploadHost } from "../parts/graph.ts";
import { fieldsOf } from "../parts/graph-fields.ts";
import { assertWhole } from "../parts/graph-files.ts";
import { takeOut } from "../parts/known.ts";
import type { Lag } from "../parts/listing.ts";
import type { Accounts, Caller, SandboxAccount } from "./accounts.ts";
import { type Draft, readDraft } from "./draft.ts";
import { permalinkOf, type StoredComment, type StoredPost, toPost } from "./posts.ts";
import { pull } from "./pull.ts";

/** How the account's lists may differ from what was sent. */
export interface ListWays {
  /** True: captions are shown without trailing blanks. @default true */
  trimsCaptions: boolean;
  /** True: trial reels are shown. @default true */
  showsTrials: boolean;
}

/** A post that the owner creates in Instagram's own app. */
export interface PostByHand {
  /** Its caption. */
  text: string;
  /** The kind of its file. @default "IMAGE" */
  kind?: Draft["kind"];
  /** Where it appears. @default "FEED" */
  product?: Draft["product"];
}

const dayMs = 24 * 3_600_000;

const notPublished: Readonly<Record<NotPublished, () => Error>> = {
  not_ready: () => graphRefusal("9007/2207027", "Media ID is not available"),
  unknown: () => graphRefusal("24/2207006", "The requested resource does not exist"),
  // The message for these is not documented (unconfirmed).
  already_published: () => graphRefusal("24/2207006", "The requested resource does not exist"),
  failed: () => graphRefusal("24/2207006", "The requested resource does not exist"),
  expired: () => graphRefusal("-2/2207020", "The media has expired"),
};

export type Media = ReturnType<typeof createMedia>;

export function createMedia(
  accounts: Accounts,
  { nextId, lag }: { nextId: () => string; lag: Lag },
  ports: SandboxPorts,
) {
  const { clock } = ports;
  const containers = createContainers<Draft, number>({ clock, newId: nextId });
  const drafts = new Map<string, Draft>();
  const stored: StoredPost[] = [];
  const comments: StoredComment[] = [];
  const usedBefore = new Map<string, number>();
  const ways: ListWays = { trimsCaptions: true, showsTrials: true };

  const own = ({ id }: SandboxAccount): StoredPost[] => stored.filter(({ account }) => account === id);

  /** Comments do not count as posts. */
  function used(account: SandboxAccount): number {
    const recent = own(account).filter(({ created_at }) => created_at > clock.now() - dayMs);
    return recent.length + (usedBefore.get(account.id) ?? 0);
  }

  function find(account: SandboxAccount, id: string): StoredPost {
    const post = own(account).find((each) => each.id === id);
    if (post === undefined) throw graphRefusal("100/33", `Unsupported request. Object with ID '${id}' does not exist`);
    return post;
  }

  function keep(account: SandboxAccount, draft: Draft): StoredPost {
    const items = draft.children.flatMap((child) => drafts.get(child) ?? []);
    const post = { id: nextId(), account: account.id, draft, items, created_at: clock.now(), comment_enabled: true };
    stored.push(post);
    return post;
  }

  /** Requested fields that this type of object lacks are rejected by name. */
  function pick(all: Readonly<Record<string, unknown>>, fields: readonly string[], type: string): SandboxAnswer {
    const missing = fields.find((field) => !(field in all));
    if (missing !== undefined)
      throw graphRefusal(100, `(#100) Tried accessing nonexisting field (${missing}) on node type (${type})`);
    const shown = Object.fromEntries(fields.map((field) => [field, all[field]]).filter(([, value]) => value !== null));
    return ok({ ...shown, id: all.id });
  }

  function entity(post: StoredPost): Record<string, unknown> {
    const { id, draft, created_at, comment_enabled } = post;
    const caption = ways.trimsCaptions ? draft.caption.trim() : draft.caption;
    return {
      id,
      caption: caption === "" ? null : caption,
      media_type: draft.kind,
      permalink: permalinkOf(post),
      timestamp: graphTime(created_at),
      is_comment_enabled: comment_enabled,
      comments_count: comments.filter((comment) => comment.post === id).length,
    };
  }

  return {
    async create(account: SandboxAccount, caller: Caller, request: SandboxRequest): Promise<SandboxAnswer> {
      const draft = await readDraft(request, caller);
      const id = await containers.create({
        owner: account.id,
        content: draft,
        children: draft.children,
        pull: () => pull(ports.fetch, draft),
        isWhole: () => draft.sent === null || draft.sent.bytes !== null,
      });
      if (id === null) throw notPublished.not_ready();
      drafts.set(id, draft);
      const uri = `https://${uploadHost}/ig-api-upload/v26.0/${id}`;
      return ok(draft.sent === null ? { id } : { id, uri });
    },
    /** Receives a whole video, for a container that waits for it. */
    async send(account: SandboxAccount, id: string, { headers, bytes }: SandboxRequest): Promise<SandboxAnswer> {
      const sent = drafts.get(id)?.sent ?? null;
      if ((await containers.look(account.id, id)) === null || sent === null)
        throw graphRefusal("100/33", "Unsupported request. Object does not exist");
      assertWhole(headers, bytes);
      if (sent.bytes !== null) throw graphRefusal(100, "(#100) The upload was finished before");
      sent.bytes = bytes;
      return ok({ success: true, message: "Upload successful." });
    },
    async publish(account: SandboxAccount, request: SandboxRequest): Promise<SandboxAnswer> {
      const { creation_id } = await fieldsOf(request);
      const id = String(creation_id ?? "");
      if (account.status !== "active") throw graphRefusal("25/2207050", "The account is restricted");
      if (used(account) >= account.quota_total)
        throw graphRefusal("9/2207042", "You reached maximum number of posts that is allowed to be published");
      if (drafts.get(id)?.isChild === true) throw notPublished.unknown();
      const result = await containers.publish(account.id, id);
      if ("refused" in result) throw notPublished[result.refused]();
      return ok({ id: keep(account, result.content).id });
    },
    /** A container or a post; null: the account has nothing with this id. */
    async show(account: SandboxAccount, id: string, fields: readonly string[]): Promise<SandboxAnswer | null> {
      const container = await containers.look(account.id, id);
      if (container !== null) return pick({ id, ...containerFields(container) }, fields, "ShadowIGMediaBuilder");
      const post = own(account).find((each) => each.id === id);
      return post === undefined ? null : pick(entity(post), fields, "IGMedia");
    },
    list(account: SandboxAccount, edge: "media" | "stories", url: URL): SandboxAnswer {
      const fields = (url.searchParams.get("fields") ?? "id").split(",");
      const isStory = edge === "stories";
      const shown = own(account)
        .filter(({ draft, created_at }) => {
          if ((draft.product === "STORY") !== isStory || !lag.shows(created_at)) return false;
          return isStory ? created_at > clock.now() - dayMs : ways.showsTrials || !draft.is_trial;
        })
        .reverse();
      return ok(
        graphPage(
          shown.map((post) => pick(entity(post), fields, "IGMedia").json),
          url,
        ),
      );
    },
    quota: (account: SandboxAccount) =>
      ok({
        data: [{ quota_usage: used(account), config: { quota_total: account.quota_total, quota_duration: 86_400 } }],
      }),
    async switchComments(account: SandboxAccount, id: string, request: SandboxRequest): Promise<SandboxAnswer> {
      const post = find(account, id);
      const { comment_enabled } = await fieldsOf(request);
      if (comment_enabled !== "true" && comment_enabled !== "false")
        throw graphRefusal(100, "(#100) The parameter comment_enabled is required");
      post.comment_enabled = comment_enabled === "true";
      return ok({ success: true });
    },
    async comment(account: SandboxAccount, id: string, request: SandboxRequest): Promise<SandboxAnswer> {
      const post = find(account, id);
      const { message } = await fieldsOf(request);
      if (typeof message !== "string" || message === "")
        throw graphRefusal(100, "(#100) The parameter message is required");
      if (!post.comment_enabled) throw graphRefusal(100, "(#100) Comments are off");
      const comment = { id: nextId(), post: id, username: account.username, text: message, created_at: clock.now() };
      comments.push(comment);
      return ok({ id: comment.id });
    },
    listComments(account: SandboxAccount, id: string, url: URL): SandboxAnswer {
      find(account, id);
      const shown = comments.filter(({ post, created_at }) => post === id && lag.shows(created_at)).reverse();
      const data = shown.map(({ id: own, text, username, created_at }) => ({
        id: own,
        text,
        username,
        timestamp: graphTime(created_at),
      }));
      return ok(graphPage(data, url));
    },
    posts: () => stored.map(toPost),
    switches: {
      comments: (): StoredComment[] => [...comments],
      containers: () => drafts.size,
      postAs(externalId: string, { text, kind = "IMAGE", product = "FEED" }: PostByHand): string {
        return keep(accounts.named(externalId), { ...emptyDraft, caption: text, kind, product }).id;
      },
      removePost: (id: string) => void takeOut(stored, id, "post"),
      changeLists: (given: Partial<ListWays>) => void Object.assign(ways, given),
      useUpPosts: (externalId: string, posts: number) => void usedBefore.set(externalId, posts),
      processMediaFor: containers.take,
      failNextMedia: containers.failNext,
    },
  };
}

const emptyDraft: Draft = {
  kind: "IMAGE",
  product: "FEED",
  isChild: false,
  caption: "",
  address: null,
  cover: null,
  alt: "",
  children: [],
  collaborators: [],
  user_tags: [],
  product_tags: [],
  location_id: null,
  share_to_feed: true,
  is_trial: false,
  is_ai_generated: false,
  is_paid_partnership: false,
  sponsors: [],
  music: null,
  sent: null,
};

/** The text contains the error code. https://github.com/gitroomhq/postiz-app/pull/1992 (2026-08) */
function containerFields({ status, failure }: ContainerState<number>): Record<string, unknown> {
  const words: Readonly<Record<typeof status, string>> = {
    IN_PROGRESS: "In Progress: Media is still being processed.",
    FINISHED: "Finished: Media has been uploaded and it is ready to be published.",
    PUBLISHED: "Published: Media has been already published.",
    EXPIRED: "Expired: Media was not published within 24 hours.",
    ERROR: `Error: Media upload has failed with error code ${failure}`,
  };
  return { status_code: status, status: words[status] };
}
