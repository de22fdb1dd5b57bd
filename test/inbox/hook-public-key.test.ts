import { describe, expect, it } from "vitest";
import { rsa } from "../../src/networks/shared/hook-forms/rsa.ts";
import {
  eventWith,
  type KeyPair,
  kickEvent,
  openToyHooks,
  publicKeyAnswer,
  rsaKeyPair,
  signedByKey,
  toyApp,
} from "../support/toy-hooks.ts";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

const [first, second, forger] = [rsaKeyPair(), rsaKeyPair(), rsaKeyPair()];

/** A network with Kick's form, whose public key is the first. */
async function open() {
  const toy = await openToyHooks({ signed: signedByKey, form: rsa });
  const tell = (pem: string): void => {
    toy.script["GET /public-key"] = () => publicKeyAnswer(pem);
  };
  tell(first.pem);
  const post = async (text: string, { privateKey }: KeyPair = first, app = toyApp): Promise<number> => {
    const sent = kickEvent({ text, privateKey, at: toy.clock.now() });
    return (await toy.send(app, sent)).status;
  };
  const readings = (): number => toy.requests.filter(({ path }) => path === "/public-key").length;
  return { ...toy, tell, post, readings };
}

describe("webhooks that a network signs with a key of its own", () => {
  it("are taken in, and the key is read once a day", async () => {
    const { post, texts, readings, clock } = await open();
    for (const text of ["a", "b", "c"]) expect(await post(text)).toBe(200);
    expect(await texts()).toEqual(["a", "b", "c"]);
    await clock.advance(dayMs - 10 * minuteMs);
    expect(await post("d")).toBe(200);
    expect(readings()).toBe(1);
    await clock.advance(10 * minuteMs);
    expect(await post("e")).toBe(200);
    expect(readings()).toBe(2);
  });

  it("are taken in when the network has replaced its key", async () => {
    const { post, texts, tell, clock, readings } = await open();
    expect(await post("a")).toBe(200);
    tell(second.pem);
    await clock.advance(minuteMs);
    expect(await post("b", second)).toBe(200);
    expect(await post("c", first)).toBe(403);
    expect(await texts()).toEqual(["a", "b"]);
    expect(readings()).toBe(2);
  });

  it("are signed with no other key, and whoever tries makes nobody read it more than once a minute", async () => {
    const { post, storedEvents, readings, clock } = await open();
    await post("a");
    await clock.advance(10 * minuteMs);
    const statuses = new Set<number>();
    for (let number = 0; number < 30; number++) {
      statuses.add(await post(`forged-${number}`, forger));
      await clock.advance(10_000);
    }
    expect([...statuses]).toEqual([403]);
    expect(await storedEvents()).toHaveLength(1);
    // Within five minutes.
    expect(readings()).toBeLessThanOrEqual(1 + 5);
  });

  it("wait for the key together, and share one reading", async () => {
    const { post, texts, readings } = await open();
    const names = ["a", "b", "c", "d"];
    expect(await Promise.all(names.map((text) => post(text)))).toEqual([200, 200, 200, 200]);
    expect(await texts()).toEqual(names);
    expect(readings()).toBe(1);
  });

  it.each([
    ["cannot be reached", () => ({ status: 503 })],
    ["sends something else", () => ({ json: { data: {} } })],
  ])("are to be sent again, and nothing is stored, while the network %s", async (_, answer) => {
    const { post, texts, storedEvents, script, tell, clock, readings } = await open();
    script["GET /public-key"] = answer;
    for (let number = 0; number < 5; number++) expect(await post("a")).toBe(503);
    expect(await storedEvents()).toEqual([]);
    expect(readings()).toBe(1);
    tell(first.pem);
    await clock.advance(minuteMs);
    expect(await post("a")).toBe(200);
    expect(await texts()).toEqual(["a"]);
  });

  it("are to be sent again where a replaced key cannot be read", async () => {
    const { post, texts, script, tell, clock } = await open();
    await post("a");
    script["GET /public-key"] = () => ({ status: 503 });
    await clock.advance(minuteMs);
    for (let number = 0; number < 3; number++) expect(await post("b", second)).toBe(503);
    expect(await post("c")).toBe(200);
    tell(second.pem);
    await clock.advance(minuteMs);
    expect(await post("b", second)).toBe(200);
    expect(await texts()).toEqual(["a", "b", "c"]);
  });

  it("are not verified with a key that is older than a day", async () => {
    const { post, script, clock } = await open();
    await post("a");
    script["GET /public-key"] = () => ({ status: 503 });
    await clock.advance(dayMs);
    expect(await post("b")).toBe(503);
  });

  it("of an unknown app or without a signature make nobody read the key", async () => {
    const { post, send, readings } = await open();
    expect(await post("a", first, "app-2")).toBe(404);
    expect((await send(toyApp, { method: "POST", body: eventWith("a") })).status).toBe(403);
    expect(readings()).toBe(0);
  });
});
