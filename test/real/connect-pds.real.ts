import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createApp } from "../../examples/connect/app.ts";
import { bluesky } from "../../src/networks/bluesky/index.ts";
import { createSocialService, type SocialService } from "../../src/service.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import { silentLogger } from "../support/logger.ts";
import { testKey } from "../support/service.ts";
import { startChromium } from "./chromium.ts";
import { openSite, type Site } from "./connect-host.ts";
import { movingClock } from "./moving-clock.ts";
import { passwordOf, type RealAccount, type RealPds, startPds } from "./pds.ts";
import { openVisitor, type Visitor } from "./visitor.ts";

const browser = await startChromium();
const reason = typeof browser === "string" ? ` (skipped: ${browser})` : "";

/**
 * Longer than that server's access tokens live, milliseconds.
 * https://atproto.com/specs/oauth#tokens-and-session-lifetime (2026-11)
 */
const accessMs = 61 * 60_000;

/** Moved together with that server's clock, and shared by all tests. */
const clock = movingClock();

let pds: RealPds;
let alice: RealAccount;
let app: Site;
let social: SocialService;
let visitor: Visitor;
/** The server's responses to the service. */
let answers: { path: string; status: number; isForNonce: boolean }[];

beforeAll(async () => {
  if (typeof browser === "string") return;
  pds = await startPds();
  alice = await pds.addAccount("alice");
});

afterAll(async () => {
  if (typeof browser === "string") return;
  await browser.close();
  await pds.stop();
});

describe.skipIf(typeof browser === "string")(`a sign-in on a Bluesky server's own pages${reason}`, () => {
  beforeEach(async () => {
    if (typeof browser === "string") return;
    answers = [];
    app = await openSite("127.0.0.1");
    social = openService(`${app.origin}/social`);
    app.show(createApp({ social, origin: app.origin, loginPage: (url) => url }));
    visitor = await openVisitor(browser);
  });

  afterEach(async () => {
    await visitor.leave();
    await app.close();
    await social.stop(2_000);
  });

  it("ends in a profile that publishes, is renewed, and is revoked on disconnection", async () => {
    await begin();
    await logIn("wrong");
    await visitor.page.getByText("Wrong identifier or password").waitFor();
    await logIn(passwordOf("alice"));
    await press("Authorize");
    await visitor.sees("Which accounts?");
    await press("Connect");
    await visitor.sees("Your accounts");
    expect(await visitor.page.locator("li").allInnerTexts()).toEqual(["alice.test on bluesky: connected"]);

    const id = (await social.profiles.list()).data[0]?.id ?? "";
    expect(await publish(id, "From a browser's login.")).toBe("published");
    expect(answersOf("/oauth/token")).toEqual([200]);
    await pds.advance(accessMs);
    clock.advance(accessMs);
    expect(await publish(id, "By a login that was renewed.")).toBe("published");
    expect(answersOf("/oauth/token")).toEqual([200, 200]);
    const texts = (await pds.records(alice.did)).map(({ value }) => value.text);
    expect(texts).toEqual(["From a browser's login.", "By a login that was renewed."]);

    await social.profiles.disconnect(id);
    expect(answersOf("/oauth/revoke")).toEqual([200]);
  });

  it("ends without a profile when the user refuses, before or after the password", async () => {
    await begin();
    await press("Cancel");
    expect(await failure()).toMatch(/denied or cancelled/);
    await begin();
    await logIn(passwordOf("alice"));
    await press("Deny access");
    expect(await failure()).toMatch(/denied or cancelled/);
    expect((await social.profiles.list()).data).toEqual([]);
  });

  async function begin(): Promise<void> {
    const { page } = visitor;
    await page.goto(app.origin);
    await page.locator('input[name="handle"]').fill(alice.handle);
    await page.getByRole("button").click();
    await page.locator('input[type="password"]').waitFor();
  }

  async function logIn(password: string): Promise<void> {
    await visitor.page.locator('input[type="password"]').fill(password);
    await press("Sign in");
  }

  async function press(name: string): Promise<void> {
    await visitor.page.getByRole("button", { name, exact: true }).click();
  }

  async function failure(): Promise<string> {
    await visitor.sees("Not connected");
    return visitor.page.locator("p").first().innerText();
  }
});

async function publish(profileId: string, text: string): Promise<string> {
  return (await social.posts.create({ profile_ids: [profileId], text })).status;
}

/** The server's responses to requests to a path, except those that only asked for a new signature. */
function answersOf(path: string): number[] {
  return answers.filter((answer) => answer.path === path && !answer.isForNonce).map(({ status }) => status);
}

function openService(baseUrl: string): SocialService {
  const http: typeof fetch = async (input, init) => {
    const response = await pds.http(input, init);
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    const isForNonce = response.status === 400 && (await response.clone().text()).includes("use_dpop_nonce");
    answers.push({ path: pathname, status: response.status, isForNonce });
    return response;
  };
  return createSocialService({
    storage: memoryStorage({ clock }),
    networks: [bluesky({ service: pds.url, app: { name: "A host" } })],
    encryptionKey: testKey,
    baseUrl,
    trustedOrigins: [new URL(baseUrl).origin],
    clock,
    http,
    untrustedHttp: http,
    logger: silentLogger,
  });
}
