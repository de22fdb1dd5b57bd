import { expect, it } from "vitest";
import type { PlannedMedia } from "../../../src/networks/contract/plan.ts";
import { NotReady } from "../../../src/networks/contract/request.ts";
import { publisher } from "../../../src/networks/threads/publish.ts";
import { failure } from "../desk.ts";
import { liveIn, stepsOf, workOn } from "../steps.ts";
import { connectedBench, part, pictures, type ThreadsBench, video } from "./bench.ts";

const { inputOf, stage, send } = stepsOf(publisher);

/** A reply with these files to a manual post of the account; staged completely. */
async function replyWith(mediaOn: (bench: ThreadsBench) => PlannedMedia[]) {
  const desk = await connectedBench();
  const { bench, connected } = desk;
  const previous = { id: bench.network.postAs(bench.accountId, { text: "One." }), url: null, ref: null };
  const work = workOn(desk, part({ text: "Two.", media: mediaOn(bench) }));
  const more = { index: 1, first: previous, previous };
  const began = bench.clock.now();
  async function stageToItsEnd(): Promise<number> {
    for (;;) {
      const error = await failure(stage(work, more));
      if (error === undefined) return (bench.clock.now() - began) / 1_000;
      if (!(error instanceof NotReady)) throw error;
      await bench.clock.advance(1_000);
    }
  }
  async function publish() {
    const live = liveIn(await send(work, more));
    return bench.run(() => publisher.confirm(connected.context, live, inputOf(work, more)));
  }
  return { bench, previous, stageToItsEnd, publish };
}

it.each([
  ["a video", (bench: ThreadsBench) => [video(bench)]],
  ["a carousel with a video", (bench: ThreadsBench) => [...pictures(bench, 1), video(bench)]],
])(
  "%s in a reply is published half a minute after its container was created, and appears in its thread",
  async (_, media) => {
    const { bench, previous, stageToItsEnd, publish } = await replyWith(media);
    expect(await stageToItsEnd()).toBeGreaterThanOrEqual(30);
    const live = await publish();
    expect(live.warnings).toBeUndefined();
    expect(bench.network.posts().map(({ reply_to }) => reply_to)).toEqual([null, previous.id]);
  },
);

it("an image in a reply is published immediately", async () => {
  const { bench, previous, stageToItsEnd, publish } = await replyWith((on) => pictures(on, 1));
  expect(await stageToItsEnd()).toBeLessThan(10);
  expect((await publish()).warnings).toBeUndefined();
  expect(bench.network.posts().at(-1)?.reply_to).toBe(previous.id);
});

it("a video reply that appears outside its thread is live, once, and a warning names the part", async () => {
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

it("a container that is created again waits again", async () => {
  const { bench, previous, stageToItsEnd, publish } = await replyWith((on) => [video(on)]);
  bench.network.failNextMedia("FAILED_PROCESSING_VIDEO");
  bench.network.processMediaFor(20);
  expect(await stageToItsEnd()).toBeGreaterThanOrEqual(50);
  await publish();
  expect(bench.network.posts().at(-1)?.reply_to).toBe(previous.id);
});
