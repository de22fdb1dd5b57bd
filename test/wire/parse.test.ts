import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createPostSchema } from "../../src/planning/schema.ts";
import { type ErrorDetail, SocialError } from "../../src/wire/errors.ts";
import { parseInput } from "../../src/wire/parse.ts";
import { fieldPath } from "../../src/wire/parse-issue.ts";

/** The problems of `input`, by field. */
function detailsOf(schema: z.ZodType, input: unknown): ErrorDetail[] {
  try {
    parseInput(schema, input);
  } catch (error) {
    if (SocialError.is(error) && error.code === "invalid_request") return error.details;
    throw error;
  }
  return expect.unreachable();
}

function fieldsOf(schema: z.ZodType, input: unknown): (string | undefined)[] {
  return detailsOf(schema, input).map(({ field }) => field);
}

describe("valid input", () => {
  it("is returned parsed, with its defaults", () => {
    const schema = z.strictObject({ text: z.string(), limit: z.coerce.number().default(20) });
    expect(parseInput(schema, { text: "a" })).toEqual({ text: "a", limit: 20 });
  });
});

describe("invalid input", () => {
  it("is an invalid_request that names each wrong field once", () => {
    const schema = z.strictObject({ text: z.string(), size: z.number() });
    expect(() => parseInput(schema, { text: 1, size: "x" })).toThrow(
      "The request is not valid. text: Must be a string, not the number 1. And 1 more (size); see details.",
    );
    expect(detailsOf(schema, { text: 1 })).toMatchObject([
      { field: "text", code: "invalid_request" },
      { field: "size", code: "invalid_request" },
    ]);
  });

  it.each([undefined, null, "text", 5, []])("that is %j is reported for the whole body", (input) => {
    expect(fieldsOf(createPostSchema, input)).toEqual(["body"]);
  });

  it("is reported in the schema's own words", () => {
    const [detail] = detailsOf(createPostSchema, { profile_ids: [] });
    expect(detail).toMatchObject({ field: "profile_ids", message: "Must have at least one connected profile." });
  });

  it.each([
    [{ profile_ids: ["a", 5] }, "profile_ids[1]"],
    [{ profile_ids: ["a"], media: [{ url: "https://a.example", alt: 5 }] }, "media[0].alt"],
    [{ profile_ids: ["a"], media: ["https://a.example", { url: "nowhere" }] }, "media[1].url"],
    [{ profile_ids: ["a"], link: { url: "https://a.example", title: 5 } }, "link.title"],
    [{ profile_ids: ["a"], link: "nowhere" }, "link"],
    [{ profile_ids: ["a"], link: 5 }, "link"],
    [{ profile_ids: ["a"], networks: { mastodon: 5 } }, "networks.mastodon"],
    [{ profile_ids: ["a"], networks: { MySpace: {} } }, "networks.MySpace"],
    [{ profile_ids: ["a"], scheduled_at: "tomorrow" }, "scheduled_at"],
  ])("is reported with its position: %j", (input, field) => {
    expect(fieldsOf(createPostSchema, input)).toEqual([field]);
  });
});

describe("an unknown field", () => {
  it("is named, each one separately", () => {
    expect(detailsOf(createPostSchema, { profile_ids: ["a"], txet: "a", medai: [] })).toEqual([
      { field: "txet", message: "Did you mean text? There is no such field.", code: "invalid_request" },
      { field: "medai", message: "Did you mean media? There is no such field.", code: "invalid_request" },
    ]);
  });

  it("is named with its position inside others", () => {
    const schema = z.strictObject({ link: z.strictObject({ url: z.string() }) });
    expect(fieldsOf(schema, { link: { url: "a", titel: "b" } })).toEqual(["link.titel"]);
  });

  it("is named even if the known names are listed", () => {
    const schema = z.object({ places: z.partialRecord(z.enum(["left", "right"]), z.boolean()) });
    expect(detailsOf(schema, { places: { above: true } })).toEqual([
      {
        field: "places.above",
        message: "There is no such field; known are left and right.",
        code: "invalid_request",
      },
    ]);
  });

  it.each([
    [{ media: [{ url: "https://a.example", altt: "x" }] }, "media[0].altt"],
    [{ link: { url: "https://a.example", titel: "x" } }, "link.titel"],
    [{ link: { url: "nowhere", titel: "x" } }, "link.titel,link.url"],
  ])("is named if a field has several forms: %j", (input, fields) => {
    expect(fieldsOf(createPostSchema, { profile_ids: ["a"], ...input }).join()).toBe(fields);
  });

  it("is rejected even under the name __proto__", () => {
    const input: unknown = JSON.parse('{"profile_ids":["a"],"__proto__":{"text":"b"}}');
    expect(fieldsOf(createPostSchema, input)).toEqual(["__proto__"]);
  });
});

describe("a position in a body", () => {
  it.each([
    [[], ""],
    [["text"], "text"],
    [["media", 2, "url"], "media[2].url"],
    [["networks", "mastodon", "visibility"], "networks.mastodon.visibility"],
    [["thread", 0], "thread[0]"],
    [["a", 0, 1, "b"], "a[0][1].b"],
    [[0, "a"], "[0].a"],
  ])("%j is written as %j", (path, expected) => {
    expect(fieldPath(path)).toBe(expected);
  });
});
