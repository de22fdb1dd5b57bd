import { mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createUntrustedHttp } from "../../../src/outbound/guard/guard.ts";
import { createResolve, ownerOf, type ResolveOptions } from "../../../src/outbound/guard/resolve.ts";
import type { Resolve } from "../../../src/outbound/guard/target.ts";
import { isCertainlyNotSent } from "../../../src/outbound/not-sent.ts";
import { type Clock, systemClock } from "../../../src/ports/clock.ts";
import { type ManualClock, manualClock } from "../../../src/testing/clock.ts";
import { type NameAnswer, type NameServer, startNameServer } from "../name-server.ts";

let server: NameServer;
let answerTo: (name: string, type: "A" | "AAAA") => NameAnswer | Promise<NameAnswer>;
let folder: string;
let hostsFile: string;
let clock: ManualClock;

const publicFour = "93.184.215.14";
const publicSix = "2606:2800:220:1::1946";

beforeEach(async () => {
  answerTo = () => ({ addresses: [publicFour, publicSix] });
  server = await startNameServer((name, type) => answerTo(name, type));
  folder = await mkdtemp(join(tmpdir(), "postrider-hosts-"));
  hostsFile = join(folder, "hosts");
  clock = manualClock();
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

function resolver(options: Partial<ResolveOptions> = {}): Resolve {
  return createResolve({ clock, servers: [server.address], hostsFile, ...options });
}

async function codeOf(found: Promise<unknown>): Promise<unknown> {
  return found.then(
    () => "found",
    (error: { code: string }) => error.code,
  );
}

/** Waits for data from a real socket. */
async function until(isSo: () => boolean): Promise<void> {
  for (let turn = 0; turn < 100_000 && !isSo(); turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(isSo()).toBe(true);
}

/** Waits until no data have arrived for a while: more than the socket's buffer holds would get lost. */
async function untilRead(): Promise<void> {
  for (let quiet = 0, seen = -1; quiet < 500; quiet++) {
    if (server.asked.length !== seen) quiet = 0;
    seen = server.asked.length;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe("a hostname", () => {
  it("has the addresses of both kinds, alternating, IPv4 first", async () => {
    answerTo = () => ({ addresses: [publicSix, "2606::2", publicFour] });
    expect(await resolver()("Example.COM.")).toEqual([
      publicFour,
      publicSix,
      "2606:0:0:0:0:0:0:2".replace("0:0:0:0:0:0:", ":"),
    ]);
    expect(server.asked.sort()).toEqual(["A example.com", "AAAA example.com"]);
  });

  it("has its alias's addresses", async () => {
    answerTo = () => ({ addresses: [publicFour], alias: "edge.example.net" });
    expect(await resolver()("example.com")).toEqual([publicFour]);
  });

  it("has one kind of address if the lookup of the other fails", async () => {
    answerTo = (_, type) => (type === "A" ? { addresses: [publicFour] } : { code: 2 });
    expect(await resolver()("example.com")).toEqual([publicFour]);
  });

  it("has one kind of address if the other gets no response, half a second later", async () => {
    answerTo = (_, type) => (type === "AAAA" ? { addresses: [publicSix] } : "silence");
    const waits: number[] = [];
    const sleep: Clock["sleep"] = (ms, signal) => {
      waits.push(ms);
      return ms === 500 ? Promise.resolve() : clock.sleep(ms, signal);
    };
    expect(await resolver({ clock: { ...clock, sleep } })("example.com")).toEqual([publicSix]);
    expect(waits).toContain(500);
  });

  it.each<[string, NameAnswer, string]>([
    ["does not exist", { code: 3 }, "ENOTFOUND"],
    ["has no address", { addresses: [] }, "ENOTFOUND"],
    ["has broken name servers", { code: 2 }, "EAI_AGAIN"],
    ["is refused by its name servers", { code: 5 }, "EAI_AGAIN"],
  ])("that %s fails its lookup, so the request was certainly not sent", async (_, answer, code) => {
    answerTo = () => answer;
    const failure: unknown = await resolver()("example.com").catch((error: unknown) => error);
    expect(failure).toMatchObject({ code });
    expect(isCertainlyNotSent(failure)).toBe(true);
  });

  it("without addresses of one kind may have some if the lookup of the other kind fails", async () => {
    answerTo = (_, type) => (type === "A" ? { addresses: [] } : { code: 2 });
    expect(await codeOf(resolver()("example.com"))).toBe("EAI_AGAIN");
  });

  it.each(["a..b", `${"a".repeat(64)}.example`])("that is invalid has no address (%#)", async (name) => {
    expect(await codeOf(resolver()(name))).toBe("ENOTFOUND");
  });

  it("without a response is abandoned after 4 s", async () => {
    answerTo = () => "silence";
    expect(await codeOf(clock.run(() => resolver()("example.com")))).toBe("EAI_AGAIN");
    expect(clock.monotonic()).toBe(4_000);
  });

  it("with a late response is found, and looked up once meanwhile", async () => {
    let answerNow = (): void => {};
    const late = new Promise<void>((resolve) => {
      answerNow = resolve;
    });
    answerTo = async () => {
      await late;
      return { addresses: [publicFour] };
    };
    const resolve = resolver();
    const found = Promise.all([resolve("example.com"), resolve("EXAMPLE.com"), resolve("example.com.")]);
    await until(() => server.asked.length === 2);
    answerNow();
    expect(await found).toEqual([[publicFour], [publicFour], [publicFour]]);
    expect(server.asked).toHaveLength(2);
  });

  it("of this machine is never looked up", async () => {
    expect(await resolver()("localhost")).toEqual(["127.0.0.1", "::1"]);
    expect(await resolver()("my.localhost.")).toEqual(["127.0.0.1", "::1"]);
    expect(server.asked).toEqual([]);
  });
});

describe("names without a response", () => {
  beforeEach(() => {
    answerTo = (name) => (name.includes("silent") ? "silence" : { addresses: [publicFour] });
  });

  it.each<[string, number, (index: number) => string]>([
    ["of one owner", 600, (index) => `silent-${index}.example.com`],
    ["of one owner under a country", 600, (index) => `silent-${index}.example.co.uk`],
    ["of 200 owners", 200, (index) => `www.silent-${index}.com`],
  ])("%s do not delay other names", async (_, length, name) => {
    const resolve = resolver();
    const silent = Array.from({ length }, (_each, index) => codeOf(resolve(name(index))));
    await untilRead();
    for (const other of ["example.net", "other.co.uk", "third.example.org"]) {
      expect(await resolve(other)).toEqual([publicFour]);
    }
    expect(clock.monotonic()).toBe(0);
    expect(new Set(await clock.run(() => Promise.all(silent)))).toEqual(new Set(["EAI_AGAIN"]));
    expect(clock.monotonic()).toBe(4_000);
  });

  it("of one owner are looked up a few at a time", async () => {
    const resolve = resolver();
    const silent = Array.from({ length: 600 }, (_each, index) => codeOf(resolve(`silent-${index}.example.com`)));
    await resolve("example.net");
    const names = new Set(server.asked.map((question) => question.split(" ")[1]));
    expect(names.size).toBeLessThanOrEqual(33);
    await clock.run(() => Promise.all(silent));
    // And again afterwards.
    expect(await resolve("www.example.com")).toEqual([publicFour]);
  });
});

describe("the hosts file", () => {
  it("is trusted in any case of letters, without a lookup", async () => {
    await writeFile(hostsFile, "# here\n10.0.0.7\tInside.Example  inside # us\r\n::1 inside.example\nnonsense line\n");
    const resolve = resolver();
    expect(await resolve("INSIDE.example.")).toEqual(["10.0.0.7", "::1"]);
    expect(await resolve("inside")).toEqual(["10.0.0.7"]);
    expect(server.asked).toEqual([]);
    expect(await resolve("us.example")).toEqual([publicFour, publicSix]);
  });

  it("is read again if it has changed, and if it is gone", async () => {
    await writeFile(hostsFile, "10.0.0.7 inside.example");
    const resolve = resolver();
    expect(await resolve("inside.example")).toEqual(["10.0.0.7"]);
    await writeFile(hostsFile, "10.0.0.8 inside.example");
    await utimes(hostsFile, 1, 1);
    expect(await resolve("inside.example")).toEqual(["10.0.0.8"]);
    await rm(hostsFile);
    expect(await resolve("inside.example")).toEqual([publicFour, publicSix]);
  });
});

describe("hostnames from the host program's configuration", () => {
  it("are looked up by the operating system, one at a time", async () => {
    const started: string[] = [];
    const ends: (() => void)[] = [];
    const lookUpOwn: Resolve = (name) => {
      started.push(name);
      return new Promise((resolve) => ends.push(() => resolve(["10.0.0.7"])));
    };
    const resolve = resolver({ ownNames: new Set(["minio", "db"]), lookUpOwn });
    const found = Promise.all([resolve("minio"), resolve("MINIO"), resolve("db")]);
    await clock.advance(0);
    expect(started).toEqual(["minio"]);
    expect(await resolve("example.com")).toEqual([publicFour, publicSix]);
    ends[0]?.();
    await clock.advance(0);
    expect(started).toEqual(["minio", "db"]);
    ends[1]?.();
    expect(await found).toEqual([["10.0.0.7"], ["10.0.0.7"], ["10.0.0.7"]]);
  });

  it("do not pile up if the operating system does not respond", async () => {
    let started = 0;
    const lookUpOwn: Resolve = () => {
      started += 1;
      return new Promise(() => {});
    };
    const resolve = resolver({ ownNames: new Set(["minio"]), lookUpOwn });
    for (let count = 0; count < 3; count++) {
      expect(await codeOf(clock.run(() => resolve("minio")))).toBe("EAI_AGAIN");
    }
    expect(started).toBe(1);
  });
});

describe("the guard with such a name server", () => {
  it.each([
    ["private", ["10.0.0.7"], "ADDRESS_REFUSED"],
    ["private among public ones", [publicFour, "fd00::7"], "ADDRESS_REFUSED"],
    ["missing", [], "ENOTFOUND"],
  ])("rejects a name whose address is %s", async (_, addresses, code) => {
    answerTo = () => ({ addresses });
    const http = createUntrustedHttp({ clock: systemClock, resolve: resolver() });
    const failure: unknown = await http("https://example.com/").catch((error: TypeError) => error.cause);
    expect(failure).toMatchObject({ code });
  });

  it("sends no byte to a name without a response", async () => {
    answerTo = () => "silence";
    const http = createUntrustedHttp({ clock, resolve: resolver() });
    const failure: unknown = await clock.run(() => http("https://example.com/").catch((error: unknown) => error));
    expect(isCertainlyNotSent(failure)).toBe(true);
  });
});

it.each([
  ["example.com", "example.com"],
  ["a.b.example.com", "example.com"],
  ["a.example.de", "example.de"],
  ["a.example.co.uk", "example.co.uk"],
  ["a.example.edu.au", "example.edu.au"],
  ["a.b.example.org.br", "example.org.br"],
  ["localhost", "localhost"],
])("the hostname %s belongs to the owner of %s", (name, owner) => {
  expect(ownerOf(name)).toBe(owner);
});
