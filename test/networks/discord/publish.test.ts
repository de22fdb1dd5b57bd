import { afterEach, describe, expect, it } from "vitest";
import type { CommitInput } from "../../../src/networks/contract/commit.ts";
import type { LookInput } from "../../../src/networks/contract/look.ts";
import type { Part } from "../../../src/networks/contract/plan.ts";
import type { ProfileFacts } from "../../../src/networks/contract/profile.ts";
import type { NetworkResponse } from "../../../src/networks/contract/request.ts";
import { messageFiles } from "../../../src/networks/discord/files.ts";
import { limits } from "../../../src/networks/discord/limits.ts";
import { threadName } from "../../../src/networks/discord/message.ts";
import { options } from "../../../src/networks/discord/options.ts";
import { publisher } from "../../../src/networks/discord/publish.ts";
import type { JsonObject } from "../../../src/wire/json.ts";
import { jsonOf } from "../../support/commit-json.ts";
import { identified } from "../../support/identified.ts";
import { verdictOf } from "../../support/sighting.ts";
import { botIn, commitInput, type DiscordBench, type Place, part, pictures, webhookIn } from "./bench.ts";
import { contractFindings } from "./openapi.ts";

const benches: DiscordBench[] = [];

async function at<Made extends Place>(place: Promise<Made>): Promise<Made> {
  const made = await place;
  benches.push(made.bench);
  return made;
}

afterEach(async () => {
  for (const { seen } of benches.splice(0)) expect(await contractFindings(seen)).toEqual([]);
});

function send({ bench, connected }: Place, input: CommitInput): Promise<NetworkResponse> {
  return bench.run(() => connected.send(publisher.commit(input), input.part.media));
}

function locate(
  { bench, connected }: Place,
  input: CommitInput,
  since = bench.clock.now() - 120_000,
): Promise<ReturnType<typeof verdictOf>> {
  const look: LookInput = { ...input, since };
  const sighting = bench.run(() => publisher.lookFor(connected.context, look));
  return sighting.then((seen) => verdictOf(seen, input, { publisher, since }));
}

function idsOf(sighting: ReturnType<typeof verdictOf>): string[] {
  if (!("candidates" in sighting)) throw new Error(JSON.stringify(sighting));
  return sighting.candidates.map(({ id }) => id);
}

/** Posts and returns the result of `accepted`. */
async function publish(place: Place, given: Part): Promise<{ id: string; url: string | null; input: CommitInput }> {
  // Under another key: a repeated nonce would return the earlier message.
  const input = commitInput(place, { part: given, subjectId: `tgt_${place.bench.seen.length}` });
  const response = await send(place, input);
  const accepted = publisher.accepted(response, input)?.live;
  if (accepted === undefined) throw new Error(JSON.stringify(response.body));
  return { ...identified(accepted), input };
}

describe("a bot's post on Discord", () => {
  it("is one message that notifies no user and can be repeated under its nonce", async () => {
    const place = await at(botIn());
    const input = commitInput(place, { part: part({ text: "Hello @everyone" }) });
    expect(publisher.commit(input)).toEqual({
      method: "POST",
      url: `https://discord.com/api/v10/channels/${place.channel}/messages`,
      body: {
        json: { content: "Hello @everyone", allowed_mentions: { parse: [] }, nonce: input.key, enforce_nonce: true },
      },
    });
    expect(input.key).toMatch(/^[\w-]{22}$/);
  });

  it("has another key for each body, so that only an identical request returns the earlier message", () => {
    const subject = { subjectId: "tgt_1", createdAt: 0, part: 0, bodyHash: "1" };
    expect(publisher.key(subject)).toBe(publisher.key({ ...subject }));
    expect(publisher.key({ ...subject, bodyHash: "2" })).not.toBe(publisher.key(subject));
  });

  it("returns the message's URL", async () => {
    const place = await at(botIn());
    const { id, url } = await publish(place, part());
    expect(url).toBe(
      `https://discord.com/channels/${place.connected.profile.account_facts.guild_id}/${place.channel}/${id}`,
    );
  });

  it("holds files with names, alt texts and the message in one request", async () => {
    const place = await at(botIn());
    await publish(place, part({ text: "", media: pictures(place.bench, 3), options: { spoiler: true } }));
    expect(place.bench.network.posts()).toMatchObject([
      { text: "", media: 3, alt: ["picture 0", "picture 1", "picture 2"] },
    ]);
    const { bytes, headers } = place.bench.seen.at(-1) ?? { bytes: new Uint8Array(), headers: new Headers() };
    expect(headers.get("content-type")).toMatch(/^multipart\/form-data; boundary=/);
    const text = new TextDecoder().decode(bytes);
    expect(text).toContain('name="payload_json"');
    expect(text).toContain('name="files[2]"; filename="SPOILER_picture_2.png"');
  });

  it("carries embeds, poll, flags, mentions and the reply", async () => {
    const place = await at(botIn());
    const reply_to = place.bench.network.say({ channel: place.channel, text: "question" });
    const given = {
      embeds: [{ title: "Box", fields: [{ name: "a", value: "b" }], timestamp: "2026-11-21T12:00:00Z" }],
      poll: { question: "Which?", answers: ["one", "two"], multiple: true },
      silent: true,
      allowed_mentions: { parse: undefined, users: ["123456"] },
      reply_to,
    };
    const { input } = await publish(place, part({ options: options.parse(given) as JsonObject }));
    expect(jsonOf(publisher.commit(input))).toMatchObject({
      embeds: given.embeds,
      poll: {
        question: { text: "Which?" },
        answers: [{ poll_media: { text: "one" } }, { poll_media: { text: "two" } }],
        duration: 24,
        allow_multiselect: true,
      },
      flags: 4096,
      allowed_mentions: { parse: [], users: ["123456"] },
      message_reference: { message_id: reply_to, fail_if_not_exists: false },
    });
    expect(place.bench.network.posts()).toMatchObject([{ reply_to }]);
  });

  it("is the first message again if an identical request is repeated within the nonce's lifetime", async () => {
    const place = await at(botIn());
    const input = commitInput(place, { part: part({ media: pictures(place.bench, 1) }) });
    const first = await send(place, input);
    await place.bench.clock.advance(100_000);
    const second = await send(place, input);
    expect(publisher.accepted(second, input)).toEqual(publisher.accepted(first, input));
    expect(place.bench.network.posts()).toHaveLength(1);
  });

  it.each([
    ["text", { hardEndSeconds: 15, replaySeconds: 100, emptyReads: 2 }],
    ["announcement", { hardEndSeconds: 15, replaySeconds: 100, emptyReads: 2 }],
    ["forum", { replaySeconds: 0, emptyReads: 2 }],
    ["media", { replaySeconds: 0, emptyReads: 2 }],
  ] as const)("may be repeated without a look only where a nonce holds: %s", async (type, rules) => {
    const { connected } = await at(botIn(type));
    expect(publisher.rules(connected.profile)).toMatchObject(rules);
  });

  it("in an announcement channel is crossposted, however often that is requested", async () => {
    const place = await at(botIn("announcement"));
    const { input, id } = await publish(place, part({ options: { crosspost: true } }));
    const published = { id, url: null, ref: {} };
    const confirm = (): Promise<unknown> =>
      place.bench.run(async () => publisher.confirm?.(place.connected.context, published, input));
    await expect(confirm()).resolves.toEqual(published);
    await expect(confirm()).resolves.toEqual(published);
    const crossposts = place.bench.seen.filter(({ operation }) => operation === "crosspost");
    expect(crossposts.map(({ answer }) => answer?.status)).toEqual([200, 400]);
  });

  it("is not crossposted unless the options say so", async () => {
    const place = await at(botIn("announcement"));
    const { input, id } = await publish(place, part());
    await publisher.confirm?.(place.connected.context, { id, url: null, ref: {} }, input);
    expect(place.bench.seen.filter(({ operation }) => operation === "crosspost")).toEqual([]);
  });
});

describe("a look for a bot's message", () => {
  it("finds the message although Discord trimmed it and took invisible characters out", async () => {
    const place = await at(botIn());
    const { id, input } = await publish(place, part({ text: "  Zero\u200bwidth  and\n\n lines \n" }));
    expect(await locate(place, input)).toMatchObject({ candidates: [{ id }], complete: true });
  });

  it("does not match messages of a user, of another bot, or earlier ones of its own", async () => {
    const place = await at(botIn());
    const { bench, channel } = place;
    await publish(place, part({ text: "same" }));
    await bench.clock.advance(3_600_000);
    bench.network.say({ channel, text: "same" });
    const other = await bench.connect({ bot_token: bench.network.addBot(), channel_id: channel });
    const input = commitInput(place, { part: part({ text: "same" }) });
    await send({ ...place, connected: other }, input);
    const hook = await bench.connect({ webhook_url: bench.network.addWebhook({ channel }) });
    await send(
      { ...place, connected: hook },
      commitInput({ bench, connected: hook }, { part: part({ text: "same" }) }),
    );
    await publish(place, part({ text: "different" }));
    expect(await locate(place, input)).toMatchObject({ candidates: [], complete: true });
  });

  it("distinguishes messages with and without files, and file-only messages by their file names", async () => {
    const place = await at(botIn());
    const [first, second] = pictures(place.bench, 2);
    if (first === undefined || second === undefined) throw new Error("two pictures");
    await publish(place, part({ text: "words" }));
    const withFile = commitInput(place, { part: part({ text: "words", media: [first] }) });
    expect(idsOf(await locate(place, withFile))).toEqual([]);
    const { id } = await publish(place, part({ text: "", media: [first] }));
    expect(idsOf(await locate(place, commitInput(place, { part: part({ text: "", media: [first] }) })))).toEqual([id]);
    expect(idsOf(await locate(place, commitInput(place, { part: part({ text: "", media: [second] }) })))).toEqual([]);
  });

  it("finds a reply, and the plain message that it became when its parent was deleted", async () => {
    const place = await at(botIn());
    const reply_to = place.bench.network.say({ channel: place.channel, text: "question" });
    const reply = await publish(place, part({ text: "answer", options: { reply_to } }));
    expect(idsOf(await locate(place, reply.input))).toEqual([reply.id]);
    expect(idsOf(await locate(place, commitInput(place, { part: part({ text: "answer" }) })))).toEqual([]);
    place.bench.network.deleteMessage(reply_to);
    place.bench.network.deleteMessage(reply.id);
    const input = commitInput(place, { part: part({ text: "answer", options: { reply_to } }), bodyHash: "2" });
    const plain = publisher.accepted(await send(place, input), input);
    expect(idsOf(await locate(place, input))).toEqual([plain?.live.id]);
  });

  it("reads back through a busy channel to the lower bound", async () => {
    const place = await at(botIn());
    const { input, id } = await publish(place, part());
    for (let count = 0; count < 250; count++)
      place.bench.network.say({ channel: place.channel, text: `chat ${count}` });
    const before = place.bench.seen.length;
    expect(await locate(place, input)).toMatchObject({ candidates: [{ id }], complete: true });
    expect(place.bench.seen.slice(before)).toHaveLength(3);
  });

  it("reads no further back than the lower bound", async () => {
    const place = await at(botIn());
    for (let count = 0; count < 250; count++)
      place.bench.network.say({ channel: place.channel, text: `chat ${count}` });
    await place.bench.clock.advance(3_600_000);
    const { input } = await publish(place, part());
    const before = place.bench.seen.length;
    await locate(place, input);
    expect(place.bench.seen.slice(before)).toHaveLength(1);
  });

  it("is incomplete if the channel is too busy", async () => {
    const place = await at(botIn());
    const input = commitInput(place, { part: part() });
    for (let count = 0; count < 1_001; count++) place.bench.network.say({ channel: place.channel, text: "chat" });
    expect(await locate(place, input)).toMatchObject({ candidates: [], complete: false });
  });

  it.each(["text", "forum"] as const)(
    "is inconclusive in a %s channel whose history it may not read: Discord shows it as empty",
    async (type) => {
      const place = await at(botIn(type));
      const { input } = await publish(place, part());
      place.bench.network.deny({ channel: place.channel, permissions: ["READ_MESSAGE_HISTORY"] });
      const sighting = await locate(place, input).catch((error: unknown) => error);
      if (type === "text") expect(sighting).toEqual({ cannot_tell: expect.stringContaining("Read Message History") });
      else expect(sighting).toMatchObject({ refusal: { effect: "none" } });
    },
  );

  it("finds the message late if reads lag", async () => {
    const place = await at(botIn());
    place.bench.network.lagReads(20);
    const { input, id } = await publish(place, part());
    expect(idsOf(await locate(place, input))).toEqual([]);
    await place.bench.clock.advance(20_000);
    expect(idsOf(await locate(place, input))).toEqual([id]);
  });
});

describe("a post in a Discord forum", () => {
  it("opens a thread that begins with the message", async () => {
    const place = await at(botIn("forum"));
    const given = part({
      text: "First line\nand more",
      title: "Title",
      media: pictures(place.bench, 1),
      options: { applied_tags: ["12345"] },
    });
    const { id, url, input } = await publish(place, given);
    const request = publisher.commit(input);
    expect({ ...request, json: jsonOf(request) }).toMatchObject({
      url: `https://discord.com/api/v10/channels/${place.channel}/threads`,
      json: { name: "Title", applied_tags: ["12345"], message: { content: "First line\nand more" } },
    });
    expect(url).toBe(`https://discord.com/channels/${place.connected.profile.account_facts.guild_id}/${id}/${id}`);
    expect(place.bench.network.posts()).toMatchObject([{ id, url, text: "First line\nand more", media: 1 }]);
  });

  it.each([
    [{ title: null, text: "\n  First line \nand more" }, "First line"],
    [{ title: "Title", text: "text" }, "Title"],
    [{ title: "Title", text: "text", options: { thread_name: "Name" } }, "Name"],
    [{ title: null, text: `${"x".repeat(99)}👩‍👩‍👧 and more` }, "x".repeat(99)],
    [{ title: null, text: "" }, null],
  ])("names the thread after %j", (given, name) => {
    expect(threadName(part(given))).toBe(name);
  });

  it.each([false, true])("finds its thread again, archived: %s", async (isArchived) => {
    const place = await at(botIn("forum"));
    const { id, input, url } = await publish(place, part({ text: "Words" }));
    await publish(place, part({ text: "Words", title: "Another title" }));
    await publish(place, part({ text: "Words\nand others" }));
    if (isArchived) place.bench.network.archiveThreads(place.channel);
    const sighting = await locate(place, input);
    expect(sighting).toMatchObject({ candidates: [{ id, url }], complete: true });
    expect(idsOf(sighting)).toHaveLength(1);
  });

  it("does not match an older thread", async () => {
    const place = await at(botIn("forum"));
    const { input } = await publish(place, part());
    await place.bench.clock.advance(3_600_000);
    expect(await locate(place, input)).toMatchObject({ candidates: [], complete: true });
  });
});

describe("a post through a Discord webhook", () => {
  it("waits for the message, so that a refusal is noticed", async () => {
    const place = await at(webhookIn());
    const { id, url, input } = await publish(
      place,
      part({ options: { username: "Baker", avatar_url: "https://x.example/a.png" } }),
    );
    const request = publisher.commit(input);
    expect(request.url).toMatch(/\?wait=true$/);
    expect(jsonOf(request)).toEqual({
      content: "Hello",
      allowed_mentions: { parse: [] },
      username: "Baker",
      avatar_url: "https://x.example/a.png",
    });
    expect(JSON.stringify(request.body)).not.toContain(place.token);
    expect(url).toBe(
      `https://discord.com/channels/${place.connected.profile.account_facts.guild_id}/${place.channel}/${id}`,
    );
  });

  it("is never repeated and never looked for: a lost response stays uncertain", async () => {
    const place = await at(webhookIn());
    const { input } = await publish(place, part());
    expect(publisher.rules(place.connected.profile)).toMatchObject({
      replaySeconds: 0,
      emptyReads: 1,
      settleSeconds: { text: 0, image: 0, video: 0 },
    });
    const before = place.bench.seen.length;
    expect(await locate(place, input)).toEqual({ cannot_tell: expect.stringContaining("webhook") });
    expect(place.bench.seen).toHaveLength(before);
  });

  it("opens a thread in a forum if the thread has a name", async () => {
    const place = await at(webhookIn("forum"));
    const { id, url } = await publish(place, part({ options: { thread_name: "Name" } }));
    expect(url).toBe(`https://discord.com/channels/${place.connected.profile.account_facts.guild_id}/${id}/${id}`);
  });
});

describe("a message that does not fit the profile", () => {
  function broken(planned: Part, profile: ProfileFacts): string[] {
    const input = { ...planned, thread: null, auto_thread: false };
    return limits.rules.flatMap((rule) => rule.check({ input, parts: [planned], spec: limits, profile })?.field ?? []);
  }

  const bot = (type: "text" | "announcement" | "forum", given = {}): Promise<Place> => botIn(type, given);

  it.each([
    ["username", () => bot("text"), { username: "Baker" }],
    ["avatar_url", () => bot("text"), { avatar_url: "https://x.example/a.png" }],
    ["crosspost", () => bot("text"), { crosspost: true }],
    ["thread_name", () => bot("text"), { thread_name: "Name" }],
    ["applied_tags", () => bot("announcement"), { applied_tags: ["12345"] }],
    ["reply_to", () => bot("forum"), { reply_to: "12345" }],
    ["reply_to", webhookIn, { reply_to: "12345" }],
    ["crosspost", webhookIn, { crosspost: true }],
  ])("is rejected for %s, with the option's name", async (name, place, given) => {
    const { connected } = await at(place());
    expect(broken(part({ options: given }), connected.profile)).toEqual([`networks.discord.${name}`]);
  });

  it("is rejected without a title or a tag if the forum requires one", async () => {
    const { profile } = (await at(bot("forum", { needs_tag: true }))).connected;
    const embeds = [{ description: "x" }];
    expect(broken(part({ text: "", options: { embeds, applied_tags: ["12345"] } }), profile)).toEqual(["title"]);
    expect(broken(part(), profile)).toEqual(["networks.discord.applied_tags"]);
    expect(broken(part({ options: { applied_tags: ["12345"] } }), profile)).toEqual([]);
  });

  it("passes with only an embed or a poll, but not empty", async () => {
    const { profile } = (await at(bot("text"))).connected;
    expect(broken(part({ text: "" }), profile)).toEqual(["text"]);
    expect(broken(part({ text: "", options: { embeds: [{ description: "x" }] } }), profile)).toEqual([]);
  });

  it.each([
    [{ embeds: [{ description: "x".repeat(4000) }, { description: "x".repeat(2001) }] }, "networks.discord.embeds"],
    [{ embeds: [{ description: "x" }], suppress_embeds: true }, "networks.discord.suppress_embeds"],
    [{ embeds: [{ description: "x".repeat(4000) }, { description: "x".repeat(2000) }] }, null],
  ])("has its embeds checked as a whole, case %#", async (given, field) => {
    const { profile } = (await at(bot("text"))).connected;
    expect(broken(part({ options: given }), profile)).toEqual(field === null ? [] : [field]);
  });

  it.each([
    { allowed_mentions: { parse: ["users"], users: ["12345"] } },
    { allowed_mentions: { parse: ["here"] } },
    { username: "My Discord" },
    { reply_to: "https://discord.com/channels/1/2/3" },
    { poll: { question: "?", answers: [] } },
    { embeds: [{ title: "x", image: { url: "javascript:alert(1)" } }] },
  ])("is rejected with the options %j", (given) => {
    expect(options.safeParse(given).success).toBe(false);
  });
});

describe("the name of an uploaded file", () => {
  const [picture] = [
    { type: "image", mime_type: "image/jpeg", size_bytes: 1, alt: null, thumbnail_url: null },
  ] as const;

  it.each([
    ["https://media.example/a/My%20Cat%20(1).PNG?x=1", "My_Cat_1.jpg"],
    ["https://media.example/", "file-1.jpg"],
    ["https://media.example/%E0%A4%A", "E0_A4_A.jpg"],
    ["https://media.example/катя.jpeg", "file-1.jpg"],
    ["https://media.example/a%22%0D%0Ab.jpg", "a_b.jpg"],
    ["https://media.example/SPOILER_end.jpg", "end.jpg"],
    [`https://media.example/${"x".repeat(300)}.jpg`, `${"x".repeat(60)}.jpg`],
  ])("is made of %s as %s", (url, name) => {
    const media = { ...picture, url, width: null, height: null, duration_seconds: null };
    expect(messageFiles([media], false).map(({ filename }) => filename)).toEqual([name]);
  });
});
