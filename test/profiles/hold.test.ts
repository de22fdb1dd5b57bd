import { describe, expect, it } from "vitest";
import { busyPatienceMs, holdProfile } from "../../src/profiles/hold.ts";
import { profileStore } from "./profile-row.ts";

describe("holding a profile for a change", () => {
  it("passes the row and the lease, and frees the profile afterwards", async () => {
    const store = await profileStore();
    const seen = await holdProfile(store, "prof_1", async (profile, lease) => {
      expect((await store.read()).lease_until).toBeGreaterThan(store.clock.now());
      return { epoch: profile.epoch, leaseEpoch: lease.epoch };
    });
    expect(seen).toEqual({ epoch: 1, leaseEpoch: 1 });
    expect((await store.read()).lease_until).toBe(0);
  });

  it("frees the profile when the change fails, and rethrows the error", async () => {
    const store = await profileStore();
    const failing = holdProfile(store, "prof_1", async () => {
      throw new Error("no such luck");
    });
    await expect(failing).rejects.toThrow("no such luck");
    expect((await store.read()).lease_until).toBe(0);
  });

  it("runs two changes one after the other", async () => {
    const store = await profileStore();
    const order: string[] = [];
    const change = (name: string) =>
      holdProfile(store, "prof_1", async () => {
        order.push(`${name} begins`);
        await store.clock.sleep(1_000);
        order.push(`${name} ends`);
      });
    await store.clock.run(() => Promise.all([change("first"), change("second")]));
    expect(order).toEqual(["first begins", "first ends", "second begins", "second ends"]);
  });

  it("waits for the process that publishes on it", async () => {
    const store = await profileStore();
    await store.change({ lease_until: store.clock.now() + 40_000 });
    const start = store.clock.monotonic();
    await store.clock.run(() => holdProfile(store, "prof_1", async () => {}));
    expect(store.clock.monotonic() - start).toBe(40_000);
  });

  it("gives up with a conflict when the profile stays busy", async () => {
    const store = await profileStore();
    await store.change({ lease_until: store.clock.now() + 3_600_000 });
    const start = store.clock.monotonic();
    const busy = store.clock.run(() => holdProfile(store, "prof_1", async () => {}));
    await expect(busy).rejects.toMatchObject({ code: "conflict", status: 409 });
    expect(store.clock.monotonic() - start).toBe(busyPatienceMs);
  });

  it("returns the result of the change although the profile was lost at its end", async () => {
    const store = await profileStore();
    const result = await holdProfile(store, "prof_1", async () => {
      await store.change({ epoch: 9, lease_until: 5 });
      return "done";
    });
    expect(result).toBe("done");
    expect(await store.read()).toMatchObject({ epoch: 9, lease_until: 5 });
  });
});
