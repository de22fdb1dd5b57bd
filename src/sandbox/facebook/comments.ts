import * as z from "zod";
import { ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { type GraphLists, graphRefusal, graphTime } from "../parts/graph.ts";
import { fieldsOf } from "../parts/graph-fields.ts";
import type { Lag } from "../parts/listing.ts";
import { demand } from "./body.ts";
import type { SandboxPage } from "./pages.ts";
import type { StoredComment, StoredPost } from "./state.ts";

/** A person on Facebook, as a Page sees them. */
export interface Fan {
  id: string;
  name: string;
}

export interface Comments {
  stored: StoredComment[];
  /** The Page replies with its token. */
  answer(page: SandboxPage, id: string, request: SandboxRequest): Promise<SandboxAnswer>;
  /** A person, or the Page by hand, comments on a post or replies to a comment. */
  add(
    page: SandboxPage,
    id: string,
    written: { message: string; from: Fan; attachment?: object | undefined },
  ): StoredComment;
  list(page: SandboxPage, id: string, url: URL): SandboxAnswer;
  /** The comments of a post, as in a list of posts. Null: they were not requested. */
  within(post: StoredPost, fields: string): object | null;
  /** Null: the Page has no comment with this id. */
  show(page: SandboxPage, id: string): SandboxAnswer | null;
}

export function createComments(
  { clock }: SandboxPorts,
  given: { lag: Lag; lists: GraphLists; nextId: () => string; findPost(page: SandboxPage, id: string): StoredPost },
): Comments {
  const stored: StoredComment[] = [];

  const add: Comments["add"] = (page, id, { message, from, attachment }) => {
    const above = stored.find((each) => each.id === id && each.page === page.id) ?? null;
    const post = above === null ? given.findPost(page, id) : given.findPost(page, above.post);
    if (post.kind === "story") throw graphRefusal(100, "(#100) Stories have no comments");
    const comment: StoredComment = {
      id: `${post.id.split("_")[1]}_${given.nextId()}`,
      post: post.id,
      page: page.id,
      message,
      from,
      // There are two levels: a reply to a reply is on the same level as that reply.
      parent: above === null ? null : (above.parent ?? above.id),
      created_at: clock.now(),
      ...(attachment && { attachment }),
    };
    stored.push(comment);
    return comment;
  };

  function entity(comment: StoredComment): Record<string, unknown> {
    const { id, message, from, parent, page, created_at, attachment } = comment;
    const above = stored.find((each) => each.id === parent);
    const permalink = (of: string): string => `https://www.facebook.com/${page}/posts/${of}`;
    return {
      id,
      message,
      created_time: graphTime(created_at),
      from,
      permalink_url: permalink(id),
      ...(attachment && { attachment }),
      ...(above === undefined
        ? {}
        : { parent: { id: above.id, from: above.from, permalink_url: permalink(above.id) } }),
    };
  }

  function shown(isListed: (comment: StoredComment) => boolean): Record<string, unknown>[] {
    return stored
      .filter((comment) => isListed(comment) && given.lag.shows(comment.created_at))
      .reverse()
      .map(entity);
  }

  return {
    stored,
    add,
    async answer(page, id, request) {
      const { message } = demand(z.strictObject({ message: z.string().min(1).max(8_000) }), await fieldsOf(request));
      return ok({ id: add(page, id, { message, from: { id: page.id, name: page.name } }).id });
    },
    list(page, id, url) {
      const isComment = stored.some((each) => each.id === id && each.page === page.id);
      if (!isComment) given.findPost(page, id);
      const isStream = url.searchParams.get("filter") === "stream";
      const data = isComment
        ? shown(({ parent }) => parent === id)
        : shown(({ post, parent }) => post === id && (isStream || parent === null));
      return ok(given.lists.page(data, url));
    },
    within({ id }, fields) {
      const [, limit] = /comments\.filter\(stream\)\.order\(reverse_chronological\)\.limit\((\d+)\)/.exec(fields) ?? [];
      if (limit === undefined) return null;
      const url = new URL(`https://graph.facebook.com/${id}/comments?limit=${limit}`);
      const page = given.lists.page(
        shown(({ post }) => post === id),
        url,
      );
      return page.data.length === 0 ? null : page;
    },
    show(page, id) {
      const comment = stored.find((each) => each.id === id && each.page === page.id);
      return comment === undefined ? null : ok(entity(comment));
    },
  };
}
