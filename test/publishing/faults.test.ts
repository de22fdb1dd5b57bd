import { describe, expect, it } from "vitest";
import type { PostStatus } from "../../src/publishing/schema.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import type { Operation, Storage } from "../../src/storage/storage.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { connectBluesky } from "../support/connect.ts";
import { createTestService, type TestService } from "../support/service.ts";

/** A service whose store fails where `fault` says so, before or after the operation. */
function serviceWith(
  fault: (operations: readonly Operation[]) => "before" | "after" | null,
  options: { maxRetryMs?: number } = {},
): TestService {
  const clock = manualClock();
  const inner = memoryStorage({ clock });
  const storage: Storage = {
    ...inner,
    migrate: () => inner.migrate(),
    async write(operations) {
      const moment = fault(operations);
      if (moment === "before") throw new Error("the disk is full");
      await inner.write(operations);
      if (moment === "after") throw new Error("the answer was lost");
    },
  };
  return createTestService({ clock, storage, ...options });
}

function opensIntent(operations: readonly Operation[]): boolean {
  return operations.some(({ kind, collection }) => kind === "insert" && collection === "intents");
}

function recordsAnswer(operations: readonly Operation[]): boolean {
  return operations.some(
    ({ kind, collection, ...operation }) =>
      kind === "update" && collection === "intents" && "change" in operation && operation.change.state === "accepted",
  );
}

function becomes(status: PostStatus, operations: readonly Operation[]): boolean {
  return operations.some(
    (operation) =>
      operation.kind === "update" && operation.collection === "posts" && operation.change.status === status,
  );
}

/** Sweeps every ten seconds for this long. */
async function sweepFor({ social, clock }: TestService, minutes: number): Promise<void> {
  await clock.run(async () => {
    for (let passed = 0; passed < minutes * 60; passed += 10) {
      await social.runDue();
      await clock.sleep(10_000);
    }
  });
}

async function create(service: TestService) {
  const { id } = await connectBluesky(service);
  return service.clock.run(() => service.social.posts.create({ profile_ids: [id], text: "Hello" }));
}

describe("a fault of the service or of the store", () => {
  it("that lasts is reported after half an hour, and no post went out", async () => {
    const service = serviceWith((operations) => (opensIntent(operations) ? "before" : null));
    const post = await create(service);
    await sweepFor(service, 25);
    expect((await service.social.posts.get(post.id)).status).toBe("publishing");
    await sweepFor(service, 10);
    const [target] = (await service.social.posts.get(post.id)).targets;
    expect(target).toMatchObject({ status: "failed", error: { code: "internal_error" } });
    expect(target?.error?.message).toContain("occurred repeatedly");
    expect(service.sandbox.bluesky.posts()).toEqual([]);
  });

  it("that passes only delays the post", async () => {
    let isOver = false;
    const service = serviceWith((operations) => (opensIntent(operations) && !isOver ? "before" : null));
    const post = await create(service);
    isOver = true;
    await sweepFor(service, 2);
    expect((await service.social.posts.get(post.id)).status).toBe("published");
    expect(service.sandbox.bluesky.posts()).toHaveLength(1);
  });

  it("is not counted with an earlier fault when the post ran without one in between", async () => {
    let faults = 0;
    const service = serviceWith((operations) => (opensIntent(operations) && faults-- > 0 ? "before" : null), {
      maxRetryMs: 600_000,
    });
    const { bluesky } = service.sandbox;
    faults = 1;
    const post = await create(service);
    bluesky.rateLimit(630);
    await sweepFor(service, 2);
    faults = 1;
    await sweepFor(service, 12);
    expect(faults).toBeLessThan(1);
    expect((await service.social.posts.get(post.id)).status).toBe("published");
  });

  it("that hides a settlement does not change it, and throws at no caller that waited for it", async () => {
    let hidden = 0;
    const service = serviceWith((operations) => {
      if (opensIntent(operations)) return "before";
      return becomes("failed", operations) && hidden++ === 0 ? "after" : null;
    });
    const { clock, social } = service;
    const post = await create(service);
    expect(post.status).toBe("publishing");
    const profile = await clock.run(() => social.profiles.disconnect(post.targets[0]?.profile_id ?? ""));
    expect(hidden).toBe(1);
    expect(profile.status).toBe("disconnected");
    const [target] = (await social.posts.get(post.id)).targets;
    expect(target).toMatchObject({ status: "failed", error: { code: "profile_unavailable" } });
  });

  it("that hides the recorded acceptance does not make the service claim that nothing was sent", async () => {
    let hidden = 0;
    const service = serviceWith((operations) => (recordsAnswer(operations) && hidden++ === 0 ? "after" : null));
    const post = await create(service);
    expect(hidden).toBeGreaterThan(1);
    const [target] = (await service.social.posts.get(post.id)).targets;
    const [there] = service.sandbox.bluesky.posts();
    expect(target).toMatchObject({ status: "published", post_ids: [there?.id], error: null });
  });

  it("in which another target owns the network's post leaves it accepted, and makes no more calls to the store", async () => {
    const clock = manualClock();
    const inner = memoryStorage({ clock });
    let writes = 0;
    const storage: Storage = {
      ...inner,
      async write(operations) {
        writes += 1;
        if (writes > 1_000) throw new Error("this never ends");
        const publication = operations.find(({ collection }) => collection === "publications");
        if (publication?.kind === "insert") {
          const others = { ...publication, row: { ...publication.row, id: "pub_others", subject_id: "tgt_other" } };
          await inner.write([others]).catch(() => undefined);
        }
        return inner.write(operations);
      },
    };
    const service = createTestService({ clock, storage });
    const post = await create(service);
    expect(await service.social.posts.get(post.id)).toMatchObject({ status: "published" });
    const { rows } = await inner.find("publications", { where: {} });
    expect(rows).toMatchObject([{ id: "pub_others" }]);
  });
});
