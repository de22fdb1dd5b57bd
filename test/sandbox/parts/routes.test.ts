import { describe, expect, it } from "vitest";
import { ok, type SandboxRequest } from "../../../src/sandbox/exchange.ts";
import { createRouter, type Handle, route } from "../../../src/sandbox/parts/routes.ts";
import { refusal } from "../../../src/sandbox/pinterest/refusal.ts";

function request(method: string, address: string): SandboxRequest {
  return { method, url: new URL(`https://${address}`), headers: new Headers(), bytes: new Uint8Array() };
}

const tellIds: Handle = (_, ...ids) => ok(ids);
const router = createRouter({
  routes: [
    route("show", "GET /posts/:id", tellIds),
    route("find", "GET api.example.com/posts?q=author", tellIds),
    route("link", "PUT /lists/:list/posts/:id", tellIds),
    route(
      ({ url }) => `send ${url.search}`,
      "POST /posts",
      () => {
        throw refusal(400, 1, "No.");
      },
    ),
  ],
  missing: () => ({ status: 404 }),
});

describe("a route", () => {
  it("passes on the parameters of its path, decoded and in order", async () => {
    const answer = await router.answer(request("PUT", "api.example.com/lists/urn%3A1/posts/22"));
    expect(answer).toEqual({ status: 200, json: ["urn:1", "22"] });
  });

  it.each([
    ["another method", "DELETE", "api.example.com/posts/22"],
    ["an id that is not a number", "GET", "api.example.com/posts/x"],
    ["a longer path", "GET", "api.example.com/posts/22/comments"],
    ["another host", "GET", "www.example.com/posts?q=author"],
    ["a different query", "GET", "api.example.com/posts?q=owner"],
  ])("does not match %s", async (_, method, address) => {
    expect(await router.answer(request(method, address))).toEqual({ status: 404 });
    expect(router.operation(request(method, address))).toBe("unknown");
  });

  it("gives the operation its name, or one that a function makes from the request", () => {
    expect(router.operation(request("GET", "api.example.com/posts?q=author&count=2"))).toBe("find");
    expect(router.operation(request("POST", "api.example.com/posts?draft=1"))).toBe("send ?draft=1");
  });

  it("responds with its handler's refusal", async () => {
    expect(await router.answer(request("POST", "api.example.com/posts"))).toMatchObject({ status: 400 });
  });
});
