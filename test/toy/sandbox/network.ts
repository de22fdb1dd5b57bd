import { z } from "zod";
import { bearerOf, jsonBody, ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxNetwork, SandboxPorts, SandboxPost } from "../network.ts";
import { readAs } from "../parts/fields.ts";
import { route } from "../parts/routes.ts";
import { createBasics, createSimulation } from "../parts/simulation.ts";
import { refusal } from "./refusal.ts";

/** Toy, simulated. */
export interface ToySandbox extends SandboxNetwork {
  /** Makes an account; its token connects it. */
  addAccount(name: string): string;
}

interface StoredPost extends SandboxPost {
  key: string;
  written_at: number;
}

const postSchema = z.strictObject({
  text: z.string().min(1),
  key: z.string(),
  picture: z.string().optional(),
  alt: z.string().nullish(),
});

export function toySandbox(ports: SandboxPorts): ToySandbox {
  const basics = createBasics(ports);
  const names = new Map<string, string>();
  const stored: StoredPost[] = [];

  function accountOf(request: SandboxRequest): string {
    const name = names.get(bearerOf(request));
    if (name === undefined) throw refusal(401, "no_token", "There is no such token");
    return name;
  }

  function create(request: SandboxRequest): SandboxAnswer {
    const account = accountOf(request);
    if (basics.quota.isUsedUp())
      throw refusal(429, "slow_down", "Slow down", { "retry-after": String(basics.quota.secondsLeft()) });
    const { text, key, picture, alt } = readAs(postSchema, jsonBody(request), () =>
      refusal(422, "unreadable", "The post cannot be read"),
    );
    if ([...text].length > 500) throw refusal(422, "too_long", "The text is too long");
    const before = stored.find((post) => post.key === key);
    if (before !== undefined) return ok(shown(before));
    const id = String(stored.length + 1);
    const post: StoredPost = {
      id,
      account,
      text,
      key,
      reply_to: null,
      url: `https://toy.example/${id}`,
      written_at: basics.now(),
      media: picture === undefined ? 0 : 1,
      alt: picture === undefined ? [] : [alt ?? ""],
      created_at: new Date(basics.now()).toISOString(),
    };
    stored.push(post);
    return { status: 201, json: shown(post) };
  }

  const routes = [
    route("GET /me", "GET /me", (request) => {
      const name = accountOf(request);
      return ok({ id: name, name });
    }),
    route("POST /posts", "POST /posts", create),
    route("GET /posts/:key", "GET /posts/:key", (request, key) => {
      accountOf(request);
      const post = stored.find((each) => each.key === key && basics.lag.shows(each.written_at));
      if (post === undefined) throw refusal(404, "not_found", "There is no such post");
      return ok(shown(post));
    }),
  ];

  return {
    ...createSimulation({
      network: "toy",
      hosts: ["api.toy.example"],
      commits: ["POST /posts"],
      basics,
      routes,
      missing: () => refusal(404, "not_found", "There is no such address").answer,
    }),
    posts: () => stored.map(({ key: _key, written_at: _at, ...post }) => post),
    addAccount(name) {
      const token = `token-of-${name}`;
      names.set(token, name);
      return token;
    },
  };
}

function shown({ id, url }: StoredPost): { id: string; url: string | null } {
  return { id, url };
}
