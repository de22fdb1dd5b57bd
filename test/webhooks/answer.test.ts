import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { readStart } from "../../src/webhooks/answer.ts";

/** A body of one piece that then stays silent until it is cancelled. */
function silentAfter(piece: string): Response {
  return new Response(
    new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(piece)),
    }),
  );
}

it("reading a body stops when the request is called off", async () => {
  const over = new AbortController();
  const text = readStart(silentAfter("begun"), over.signal);
  over.abort("too late");
  await expect(text).rejects.toBe("too late");
});

it("reading a body waits for nothing when the request was called off before", async () => {
  await expect(readStart(silentAfter("begun"), AbortSignal.abort("too late"))).rejects.toBe("too late");
});

it("reading a body removes its listener once all is read", async () => {
  const { signal } = new AbortController();
  expect(await readStart(new Response("whole"), signal)).toBe("whole");
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

it.each([
  ["one byte less, and then no more than one piece", [65_535, 1, 1], 2],
  ["exactly the limit", [65_536, 1], 1],
  ["more than the limit at once", [70_000, 1], 1],
])("reading a body takes 65,536 bytes at most, in whole pieces, and leaves the rest: %s", async (_, lengths, read) => {
  const seen = { pulls: 0, isLeft: false };
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const length = lengths[seen.pulls];
        seen.pulls += 1;
        if (length === undefined) controller.close();
        else controller.enqueue(new Uint8Array(length));
      },
      cancel() {
        seen.isLeft = true;
      },
    },
    { highWaterMark: 0 },
  );
  await readStart(new Response(body), new AbortController().signal);
  expect(seen).toEqual({ pulls: read, isLeft: true });
});
