import { describe, expect, it } from "vitest";
import type { AccountList, ListedPost } from "../../../src/networks/contract/look.ts";
import { matchPosts, type Sought } from "../../../src/networks/runtime/match-posts.ts";

const text = "We open the new shop on Main Street this Saturday at nine";

function seen(given: Partial<ListedPost> = {}, id = "1"): ListedPost {
  return {
    published: { id, url: null, ref: null },
    created_at: 50,
    texts: [text],
    parent: null,
    isSameKind: true,
    origin: null,
    ...given,
  };
}

function weighed(
  posts: readonly ListedPost[],
  { parent = null, ...sought }: Partial<Sought> & { parent?: string | null } = {},
  list: Partial<AccountList> = {},
) {
  const lists = [{ posts, isWhole: true, showsSuch: true, name: "list", ...list }];
  const window = { from: 0, to: 100, isKnown: true };
  const wanted = {
    textForms: [text],
    window,
    owned: new Set<string>(),
    knowsHandles: true,
    trusted: new Set<string>(),
    ...sought,
  };
  const { strong, unexplained, isWhole } = matchPosts({ parent, lists }, wanted);
  const ids = (found: readonly ListedPost[]): string[] => found.map(({ published }) => published.id);
  return { strong: ids(strong), unexplained: ids(unexplained), isWhole };
}

const ours = { strong: ["1"], unexplained: [] };
const doubtful = { strong: [], unexplained: ["1"] };
const ruledOut = { strong: [], unexplained: [] };

describe("a post in a look's list is certainly ours", () => {
  it.each<[string, Partial<ListedPost>]>([
    ["with the same words", {}],
    ["with the same words, but for case, width and whitespace", { texts: [`  ${text.toUpperCase()} \n`] }],
    ["with the same words in one of the forms shown", { texts: ["something else", text] }],
    ["with nearly the same words", { texts: [`${text} o'clock`] }],
    ["with our own handle and any words", { texts: ["other words"], isSameKind: false, origin: "ours" }],
    ["if it does not say what it replies to", { parent: undefined as unknown as null }],
    ["if it came too late, but with the same words", { created_at: 101 }],
    ["if it does not say when it came", { created_at: Number.NaN }],
  ])("%s", (_, given) => {
    expect(weighed([seen(given)])).toMatchObject(ours);
  });

  it("not if it has other words and no time: then it may be", () => {
    expect(weighed([seen({ created_at: Number.NaN, texts: ["at last"] })])).toMatchObject(doubtful);
  });

  it("in any form in which the network may show our words", () => {
    expect(weighed([seen()], { textForms: ["**We** open", text] })).toMatchObject(ours);
  });

  it("beside any unexplained posts; the one with our handle before one with the same words", () => {
    const marked = seen({ origin: "ours" });
    expect(weighed([marked, seen({}, "2"), seen({ texts: ["hm"] }, "3")])).toMatchObject({ strong: ["1"] });
    expect(weighed([seen(), seen({}, "2")])).toMatchObject({ strong: ["1", "2"] });
  });
});

describe("a post in a look's list is not ours", () => {
  it.each<[string, Partial<ListedPost>]>([
    ["with another handle", { origin: "foreign" }],
    ["if it replies to another post", { parent: "9" }],
    ["if it is older than the request", { created_at: -1 }],
    ["if it came after the network could have accepted the request", { created_at: 101, texts: ["hm"] }],
    ["if it is about something else", { texts: ["Nobody expects such lovely weather here in late November"] }],
    ["with few words, none of them ours", { texts: ["Hm, fine!"] }],
    ["of another kind, in other words", { isSameKind: false, texts: ["Open again"] }],
    ["of another kind, without words", { isSameKind: false, texts: [] }],
    ["for other readers, in other words", { hasOtherReaders: true, texts: ["Open again"] }],
  ])("%s", (_, given) => {
    expect(weighed([seen(given)])).toMatchObject(ruledOut);
  });

  it("if ours is a reply and it is not, with other words", () => {
    const none = seen({ parent: null, texts: ["Open again"] });
    expect(weighed([none], { parent: "7" })).toMatchObject(ruledOut);
    expect(weighed([seen({ ...none, parent: "7" })], { parent: "7" })).toMatchObject(doubtful);
  });

  it("if its author's source text differs from each form of ours, however short it is", () => {
    const source = "Here is how the new bridge looks from the river";
    const says = ["![the cat](https://example.com/cat.jpg) is sleeping", "the cat Tom is sleeping", "is sleeping"];
    expect(weighed([seen({ texts: [source], source })], { textForms: says })).toMatchObject(ruledOut);
    expect(weighed([seen({ texts: [source] })], { textForms: says })).toMatchObject(doubtful);
  });

  it.each<[string, string]>([
    ["Good evening", "Good morning!"],
    ["🎉", "Good morning!"],
    ["Good morning!", "We open the new shop on Main Street, and a good coffee is waiting for you there"],
  ])('if the source text of its author is short and differs: "%s", "%s"', (says, source) => {
    expect(weighed([seen({ texts: [source], source })], { textForms: [says] })).toMatchObject(ruledOut);
  });

  it("but may be, with another handle, if ours is unknown", () => {
    expect(weighed([seen({ origin: "foreign" })], { knowsHandles: false })).toMatchObject(ours);
  });

  it("if another target owns it", () => {
    expect(weighed([seen()], { owned: new Set(["1"]) })).toMatchObject(ruledOut);
  });
});

describe("a post in a look's list stays unexplained", () => {
  it.each<[string, Partial<ListedPost>]>([
    ["of another kind, with our words", { isSameKind: false }],
    ["for other readers, with most of our words", { isSameKind: false, texts: [`${text} o'clock`] }],
    ["with few words, one of them ours", { texts: ["at last"] }],
    ["with only an emoji", { texts: ["🎉"] }],
    ["with only a link", { texts: ["https://example.com/a"] }],
    ["without words", { texts: [] }],
    ["with some of our words", { texts: ["this Saturday we open at nine, as every day"] }],
    ["with other numbers", { texts: [`${text} 10`] }],
    ["with another link", { texts: [`${text} https://example.com`] }],
  ])("%s", (_, given) => {
    expect(weighed([seen(given)])).toMatchObject(doubtful);
  });

  it("whatever its words, if the request's age is unknown", () => {
    expect(weighed([seen()], { window: { from: 0, to: 100, isKnown: false } })).toMatchObject(doubtful);
  });

  it("if ours has no words", () => {
    expect(weighed([seen({ texts: [] })], { textForms: [""] })).toMatchObject(doubtful);
    expect(weighed([seen({ texts: ["hm"] })], { textForms: [""] })).toMatchObject(doubtful);
    expect(weighed([seen({ texts: [], isSameKind: false })], { textForms: [""] })).toMatchObject(doubtful);
  });

  it("if ours is a reply and it is not, with our words", () => {
    expect(weighed([seen({ parent: null })], { parent: "7" })).toMatchObject(doubtful);
  });

  it.each<[string, string]>([
    ["Good morning", "Good morning everybody"],
    ["Good morning everybody", "Good morning"],
    ["A :smile: for https://example.com/a", "A"],
  ])('if the source text of its author is ours with something added or cut: "%s", "%s"', (says, source) => {
    expect(weighed([seen({ texts: [source], source })], { textForms: [says] })).toMatchObject(doubtful);
  });

  it.each<[string, string]>([
    ["Good evening", "Good morning!"],
    [":smile:", "😄"],
    ["@bob", "@bob@social.example"],
  ])('if only the rendered form of a short text is known, which may be ours: "%s", "%s"', (says, shown) => {
    expect(weighed([seen({ texts: [shown] })], { textForms: [says] })).toMatchObject(doubtful);
  });

  it("only by words that not all posts of the account share", () => {
    const footer = "Read more in our weekly letter, every Friday";
    const says = [`New shoes are back again today ${footer}`];
    const other = (words: string, id: string) => seen({ texts: [`${words} ${footer}`] }, id);
    const alone = weighed([other("Nobody expects such lovely weather", "1")], { textForms: says });
    expect(alone.unexplained).toEqual(["1"]);
    const older = [other("Yesterday it rained", "2"), other("Tomorrow it snows", "3")].map((post) => ({
      ...post,
      created_at: -1,
    }));
    expect(
      weighed([other("Nobody expects such lovely weather", "1"), ...older], { textForms: says }).unexplained,
    ).toEqual([]);
  });
});

describe("a look is complete", () => {
  it.each<[string, Partial<AccountList>, readonly string[], boolean]>([
    ["if a list that shows such posts was read whole", {}, [], true],
    ["not if the list was not read whole", { isWhole: false }, [], false],
    ["not if the list has never shown such a post", { showsSuch: false }, [], false],
    ["if the list has shown such a post before", { showsSuch: false }, ["list"], true],
    ["not if only another list has shown one", { showsSuch: false }, ["other"], false],
  ])("%s", (_, list, trusted, isWhole) => {
    expect(weighed([], { trusted: new Set(trusted) }, list).isWhole).toBe(isWhole);
  });
});
