import { createHandler, type Handler } from "../../../src/http/handler.ts";
import type { NetworkAdapter } from "../../../src/networks/contract/adapter.ts";
import type { Profile } from "../../../src/profiles/schema.ts";
import { createTestService, type TestService, testBaseUrl } from "../../support/service.ts";
import { appHost, blueskyWithLogin } from "./app.ts";

export const alice = "alice.sandbox.example";
export const page = "https://app.example.com/connected";

/** What the person at the login page does: the words of a link there. */
export type Click = string;

/** A service whose accounts log in at the simulated Bluesky, and their browser. */
export interface LoginBench extends TestService {
  handler: Handler;
  adapter: NetworkAdapter;
  /** Begins a login; returns its id and the page's address. */
  start(login: string, profileId?: string): Promise<{ connection_id: string; authorization_url: string }>;
  /** Opens a login page and clicks; returns where the browser goes next. */
  click(address: string, words: Click): Promise<URL>;
  /** Comes back from the network; returns what the host's own page is told. */
  comeBack(address: URL): Promise<URLSearchParams>;
  /** The whole way. */
  logIn(login: string, words?: Click): Promise<Profile>;
}

export function loginBench(
  options: Parameters<typeof createTestService>[0] & { adapter?: NetworkAdapter } = {},
): LoginBench {
  const { adapter = blueskyWithLogin(), ...more } = options;
  const service = createTestService({ networks: [adapter], redirectOrigins: [new URL(page).origin], ...more });
  const { social, clock, sandbox } = service;
  const handler = createHandler(social, { basePath: new URL(more.baseUrl ?? testBaseUrl).pathname });
  sandbox.bluesky.reach(appHost, handler);

  const bench: LoginBench = {
    ...service,
    handler,
    adapter,
    start: (handle, profile_id) =>
      clock.run(() =>
        social.connections.start({
          network: "bluesky",
          redirect_url: page,
          login: { handle },
          ...(profile_id === undefined ? {} : { profile_id }),
        }),
      ),
    async click(address, words) {
      const shown = await (await sandbox.http(address)).text();
      const links = [...shown.matchAll(/<a href="([^"]*)">([^<]*)<\/a>/g)];
      const link = links
        .find(([, , label]) => label === words)?.[1]
        ?.replaceAll("&amp;", "&")
        .replaceAll("&quot;", '"');
      if (link === undefined) throw new Error(`no link "${words}" on ${shown}`);
      const answer = await sandbox.http(link, { redirect: "manual" });
      return new URL(answer.headers.get("location") ?? "");
    },
    async comeBack(address) {
      const answer = await clock.run(() => handler(new Request(address)));
      return new URL(answer.headers.get("location") ?? `https://none.example/?status=${answer.status}`).searchParams;
    },
    async logIn(login, words = `Allow as ${login}`) {
      const { connection_id, authorization_url } = await bench.start(login);
      const told = await bench.comeBack(await bench.click(authorization_url, words));
      const code = told.get("code");
      if (code === null) throw new Error(`the login failed: ${told}`);
      const { profiles } = await clock.run(() => social.connections.finish(connection_id, { code }));
      const [profile] = profiles;
      if (profile === undefined) throw new Error("no profile");
      return profile;
    },
  };
  return bench;
}
