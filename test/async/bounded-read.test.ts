import { describe, expect, it } from "vitest";
import { readBounded } from "../../src/async/bounded-read.ts";

const never = new AbortController().signal;

/** A body of these pieces, which counts its reads, and records why it was cancelled. */
function bodyOf(pieces: readonly string[], end: "ends" | "hangs" | "breaks" = "ends") {
  const seen = { asked: 0, cancelledBy: [] as unknown[] };
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const piece = pieces[seen.asked++];
        if (piece !== undefined) return controller.enqueue(new TextEncoder().encode(piece));
        if (end === "hangs") return new Promise<void>(() => {});
        if (end === "breaks") return controller.error(new Error("the cable is cut"));
        return controller.close();
      },
      cancel: (reason) => void seen.cancelledBy.push(reason),
    },
    { highWaterMark: 0 },
  );
  return { body, seen };
}

const textOf = ({ bytes }: { bytes: Uint8Array }): string => new TextDecoder().decode(bytes);

describe("a body within the limit", () => {
  it("is read whole, its pieces in their order", async () => {
    const read = await readBounded(bodyOf(["on", "e b", "ody"]).body, { maxBytes: 8, signal: never });
    expect([textOf(read), read.isWhole]).toEqual(["one body", true]);
  });

  it("is empty when there are no pieces", async () => {
    const read = await readBounded(null, { maxBytes: 8, signal: never });
    expect([textOf(read), read.isWhole]).toEqual(["", true]);
  });

  it("reports after each piece how many bytes have come", async () => {
    const progress: number[] = [];
    const onProgress = (bytes: number): void => void progress.push(bytes);
    await readBounded(bodyOf(["ab", "c"]).body, { maxBytes: 8, signal: never, onProgress });
    expect(progress).toEqual([2, 3]);
  });
});

describe("a body beyond the limit", () => {
  it("is cut there, and the rest is cancelled without a wait", async () => {
    const { body, seen } = bodyOf(["abcd", "efgh"], "hangs");
    const read = await readBounded(body, { maxBytes: 5, signal: never });
    expect([textOf(read), read.isWhole]).toEqual(["abcde", false]);
    expect(seen).toEqual({ asked: 2, cancelledBy: [undefined] });
  });
});

describe("a body that does not end", () => {
  it("is cancelled when the signal is aborted, and the read fails with its reason", async () => {
    const { body, seen } = bodyOf(["abcd"], "hangs");
    const ending = new AbortController();
    const reading = readBounded(body, { maxBytes: 8, signal: ending.signal });
    ending.abort("too late");
    await expect(reading).rejects.toBe("too late");
    expect(seen.cancelledBy).toEqual(["too late"]);
  });

  it("is not read at all under a signal that was aborted before", async () => {
    const { body, seen } = bodyOf(["abcd"], "hangs");
    const reading = readBounded(body, { maxBytes: 8, signal: AbortSignal.abort("too late") });
    await expect(reading).rejects.toBe("too late");
    expect(seen.asked).toBe(0);
  });

  it("fails with its own error when it breaks", async () => {
    const reading = readBounded(bodyOf(["abcd"], "breaks").body, { maxBytes: 8, signal: never });
    await expect(reading).rejects.toThrow("the cable is cut");
  });

  it("throws immediately when another reader is reading it", () => {
    const { body } = bodyOf(["abcd"]);
    body.getReader();
    expect(() => readBounded(body, { maxBytes: 8, signal: never })).toThrow(TypeError);
  });
});
