import { z } from "zod";
import { jsonBody, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import { createFaults } from "../faults.ts";
import type { SandboxNetwork, SandboxPorts, SandboxPost } from "../network.ts";
import { createLag } from "../parts/listing.ts";
import { createQuota } from "../parts/quota.ts";
import { answerTo } from "../parts/refusal.ts";
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

export function toySandbox({ clock }: SandboxPorts): ToySandbox {
  const lag = createLag(clock);
  const quota = createQuota(clock);
  const names = new Map<string, string>();
  const stored: StoredPost[] = [];

  function accountOf({ headers }: SandboxRequest): string {
    const name = names.get(headers.get("authorization")?.replace("Bearer ", "") ?? "");
    if (name === undefined) throw refusal(401, "no_token", "There is no such token");
    return name;
  }

  function create(request: SandboxRequest): SandboxAnswer {
    const account = accountOf(request);
    if (quota.isUsedUp()) {
      const seconds = Math.ceil((quota.endsAt() - clock.now()) / 1000);
      throw refusal(429, "slow_down", "Slow down", { "retry-after": String(seconds) });
    }
    const parsed = postSchema.safeParse(jsonBody(request));
    if (!parsed.success) throw refusal(422, "unreadable", "The post cannot be read");
    const { text, key, picture, alt } = parsed.data;
    if ([...text].length > 500) throw refusal(422, "too_long", "The text is too long");
    const before = stored.find((post) => post.key === key);
    if (before !== undefined) return { status: 200, json: shown(before) };
    const id = String(stored.length + 1);
    const post: StoredPost = {
      ...{ id, account, text, key, reply_to: null, url: `https://toy.example/${id}`, written_at: clock.now() },
      media: picture === undefined ? 0 : 1,
      alt: picture === undefined ? [] : [alt ?? ""],
      created_at: new Date(clock.now()).toISOString(),
    };
    stored.push(post);
    return { status: 201, json: shown(post) };
  }

  function find(request: SandboxRequest): SandboxAnswer {
    accountOf(request);
    const key = decodeURIComponent(request.url.pathname.replace("/posts/", ""));
    const post = stored.find((each) => each.key === key && lag.shows(each.written_at));
    if (post === undefined) throw refusal(404, "not_found", "There is no such post");
    return { status: 200, json: shown(post) };
  }

  function me(request: SandboxRequest): SandboxAnswer {
    const name = accountOf(request);
    return { status: 200, json: { id: name, name } };
  }

  const operations: Readonly<Record<string, (request: SandboxRequest) => SandboxAnswer>> = {
    "GET /me": me,
    "POST /posts": create,
    "GET /posts/:key": find,
  };

  return {
    network: "toy",
    serves: (host) => host === "api.toy.example",
    operation,
    commits: ["POST /posts"],
    faults: createFaults(),
    answer(request) {
      try {
        const handle = operations[operation(request)];
        if (handle === undefined) throw refusal(404, "not_found", "There is no such address");
        return handle(request);
      } catch (error) {
        return answerTo(error);
      }
    },
    posts: () => stored.map(({ key: _key, written_at: _at, ...post }) => post),
    rateLimit: quota.useUp,
    lagReads: lag.take,
    addAccount(name) {
      const token = `token-of-${name}`;
      names.set(token, name);
      return token;
    },
  };
}

function operation({ method, url }: SandboxRequest): string {
  return `${method} ${url.pathname.replace(/^\/posts\/.+/, "/posts/:key")}`;
}

function shown({ id, url }: StoredPost): { id: string; url: string | null } {
  return { id, url };
}
