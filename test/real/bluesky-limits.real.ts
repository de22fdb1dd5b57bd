import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Profile } from "../../src/profiles/schema.ts";
import type { SocialService } from "../../src/service.ts";
import { join, png } from "../media/samples.ts";
import { type FileHost, startFileHost } from "./files.ts";
import { type MovingClock, movingClock } from "./moving-clock.ts";
import { type RealAccount, type RealPds, startPds } from "./pds.ts";
import { createRealService } from "./service.ts";

/** Far below the adapter's default for a server that does not name its limit. */
const blobUploadLimit = 100_000;

let pds: RealPds;
let files: FileHost;
let account: RealAccount;
let clock: MovingClock;
let social: SocialService;
let profile: Profile;
let accounts = 0;
/** The server's responses to requests that would make a post public. */
let commits: Response[];

beforeAll(async () => {
  pds = await startPds({ rateLimitsEnabled: true, blobUploadLimit });
  files = await startFileHost();
  clock = movingClock();
});

afterAll(async () => {
  await pds?.stop();
  await files?.stop();
});

beforeEach(async () => {
  accounts += 1;
  account = await pds.addAccount(`bob${accounts}`);
  commits = [];
  social = createRealService(
    { pds, files, clock },
    {
      onResponse(request, response) {
        if (request.url.includes("applyWrites")) commits.push(response);
      },
    },
  );
  const credentials = { identifier: account.handle, app_password: account.app_password };
  profile = await social.profiles.connect({ network: "bluesky", credentials });
});

/** On both clocks. */
async function advance(ms: number): Promise<void> {
  await pds.advance(ms);
  clock.advance(ms);
}

interface Limited {
  postId: string;
  refused: Response | undefined;
  /** The end of the limit by the server's response, milliseconds since 1970. */
  resetAt: number;
}

/** A post that became due a quarter of an hour before the server accepts another. */
async function postBeyondLimit(text: string): Promise<Limited> {
  await pds.useUpWrites(account);
  await advance(43 * 60_000);
  const scheduled_at = new Date(clock.now() + 2 * 60_000).toISOString();
  const post = await social.posts.create({ profile_ids: [profile.id], text, scheduled_at });
  await advance(2 * 60_000);
  await social.runDue();
  const [refused] = commits;
  return { postId: post.id, refused, resetAt: Number(refused?.headers.get("ratelimit-reset")) * 1000 };
}

describe("a rate limit", () => {
  it("is waited out until the server's own reset, and then the post is live once", async () => {
    const { postId, refused, resetAt } = await postBeyondLimit("Patience");
    expect(refused?.status).toBe(429);
    expect(refused?.headers.get("retry-after")).toBeNull();
    expect(Math.round((resetAt - clock.now()) / 60_000)).toBe(15);
    expect((await social.posts.get(postId)).targets[0]).toMatchObject({ status: "publishing", post_ids: [] });
    expect(await pds.records(account.did)).toEqual([]);

    await advance(resetAt - clock.now() - 10_000);
    await social.runDue();
    expect(commits).toHaveLength(1);

    // The server omits fractions of a second.
    await advance(resetAt - clock.now() + 1_000);
    await social.runDue();
    const { status, targets } = await social.posts.get(postId);
    expect(status).toBe("published");
    expect(commits.map((answer) => answer.status)).toEqual([429, 200]);
    const records = await pds.records(account.did);
    expect(records.map(({ uri }) => uri)).toEqual(targets[0]?.post_ids);
    expect(records.map(({ value }) => value.text)).toEqual(["Patience"]);
  });

  it("is named in the target's message meanwhile, with its end", async () => {
    const { postId, resetAt } = await postBeyondLimit("When?");
    const { error } = (await social.posts.get(postId)).targets[0] ?? {};
    expect(error?.message).toContain("rate limit");
    // The server omits fractions of a second, so the next second is safe.
    expect(error?.message).toContain(new Date(resetAt + 1_000).toISOString().slice(11, 19));
    expect(await pds.records(account.did)).toEqual([]);
  });
});

describe("an image that the account's server finds too large", () => {
  it.each([
    ["just above the limit", blobUploadLimit + 1],
    ["far above the limit", 950_000],
  ])("(%s) fails the post with advice, and nothing is posted", async (_, bytes) => {
    const picture = png(8, 8);
    const padded = join(picture, new Uint8Array(bytes - picture.length));
    const media = [files.put("large.png", padded, "image/png")];
    const post = await social.posts.create({ profile_ids: [profile.id], text: "Large", media });
    expect(post).toMatchObject({ status: "failed", targets: [{ status: "failed", post_ids: [] }] });
    expect(post.targets[0]?.error?.code).toBe("media_error");
    expect(post.targets[0]?.error?.message).toContain(
      "larger than the account's own server accepts: use a smaller one",
    );
    expect(commits).toEqual([]);
    expect(await pds.records(account.did)).toEqual([]);
  });

  it("is published when it has exactly the server's limit", async () => {
    const picture = png(8, 8);
    const padded = join(picture, new Uint8Array(blobUploadLimit - picture.length));
    const media = [files.put("fits.png", padded, "image/png")];
    const post = await social.posts.create({ profile_ids: [profile.id], text: "Fits", media });
    expect(post.status).toBe("published");
    const [record, ...others] = await pds.records(account.did);
    expect(record?.value.embed).toMatchObject({ images: [{ image: { size: blobUploadLimit } }] });
    expect(others).toEqual([]);
  });
});
