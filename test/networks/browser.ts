import type {
  AccountChoice,
  BrowserLogin,
  BrowserLoginContext,
  LoginPage,
} from "../../src/networks/contract/browser-login.ts";
import { toResponse } from "../../src/sandbox/exchange.ts";
import type { JsonObject } from "../../src/wire/json.ts";
import { click } from "../support/login.ts";
import type { AnyBench } from "./desk.ts";

/** A user's visit to the network's sign-in page, with a click there. */
export interface Visit {
  /** The page's URL. */
  page: URL;
  /** The URL that the click leads to. */
  back: URL;
  /** The values that the sign-in must not repeat from now on. */
  concealed: unknown[];
  /** Finishes the sign-in; returns the accounts to choose from. @param parameters of the callback. @default those of `back` */
  finish(parameters?: Record<string, string>): Promise<AccountChoice[]>;
}

export function browserOf({ adapter }: Pick<AnyBench, "adapter">): BrowserLogin {
  const { browser } = adapter.connect;
  if (browser === undefined) throw new Error("There is no login in a browser.");
  return browser;
}

/** The network's page, where a sign-in begins. */
export function pageOf(bench: AnyBench, input: JsonObject = {}): Promise<LoginPage> {
  return bench.run(async () => browserOf(bench).begin(contextOn(bench, []), input));
}

/** The scopes that a sign-in requests. */
export async function scopesAsked(bench: AnyBench, input: JsonObject = {}): Promise<string[]> {
  const { url } = await pageOf(bench, input);
  return new URL(url).searchParams.get("scope")?.split(/[ ,]/) ?? [];
}

/** Opens the network's page, and clicks there. */
export async function visit(bench: AnyBench, label: string, input: JsonObject = {}): Promise<Visit> {
  const { url, keep } = await pageOf(bench, input);
  const http: typeof fetch = async (address) => {
    const request = { method: "GET", url: new URL(String(address)), headers: new Headers(), bytes: new Uint8Array() };
    return toResponse(await bench.network.answer(request));
  };
  const back = new URL(await click({ http }, url, label));
  const concealed: unknown[] = [];
  return {
    page: new URL(url),
    back,
    concealed,
    finish: (parameters = Object.fromEntries(back.searchParams)) =>
      bench.run(async () => browserOf(bench).finish(contextOn(bench, concealed), { parameters, keep })),
  };
}

function contextOn(bench: AnyBench, concealed: unknown[]): BrowserLoginContext {
  return {
    ...bench.login,
    accountId: "default",
    redirectUri: `https://app.example.com/connect/${bench.adapter.spec.network}/callback`,
    state: "the-state",
    randomBytes: (length) => new Uint8Array(length).fill(7),
    conceal: (answer) => void concealed.push(answer),
    apps: { get: () => Promise.reject(new Error("Only the host's own app is used.")), forget: async () => undefined },
  };
}
