import { z } from "zod";
import type { NetworkAdapter } from "../../src/networks/contract/adapter.ts";
import type { ProfileLimits } from "../../src/networks/contract/limits.ts";
import { type Publisher, readBackRules } from "../../src/networks/contract/publish.ts";
import type { NetworkSpec } from "../../src/networks/contract/spec.ts";
import { fakeAdapter } from "../networks/fake-network.ts";
import { createTestService, type TestService } from "./service.ts";

const host = "https://api.network.example";

/** What a request to the toy network looked like. */
export interface ToyRequest {
  method: string;
  path: string;
  headers: Headers;
  text: string;
}

export interface ToyAnswer {
  status?: number;
  json?: unknown;
  /** In place of `json`, to the letter. */
  text?: string;
  headers?: Record<string, string>;
}

/** A network of a few lines: each request is answered by the first of the scripts that knows it. */
export interface Toy extends TestService {
  profileId: string;
  /** Connects another account, and returns its profile's id. */
  connect(externalId: string): Promise<string>;
  requests: ToyRequest[];
  /** Answers, by `METHOD /path`. */
  script: Record<string, (request: ToyRequest) => ToyAnswer>;
  /** Publishes a text, and waits for the outcome. */
  publish(text?: string): Promise<Awaited<ReturnType<TestService["social"]["posts"]["create"]>>>;
}

const created = z.object({ id: z.string() });

/** Publishes at once, looks nothing up. */
const toyPublisher: Publisher = {
  rules: () => readBackRules,
  commit: ({ part }) => ({ method: "POST", url: `${host}/posts`, body: { json: { text: part.text } } }),
  accepted({ body }) {
    const parsed = created.safeParse(body);
    return parsed.success ? { live: { id: parsed.data.id, url: null, ref: null } } : null;
  },
  lookFor: async () => ({ cannot_tell: "The toy network shows no posts." }),
  textForms: ({ text }) => [text],
};

interface ToyOptions {
  adapter?: Partial<NetworkAdapter>;
  spec?: Partial<NetworkSpec>;
  /** The accounts' own. */
  limits?: ProfileLimits;
  /** The host's app that an account came through. */
  appOf?: (externalId: string) => string;
}

/** A service with one connected account of a network whose publisher is `publish`, laid over the plainest one. */
export async function createToy(
  publish: Partial<Publisher> = {},
  {
    adapter = {},
    spec = {},
    limits = {},
    appOf,
    ...options
  }: Parameters<typeof createTestService>[0] & ToyOptions = {},
): Promise<Toy> {
  const requests: ToyRequest[] = [];
  const script: Toy["script"] = {};
  const http: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    const seen = {
      method: request.method,
      path: pathname + search,
      headers: request.headers,
      text: await request.text(),
    };
    requests.push(seen);
    const {
      status = 200,
      json = {},
      text,
      headers = {},
    } = script[`${seen.method} ${seen.path}`]?.(seen) ?? { status: 404 };
    return new Response(text ?? JSON.stringify(json), { status, headers });
  };
  const plain = fakeAdapter({
    login: async (_, { id }) => ({
      identity: {
        external_id: String(id),
        name: "Toy account",
        handle: null,
        avatar_url: null,
        url: null,
        scopes: [],
        limits,
        host: null,
        account_facts: {},
        ...(appOf === undefined ? {} : { app: appOf(String(id)) }),
      },
      credentials: { secret: { access: "canary-token-1" }, expires_at: null },
    }),
  });
  const service = createTestService({
    networks: [{ ...plain, spec: { ...plain.spec, ...spec }, publish: { ...toyPublisher, ...publish }, ...adapter }],
    http,
    ...options,
  });
  async function connect(id: string): Promise<string> {
    const body = { network: "mastodon", credentials: { id } } as const;
    const profile = await service.clock.run(() => service.social.profiles.connect(body));
    return profile.id;
  }
  const profileId = await connect("account-1");
  return {
    ...service,
    profileId,
    connect,
    requests,
    script,
    publish: (text = "Hello") =>
      service.clock.run(() => service.social.posts.create({ profile_ids: [profileId], text })),
  };
}
