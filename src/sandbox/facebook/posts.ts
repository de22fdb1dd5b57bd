import * as z from "zod";
import { ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { createGraphLists, type GraphLists, graphRefusal, graphTime } from "../parts/graph.ts";
import { fieldsOf } from "../parts/graph-fields.ts";
import { createLag, type Lag } from "../parts/listing.ts";
import { button, demand, feedTargeting, targeting } from "./body.ts";
import { type Comments, createComments } from "./comments.ts";
import type { SandboxPage } from "./pages.ts";
import { createPhotos, type Photos } from "./photos.ts";
import { addressOf, isPublic, type StoredPost } from "./state.ts";

/** How a Page's lists may differ from what was sent. */
export interface ListWays {
  /** True: messages are shown without trailing blanks. @default true */
  trimsMessages: boolean;
  /** True: posts that only some people can see are shown. @default true */
  showsTargeted: boolean;
  /** True: attachments are shown with their own ids. @default true */
  namesPhotos: boolean;
  /** True: a post with the same text as the previous one is rejected (506). @default false */
  refusesRepetition: boolean;
}

export interface Posts {
  photos: Photos;
  stored: StoredPost[];
  comments: Comments;
  ways: ListWays;
  lag: Lag;
  lists: GraphLists;
  feed(page: SandboxPage, request: SandboxRequest): Promise<SandboxAnswer>;
  photoStory(page: SandboxPage, request: SandboxRequest): Promise<SandboxAnswer>;
  listPosts(page: SandboxPage, url: URL): SandboxAnswer;
  listStories(page: SandboxPage, url: URL): SandboxAnswer;
  /** A post or comment; null: the Page has none with this id. */
  show(page: SandboxPage, id: string): SandboxAnswer | null;
  keep(page: SandboxPage, post: NewPost): StoredPost;
}

/** A post to create. */
export type NewPost = Pick<StoredPost, "kind"> & Partial<Omit<StoredPost, "id" | "page" | "created_at">>;

const dayMs = 24 * 3_600_000;

/** https://developers.facebook.com/docs/graph-api/reference/page/feed/ (2026-09) */
const feedSchema = z.strictObject({
  message: z.string().min(1).max(63_206).optional(),
  link: z.url({ protocol: /^https?$/ }).optional(),
  attached_media: z
    .array(z.strictObject({ media_fbid: z.string() }))
    .min(1)
    .max(10)
    .optional(),
  targeting: targeting.optional(),
  feed_targeting: feedTargeting.optional(),
  call_to_action: button.optional(),
  text_format_preset_id: z.string().optional(),
  published: z.literal(true),
});

export function createPosts(ports: SandboxPorts, nextId: () => string): Posts {
  const { clock } = ports;
  const photos = createPhotos(ports, nextId);
  const stored: StoredPost[] = [];
  const lag = createLag(clock);
  const lists = createGraphLists();
  const comments = createComments(ports, { lag, lists, nextId, findPost: (page, id) => find(page, id) });
  const ways: ListWays = { trimsMessages: true, showsTargeted: true, namesPhotos: true, refusesRepetition: false };

  const keep: Posts["keep"] = (page, given) => {
    const nothing = { message: "", title: null, link: null, photos: [], video: null, isTargeted: false, extras: {} };
    const post: StoredPost = {
      ...nothing,
      ...given,
      id: `${page.id}_${nextId()}`,
      page: page.id,
      created_at: clock.now(),
    };
    for (const photo of post.photos) photo.isUsed = true;
    stored.push(post);
    return post;
  };

  function shown(page: SandboxPage, isStory: boolean, url: URL): StoredPost[] {
    const since = Number(url.searchParams.get("since") ?? 0) * 1000;
    return stored
      .filter((post) => {
        if (post.page !== page.id || (post.kind === "story") !== isStory || !isPublic(post, clock)) return false;
        if (!lag.shows(post.created_at) || post.created_at < since) return false;
        return isStory ? post.created_at > clock.now() - dayMs : ways.showsTargeted || !post.isTargeted;
      })
      .reverse();
  }

  function find(page: SandboxPage, id: string): StoredPost {
    const post = stored.find((each) => each.id === id && each.page === page.id && isPublic(each, clock));
    if (post === undefined) throw graphRefusal("100/33", `Unsupported request. Object with ID '${id}' does not exist`);
    return post;
  }

  function assertNew(page: SandboxPage, message: string): void {
    const last = stored.filter((each) => each.page === page.id).at(-1);
    if (ways.refusesRepetition && last?.message === message && message !== "")
      throw graphRefusal(506, "Duplicate status message");
  }

  function entity(post: StoredPost): Record<string, unknown> {
    const message = ways.trimsMessages ? post.message.trim() : post.message;
    return {
      id: post.id,
      created_time: graphTime(post.created_at),
      permalink_url: addressOf(post),
      ...(message === "" ? {} : { message }),
      ...attachments(post, ways.namesPhotos),
    };
  }

  return {
    photos,
    stored,
    comments,
    ways,
    lag,
    lists,
    keep,
    async feed(page, request) {
      const {
        message = "",
        link = null,
        attached_media = [],
        published: _,
        ...rest
      } = demand(feedSchema, await fieldsOf(request));
      if (message === "" && link === null && attached_media.length === 0)
        throw graphRefusal(100, "(#100) You must provide a message, a link or something attached");
      if (link !== null && /(^|\.)facebook\.com$/.test(new URL(link).hostname))
        throw graphRefusal("100/1609008", "Links to Facebook cannot be shared");
      if (
        rest.text_format_preset_id !== undefined &&
        (link !== null || attached_media.length > 0 || message.length > 130)
      )
        throw graphRefusal(100, "(#100) Invalid parameter: text_format_preset_id");
      assertNew(page, message);
      const taken = attached_media.map(({ media_fbid }) => photos.take(page, media_fbid));
      const isTargeted = rest.targeting !== undefined;
      const post = keep(page, { kind: "post", message, link, photos: taken, isTargeted, extras: rest });
      return ok({ id: post.id });
    },
    async photoStory(page, request) {
      const { photo_id } = demand(z.strictObject({ photo_id: z.string() }), await fieldsOf(request));
      const post = keep(page, { kind: "story", photos: [photos.take(page, photo_id)] });
      return ok({ success: true, post_id: post.id.split("_")[1] });
    },
    listPosts(page, url) {
      const fields = url.searchParams.get("fields") ?? "";
      const data = shown(page, false, url).map((post) => {
        const under = comments.within(post, fields);
        return { ...entity(post), ...(under === null ? {} : { comments: under }) };
      });
      return ok(lists.page(data, url));
    },
    listStories: (page, url) => ok(lists.page(shown(page, true, url).map(story), url)),
    show(page, id) {
      const comment = comments.show(page, id);
      if (comment !== null) return comment;
      const post = stored.find((each) => each.id === id && each.page === page.id && isPublic(each, clock));
      return post === undefined ? null : ok(entity(post));
    },
  };
}

function story(post: StoredPost): Record<string, unknown> {
  const { id, video, photos, created_at } = post;
  return {
    post_id: id.split("_")[1],
    status: "PUBLISHED",
    creation_time: String(Math.floor(created_at / 1000)),
    media_type: video === null ? "photo" : "video",
    media_id: video?.id ?? photos[0]?.id,
    url: addressOf(post),
  };
}

/** Links lead through a redirect page of Facebook. */
function attachments({ photos, video, link }: StoredPost, namesPhotos: boolean): Record<string, unknown> {
  const photo = ({ id }: { id: string }) => ({
    media_type: "photo",
    type: "photo",
    target: { id: namesPhotos ? id : `9${id}` },
  });
  const data = (() => {
    if (video !== null) return [{ media_type: "video", type: "video_inline", target: { id: video.id } }];
    if (photos.length > 1) return [{ media_type: "album", type: "album", subattachments: { data: photos.map(photo) } }];
    if (photos.length === 1) return photos.map(photo);
    if (link === null) return [];
    return [
      { media_type: "link", type: "share", url: `https://l.facebook.com/l.php?u=${encodeURIComponent(link)}&h=AT0` },
    ];
  })();
  return data.length === 0 ? {} : { attachments: { data } };
}
