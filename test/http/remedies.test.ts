import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { connectBluesky } from "../support/connect.ts";
import { failureOf } from "../support/failure.ts";
import { recordingLogger } from "../support/logger.ts";
import { createRest } from "./rest.ts";

/** Advice that only the developer of the host's backend can follow. */
const forDevelopers = /For the developer|createSocialService|npm install|mediaStore|Transformer|baseUrl|allowedHosts/;

describe("an API client learns what is not available, and the log says what to do about it:", () => {
  it.each<[string, string, object, string]>([
    ["an upload without a store", "/v1/media", { url: "https://a.example/a.png" }, "Set createSocialService's mediaSt"],
    [
      "an upload to the store itself",
      "/v1/media/uploads",
      { content_type: "image/png", size_bytes: 1 },
      "Set createSocialService's mediaStore",
    ],
    [
      "a sign-in page without a baseUrl",
      "/v1/profiles/connect",
      { network: "bluesky", redirect_url: "https://app.example.com/back", login: {} },
      "Set createSocialService's baseUrl",
    ],
    ["a webhook to a private address", "/v1/webhooks", { url: "http://localhost:3000" }, "allowedHosts"],
    ["an unknown network", "/v1/profiles", { network: "facebook", credentials: {} }, ""],
  ])("%s", async (_what, path, json, remedy) => {
    const logger = recordingLogger();
    const rest = await createRest({ logger, mediaStore: undefined, baseUrl: undefined, trustedOrigins: [] });
    const { status, text } = await rest.send("POST", path, { json });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(text).not.toMatch(forDevelopers);
    expect(logger.lines.join()).toContain(remedy);
  });

  it("a file that would have to be converted", async () => {
    const logger = recordingLogger();
    const rest = await createRest({ logger });
    const { id } = await connectBluesky(rest);
    const photo = await readFile(new URL("../media/fixtures/still.heic", import.meta.url));
    const post = { profile_ids: [id], text: "Hi", media: [rest.sandbox.media.put("photo.heic", photo)] };
    const { text } = await rest.send("POST", "/v1/posts/validate", { json: post });
    expect(text).toContain("This service does not convert images.");
    expect(text).not.toMatch(forDevelopers);
    expect(logger.lines.join()).toContain("npm install sharp");
  });

  it("but the developer gets both in the process", async () => {
    const { social } = await createRest({ mediaStore: undefined });
    const error = await failureOf(social.media.upload(new Uint8Array(1)));
    expect(error.message).toContain("This service accepts no uploads");
    expect(error.message).toContain("[For the developer: Set createSocialService's mediaStore and baseUrl.]");
  });
});

it("the list of uploaded files is empty without a media store", async () => {
  const rest = await createRest({ mediaStore: undefined });
  const { status, body } = await rest.send("GET", "/v1/media?limit=5");
  const pagination = { limit: 5, offset: 0, total: 0, has_more: false };
  expect([status, body]).toEqual([200, { data: [], meta: { pagination } }]);
});
