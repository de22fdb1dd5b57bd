import { expect, it } from "vitest";
import type { CommitInput } from "../../../src/networks/contract/commit.ts";
import type { PlannedMedia } from "../../../src/networks/contract/plan.ts";
import { NotReady } from "../../../src/networks/contract/request.ts";
import type { ThreadsOptions } from "../../../src/networks/threads/options.ts";
import { publisher } from "../../../src/networks/threads/publish.ts";
import type { Json } from "../../../src/wire/json.ts";
import { connectedBench, part, pictures, type ThreadsBench, video } from "./bench.ts";

/** A reply with these files, to a post that the account has made by hand; it is staged until that is done. */
async function replyWith(mediaOn: (bench: ThreadsBench) => PlannedMedia[]) {
  const { bench, connected } = await connectedBench();
  const previous = { id: bench.network.postAs(bench.accountId, { text: "One." }), url: null, ref: null };
  const given = part({ text: "Two.", media: mediaOn(bench) });
  const staged: Record<string, Json> = {};
  const began = bench.clock.now();
  const stage = () => bench.run(() => publisher.stage(connected.stage(staged, 1, previous), given));
  async function stageToItsEnd(): Promise<number> {
    for (;;) {
      const error = await stage().then(
        () => null,
        (reason: unknown) => reason,
      );
      if (error === null) return (bench.clock.now() - began) / 1_000;
      if (!(error instanceof NotReady)) throw error;
      await bench.clock.advance(1_000);
    }
  }
  async function publish() {
    const input: CommitInput<ThreadsOptions> = {
      profile: connected.profile,
      secret: {},
      part: given,
      index: 1,
      staged,
      first: previous,
      previous,
      key: "",
      created_at: new Date(connected.context.now()).toISOString(),
    };
    const response = await bench.run(() => connected.send(publisher.commit(input)));
    const acceptance = publisher.accepted(response);
    if (acceptance === null) throw new Error("Nothing was accepted.");
    return bench.run(() => publisher.confirm(connected.context, acceptance.live, input));
  }
  return { bench, previous, stageToItsEnd, publish };
}

it.each([
  ["a video", (bench: ThreadsBench) => [video(bench)]],
  ["a carousel with a video", (bench: ThreadsBench) => [...pictures(bench, 1), video(bench)]],
])(
  "%s that replies is published half a minute after its container was made, and stands in its thread",
  async (_, media) => {
    const { bench, previous, stageToItsEnd, publish } = await replyWith(media);
    expect(await stageToItsEnd()).toBeGreaterThanOrEqual(30);
    const live = await publish();
    expect(live.warnings).toBeUndefined();
    expect(bench.network.posts().map(({ reply_to }) => reply_to)).toEqual([null, previous.id]);
  },
);

it("a picture that replies is published at once", async () => {
  const { bench, previous, stageToItsEnd, publish } = await replyWith((on) => pictures(on, 1));
  expect(await stageToItsEnd()).toBeLessThan(10);
  expect((await publish()).warnings).toBeUndefined();
  expect(bench.network.posts().at(-1)?.reply_to).toBe(previous.id);
});

it("a video that stands alone all the same is live, once, and a warning says which part", async () => {
  const { bench, stageToItsEnd, publish } = await replyWith((on) => [video(on)]);
  bench.network.loseParentsFor(86_400);
  await stageToItsEnd();
  const live = await publish();
  const posts = bench.network.posts();
  expect(posts.map(({ text, reply_to }) => [text, reply_to])).toEqual([
    ["One.", null],
    ["Two.", null],
  ]);
  expect(live).toMatchObject({ id: posts[1]?.id, url: posts[1]?.url });
  expect(live.warnings).toEqual([
    expect.stringMatching(/^Part 2 is live, but Threads shows it as a separate post, not in the thread/),
  ]);
});

it("a container that is made anew rests anew", async () => {
  const { bench, previous, stageToItsEnd, publish } = await replyWith((on) => [video(on)]);
  bench.network.failNextMedia("FAILED_PROCESSING_VIDEO");
  bench.network.processMediaFor(20);
  expect(await stageToItsEnd()).toBeGreaterThanOrEqual(50);
  await publish();
  expect(bench.network.posts().at(-1)?.reply_to).toBe(previous.id);
});
