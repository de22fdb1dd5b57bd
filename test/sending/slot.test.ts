import { describe, expect, it } from "vitest";
import { createCommitSlot } from "../../src/sending/slot.ts";

/** Lets everything that is ready go on. */
async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

describe("the commit slot of a profile", () => {
  it("goes to one part at a time, in the order asked for", async () => {
    const slot = createCommitSlot(null);
    const order: string[] = [];
    const work = ["first", "second", "third"].map(async (id) => {
      if (await slot.acquire(id)) order.push(id);
    });
    await settle();
    expect(order).toEqual(["first"]);
    slot.release("first", { isKept: false });
    await settle();
    expect(order).toEqual(["first", "second"]);
    slot.release("second", { isKept: false });
    await Promise.all(work);
    expect(order).toEqual(["first", "second", "third"]);
  });

  it("stays with its holder when that asks again", async () => {
    const slot = createCommitSlot(null);
    expect(await slot.acquire("first")).toBe(true);
    expect(await slot.acquire("first")).toBe(true);
  });

  it("is refused to all others, waiting or not, while a part is undecided", async () => {
    const slot = createCommitSlot(null);
    await slot.acquire("first");
    const waiting = slot.acquire("second");
    slot.release("first", { isKept: true });
    expect(await waiting).toBe(false);
    expect(await slot.acquire("third")).toBe(false);
    expect(await slot.acquire("first")).toBe(true);
  });

  it("is free again once the part is decided", async () => {
    const slot = createCommitSlot(null);
    await slot.acquire("first");
    slot.release("first", { isKept: true });
    slot.release("first", { isKept: false });
    expect(await slot.acquire("second")).toBe(true);
  });

  it("is kept by a part that was undecided when the profile was claimed", async () => {
    const slot = createCommitSlot("orphan");
    expect(await slot.acquire("first")).toBe(false);
    slot.release("orphan", { isKept: false });
    expect(await slot.acquire("first")).toBe(true);
  });

  it("is kept after a fault by the one whose turn it was, and by nobody else", async () => {
    const slot = createCommitSlot(null);
    slot.abandon("second");
    expect(await slot.acquire("first")).toBe(true);
    slot.abandon("first");
    expect(await slot.acquire("second")).toBe(false);
    expect(await slot.acquire("first")).toBe(true);
  });

  it("is not given up by those who do not have it", async () => {
    const slot = createCommitSlot("orphan");
    slot.release("first", { isKept: false });
    expect(await slot.acquire("first")).toBe(false);

    const held = createCommitSlot(null);
    await held.acquire("first");
    held.release("second", { isKept: false });
    let second: boolean | undefined;
    void held.acquire("second").then((answer) => {
      second = answer;
    });
    await settle();
    expect(second).toBeUndefined();
  });
});
