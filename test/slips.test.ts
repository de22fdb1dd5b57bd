import { describe, expect, it } from "vitest";
import { nearestName } from "../src/wire/nearest.ts";
import { scenes } from "./networks/scenes.ts";
import { failureOf } from "./support/failure.ts";
import { createTestService } from "./support/service.ts";

/** The service has all networks of the tests but this one. */
const lacking = "facebook";
const had = scenes.filter(({ network }) => network !== lacking);

const { social, sandbox, clock } = createTestService({ networks: had.map(({ adapter }) => adapter()) });

/** The networks of the service, as a list in a sentence. */
function known(word: "or" | "and"): string {
  const names = had.map(({ network }) => network);
  return `${names.slice(0, -1).join(", ")} ${word} ${names.at(-1)}`;
}

const bot = { bot_token: sandbox.discord.addBot(), channel_id: sandbox.discord.addChannel() };
const profile = await clock.run(() => social.profiles.connect({ network: "discord", credentials: bot }));
const bytes = new Uint8Array(4);

/** Words that only zod uses. */
const zodWords = /Invalid (?:input|option|key|string|URL)|expected|received|Unrecognized|Too (?:big|small)/;

/** The details of a post with these fields. */
const post = (fields: object) => () =>
  social.posts.create({ profile_ids: [profile.id], text: "Hi", ...fields } as never);
const connect = (credentials: unknown) => () => social.profiles.connect({ network: "discord", credentials } as never);

describe("an invalid request gets an error with its value and the right one", () => {
  it.each<[string, () => Promise<unknown>, string]>([
    [
      "a field in another case",
      post({ profileIds: ["a"] }),
      "profileIds: Did you mean profile_ids? There is no such field.",
    ],
    ["a field with a letter swapped", post({ txet: "a" }), "txet: Did you mean text? There is no such field."],
    [
      "a field of a file",
      post({ media: [{ url: "https://a.example", altText: "a" }] }),
      "media[0].altText: There is no such field; known are url, alt and thumbnail_url.",
    ],
    [
      "a field of a link",
      post({ link: { url: "https://a.example", titel: "a" } }),
      "link.titel: Did you mean title? There is no such field.",
    ],
    [
      "an unknown field",
      post({ shedule: 1, colour: "red" }),
      "shedule: There is no such field; known are profile_ids, text",
    ],
    ["no profile", () => social.posts.create({} as never), "profile_ids: Must have at least one connected profile."],
    [
      "one profile",
      post({ profile_ids: "prof_1" }),
      'profile_ids: Must be an array of profile ids, such as ["prof_1"], not the string "prof_1".',
    ],
    [
      "a field in another case, which is therefore missing",
      () => social.posts.create({ profileIds: ["prof_1"], text: "Hi" } as never),
      "The request is not valid. profileIds: Did you mean profile_ids? There is no such field.",
    ],
    ["a number for a profile", post({ profile_ids: [7] }), "profile_ids[0]: Must be a string, not the number 7."],
    ["a number for a text", post({ text: 7 }), "text: Must be a string, not the number 7."],
    ["null for a text", post({ text: null }), "text: Must be a string, not null."],
    [
      "a text that is too long",
      post({ text: "a".repeat(20_001) }),
      "text: Must have at most 20,000 characters, not 20,001.",
    ],
    ["an empty part", post({ thread: ["a", ""] }), "thread[1]: Must have at least 1 character, not 0."],
    ["no part", post({ thread: [] }), "thread: Must have at least 1 entry, not 0."],
    [
      "too many files",
      post({ media: Array(36).fill("https://a.example") }),
      "media: Must have at most 35 entries, not 36.",
    ],
    ["a string for a list", post({ media: "https://a.example" }), "media: Must be a list, not a URL."],
    ["a number for a file", post({ media: [7] }), "media[0]: Must be a string or an object, not the number 7."],
    [
      "a post type",
      post({ post_type: "stroy" }),
      'post_type: Must be one of post, reel or story, not the string "stroy"; did you mean story?',
    ],
    [
      "another post type",
      post({ post_type: "carousel" }),
      'post_type: Must be one of post, reel or story, not the string "carousel".',
    ],
    ["a string for a switch", post({ draft: "yes" }), 'draft: Must be true or false, not the string "yes".'],
    ["a time in words", post({ scheduled_at: "tomorrow" }), "scheduled_at: Must be a time as ISO 8601 with a zone"],
    [
      "a Date",
      post({ scheduled_at: new Date(0) }),
      "scheduled_at: Call toISOString() on the Date: a time is a string.",
    ],
    [
      "a Date in a filter",
      () => social.posts.list({ created_after: new Date(0) as never }),
      "created_after: Call toISO",
    ],
    [
      "a key that is too short",
      post({ idempotency_key: "a" }),
      "idempotency_key: Must have at least 8 characters, not 1.",
    ],
    [
      "a network",
      post({ networks: { discrod: {} } }),
      "networks.discrod: The service has no such network; did you mean discord?",
    ],
    [
      "a network's option",
      post({ networks: { discord: { silnet: true } } }),
      "networks.discord.silnet: Did you mean silent? There is no such option.",
    ],
    [
      "a network's text",
      post({ networks: { discord: { txt: "a" } } }),
      "networks.discord.txt: Did you mean text? There is no such option.",
    ],
    [
      "an option's type",
      post({ networks: { discord: { silent: "yes" } } }),
      'networks.discord.silent: Must be true or false, not the string "yes".',
    ],
    [
      "an option's nested field",
      post({ networks: { discord: { poll: { question: "a", answers: [] } } } }),
      "networks.discord.poll.answers: Must have at least 1 entry, not 0.",
    ],
    [
      "a string for a network",
      post({ networks: { discord: { text: 7 } } }),
      "networks.discord.text: Must be a string, not the number 7.",
    ],
    ["bytes", post({ media: [bytes] }), "media[0]: The file is not a supported image or video, whatever its file name"],
    [
      "a buffer",
      post({ media: [{ url: Buffer.from(bytes), alt: "a" }] }),
      "media[0].url: Must be the file's https URL.",
    ],
    [
      "a Blob",
      post({ networks: { discord: { media: [new Blob([bytes])] } } }),
      "networks.discord.media[0]: The file is not a supported image or video",
    ],
    ["bytes in place of the list", post({ media: new Uint8Array(20_000_000) }), "media: Must be the file's https URL."],
    ["a path", post({ media: ["./picture.png"] }), "media[0]: Must be the file's https URL."],
    ["a file's URL", post({ media: [{ url: "file:///tmp/a.png" }] }), "media[0].url: Must be the file's https URL."],
    [
      "a body that is not an object",
      () => social.posts.create("Hi" as never),
      'body: Must be an object, not the string "Hi".',
    ],
    [
      "a page that is too long",
      () => social.posts.list({ limit: 101 }),
      "limit: Must be a number of at most 100, not the number 101.",
    ],
    ["half a row", () => social.posts.list({ limit: 1.5 }), "limit: Must be a whole number, not the number 1.5."],
    ["a status", () => social.posts.list({ status: "publised" } as never), "did you mean published?"],
    [
      "one status of several",
      () => social.posts.list({ status: ["failed", "sent"] } as never),
      "status[1]: Must be one of draft, ",
    ],
    [
      "a filter",
      () => social.profiles.list({ networks: "x" } as never),
      "networks: Did you mean network? There is no such field.",
    ],
    [
      "an event",
      () => social.webhooks.create({ url: "https://a.example", events: ["post.publishd"] } as never),
      "events[0]: Must be one of post.published, ",
    ],
    [
      "no network",
      () => social.profiles.connect({ credentials: {} } as never),
      `network: Missing: must be one of ${known("or")}.`,
    ],
    [
      "a network of a connection",
      () => social.profiles.connect({ network: "mastadon", credentials: {} } as never),
      "network: The service has no such network; did you mean mastodon?",
    ],
    [
      "a network of another service",
      () => social.profiles.connect({ network: lacking, credentials: {} }),
      `network: The service has no such network; known are ${known("and")}.`,
    ],
    [
      "a number for a network",
      () => social.profiles.connect({ network: 7, credentials: {} } as never),
      `network: Must be one of ${known("or")}, not the number 7.`,
    ],
    [
      "overrides for a network of another service",
      post({ networks: { [lacking]: {} } }),
      `networks.${lacking}: The service has no such network; known are ${known("and")}.`,
    ],
    [
      "a network in capitals",
      post({ networks: { Discord: {} } }),
      "networks.Discord: The service has no such network; did you mean discord?",
    ],
    [
      "a network and a field at once",
      post({ networks: { discrod: {} }, txet: "a" }),
      "txet: Did you mean text? There is no such field.",
    ],
    [
      "a network in a list query",
      () => social.posts.list({ network: "My Space" }),
      "network: Must be the id of a network: lower-case letters, digits and underscores, such as bluesky.",
    ],
    ["a scope", () => social.keys.create({ account_id: "a", scopes: ["reed"] } as never), "did you mean read?"],
  ])("%s", async (_, call, message) => {
    const error = await failureOf(clock.run(async () => call()));
    expect(error.message).toContain(message);
    expect(error.code).toBe("invalid_request");
    expect(JSON.stringify(error)).not.toMatch(zodWords);
    // Code that passes an error on keeps its message.
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ message: error.message, details: error.details });
  });

  it.each([
    ["a string for all of them", connect("canary-secret-token")],
    ["a number", connect({ bot_token: 4_711_000_111, channel_id: "12345678" })],
    ["a malformed value", connect({ bot_token: "canary secret token", channel_id: "12345678" })],
    ["a malformed channel id", connect({ bot_token: "x".repeat(30), channel_id: "canary-secret" })],
    ["a URL", connect({ webhook_url: "https://canary-secret.example" })],
    ["a list", connect(["canary-secret-token"])],
    ["a value that is too long", connect({ webhook_url: "canary-secret".repeat(100) })],
  ])("but never with a credential: %s", async (_, call) => {
    const error = await failureOf(clock.run(async () => call()));
    expect(error.details[0]?.field).toMatch(/^credentials/);
    expect(`${error} ${JSON.stringify(error)}`).not.toMatch(/canary|4711000111/);
    expect(JSON.stringify(error)).not.toMatch(zodWords);
  });

  it("and with thousands of wrong fields costs little and lists only some of them", async () => {
    const fields = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`field_${index}`, 1]));
    const error = await failureOf(clock.run(post(fields)));
    expect(error.details).toHaveLength(100);
    expect(error.message).toMatch(/And 99 more \(\w+, \w+, \w+ …\); see details\.$/);
  });
});

describe("a host's own address is rejected with the option that allows it", () => {
  const guarded = createTestService({ untrustedHttp: undefined, allowedHosts: [] });

  it("for a file", async () => {
    const { social, sandbox, clock } = guarded;
    const credentials = { bot_token: sandbox.discord.addBot(), channel_id: sandbox.discord.addChannel() };
    const { id } = await clock.run(() => social.profiles.connect({ network: "discord", credentials }));
    const media = ["http://localhost:3000/a.png"];
    const error = await failureOf(clock.run(() => social.posts.create({ profile_ids: [id], text: "Look", media })));
    expect(error.message).toContain(
      '[For the developer: Add a host of your own to the option allowedHosts, such as "localhost:3000"',
    );
  });

  it("for an instance", async () => {
    const credentials = { instance: "127.0.0.1:3000", access_token: "canary-token" };
    const connecting = guarded.clock.run(() => guarded.social.profiles.connect({ network: "mastodon", credentials }));
    expect((await failureOf(connecting)).message).toContain("Add a host of your own to the option allowedHosts");
  });

  it("for a receiver of webhooks", async () => {
    const error = await failureOf(guarded.social.webhooks.create({ url: "http://localhost:3000/hook" }));
    expect(error.message).toContain("Add a host of your own to the option allowedHosts");
  });
});

describe("the nearest name", () => {
  const names = ["profile_ids", "text", "thread", "title", "scheduled_at", "publish_now", "encryptionKey"];

  it.each([
    ["profileIds", "profile_ids"],
    ["PROFILE-IDS", "profile_ids"],
    ["txet", "text"],
    ["titel", "title"],
    ["scheduledAt", "scheduled_at"],
    ["publishnow", "publish_now"],
    ["encriptionKey", "encryptionKey"],
    ["encryption_key", "encryptionKey"],
    ["treads", "thread"],
    ["body", null],
    ["", null],
    ["x", null],
    ["a".repeat(100_000), null],
    ["__proto__", null],
  ])("to %j is %j", (given, nearest) => {
    expect(nearestName(given, names)).toBe(nearest);
  });
});
