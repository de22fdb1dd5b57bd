import * as z from "zod";
import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { BrowserLogin, LoginPage } from "../networks/contract/browser-login.ts";
import { isoTime } from "../ports/clock.ts";
import { failedLogin } from "../profiles/connect.ts";
import { adapterOf, refuseUnreachable, wrongNetwork } from "../profiles/network.ts";
import { readProfile } from "../profiles/read.ts";
import { toRow } from "../storage/typed.ts";
import { PublishingError, SocialError } from "../wire/errors.ts";
import type { JsonObject } from "../wire/json.ts";
import { parseInput } from "../wire/parse.ts";
import { withRemedy } from "../wire/remedy.ts";
import { withThousands } from "../wire/with-thousands.ts";
import { createBrowserContext } from "./context.ts";
import { messageOf } from "./failure.ts";
import { type ConnectionPorts, redirectUriOf } from "./ports.ts";
import { type ConnectionRow, hashOf, keptMs, openMs, placeOfLogin, type WayBack } from "./rows.ts";
import { type StartConnection, type StartedConnection, startConnectionSchema } from "./schema.ts";

/** Random bytes of the state and of the browser's code, so that they cannot be guessed. */
const secretBytes = 32;

/** Maximum number of concurrent sign-ins of an account. */
const maxOpen = 1_000;

export async function startConnection(
  ports: ConnectionPorts,
  accountId: string,
  body: StartConnection,
): Promise<StartedConnection> {
  const { network, redirect_url, login, profile_id } = parseInput(startConnectionSchema, body, {
    found: wrongNetwork(ports, body),
  });
  const adapter = adapterOf(ports, network);
  const browser = browserOf(adapter);
  const baseUrl = assertBaseUrl(ports);
  assertTrustedOrigin(ports, redirect_url);
  await refuseUnreachable(ports, adapter);
  if (profile_id != null) await assertProfile(ports, { accountId, network, profileId: profile_id });
  const { login: input } = parseInput(z.object({ login: browser.input }), { login }) as { login: JsonObject };
  const now = await ports.storage.now();
  await refuseTooMany(ports, accountId, now);
  const state = newSecret(ports);
  const begin = async (): Promise<{ page: LoginPage; back: WayBack }> => {
    const server = browser.server?.(input) ?? null;
    const redirectUri = redirectUriOf(baseUrl, network, server);
    const context = createBrowserContext(ports, adapter, { accountId, redirectUri, state, secrets: {} });
    const page = await browser.begin(context, input);
    assertShort(adapter, page);
    return { page, back: { redirect_uri: redirectUri, server } };
  };
  const { page, back } = await beginLogin(adapter, begin, input);
  const id = ports.ids.create("connection", now);
  const row: ConnectionRow = {
    id,
    account_id: accountId,
    network,
    status: "pending",
    state_hash: hashOf(state),
    expires_at: isoTime(now + openMs),
    due_at: now + openMs + keptMs,
    created_at: isoTime(now),
    error: null,
    profile_ids: [],
    private: {
      redirect_url,
      back,
      profile_id: profile_id ?? null,
      sealed: ports.vault.seal({ keep: page.keep }, placeOfLogin({ account_id: accountId, id })),
      code_hash: null,
    },
  };
  await ports.storage.write([{ kind: "insert", collection: "connections", row: toRow(row) }]);
  return { connection_id: id, authorization_url: page.url, expires_at: row.expires_at };
}

export function newSecret({ ids }: Pick<ConnectionPorts, "ids">): string {
  return Buffer.from(ids.bytes(secretBytes)).toString("base64url");
}

/** @throws SocialError `unsupported` */
export function browserOf({ spec, connect }: NetworkAdapter): BrowserLogin {
  if (connect.browser !== undefined) return connect.browser;
  const message = withRemedy(
    `Accounts on ${spec.name} cannot be connected in a browser here. Connect them with their credentials.`,
    `To connect in a browser, set the adapter's app: ${spec.network}({ app: … }).`,
  );
  throw new SocialError("unsupported", message, { details: [{ field: "network", network: spec.network, message }] });
}

function assertBaseUrl({ baseUrl }: ConnectionPorts): string {
  if (baseUrl !== null) return baseUrl;
  throw new SocialError(
    "unsupported",
    withRemedy(
      "Accounts cannot be connected in a browser here.",
      "A network redirects the browser to a URL below baseUrl. Set createSocialService's baseUrl to the URL where its handler is mounted.",
    ),
  );
}

/** Otherwise anyone could create links to this service that lead to any site and end with a user's sign-in. */
function assertTrustedOrigin({ trustedOrigins }: ConnectionPorts, redirectUrl: string): void {
  const { origin, username, password } = new URL(redirectUrl);
  if (trustedOrigins.includes(origin) && username === "" && password === "") return;
  const known = trustedOrigins.length === 0 ? "is empty" : `holds ${trustedOrigins.join(", ")}`;
  const message = withRemedy(
    `This service does not send browsers to ${origin}.`,
    `Add the origin to trustedOrigins of createSocialService, which ${known}.`,
  );
  throw new SocialError("invalid_request", message, {
    details: [{ field: "redirect_url", code: "invalid_request", message }],
  });
}

async function assertProfile(
  ports: ConnectionPorts,
  { accountId, network, profileId }: { accountId: string; network: string; profileId: string },
): Promise<void> {
  const profile = await readProfile(ports, accountId, profileId);
  if (profile.network === network) return;
  const message = `This profile belongs to ${profile.network}.`;
  throw new SocialError("invalid_request", message, {
    details: [{ field: "profile_id", code: "invalid_request", message }],
  });
}

async function refuseTooMany({ storage }: ConnectionPorts, accountId: string, now: number): Promise<void> {
  const where = { account_id: accountId, status: "pending", due_at: { gte: now + keptMs + 1 } };
  const { total } = await storage.find("connections", {
    where,
    limit: 1,
    order: { column: "due_at", direction: "asc" },
  });
  if (total < maxOpen) return;
  throw new SocialError(
    "rate_limited",
    `${withThousands(maxOpen)} sign-ins of this account are in progress. Try again in ten minutes.`,
  );
}

async function beginLogin<Value>(
  adapter: NetworkAdapter,
  begin: () => Promise<Value>,
  given: JsonObject,
): Promise<Value> {
  try {
    return await begin();
  } catch (error) {
    const { network } = adapter.spec;
    const message = messageOf(error);
    if (message !== null)
      throw new SocialError("publish_failed", message, { details: [{ network, message }], cause: error });
    throw failedLogin(error, { network, place: "login", given });
  }
}

/** Maximum length of a URL that browsers and proxies accept, bytes. A user's own server may return a longer one. */
const longestPage = 8_192;
/** Maximum length of an adapter's data during a sign-in, characters of JSON. */
const longestKeep = 32_768;

/** @throws PublishingError `invalid_request` */
function assertShort({ spec }: NetworkAdapter, { url, keep }: LoginPage): void {
  const length = Buffer.byteLength(url);
  if (length <= longestPage && JSON.stringify(keep).length <= longestKeep) return;
  const what =
    length > longestPage
      ? `has a URL of ${length} bytes; at most ${longestPage} are accepted`
      : "needs more data stored than is allowed";
  throw new PublishingError("invalid_request", `The sign-in page that this server reports for ${spec.name} ${what}.`);
}
