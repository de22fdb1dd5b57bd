import type { StartedConnection } from "../../../src/connections/schema.ts";
import { createHandler, type Handler } from "../../../src/http/handler.ts";
import type { NetworkAdapter } from "../../../src/networks/contract/adapter.ts";
import type { Profile } from "../../../src/profiles/schema.ts";
import type { Post } from "../../../src/publishing/schema.ts";
import { click, comeBack, ownPage, pageOf } from "../../support/login.ts";
import { createTestService, type TestService } from "../../support/service.ts";
import { appHost, blueskyWithLogin } from "./app.ts";

export const alice = "alice.sandbox.example";

/** A request, answered by the simulated networks or by a test's replacement. */
export interface Seen {
  /** `POST /oauth/token` */
  what: string;
  host: string;
  headers: Headers;
  /** The form's fields; empty: it has none. */
  form: Record<string, string>;
  status: number;
}

/** A service whose accounts sign in at the simulated Bluesky, and their browser. */
export interface LoginBench extends TestService {
  handler: Handler;
  seen: Seen[];
  /** The replacement for a response; null: no replacement. */
  instead: (request: Request, answer: () => Promise<Response>) => Promise<Response> | null;
  start(handle?: string): Promise<StartedConnection>;
  /** Clicks on the network's page and follows the callback URL, changed; returns the parameters for the host's page. */
  visit(started: StartedConnection, label: string, change?: (back: URL) => void): Promise<URLSearchParams>;
  /** The whole sign-in. */
  logIn(handle?: string, label?: string): Promise<Profile>;
  publish(profile: Profile, text?: string): Promise<Post>;
}

/**
 * @param options.adapter created with browser sign-in
 * @param options.skewMs lead of the service's clock over the networks'
 */
export function loginBench(
  options: Parameters<typeof createTestService>[0] & { adapter?: NetworkAdapter; skewMs?: number } = {},
): LoginBench {
  const { adapter = blueskyWithLogin(), skewMs = 0, ...more } = options;
  const plain = createTestService();
  const seen: Seen[] = [];
  const watched: typeof fetch = async (input, init) => {
    const request = new Request(input, { ...init, duplex: "half" } as RequestInit);
    const { hostname, pathname } = new URL(request.url);
    const text = request.headers.get("content-type")?.includes("urlencoded") ? await request.clone().text() : "";
    const answer = () => plain.sandbox.http(input, init);
    const response = await (bench.instead(request, answer) ?? answer());
    const form = Object.fromEntries(new URLSearchParams(text));
    const what = `${request.method} ${pathname}`;
    seen.push({ what, host: hostname, headers: request.headers, form, status: response.status });
    return response;
  };
  const service = createTestService({
    clock: { ...plain.clock, now: () => plain.clock.now() + skewMs },
    networks: [adapter],
    http: watched,
    untrustedHttp: watched,
    ...more,
  });
  const { clock, social } = service;
  const { sandbox } = plain;
  const handler = createHandler(social);
  sandbox.bluesky.reach(appHost, handler);
  sandbox.bluesky.addAccount({ handle: alice });

  const bench: LoginBench = {
    ...service,
    sandbox,
    handler,
    seen,
    instead: () => null,
    start: (handle = alice) =>
      clock.run(() => social.connections.start({ network: "bluesky", redirect_url: ownPage, login: { handle } })),
    async visit(started, label, change) {
      const back = new URL(await click(sandbox, started.authorization_url, label));
      change?.(back);
      return pageOf(await comeBack(bench, back.href)).searchParams;
    },
    async logIn(handle = alice, label = `Allow as ${handle}`) {
      const started = await bench.start(handle);
      const told = await bench.visit(started, label);
      const code = told.get("code");
      if (code === null) throw new Error(`The login failed: ${told.get("error")}`);
      const finished = await clock.run(() => social.connections.finish(started.connection_id, { code }));
      const [profile] = finished.profiles;
      if (profile === undefined) throw new Error("The login connected nobody.");
      return profile;
    },
    publish: (profile, text = "By a proof") =>
      clock.run(() => social.posts.create({ profile_ids: [profile.id], text })),
  };
  return bench;
}

/** The requests to one URL, in order. */
export function askedOf({ seen }: LoginBench, path: string): Seen[] {
  return seen.filter(({ what }) => what.endsWith(path));
}
