import { describe, expect, it } from "vitest";
import { createEvents } from "../../src/ports/events.ts";
import type { EventPayloads } from "../../src/service.ts";
import { recordingLogger, silentLogger } from "../support/logger.ts";

const payload = { account_id: "acct_1" } as EventPayloads["post.published"];

describe("listeners", () => {
  it("get the event that they listen to, with its payload, and no other", () => {
    const events = createEvents(silentLogger);
    const heard: unknown[] = [];
    events.on("post.published", (given) => heard.push(given));
    events.emit({ name: "post.failed", payload });
    expect(heard).toEqual([]);
    events.emit({ name: "post.published", payload });
    expect(heard).toEqual([payload]);
  });

  it("get nothing once they are removed, and remove no others", () => {
    const events = createEvents(silentLogger);
    const heard: string[] = [];
    const stop = events.on("post.published", () => heard.push("first"));
    events.on("post.published", () => heard.push("second"));
    stop();
    stop();
    events.emit({ name: "post.published", payload });
    expect(heard).toEqual(["second"]);
  });

  it("count as present until the last is removed", () => {
    const events = createEvents(silentLogger);
    const stops = [1, 2].map(() => events.on("message.received", () => undefined));
    const seen = [events.isHeard("message.received"), events.isHeard("message.changed")];
    for (const stop of stops) {
      stop();
      seen.push(events.isHeard("message.received"));
    }
    expect(seen).toEqual([true, false, true, false]);
  });

  it("added twice are called twice, and are removed one at a time", () => {
    const events = createEvents(silentLogger);
    let heard = 0;
    const listener = (): void => {
      heard += 1;
    };
    const stop = events.on("post.published", listener);
    events.on("post.published", listener);
    events.emit({ name: "post.published", payload });
    expect(heard).toBe(2);
    stop();
    events.emit({ name: "post.published", payload });
    expect(heard).toBe(3);
  });

  it("removed during a call keep no other from being called", () => {
    const events = createEvents(silentLogger);
    const heard: string[] = [];
    const stop = events.on("post.published", () => {
      heard.push("first");
      stop();
    });
    events.on("post.published", () => heard.push("second"));
    events.emit({ name: "post.published", payload });
    expect(heard).toEqual(["first", "second"]);
  });
});

describe("a listener that throws", () => {
  it("affects neither the others nor the emitter, and is logged", () => {
    const logger = recordingLogger();
    const events = createEvents(logger);
    const heard: string[] = [];
    events.on("post.published", () => {
      throw new Error("oops");
    });
    events.on("post.published", () => heard.push("second"));
    events.emit({ name: "post.published", payload });
    events.emit({ name: "post.published", payload });
    expect(heard).toEqual(["second", "second"]);
    expect(logger.lines).toHaveLength(2);
    expect(logger.lines[0]).toContain("a listener threw");
    expect(logger.lines[0]).toContain("post.published");
  });

  it("has no effect when it is asynchronous either", async () => {
    const logger = recordingLogger();
    const events = createEvents(logger);
    events.on("post.published", async () => {
      throw new Error("oops");
    });
    events.emit({ name: "post.published", payload });
    await new Promise((resolve) => setImmediate(resolve));
    expect(logger.lines).toEqual([expect.stringContaining("a listener threw")]);
  });
});
