import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { CommitInput } from "../../src/networks/contract/commit.ts";
import type { Part, PlanInput } from "../../src/networks/contract/plan.ts";
import { createToy, type Toy } from "../support/toy.ts";

const options = z.strictObject({ first_comment: z.string().describe("Written under the post.").optional() });

function withComment({ options: { first_comment } }: PlanInput, parts: readonly Part[]): Part[] {
  if (typeof first_comment !== "string") return [...parts];
  const comment: Part = {
    role: "comment",
    text: first_comment,
    media: [],
    link: null,
    title: null,
    post_type: "post",
    options: {},
  };
  return [...parts, comment];
}

/** A network on which the post's first comment is published with it, in a separate request. */
async function withComments(): Promise<Toy & { committed: CommitInput[] }> {
  const committed: CommitInput[] = [];
  const toy = await createToy(
    {
      prepare: withComment,
      commit(input) {
        committed.push(input);
        const path = input.part.role === "comment" ? `posts/${input.previous?.id}/comments` : "posts";
        return {
          method: "POST",
          url: `https://api.network.example/${path}`,
          body: { json: { text: input.part.text } },
        };
      },
    },
    {
      adapter: { options },
      spec: { threads: true, text: { max: 30, unit: "graphemes" }, comment: { text: { max: 10, unit: "graphemes" } } },
    },
  );
  let made = 0;
  toy.script["POST /posts"] = () => ({ status: 201, json: { id: `post-${++made}` } });
  toy.script["POST /posts/post-1/comments"] = () => ({ status: 201, json: { id: "comment-1" } });
  return { ...toy, committed };
}

function body(toy: Toy, first_comment: string, more: { thread?: string[] } = {}) {
  return { profile_ids: [toy.profileId], text: "Hello", networks: { mastodon: { first_comment } }, ...more };
}

describe("a first comment", () => {
  it("is a separate part under the post, and its id is not among the post's", async () => {
    const toy = await withComments();
    const post = await toy.clock.run(() => toy.social.posts.create(body(toy, "First!")));
    expect(post).toMatchObject({ status: "published", targets: [{ post_ids: ["post-1"] }] });
    expect(toy.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /posts",
      "POST /posts/post-1/comments",
    ]);
  });

  it("replies to the first part of a thread", async () => {
    const toy = await withComments();
    const post = await toy.clock.run(() =>
      toy.social.posts.create(body(toy, "First!", { thread: ["One", "Two", "Three"] })),
    );
    expect(post).toMatchObject({ status: "published", targets: [{ post_ids: ["post-1", "post-2", "post-3"] }] });
    expect(toy.requests.at(-1)?.path).toBe("/posts/post-1/comments");
    const third = toy.committed.find(({ part }) => part.text === "Three");
    expect(third?.previous?.id).toBe("post-2");
  });

  it("is in the plan, with its own limit", async () => {
    const toy = await withComments();
    const plan = await toy.clock.run(() => toy.social.posts.validate(body(toy, "Far too long a comment")));
    expect(plan.targets[0]).toMatchObject({
      valid: false,
      parts: [
        { role: "post", limit: 30 },
        { role: "comment", text: "Far too long a comment", length: 22, limit: 10 },
      ],
      issues: [
        { field: "networks.mastodon.first_comment", message: "Too long: 22 of at most 10 characters. Shorten it." },
      ],
    });
  });

  it("that fails leaves the post live, and a retry writes only the comment", async () => {
    const toy = await withComments();
    toy.script["POST /posts/post-1/comments"] = () => ({
      status: 403,
      json: { error: { message: "Comments are off." } },
    });
    const failed = await toy.clock.run(() => toy.social.posts.create(body(toy, "First!")));
    expect(failed).toMatchObject({ status: "failed", targets: [{ post_ids: ["post-1"] }] });
    expect(failed.targets[0]?.error?.message).toMatch(/^1 of 2 parts are live; retry continues at part 2\./);
    toy.script["POST /posts/post-1/comments"] = () => ({ status: 201, json: { id: "comment-1" } });
    const retried = await toy.clock.run(() => toy.social.posts.retry(failed.id));
    expect(retried).toMatchObject({ status: "published", targets: [{ post_ids: ["post-1"] }] });
    expect(toy.requests.filter(({ path }) => path === "/posts")).toHaveLength(1);
  });
});
