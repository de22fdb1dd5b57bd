import * as z from "zod";
import { findKey } from "../keys/keys.ts";
import { type Scope, scopes } from "../keys/schema.ts";
import type { Storage } from "../storage/storage.ts";
import { SocialError } from "../wire/errors.ts";
import { HttpFailure } from "./answer.ts";

/** Who calls: for what the request is counted, what it may do, and whose things it sees. */
export interface Caller {
  /** In whose name it asks. */
  account_id: string;
  /** Requests are counted by it. */
  key_id: string;
  /** What it may do. */
  scopes: readonly Scope[];
  /**
   * False: no browser sends this login by itself, such as a token in a header of
   * its own. Only then may a request that changes something come
   * from any page, or from none.
   * @default true, unless the request has `Authorization: Bearer`
   */
  ambient?: boolean;
}

/** The host's own login: who the request comes from; null: nobody it knows. */
export type Authenticate = (request: Request) => Caller | null | Promise<Caller | null>;

const noKey = {
  message: "A valid API key is required: Authorization: Bearer service_live_…",
  headers: { "www-authenticate": "Bearer" },
};
/** By which scheme one logs in there, only the host knows. */
const noLogin = { message: "Log in first: this request comes from nobody that is known here." };

const callerSchema = z
  .object({
    account_id: z.string().min(1),
    key_id: z.string().min(1),
    scopes: z.array(z.enum(scopes)),
    ambient: z.boolean().optional(),
  } satisfies Record<keyof Caller, z.ZodType>)
  .nullable();

/** What came is not repeated: it may hold a secret. @throws SocialError `internal_error` naming what is wrong */
function asCaller(returned: unknown): Caller | null {
  const parsed = callerSchema.safeParse(returned);
  if (parsed.success) return parsed.data as Caller | null;
  const fields = [...new Set(parsed.error.issues.map(({ path }) => String(path[0] ?? "the whole")))].join(", ");
  throw new SocialError(
    "internal_error",
    `authenticate returned something wrong: ${fields}. It returns { account_id, key_id, scopes }, or null for nobody.`,
  );
}

/** @throws HttpFailure 401, the same whatever is wrong with the key, or with the host's own authentication */
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
/** What no browser sends by itself, unlike a cookie, a saved password or the login of a domain. */
const bearer = /^bearer /i;

/**
 * A browser sends a cookie, a saved password, a certificate or
 * a domain's login along with whatever page asks it to. Where the host's login
 * may be one of them, a request that changes something must come from a page of
 * the host's own.
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
    "Requests that change something must come from this site: check Origin. A login that no browser sends by itself " +
    "is Authorization: Bearer, or one of which authenticate says ambient: false.";
  throw new HttpFailure({ code: "forbidden", status: 403, message });
}

function hostOf(address: string): string | null {
  return URL.canParse(address) ? new URL(address).host : null;
}
