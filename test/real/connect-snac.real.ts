import type { RequestListener } from "node:http";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createApp } from "../../examples/connect/app.ts";
import { mastodon } from "../../src/networks/mastodon/index.ts";
import { systemClock } from "../../src/ports/clock.ts";
import { createSocialService, type SocialService } from "../../src/service.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import { silentLogger } from "../support/logger.ts";
import { testKey } from "../support/service.ts";
import { startChromium } from "./chromium.ts";
import { openSite, type Site } from "./connect-host.ts";
import { askSnac, type SnacAccount, startSnac } from "./snac.ts";
import { type SnacFront, startFront } from "./snac-front.ts";
import { openVisitor, type Visitor } from "./visitor.ts";

const snac = await startSnac();
const browser = await startChromium();
const lacking = [snac, browser].filter((each) => typeof each === "string");
const reason = lacking.length === 0 ? "" : ` (skipped: ${lacking.join(" ")})`;

/** The machine's time: nothing here waits for minutes. */
const clock = { now: systemClock.now, aheadMs: () => 0, hold: () => () => undefined };

const people: SnacAccount[] = [];
let front: SnacFront;
let app: Site;
let social: SocialService;
/** The header of the last request with a token. */
let authorization = "";

beforeAll(async () => {
  if (typeof snac === "string") return;
  for (const name of ["alice", "bob"]) people.push(await snac.addAccount(name));
  front = await startFront(snac, clock);
});

afterAll(async () => {
  if (typeof browser !== "string") await browser.close();
  if (typeof snac === "string") return;
  await front.stop();
  await snac.stop();
});

describe.skipIf(lacking.length > 0)(`a sign-in on a small server's own pages${reason}`, () => {
  const visitors: Visitor[] = [];

  beforeEach(async () => {
    app = await openSite("localhost");
    social = openService(`${app.origin}/social`);
    app.show(createApp({ social, origin: app.origin, loginPage }));
  });

  afterEach(async () => {
    expect(visitors.flatMap((visitor) => visitor.complaints([app.origin, atServer("")])).filter(isOurs)).toEqual([]);
    await Promise.all(visitors.splice(0).map((visitor) => visitor.leave()));
    await app.close();
    await social.stop(2_000);
  });

  it("ends in a profile that publishes, and whose token is revoked on disconnection", async () => {
    const [alice] = people as [SnacAccount];
    const visitor = await begin();
    await logIn(visitor, { ...alice, password: "wrong" });
    await visitor.page.getByText("LOGIN INCORRECT").waitFor();
    await logIn(visitor, alice);
    await connect(visitor);
    expect(await accounts(visitor)).toEqual(["alice on mastodon: connected"]);
    const id = (await social.profiles.list()).data[0]?.id ?? "";
    const post = await social.posts.create({ profile_ids: [id], text: "From a browser's login." });
    expect(post.status).toBe("published");
    expect(typeof snac !== "string" && snac.notes("alice").map(({ sourceContent }) => sourceContent)).toEqual([
      "From a browser's login.",
    ]);
    expect(await statusOfToken()).toBe(200);
    await social.profiles.disconnect(id);
    expect(await statusOfToken()).toBe(422);
  });

  it("connects the right user, though another one signs in before the callback", async () => {
    const [alice, bob] = people as [SnacAccount, SnacAccount];
    const [one, other] = [await begin(), await begin()];
    const { listener, isFirstHeld } = secondFirst(createApp({ social, origin: app.origin, loginPage }));
    app.show(listener);
    const first = logIn(one, alice);
    await isFirstHeld;
    await logIn(other, bob);
    await first;
    await connect(one);
    expect(await accounts(one)).toEqual(["alice on mastodon: connected"]);
    await connect(other);
    expect(await accounts(other)).toEqual(["alice on mastodon: connected", "bob on mastodon: connected"]);
  });

  it("gives no account to an attacker who invents a code", async () => {
    const [, bob] = people as [SnacAccount, SnacAccount];
    const visitor = await begin();
    await logIn(visitor, bob);
    await connect(visitor);
    const guesser = await begin();
    const page = new URL(guesser.page.url()).searchParams;
    await guesser.page.goto(`${page.get("redirect_uri")}?code=invented&state=${page.get("state")}`);
    await guesser.sees("Not connected");
  });

  /** Console messages of the server's own pages are ignored. */
  const isOurs = (complaint: string): boolean => !complaint.startsWith(atServer("/"));

  async function begin(): Promise<Visitor> {
    if (typeof browser === "string") throw new Error(browser);
    const visitor = await openVisitor(browser);
    visitors.push(visitor);
    const { page } = visitor;
    await page.goto(app.origin);
    await page.locator('input[name="instance"]').fill(front.host);
    await page.getByRole("button").click();
    await page.locator('input[name="login"]').waitFor();
    return visitor;
  }
});

function openService(baseUrl: string): SocialService {
  const http: typeof fetch = (input, init) => {
    authorization = new Request(input, init).headers.get("authorization") ?? authorization;
    return front.http(input, init);
  };
  return createSocialService({
    storage: memoryStorage(),
    networks: [mastodon({ app: { name: "A host" } })],
    encryptionKey: testKey,
    baseUrl,
    trustedOrigins: [new URL(baseUrl).origin],
    http,
    untrustedHttp: http,
    logger: silentLogger,
  });
}

function atServer(path: string): string {
  return `http://127.0.0.1:${typeof snac === "string" ? 0 : snac.port}${path}`;
}

/** The browser goes to the server directly: only the service uses the TLS front. */
function loginPage(url: string): string {
  const { pathname, search } = new URL(url);
  return atServer(`${pathname}${search}`);
}

async function logIn({ page }: Visitor, { name, password }: SnacAccount): Promise<void> {
  await page.locator('input[name="login"]').fill(name);
  await page.locator('input[name="passwd"]').fill(password);
  await page.getByRole("button", { name: "OK" }).click();
}

/** Handles the first browser that returns from the server after the second. */
function secondFirst(listener: RequestListener): { listener: RequestListener; isFirstHeld: Promise<void> } {
  let letFirstIn: (() => void) | null = null;
  let tellHeld = (): void => undefined;
  const isFirstHeld = new Promise<void>((resolve) => {
    tellHeld = resolve;
  });
  return {
    isFirstHeld,
    listener(request, response) {
      if (!request.url?.includes("/callback?")) return listener(request, response);
      if (letFirstIn === null) {
        letFirstIn = () => listener(request, response);
        return tellHeld();
      }
      response.once("finish", letFirstIn);
      listener(request, response);
    },
  };
}

async function connect(visitor: Visitor): Promise<void> {
  await visitor.sees("Which accounts?");
  await visitor.page.getByRole("button").click();
}

async function accounts(visitor: Visitor): Promise<string[]> {
  await visitor.sees("Your accounts");
  return (await visitor.page.locator("li").allInnerTexts()).sort();
}

async function statusOfToken(): Promise<number> {
  const path = "/api/v1/accounts/verify_credentials";
  if (typeof snac === "string") throw new Error(snac);
  return (await askSnac(snac.port, { method: "GET", path, headers: { authorization } }, Buffer.alloc(0))).status;
}
