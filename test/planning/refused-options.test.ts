import { expect, it } from "vitest";
import { z } from "zod";
import { createToy } from "../support/toy.ts";

const options = z.strictObject({ privacy: z.enum(["everybody", "friends"]).describe("Who sees it.") });

async function issuesOf(mastodon: Record<string, string>) {
  const spec = {
    rules: [
      {
        code: "unsupported" as const,
        check: ({ input }: { input: { options: { privacy?: unknown } } }) =>
          input.options.privacy === "friends" ? null : { field: "text", message: "For friends alone." },
      },
    ],
  };
  const toy = await createToy({}, { adapter: { options }, spec });
  const plan = await toy.clock.run(() =>
    toy.social.posts.validate({ profile_ids: [toy.profileId], text: "Hello", networks: { mastodon } }),
  );
  return plan.targets[0]?.issues.map(({ field }) => field);
}

it("a network's rules get options that its schema has parsed, or none", async () => {
  expect(await issuesOf({ privacy: "friends" })).toEqual([]);
  expect(await issuesOf({ privacy: "everybody" })).toEqual(["text"]);
  expect(await issuesOf({ privacy: "nobody" })).toEqual(["networks.mastodon.privacy"]);
  expect(await issuesOf({})).toEqual(["networks.mastodon.privacy"]);
});
