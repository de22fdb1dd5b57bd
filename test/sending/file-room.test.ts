import { describe, expect, it } from "vitest";
import { createFairTurns } from "../../src/async/shares.ts";
import type { OpenCredentials } from "../../src/profiles/credentials.ts";
import { withFileRoom } from "../../src/sending/file-room.ts";
import type { SendingPorts } from "../../src/sending/ports.ts";

const largeBytes = 10 * 1024 * 1024;
const source = { url: "https://files.example/a.png" };

/** Parts of accounts that read one file each and hold it until the test ends them. */
function arena(places: number) {
  const inFileTurn = createFairTurns(places);
  const reading: string[] = [];
  const ports = { inFileTurn, readMedia: async () => new Uint8Array() } as unknown as SendingPorts;

  function begin(accountId: string, options: Parameters<SendingPorts["readMedia"]>[1] = { maxBytes: largeBytes }) {
    const credentials = { profile: () => ({ account_id: accountId }) } as unknown as OpenCredentials;
    let end: (error?: Error) => void = () => undefined;
    const done = withFileRoom({ ports, credentials }, async (roomy) => {
      await Promise.all([roomy.ports.readMedia(source, options), roomy.ports.readMedia(source, options)]);
      reading.push(accountId);
      const error = await new Promise<Error | undefined>((resolve) => {
        end = resolve;
      });
      reading.splice(reading.indexOf(accountId), 1);
      if (error !== undefined) throw error;
    });
    return { done, end: (error?: Error) => end(error) };
  }
  return { begin, reading };
}

/** Lets all waiting steps run. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
}

describe("whole files in memory", () => {
  it("take half the places for a lone account, and another account finds room immediately", async () => {
    const { begin, reading } = arena(8);
    const parts = Array.from({ length: 30 }, () => begin("greedy"));
    await settle();
    expect(reading).toHaveLength(4);
    begin("another");
    await settle();
    expect(reading.filter((accountId) => accountId === "another")).toHaveLength(1);
    parts[0]?.end();
    await parts[0]?.done;
    await settle();
    expect(reading.filter((accountId) => accountId === "greedy").length).toBeLessThanOrEqual(4);
  });

  it("make room when their holder fails", async () => {
    const { begin, reading } = arena(2);
    const [first, second] = [begin("one"), begin("one")];
    await settle();
    expect(reading).toHaveLength(1);
    first.end(new Error("The network is down."));
    await expect(first.done).rejects.toThrow("The network is down.");
    await settle();
    expect(reading).toHaveLength(1);
    second.end();
    await second.done;
    expect(reading).toEqual([]);
  });

  it("leave no place taken by a part that gave up while it waited", async () => {
    const inFileTurn = createFairTurns(2);
    const ports = { inFileTurn, readMedia: async () => new Uint8Array() } as unknown as SendingPorts;
    const credentials = { profile: () => ({ account_id: "one" }) } as unknown as OpenCredentials;
    let leave: () => void = () => undefined;
    const before = inFileTurn(
      "one",
      () =>
        new Promise<void>((resolve) => {
          leave = resolve;
        }),
    );
    const gaveUp = withFileRoom({ ports, credentials }, async (roomy) => {
      void roomy.ports.readMedia(source, { maxBytes: largeBytes });
      throw new Error("The lease is lost.");
    });
    await expect(gaveUp).rejects.toThrow("The lease is lost.");
    leave();
    await before;
    let isRead = false;
    void withFileRoom({ ports, credentials }, async (roomy) => {
      await roomy.ports.readMedia(source, { maxBytes: largeBytes });
      isRead = true;
    });
    await settle();
    expect(isRead).toBe(true);
  });

  it.each([
    ["small files", { maxBytes: 4 * 1024 * 1024 }],
    ["small slices of large files", { maxBytes: largeBytes, slice: { from: largeBytes, to: largeBytes + 1 } }],
  ])("never wait where they are %s", async (_, options) => {
    const { begin, reading } = arena(2);
    for (let part = 0; part < 30; part++) begin("greedy", options);
    await settle();
    expect(reading).toHaveLength(30);
  });
});
