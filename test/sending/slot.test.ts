import { describe, expect, it } from "vitest";
import { createCommitSlot, createCommitSlots } from "../../src/sending/slot.ts";

/** Lets all waiting steps run. */
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

  it("is kept after a fault by its holder only", async () => {
    const slot = createCommitSlot(null);
    slot.abandon("second");
    expect(await slot.acquire("first")).toBe(true);
    slot.abandon("first");
    expect(await slot.acquire("second")).toBe(false);
    expect(await slot.acquire("first")).toBe(true);
  });

  it("is not released by parts that do not have it", async () => {
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

describe("work during which no part may commit", () => {
  it("waits for the slot's holder, and blocks the next one until it is done", async () => {
    const slot = createCommitSlot(null);
    const order: string[] = [];
    await slot.acquire("first");
    let finish = (): void => {};
    const look = slot.whileFree("second", async () => {
      order.push("look");
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return "seen";
    });
    const third = slot.acquire("third").then(() => order.push("third"));
    await settle();
    expect(order).toEqual([]);
    slot.release("first", { isKept: false });
    await settle();
    expect(order).toEqual(["look"]);
    finish();
    expect(await look).toBe("seen");
    await third;
    expect(order).toEqual(["look", "third"]);
  });

  it("returns the slot to its previous holder", async () => {
    const slot = createCommitSlot(null);
    await slot.acquire("first");
    await slot.whileFree("first", async () => undefined);
    let second: boolean | undefined;
    void slot.acquire("second").then((answer) => {
      second = answer;
    });
    await settle();
    expect(second).toBeUndefined();
  });

  it("runs beside a part whose outcome is unknown, and blocks no other part after a fault", async () => {
    const slot = createCommitSlot("orphan");
    await expect(slot.whileFree("first", () => Promise.reject(new Error("away")))).rejects.toThrow("away");
    expect(await slot.acquire("orphan")).toBe(true);
  });
});

describe("the lanes of a profile", () => {
  it("have a slot each: a kept slot in one blocks no other lane", async () => {
    const slots = createCommitSlots(new Map([["posts", "orphan"]]));
    expect(await slots("posts").acquire("first")).toBe(false);
    expect(await slots("conversation:7").acquire("reply")).toBe(true);
    slots("conversation:7").release("reply", { isKept: true });
    expect(await slots("conversation:7").acquire("another reply")).toBe(false);
    expect(await slots("posts").acquire("orphan")).toBe(true);
  });
});
