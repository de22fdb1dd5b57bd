import { beforeEach, describe, expect, it } from "vitest";
import { type Containers, createContainers } from "../../../src/sandbox/parts/containers.ts";
import { type ManualClock, manualClock } from "../../../src/testing/clock.ts";

const owner = "account-1";

let clock: ManualClock;
let containers: Containers<string, string>;

beforeEach(() => {
  clock = manualClock();
  let last = 0;
  containers = createContainers({ clock, newId: () => `container-${++last}` });
});

async function create(content = "a picture", children?: string[]): Promise<string> {
  const id = await containers.create({ owner, content, ...(children === undefined ? {} : { children }) });
  return id ?? expect.unreachable("the container was not made");
}

async function statusOf(id: string) {
  return (await containers.look(owner, id))?.status;
}

describe("a media container", () => {
  it("is in progress while it is processed, then finished, then published", async () => {
    containers.take(60);
    const id = await create();
    expect(await statusOf(id)).toBe("IN_PROGRESS");
    expect(await containers.publish(owner, id)).toEqual({ refused: "not_ready" });
    await clock.advance(59_999);
    expect(await statusOf(id)).toBe("IN_PROGRESS");
    await clock.advance(1);
    expect(await statusOf(id)).toBe("FINISHED");
    expect(await containers.publish(owner, id)).toEqual({ content: "a picture" });
    expect(await statusOf(id)).toBe("PUBLISHED");
  });

  it("is published once, even by repeated and concurrent requests", async () => {
    const id = await create();
    const both = await Promise.all([containers.publish(owner, id), containers.publish(owner, id)]);
    expect(both).toEqual([{ content: "a picture" }, { refused: "already_published" }]);
    expect(await containers.publish(owner, id)).toEqual({ refused: "already_published" });
  });

  it("ends in an error with its reason, and is never published", async () => {
    containers.failNext("2207026");
    const id = await create("a broken video");
    expect(await containers.look(owner, id)).toEqual({ status: "ERROR", failure: "2207026" });
    expect(await containers.publish(owner, id)).toEqual({ refused: "failed" });
    expect(await statusOf(await create("the next"))).toBe("FINISHED");
  });

  it("expires a day after its creation if it is not published", async () => {
    const [left, published] = [await create(), await create()];
    await clock.advance(86_399_999);
    expect(await statusOf(left)).toBe("FINISHED");
    await containers.publish(owner, published);
    await clock.advance(1);
    expect(await statusOf(left)).toBe("EXPIRED");
    expect(await containers.publish(owner, left)).toEqual({ refused: "expired" });
    expect(await statusOf(published)).toBe("PUBLISHED");
  });

  it("is visible only to its own account", async () => {
    const id = await create();
    expect(await containers.look("account-2", id)).toBeNull();
    expect(await containers.publish("account-2", id)).toEqual({ refused: "unknown" });
    expect(await containers.look(owner, "container-9")).toBeNull();
  });
});

describe("a file that a container names by its URL", () => {
  it("is fetched once, at the first status request, and processed from then on", async () => {
    containers.take(30);
    let pulled = 0;
    const pull = async (): Promise<null> => {
      pulled++;
      return null;
    };
    const id = await containers.create({ owner, content: "a video", pull });
    expect(pulled).toBe(0);
    await clock.advance(60_000);
    const looks = await Promise.all([containers.look(owner, id ?? ""), containers.look(owner, id ?? "")]);
    expect(looks.map((look) => look?.status)).toEqual(["IN_PROGRESS", "IN_PROGRESS"]);
    await clock.advance(30_000);
    expect(await statusOf(id ?? "")).toBe("FINISHED");
    expect(pulled).toBe(1);
  });

  it("that cannot be fetched becomes the container's error", async () => {
    const id = await containers.create({ owner, content: "a video", pull: async () => "2207052" });
    expect(await containers.look(owner, id ?? "")).toEqual({ status: "ERROR", failure: "2207052" });
  });
});

describe("a container of several others", () => {
  it("is created only when each of them is finished", async () => {
    containers.take(10);
    const children = [await create("one"), await create("two")];
    for (const id of children) await containers.look(owner, id);
    expect(await containers.create({ owner, content: "both", children })).toBeNull();
    await clock.advance(10_000);
    const id = await create("both", children);
    await containers.look(owner, id);
    await clock.advance(10_000);
    expect(await containers.publish(owner, id)).toEqual({ content: "both" });
  });

  it("is not created from unknown containers, or from published ones", async () => {
    const alone = await create();
    await containers.publish(owner, alone);
    expect(await containers.create({ owner, content: "both", children: ["container-9"] })).toBeNull();
    expect(await containers.create({ owner, content: "both", children: [alone] })).toBeNull();
  });
});
