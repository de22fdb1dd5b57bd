import { beforeEach, describe, expect, it } from "vitest";
import type { Post } from "../../../src/publishing/schema.ts";
import type { Fault } from "../../../src/sandbox/faults.ts";
import { createTestService, type TestService } from "../../support/service.ts";
import { credentialsOf, organizationOn } from "./bench.ts";

let service: TestService;

beforeEach(() => {
  service = createTestService();
});

async function connect(kind: "member" | "organisation"): Promise<string> {
  const { social, sandbox, clock } = service;
  const credentials =
    kind === "organisation"
      ? organizationOn(sandbox.linkedin)
      : credentialsOf(sandbox.linkedin.addMember({ name: "Alice", product: "community_management" }));
  const { id } = await clock.run(() => social.profiles.connect({ network: "linkedin", credentials } as never));
  return id;
}

/** Publishes with a comment, and runs the worker until the post is settled. */
async function publish(kind: "member" | "organisation", ...faults: Fault[]): Promise<Post> {
  const { social, sandbox, clock } = service;
  const profile_ids = [await connect(kind)];
  for (const fault of faults) sandbox.linkedin.faults.add(fault);
  const networks = { linkedin: { first_comment: "(First) #comment" } };
  const { id } = await clock.run(async () => {
    await social.start();
    const created = await social.posts.create({ profile_ids, text: "Hello", networks } as never);
    await clock.sleep(3_600_000);
    await social.stop();
    return created;
  });
  return clock.run(() => social.posts.get(id));
}

function shown() {
  return service.sandbox.linkedin.posts().map(({ text, reply_to }) => [text, reply_to]);
}

describe("a first comment on LinkedIn", () => {
  it.each(["member", "organisation"] as const)("of a %s stands under the post, as plain text", async (kind) => {
    const { targets, status } = await publish(kind);
    const [target] = targets;
    expect(status).toBe("published");
    expect(target?.post_ids).toHaveLength(1);
    expect(shown()).toEqual([
      ["Hello", null],
      ["(First) #comment", target?.post_ids[0]],
    ]);
  });

  it("waits until LinkedIn knows the post", async () => {
    service.sandbox.linkedin.knowPostsAfter(20);
    expect(await publish("organisation")).toMatchObject({ status: "published" });
    expect(shown()).toHaveLength(2);
  });

  it.each(["drop_after", "drop_before"] as const)(
    "of an organisation is looked for if its response is lost: %s",
    async (kind) => {
      expect(await publish("organisation", { kind, operation: "createComment" })).toMatchObject({
        status: "published",
      });
      expect(shown()).toHaveLength(2);
    },
  );

  it.each(["drop_after", "drop_before"] as const)(
    "of a member may be there if its response is lost: %s",
    async (kind) => {
      const { targets } = await publish("member", { kind, operation: "createComment" });
      expect(targets).toMatchObject([{ status: "failed", error: { code: "timeout" } }]);
      expect(shown()).toHaveLength(kind === "drop_after" ? 2 : 1);
    },
  );

  it("that an app may not write fails after the post, with the reason", async () => {
    const message = "Not enough permissions to access: partnerApiSocialActions.CREATE.20260901";
    const json = { status: 403, serviceErrorCode: 100, code: "ACCESS_DENIED", message };
    const { targets } = await publish("organisation", {
      kind: "refuse",
      operation: "createComment",
      times: 100,
      answer: { status: 403, json },
    });
    expect(targets).toMatchObject([{ error: { code: "unsupported" }, post_ids: [expect.any(String)] }]);
    expect(shown()).toEqual([["Hello", null]]);
  });
});

describe("a retry after a member's lost response", () => {
  it("adopts the post that a refusal as a duplicate names", async () => {
    const { social, sandbox, clock } = service;
    const profile_ids = [await connect("member")];
    sandbox.linkedin.faults.add({ kind: "drop_after", operation: "createPost" });
    const post = await clock.run(() => social.posts.create({ profile_ids, text: "Once" }));
    const after = await clock.run(async () => {
      await social.start();
      await clock.sleep(60_000);
      await social.posts.retry(post.id, { force: true });
      await clock.sleep(60_000);
      await social.stop();
      return social.posts.get(post.id);
    });
    const [only] = sandbox.linkedin.posts();
    expect(sandbox.linkedin.posts()).toHaveLength(1);
    expect(after).toMatchObject({ status: "published", targets: [{ post_ids: [only?.id] }] });
  });
});
