import type { CreatePost } from "../../src/posts/schema.ts";

/** A kind of post. `{n}` in a text becomes another word each time. */
export interface PostKind {
  name: string;
  /** Several: a thread. */
  texts: readonly [string, ...string[]];
  /** Images on the first part. @default 0 */
  pictures?: number;
  /** URLs of images in the first text, each of which the server shows as an attachment. @default 0 */
  addresses?: number;
  options?: NonNullable<CreatePost["networks"]>["mastodon"];
}

/** At least one of everything that the server renders, hides, replaces or interprets. */
export const postKinds: readonly PostKind[] = [
  { name: "plain text", texts: ["The library opens again on Monday, with longer hours in the evening, issue {n}."] },
  { name: "a short text", texts: ["Good evening {n}"] },
  { name: "the same text each time", texts: ["Doors open at noon."] },
  { name: "one emoji", texts: ["🎉"] },
  {
    name: "several lines",
    texts: ["First line {n}\n\nThird line after an empty one\nand the fourth,  with two  spaces"],
  },
  { name: "a list of dashes", texts: ["Shopping {n}:\n- apples\n- pears\n- plums"] },
  { name: "a list of asterisks", texts: ["Shopping {n}:\n* apples\n* pears\n* plums"] },
  { name: "a numbered list", texts: ["1. first thing {n}\n2. second thing\n3. third thing"] },
  { name: "a year with a dot", texts: ["2026. What a year it was for issue {n}!"] },
  { name: "a line of dashes", texts: ["Above {n}\n---\nbelow the line"] },
  { name: "one asterisk", texts: ["This is *important* for issue {n}"] },
  { name: "two asterisks", texts: ["This is **very important** for issue {n}"] },
  { name: "underscores", texts: ["_This_ is __important__ and snake_case_name stays, issue {n}"] },
  { name: "tildes", texts: ["This is ~~gone~~ and ~not~ for issue {n}"] },
  { name: "code", texts: ["Run `npm install` and `a * b * c` for issue {n}"] },
  { name: "a block of code", texts: ["See {n}:\n```\nconst *a* = <b>;\n  # not a heading\n```\nDone."] },
  { name: "a quotation", texts: ["> to be or not to be\n> that is the question {n}\n\nWell said."] },
  { name: "a heading", texts: ["# News of issue {n}\n## and more\nToday the sun is shining."] },
  { name: "a link under words", texts: ["Read [the report {n}](https://example.com/report_{n}_final) today"] },
  {
    name: "bare links",
    texts: ["https://example.com/a_b_c/*d*?x=1&y={n} and http://example.com/~e#f_g_ are worth it"],
  },
  { name: "a link alone", texts: ["https://example.com/{n}"] },
  {
    name: "a picture's address",
    texts: ["Look at https://example.com/pictures/{n}.png before it is gone"],
    addresses: 1,
  },
  { name: "a picture's address alone", texts: ["https://example.com/pictures/{n}.jpg"], addresses: 1 },
  {
    name: "a picture in brackets",
    texts: ["![a cat {n}](https://example.com/pictures/cat.jpg) is sleeping"],
    addresses: 1,
  },
  { name: "mentions", texts: ["@bob and @nobody and @bob@127.0.0.1 look at issue {n} a@b.example"] },
  { name: "hashtags", texts: ["#Gardening #münchen #2026 and C# in issue {n}#end"] },
  { name: "emoji", texts: ["👩‍👩‍👧‍👦 and 🇩🇪 and ❤️ and :smile: :) <3 in issue {n}"] },
  { name: "Japanese", texts: ["図書館は月曜日に再開します。夜の開館時間が長くなります {n}"] },
  { name: "Arabic and Thai", texts: ["تفتح المكتبة أبوابها يوم الاثنين {n} ห้องสมุดเปิดอีกครั้งในวันจันทร์"] },
  { name: "what looks like HTML", texts: ["<b>bold</b> <script>x</script> a < b && c > d <issue {n}>"] },
  { name: "entities", texts: ["Fish &amp; chips &lt;3 &#x1F600; &nbsp;&copy; AT&T in issue {n}"] },
  { name: "other forms of letters", texts: ["Cafe\u0301 ﬁne “quotes” ‘it’s’ … — ½ \u00a0x\u200by issue {n}"] },
  { name: "a picture", texts: ["A picture of the old harbour, with the light of issue {n}"], pictures: 1 },
  { name: "a picture without a text", texts: [""], pictures: 1 },
  { name: "two pictures", texts: ["*Two* pictures of issue {n}"], pictures: 2 },
  {
    name: "for followers",
    texts: ["Only those who follow me read about issue {n} today"],
    options: { visibility: "private" },
  },
  { name: "for followers, rendered", texts: ["*Only* `you`:\n- issue {n}"], options: { visibility: "private" } },
  { name: "a picture for followers", texts: ["Only for you {n}"], pictures: 1, options: { visibility: "private" } },
  { name: "direct", texts: ["@bob this is between us two, about issue {n}"], options: { visibility: "direct" } },
  { name: "unlisted", texts: ["Not for the public timelines: issue {n}"], options: { visibility: "unlisted" } },
  {
    name: "a content warning",
    texts: ["What happens in the end of issue {n}"],
    options: { spoiler_text: "*Spoiler*" },
  },
  {
    name: "a poll",
    texts: ["Which one for issue {n}?"],
    options: { poll: { options: ["this", "that"], expires_in: 600 } },
  },
  { name: "a thread", texts: ["Part one of issue {n}", "Part two of issue {n}", "Part three of issue {n}"] },
  {
    name: "a rendered thread",
    texts: ["# Part *one* {n}", "- part `two` {n}", "> part three {n}\nhttps://example.com/{n}.png"],
  },
  { name: "a thread for followers", texts: ["One {n}", "Two {n}", "Three {n}"], options: { visibility: "private" } },
  { name: "a thread of the same parts", texts: ["And again {n}", "And again {n}", "And again {n}"] },
  {
    name: "a thread with a picture",
    texts: ["One with a picture {n}", "Two without {n}", "Three without {n}"],
    pictures: 1,
  },
];

/** The posts that the account's owner makes by hand while the response is missing. */
export const byHand: readonly (null | { text: string; picture: boolean })[] = [
  null,
  { text: "Our gardeners planted seven hundred tulips along the river during this rainy weekend", picture: false },
  null,
  { text: "Good morning!", picture: false },
  null,
  { text: "Here is how the new bridge looks from the southern bank of the river", picture: true },
];
