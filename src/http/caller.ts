import * as z from "zod";
import { findKey } from "../keys/keys.ts";
import { type Scope, scopes } from "../keys/schema.ts";
import type { Storage } from "../storage/storage.ts";
import { SocialError } from "../wire/errors.ts";
import { HttpFailure } from "./answer.ts";

/** The caller of a request: its account, its rights, and the id for the rate limit. */
export interface Caller {
  /** The account that it acts for. */
  account_id: string;
  /** The id that its requests are counted by. */
  key_id: string;
  /** What the caller may do. */
  scopes: readonly Scope[];
  /**
   * False: browsers never attach this credential on their own, such as a token in a custom header. Only then may a
   * request that changes data come from any page, or from none.
   * @default true, unless the request has `Authorization: Bearer`
   */
  ambient?: boolean;
}

/** The host's own authentication. Returns the request's caller; null: unknown. */
export type Authenticate = (request: Request) => Caller | null | Promise<Caller | null>;

const noKey = {
  message: "A valid API key is required: Authorization: Bearer service_live_…",
  headers: { "www-authenticate": "Bearer" },
};
/** Only the host knows the authentication scheme. */
const noLogin = { message: "Authentication is required: the request has no valid credentials." };

const callerSchema = z
  .object({
    account_id: z.string().min(1),
    key_id: z.string().min(1),
    scopes: z.array(z.enum(scopes)),
    ambient: z.boolean().optional(),
  } satisfies Record<keyof Caller, z.ZodType>)
  .nullable();

/**
 * The message does not repeat the value, which may hold a secret. @throws SocialError `internal_error` naming the
 * wrong fields
 */
function asCaller(returned: unknown): Caller | null {
  const parsed = callerSchema.safeParse(returned);
  if (parsed.success) return parsed.data as Caller | null;
  const fields = [...new Set(parsed.error.issues.map(({ path }) => String(path[0] ?? "the whole")))].join(", ");
  throw new SocialError(
    "internal_error",
    `authenticate returned an invalid value: ${fields}. It must return { account_id, key_id, scopes }, or null for an unknown caller.`,
  );
}

/** @throws HttpFailure 401, the same for every problem with the key or with the host's authentication */
export async function findCaller(
  request: Request,
  { storage, authenticate }: { storage: Storage; authenticate: Authenticate | undefined },
): Promise<Caller> {
  const caller =
    authenticate === undefined ? await callerByKey(request, storage) : asCaller(await authenticate(request));
  if (caller !== null) return caller;
  throw new HttpFailure({
    code: "unauthorized",
    status: 401,
    ...(authenticate === undefined ? noKey : noLogin),
  });
}

async function callerByKey(request: Request, storage: Storage): Promise<Caller | null> {
  const [, token] = /^bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
  if (token === undefined) return null;
  const key = await findKey({ storage }, token);
  return key === null ? null : { account_id: key.account_id, key_id: key.id, scopes: key.scopes };
}

const safeMethods: ReadonlySet<string> = new Set(["GET", "HEAD"]);
/** A browser never attaches a bearer token on its own, unlike a cookie, a saved password or domain credentials. */
const bearer = /^bearer /i;

/**
 * Browsers attach a cookie, a saved password, a certificate or domain credentials to requests of any page. If the
 * host's credential may be one of them, a request that changes data must come from one of the host's own pages.
 *
 * @throws HttpFailure 403
 */
export function assertOwnOrigin(request: Request, { ambient = true }: Caller, origins: readonly string[]): void {
  const { headers, method } = request;
  if (safeMethods.has(method) || !ambient || bearer.test(headers.get("authorization") ?? "")) return;
  const origin = headers.get("origin");
  if (origin === null && headers.get("sec-fetch-site") === "same-origin") return;
  if (origin !== null && (origins.includes(origin) || hostOf(origin) === hostOf(request.url))) return;
  const message =
    "Requests that change data must come from this site: check Origin. Exempt are Authorization: Bearer, and callers " +
    "for which authenticate returns ambient: false.";
  throw new HttpFailure({ code: "forbidden", status: 403, message });
}

function hostOf(address: string): string | null {
  return URL.canParse(address) ? new URL(address).host : null;
}
