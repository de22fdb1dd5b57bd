import { RichText } from "@atproto/api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Profile } from "../../src/profiles/schema.ts";
import type { SocialService } from "../../src/service.ts";
import { type FileHost, startFileHost } from "./files.ts";
import { type RealAccount, type RealPds, type RealRecord, startPds } from "./pds.ts";
import { createRealService } from "./service.ts";

let pds: RealPds;
let files: FileHost;
let account: RealAccount;
let social: SocialService;
let profile: Profile;

beforeAll(async () => {
  pds = await startPds();
  files = await startFileHost();
  account = await pds.addAccount("carol");
  social = createRealService({ pds, files });
  const credentials = { identifier: account.handle, app_password: account.app_password };
  profile = await social.profiles.connect({ network: "bluesky", credentials });
});

afterAll(async () => {
  await pds?.stop();
  await files?.stop();
});

/** The server's record of a post, published once. */
async function published(text: string): Promise<RealRecord | undefined> {
  const before = await pds.records(account.did);
  const post = await social.posts.create({ profile_ids: [profile.id], text });
  expect(post.status).toBe("published");
  const added = (await pds.records(account.did)).slice(before.length);
  expect(added.map(({ uri }) => uri)).toEqual(post.targets[0]?.post_ids);
  return added[0];
}

const family = "👨‍👩‍👧‍👦";

describe("the facets of a post", () => {
  it.each([
    ["links, mentions and tags", "Hello https://example.com/a?b=c#d @HANDLE #tag and example.org."],
    ["emoji families before a link", `${family}${family} https://example.com ${family}#tag #${family}family`],
    ["flags, skin tones and rainbows", "🇩🇪🇫🇷👩🏽‍🚀🏳️‍🌈 https://example.com 🇧🇷 #🇺🇦 🇺🇦#tag #🏳️‍🌈"],
    ["right to left", "שלום https://example.com עולם #שלום"],
    ["both directions, with a mention", "מה @HANDLE שלום https://example.com/שלום #שלום."],
    ["Arabic punctuation", "مرحبا example.com، #وسم، @HANDLE؟ https://example.com؛"],
    ["invisible direction marks", "\u202bhttps://example.com\u202c \u200f@HANDLE \u200e#tag \u2067example.com\u2069"],
    ["combining marks", "é́́ #é́́ https://example.com/é e\u0301xample.com cafe\u0301.com #e\u0301\u0323"],
    ["zero width joiners", "a\u200db https://example.com/\u200d #a\u200db \u200d@HANDLE"],
    ["zero width spaces", "#a\u200bb #\u200btag \u200b#tag https://example.com/\u200bx \ufeffexample.com"],
    ["every kind of white space", "https://a.com\n@HANDLE\n#tag\r\nb.org\tx.com\u3000c.net\u00a0#nbsp\u2028#line"],
    ["trailing punctuation", "See (https://example.com), https://example.com/x! #tag, #tag2."],
    [
      "more of it behind links",
      "https://example.com... https://example.com/). https://example.com!! https://example.com/…",
    ],
    ["punctuation behind tags", '#tag! #tag? #tag: #tag; #tag) (#tag) [#tag] "#tag" #tag” #tag… #tag— #tag。'],
    ["punctuation inside tags", "#C++ #a.b #.a #a_b #_ #a- #don't #a/b #2026-11-21 ##tag #tag#tag2 ###3"],
    ["numbers as tags", "#1 #2026 #1st #a1 #１２３ #1️⃣ #️⃣ #️⃣tag"],
    ["full-width signs", "＃全角 ＃１ ＃a＃b 。＃c x＃d ＠HANDLE"],
    ["cashtags", "$AAPL $tsla, $1 $A.B ($BTC) $TOOLONG #$x"],
    [
      "bare domains and what ends them",
      'example.com. example.com, (example.com) example.com! "example.com" example.com:',
    ],
    ["bare domains beside emoji", `example.com👍 example.com${family} 👍example.com 👍 example.com 👍`],
    ["links beside emoji", "https://example.com👍 https://example.com/👍 https://example.com/a👍b"],
    [
      "text that looks like a domain",
      "example.unknowntld foo.invalid file.txt main.rs readme.md e.g. 1.2.3 v1.2 node.js",
    ],
    ["capitals", "Example.com EXAMPLE.COM example.COM Https://example.com HTTPS://EXAMPLE.COM"],
    ["www.", "www.example.com WWW.example.com www.example www. http://www.example.com."],
    ["hyphens, underscores and many labels", "my-site.com a.b.c.co.uk foo.com-bar foo_bar.com foo.com_bar"],
    [
      "domains in other scripts",
      "münchen.de https://münchen.de xn--mnchen-3ya.de https://xn--mnchen-3ya.de https://пример.рф",
    ],
    [
      "brackets in links",
      "https://en.wikipedia.org/wiki/Rust_(language) (https://example.com/a_(b)) https://example.com/[a] <https://b.com>",
    ],
    [
      "queries, fragments and ports",
      "https://example.com/?q=a+b&c=%20#f?x, https://example.com?x=1. https://example.com:8080/a;",
    ],
    [
      "addresses without a domain",
      "http://localhost http://localhost:3000/x http://127.0.0.1/x https:// ftp://example.com",
    ],
    ["mentions and what ends them", "@HANDLE, @HANDLE. @HANDLE! @HANDLE: (@HANDLE) [@HANDLE] @HANDLE's @HANDLE…"],
    ["mentions from end to end", "@HANDLE starts, @HANDLE @HANDLE ends @HANDLE"],
    ["e-mail addresses", "me@example.com mailto:me@example.com <me@example.com> me@HANDLE"],
    ["nothing to mark", "a@b.c #1 # @ http:// x.y"],
  ])("equal those of the official client: %s", async (_, template) => {
    const text = template.replaceAll("HANDLE", account.handle);
    const record = await published(text);
    expect(record?.value.text).toBe(text);
    expect(record?.value.facets ?? []).toEqual(officialFacets(text));
  });

  it.each([
    ["http.cat http.dog/x", "a link without a scheme", ["https://http.cat", "https://http.dog/x"]],
    ["https://) example.com", "a link without a host", ["https://example.com"]],
    ["https:///x example.com", "a link without a host", ["https://example.com"]],
  ])("differ from those of the official client where the server refuses these: %s has %s", async (text, _, uris) => {
    expect(await pds.refusalOf(account, { text, facets: officialFacets(text) })).toContain("Invalid uri");
    const record = await published(text);
    expect(record?.value.facets).toMatchObject(uris.map((uri) => ({ features: [{ uri }] })));
  });

  // Readers drop one of two that overlap: https://docs.bsky.app/docs/advanced-guides/post-richtext (2026-11)
  it("never overlap, though those of the official client do", async () => {
    const text = `https://example.com/(@${account.handle}`;
    expect(officialFacets(text)).toHaveLength(2);
    const record = await published(text);
    expect(record?.value.facets).toMatchObject([{ features: [{ uri: text }] }]);
  });

  it("have no mention where the handle has no account", async () => {
    const record = await published(`Hello @nobody.test and @${account.handle}`);
    expect(record?.value.facets).toMatchObject([{ index: { byteStart: 23 }, features: [{ did: account.did }] }]);
  });
});

/** The facets of the official client; every mention refers to the account itself. */
function officialFacets(text: string): object[] {
  const official = new RichText({ text });
  official.detectFacetsWithoutResolution();
  const facets = (official.facets ?? []).map(({ index, features }) => ({
    index,
    features: features.map((feature) => ("did" in feature ? { ...feature, did: account.did } : feature)),
  }));
  return JSON.parse(JSON.stringify(facets)) as object[];
}
