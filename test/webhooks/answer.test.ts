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

it("stops reading when the request is called off", async () => {
  const over = new AbortController();
  const text = readStart(silentAfter("begun"), over.signal);
  over.abort();
  expect(await text).toBe("begun");
});

it("waits for nothing when the request was called off before", async () => {
  expect(await readStart(silentAfter("begun"), AbortSignal.abort())).toBe("");
});
