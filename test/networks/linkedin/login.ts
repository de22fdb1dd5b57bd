import type { BrowserLoginContext, LoginReturn } from "../../../src/networks/contract/browser-login.ts";
import { click } from "../../support/login.ts";
import type { LinkedinBench } from "./bench.ts";

export const redirectUri = "https://app.example.com/connect/linkedin/callback";

export function browserOf({ adapter }: LinkedinBench) {
  const { browser } = adapter.connect;
  if (browser === undefined) throw new Error("no login in the browser");
  return browser;
}

function contextOf(bench: LinkedinBench, concealed: unknown[] = []): BrowserLoginContext {
  return {
    ...bench.login,
    accountId: "default",
    redirectUri,
    state: "the-state",
    randomBytes: (length) => new Uint8Array(length).fill(7),
    conceal: (answer) => void concealed.push(answer),
    apps: {
      get: () => Promise.reject(new Error("LinkedIn registers no apps.")),
      forget: async () => undefined,
    },
  };
}

export interface Walked {
  back: LoginReturn;
  page: URL;
}

/** To LinkedIn's page, a click there, and back. */
export async function walk(bench: LinkedinBench, label: string): Promise<Walked> {
  const { url, keep } = await bench.run(async () => browserOf(bench).begin(contextOf(bench), {}));
  const http = async (input: unknown): Promise<Response> => {
    const answer = await bench.network.answer({
      method: "GET",
      url: new URL(String(input)),
      headers: new Headers(),
      bytes: new Uint8Array(),
    });
    return new Response(answer.text ?? null, { status: answer.status, headers: answer.headers ?? {} });
  };
  const returned = new URL(await click({ http: http as typeof fetch }, url, label));
  return { page: new URL(url), back: { parameters: Object.fromEntries(returned.searchParams), keep } };
}

export function finish(bench: LinkedinBench, { back }: Walked, concealed: unknown[] = []) {
  return bench.run(async () => browserOf(bench).finish(contextOf(bench, concealed), back));
}
