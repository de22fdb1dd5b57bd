import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { NetworkRequest, NetworkResponse } from "../../../src/networks/contract/request.ts";
import { endpointsBelow, withParameters } from "../../../src/networks/shared/address.ts";
import { answersOf } from "../../../src/networks/shared/answer.ts";
import { inNameOf } from "../../../src/networks/shared/bearer.ts";
import { defined } from "../../../src/networks/shared/defined.ts";
import { graphForm } from "../../../src/networks/shared/meta/form.ts";

/** A context that records requests and gives the same response each time. */
function answering(body: unknown) {
  const asked: NetworkRequest[] = [];
  const request = async (given: NetworkRequest): Promise<NetworkResponse> => {
    asked.push(given);
    return { status: 200, headers: new Headers(), body };
  };
  return { asked, context: { request, now: () => 0 } };
}

describe("a URL", () => {
  it("has each path segment percent-encoded", () => {
    const endpoint = endpointsBelow("https://api.example/v2");
    expect(endpoint(["a/b", "c"])).toBe("https://api.example/v2/a%2Fb/c");
    expect(endpoint(["a"], { q: "x y" })).toBe("https://api.example/v2/a?q=x+y");
  });

  it("has a parameter once", () => {
    expect(withParameters("https://api.example/?after=1&b=2", { after: "3" })).toBe("https://api.example/?after=3&b=2");
  });
});

describe("a response", () => {
  const { readAnswer, getAnswer } = answersOf("Toy");
  const schema = z.object({ id: z.string() });

  it("is read at the requested field", async () => {
    const { asked, context } = answering({ id: "1", more: true });
    expect(await getAnswer(schema, context, "https://api.example/me")).toEqual({ id: "1" });
    expect(asked).toEqual([{ method: "GET", url: "https://api.example/me" }]);
  });

  it("without its promised fields is a temporary failure that names its network", () => {
    const response = { status: 200, headers: new Headers(), body: {} };
    expect(() => readAnswer(schema, response)).toThrow(
      expect.objectContaining({ code: "network_error", message: "A response from Toy could not be read." }),
    );
  });
});

it("a request with a token carries it beside its own headers", async () => {
  const { asked, context } = answering(null);
  await inNameOf(context, "t").request({ method: "GET", url: "https://api.example/", headers: { version: "2" } });
  expect(asked).toMatchObject([{ headers: { version: "2", authorization: "Bearer t" } }]);
});

it("fields that are undefined are left out, and null is kept", () => {
  const fields = defined({ a: undefined, b: null, c: false, d: "" });
  expect(Object.entries(fields)).toEqual([
    ["b", null],
    ["c", false],
    ["d", ""],
  ]);
});

it("a Graph API form sends strings unchanged, and everything else as JSON", () => {
  expect(graphForm({ text: "a", on: true, at: 5, list: ["x"], none: undefined })).toEqual({
    text: "a",
    on: "true",
    at: "5",
    list: '["x"]',
  });
});
