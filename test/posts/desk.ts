import type { CreatePost, UpdatePost } from "../../src/posts/schema.ts";
import type { Profile } from "../../src/profiles/schema.ts";
import type { Post } from "../../src/publishing/schema.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { connectBluesky, connectMastodon } from "../support/connect.ts";
import { type OvertakenStorage, overtakenStorage } from "../support/overtake.ts";
import { createProcess, type SimulatedProcess } from "../support/process.ts";
import { createTestService, type TestService } from "../support/service.ts";

/** A service with a profile on Bluesky and one on Mastodon, and the calls of a user on its posts. */
export interface Desk {
  /** Resets the desk; called before each test. */
  setUp(options?: Parameters<typeof createTestService>[0]): Promise<void>;
  service: TestService;
  bluesky: Profile;
  mastodon: Profile;
  /** The post events that the host received: the event's name and the post's text. */
  events: string[];
  /** A time so far ahead, ISO 8601. */
  at(aheadMs: number): string;
  /** For both profiles, with the desk's own content, by default. */
  create(body?: Partial<CreatePost>): Promise<Post>;
  /** An hour ahead, by default. */
  schedule(body?: Partial<CreatePost>): Promise<Post>;
  update(id: string, body: UpdatePost): Promise<Post>;
  cancel(id: string): Promise<Post>;
  /** Makes Mastodon refuse the next post, or the one after so many. */
  refuseNext(after?: number): void;
  runDueAfter(ms: number): ReturnType<TestService["social"]["runDue"]>;
  /** The texts of all public posts. */
  shown(): string[];
}

export const hourMs = 3_600_000;

const refusal = { status: 422, json: { error: "Validation failed: Text is not nice" } };

/** @param post the content of its posts unless a test overrides it */
export function createDesk(post: Partial<CreatePost>): Desk {
  const desk: Desk = {
    service: createTestService(),
    bluesky: {} as Profile,
    mastodon: {} as Profile,
    events: [],
    async setUp(options = {}) {
      desk.service = createTestService(options);
      desk.bluesky = await connectBluesky(desk.service);
      desk.mastodon = await connectMastodon(desk.service);
      desk.events = [];
      for (const name of ["post.published", "post.partially_published", "post.failed"] as const) {
        desk.service.social.on(name, ({ post: { text } }) => desk.events.push(`${name} ${text}`));
      }
    },
    at: (aheadMs) => new Date(desk.service.clock.now() + aheadMs).toISOString(),
    create(body) {
      const { social, clock } = desk.service;
      const whole = { profile_ids: [desk.bluesky.id, desk.mastodon.id], ...post, ...body } as CreatePost;
      return clock.run(() => social.posts.create(whole));
    },
    schedule: (body) => desk.create({ scheduled_at: desk.at(hourMs), ...body }),
    update: (id, body) => desk.service.clock.run(() => desk.service.social.posts.update(id, body)),
    cancel: (id) => desk.service.clock.run(() => desk.service.social.posts.cancel(id)),
    refuseNext(after = 0) {
      desk.service.sandbox.mastodon.faults.add({ kind: "refuse", answer: refusal, operation: "commit", after });
    },
    runDueAfter(ms) {
      const { social, clock } = desk.service;
      return clock.run(async () => {
        await clock.sleep(ms);
        return social.runDue();
      });
    },
    shown() {
      const { bluesky, mastodon, discord } = desk.service.sandbox;
      return [bluesky, mastodon, discord].flatMap((network) => network.posts().map(({ text }) => text));
    },
  };
  return desk;
}

/** Sets the desk up on a store that lets another process overtake it. */
export async function raceOn(
  desk: Desk,
): Promise<Pick<OvertakenStorage, "overtake"> & { other: SimulatedProcess["social"]; media: { isDown: boolean } }> {
  const clock = manualClock();
  const shared = memoryStorage({ clock });
  const { storage, overtake } = overtakenStorage(shared);
  const media = { isDown: false };
  const untrustedHttp: typeof fetch = async (...request) =>
    media.isDown ? new Response("", { status: 503 }) : desk.service.sandbox.untrustedHttp(...request);
  await desk.setUp({ clock, storage, untrustedHttp });
  const other = createProcess({ storage: shared, sandbox: desk.service.sandbox, clock });
  return { overtake, other: other.social, media };
}
