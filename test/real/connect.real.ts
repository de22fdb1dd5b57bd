import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { startChromium } from "./chromium.ts";
import { type ConnectHost, startConnectHost } from "./connect-host.ts";
import { type LoginRow, loginRows, preparationOf } from "./connect-rows.ts";
import { openVisitor, type Visitor } from "./visitor.ts";

const browser = await startChromium();
const reason = typeof browser === "string" ? ` (skipped: ${browser})` : "";
const minute = 60_000;
const [anyRow] = loginRows as [LoginRow];

let host: ConnectHost;
let visitor: Visitor;

afterAll(async () => {
  if (typeof browser !== "string") await browser.close();
});

describe.skipIf(typeof browser === "string")(`accounts are connected in a browser${reason}`, () => {
  async function open(row: LoginRow): Promise<void> {
    if (typeof browser === "string") return;
    host = await startConnectHost(preparationOf(row));
    visitor = await openVisitor(browser);
  }

  afterEach(async () => {
    expect(visitor.complaints([host.origin, host.networksOrigin])).toEqual([]);
    expect(host.referrers().filter(tellsTooMuch)).toEqual([]);
    await visitor.leave();
    await host.stop();
  });

  describe.each(loginRows)("$name", (row) => {
    beforeEach(() => open(row));

    it("ends in profiles of the chosen accounts", async () => {
      await begin(row);
      await press(row.allow);
      await visitor.sees("Which accounts?");
      expect(await offered()).toEqual(row.offered);
      await choose(row);
      expect(await accounts()).toEqual(connected(row));
      await visitor.page.goBack();
      expect(await accounts()).toEqual(connected(row));
    });

    it("ends without a profile when the user refuses", async () => {
      await begin(row);
      await press("Refuse");
      expect(await failure()).toMatch(/denied or cancelled/);
      await press("Back to your accounts");
      expect(await accounts()).toEqual([]);
    });

    it("ends without a profile without a required right, and names it", async () => {
      await begin(row);
      await press(`${row.allow}, but not ${row.scope}`);
      expect(await failure()).toContain(row.scope);
      await press("Back to your accounts");
      expect(await accounts()).toEqual([]);
    });

    it("is over for a user who presses the button after ten minutes", async () => {
      await begin(row);
      await press(row.allow);
      await visitor.sees("Which accounts?");
      host.clock.advance(10 * minute);
      await visitor.page.getByRole("button").click();
      expect(await failure()).toMatch(/longer than ten minutes/);
    });
  });

  // Bluesky's own page is valid for one visit within five minutes: it shows itself that the sign-in is over.
  describe.each(loginRows.filter(({ isPageOnce }) => isPageOnce !== true))("$name", (row) => {
    beforeEach(() => open(row));

    it("allows one callback, and the result of the first still stands", async () => {
      const networkPage = await begin(row);
      await press(row.allow);
      await visitor.sees("Which accounts?");
      const choicePage = visitor.page.url();
      const path = new RegExp(`/connect/${row.network}/(?:[^/]+/)?callback\\?`);
      const callback = visitor.visited().find((url) => path.test(url)) ?? "";
      await visitor.page.goto(callback);
      expect(await failure()).toMatch(/already used/);
      await visitor.page.goto(networkPage);
      await press(row.allow);
      expect(await failure()).toMatch(/already used/);
      await visitor.page.goto(choicePage);
      await choose(row);
      await visitor.page.goto(callback);
      expect(await accounts()).toEqual(connected(row));
    });

    it("is over after ten minutes, on the network's page and on the host's", async () => {
      await begin(row);
      host.clock.advance(10 * minute);
      await press(row.allow);
      expect(await failure()).toMatch(/longer than ten minutes/);
      await begin(row);
      await press(row.allow);
      await visitor.sees("Which accounts?");
      host.clock.advance(10 * minute);
      await visitor.page.reload();
      expect(await failure()).toMatch(/longer than ten minutes/);
    });

    it("ends on a plain page of the service when its record was deleted", async () => {
      await begin(row);
      host.clock.advance(71 * minute);
      await host.social.runDue();
      await press(row.allow);
      await visitor.sees("Unknown sign-in");
    });
  });

  it("a choice without a ticked account asks for one", async () => {
    const row = loginRows.find(({ offered }) => offered.length > 1) as LoginRow;
    await open(row);
    await begin(row);
    await press(row.allow);
    await visitor.sees("Which accounts?");
    await choose({ ...row, chosen: [] });
    await failure();
    await visitor.page.goBack();
    await choose(row);
    expect(await accounts()).toEqual(connected(row));
  });

  it.each(["mastodon", "mastodon/social.example", "nowhere"])(
    "an unknown state gets a plain page at %s",
    async (network) => {
      await open(anyRow);
      await visitor.page.goto(`${host.origin}/social/connect/${network}/callback?code=x&state=${"A".repeat(43)}`);
      await visitor.sees("Unknown sign-in");
    },
  );

  it("the page with the code in its URL leaks it to no other page", async () => {
    await open(anyRow);
    await begin(anyRow);
    await press(anyRow.allow);
    await visitor.sees("Which accounts?");
    expect(new URL(visitor.page.url()).searchParams.get("code")).not.toBeNull();
    expect(await referrersElsewhere()).toEqual([]);
  });

  it("the plain page leaks its state to no other page", async () => {
    await open(anyRow);
    await visitor.page.goto(`${host.origin}/social/connect/mastodon/callback?code=x&state=${"A".repeat(43)}`);
    expect(await referrersElsewhere()).toEqual([]);
  });
});

/** A page may send its origin to another origin, but never its URL. */
function tellsTooMuch({ to, from }: { to: string; from: string }): boolean {
  const { origin } = new URL(from);
  return origin !== new URL(to).origin && from !== `${origin}/`;
}

/** Fills in the host's form and sends it. Returns the URL of the network's page. */
async function begin({ network, fields }: LoginRow): Promise<string> {
  const { page } = visitor;
  await page.goto(host.origin);
  const form = page.locator(`form[action="/connect/${network}"]`);
  for (const [name, value] of Object.entries(fields)) {
    const choice = form.locator(`select[name="${name}"]`);
    if ((await choice.count()) > 0) await choice.selectOption(value);
    else await form.locator(`input[name="${name}"]`).fill(value);
  }
  await form.getByRole("button").click();
  await page.waitForURL(`${host.networksOrigin}/**`);
  return page.url();
}

async function press(label: string): Promise<void> {
  await visitor.page.getByRole("link", { name: label, exact: true }).click();
}

async function offered(): Promise<string[]> {
  return (await visitor.page.locator("label").allInnerTexts()).map((text) => text.trim());
}

async function choose({ offered: names, chosen }: LoginRow): Promise<void> {
  for (const name of names) await visitor.page.getByLabel(name, { exact: true }).setChecked(chosen.includes(name));
  await visitor.page.getByRole("button").click();
}

async function failure(): Promise<string> {
  await visitor.sees("Not connected");
  return visitor.page.locator("p").first().innerText();
}

async function accounts(): Promise<string[]> {
  await visitor.sees("Your accounts");
  return (await visitor.page.locator("li").allInnerTexts()).sort();
}

function connected({ network, connected: names }: LoginRow): string[] {
  return names.map((name) => `${name} on ${network}: connected`).sort();
}

/** Follows a link to another origin. Returns the referrers sent there. */
async function referrersElsewhere(): Promise<string[]> {
  const elsewhere = `${host.networksOrigin}/elsewhere`;
  await visitor.page.evaluate(`document.body.innerHTML += '<a href="${elsewhere}">Elsewhere</a>'`);
  await press("Elsewhere");
  await visitor.page.waitForURL(elsewhere);
  return host.referrers().flatMap(({ to, from }) => (to === elsewhere ? [from] : []));
}
