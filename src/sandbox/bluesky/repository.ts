import * as z from "zod";
import { contentId, recordContentId } from "../../networks/bluesky/content-id.ts";
import type { JsonObject } from "../../wire/json.ts";
import { jsonBody, ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { readAs } from "../parts/fields.ts";
import type { Refusal } from "../parts/refusal.ts";
import { type FileFormat, formatOf } from "../parts/uploads.ts";
import { type Accounts, randomBytes, type SandboxAccount, type StoredRecord } from "./accounts.ts";
import { checkBlobs, checkRecord } from "./records.ts";
import { invalidRequest, refusal } from "./refusal.ts";
import { inStoredOrder } from "./stored-order.ts";

const collectionSchema = z.string().regex(/^[a-zA-Z][a-zA-Z0-9-]*(\.[a-zA-Z0-9-]+)+$/);
const recordKeySchema = z.string().regex(/^[A-Za-z0-9._:~-]{1,512}$/);
const recordSchema = z.record(z.string(), z.json());

const writeSchema = z.looseObject({
  repo: z.string(),
  collection: collectionSchema,
  rkey: recordKeySchema.optional(),
  record: recordSchema,
});

/**
 * Of the three actions, only creates are simulated.
 * https://github.com/bluesky-social/atproto/blob/main/lexicons/com/atproto/repo/applyWrites.json (2026-08)
 */
const batchSchema = z.looseObject({
  repo: z.string(),
  writes: z.array(
    z.looseObject({
      $type: z.literal("com.atproto.repo.applyWrites#create"),
      collection: collectionSchema,
      rkey: recordKeySchema.optional(),
      value: recordSchema,
    }),
  ),
});

/** https://github.com/bluesky-social/atproto/blob/main/packages/pds/src/api/com/atproto/repo/applyWrites.ts (2026-08) */
const maxWrites = 200;

/** https://atproto.com/specs/tid (2026-08) */
const tid = /^[234567abcdefghij][234567abcdefghijklmnopqrstuvwxyz]{12}$/;
const tidCollections = new Set(["app.bsky.feed.post", "app.bsky.feed.threadgate", "app.bsky.feed.postgate"]);
/** https://github.com/bluesky-social/atproto/tree/main/packages/pds (2026-08) */
const maxJsonBytes = 1_000_000;
/** The limit of servers that are older than the present image limit; they do not report it. */
const defaultBlobBytes = 5 * 1024 * 1024;

export interface Repository {
  uploadBlob(account: SandboxAccount, request: SandboxRequest): SandboxAnswer;
  write(account: SandboxAccount, request: SandboxRequest, method: "create" | "put"): SandboxAnswer;
  /** Creates several records in one commit: all of them or none. */
  applyWrites(account: SandboxAccount, request: SandboxRequest): SandboxAnswer;
  getRecord(request: SandboxRequest): SandboxAnswer;
  /** Writes a record without a session; returns its URI. */
  add(account: SandboxAccount, record: JsonObject): string;
}

/** The responses that differ by the server's version and implementation. */
export interface RepositoryOptions {
  /** Bytes; null: a server from before April 2026. */
  blobLimit: () => number | null;
  /** The status of the error `RecordNotFound`. */
  missingStatus: () => 400 | 404;
}

/** A record that has passed all checks, except whether its path is free. */
interface Prepared {
  /** `collection/rkey` */
  place: string;
  value: JsonObject;
  validationStatus: "valid" | "unknown";
}

export function createRepository(ports: SandboxPorts, accounts: Accounts, options: RepositoryOptions): Repository {
  const { blobLimit, missingStatus } = options;
  const timeId = createTimeIds(ports);

  function prepare(
    account: SandboxAccount,
    { collection, rkey = timeId(), record }: { collection: string; rkey?: string | undefined; record: JsonObject },
    at: string,
  ): Prepared {
    if (tidCollections.has(collection) && !tid.test(rkey))
      throw invalidRequest(`Invalid record key for ${collection}: ${rkey}`);
    const value: JsonObject = { $type: collection, ...record };
    const validationStatus = checkRecord(collection, value, at);
    checkBlobs(account, value, { maxImageBytes: blobLimit() === null ? 1_000_000 : 2_000_000 });
    return { place: `${collection}/${rkey}`, value, validationStatus };
  }

  function store(account: SandboxAccount, { place, value }: Prepared): StoredRecord {
    const stored = inStoredOrder(value) as JsonObject;
    const uri = `at://${account.did}/${place}`;
    const record = { uri, cid: recordContentId(stored), value: stored, written_at: ports.clock.now() };
    account.records.set(place, record);
    return record;
  }

  function commit(): JsonObject {
    return { cid: contentId("record", randomBytes(ports, 32)), rev: timeId() };
  }

  return {
    uploadBlob(account, request) {
      const header = request.headers.get("content-type");
      if (header === null) throw invalidRequest("Request encoding (Content-Type) required but not provided");
      if (request.bytes.length > (blobLimit() ?? defaultBlobBytes))
        throw refusal(413, "PayloadTooLarge", "request entity too large");
      const blob = { mimeType: mimeOf(request.bytes) ?? header, size: request.bytes.length };
      const link = contentId("blob", request.bytes);
      account.blobs.set(link, blob);
      return ok({ blob: { $type: "blob", ref: { $link: link }, ...blob } });
    },

    write(account, request, method) {
      const write = readBody(request, writeSchema);
      assertOwn(account, write.repo);
      if (method === "put" && write.rkey === undefined) throw invalidRequest('Input must have the property "rkey"');
      const prepared = prepare(account, write, "$.record");
      const { validationStatus } = prepared;
      const before = account.records.get(prepared.place);
      if (before !== undefined && method === "create") throw alreadyThere();
      if (before !== undefined && JSON.stringify(before.value) === JSON.stringify(inStoredOrder(prepared.value)))
        return ok({ uri: before.uri, cid: before.cid, validationStatus });
      const { uri, cid } = store(account, prepared);
      return ok({ uri, cid, commit: commit(), validationStatus });
    },

    applyWrites(account, request) {
      const { repo, writes } = readBody(request, batchSchema);
      assertOwn(account, repo);
      if (writes.length > maxWrites) throw invalidRequest(`Too many writes. Max: ${maxWrites}`);
      const prepared = writes.map(({ collection, rkey, value }, index) =>
        prepare(account, { collection, rkey, record: value }, `$.writes[${index}].record`),
      );
      const places = new Set(prepared.map(({ place }) => place));
      if (places.size < prepared.length || [...places].some((place) => account.records.has(place)))
        throw alreadyThere();
      const results = prepared.map((each): JsonObject => {
        const { uri, cid } = store(account, each);
        const { validationStatus } = each;
        return { $type: "com.atproto.repo.applyWrites#createResult", uri, cid, validationStatus };
      });
      return ok({ commit: commit(), results });
    },

    add: (account, record) =>
      store(account, prepare(account, { collection: String(record.$type), record }, "$.record")).uri,

    getRecord(request) {
      const { repo, collection, rkey } = Object.fromEntries(request.url.searchParams);
      for (const [name, value] of Object.entries({ repo, collection, rkey }))
        if (!value) throw invalidRequest(`Params must have the property "${name}"`);
      const account = accounts.find(repo ?? "");
      if (account === undefined || account.status !== "active")
        throw refusal(502, "UpstreamFailure", "Upstream Failure");
      const record = account.records.get(`${collection}/${rkey}`);
      const uri = `at://${account.did}/${collection}/${rkey}`;
      if (record === undefined) throw refusal(missingStatus(), "RecordNotFound", `Could not locate record: ${uri}`);
      return ok({ uri: record.uri, cid: record.cid, value: record.value });
    },
  };
}

function assertOwn(account: SandboxAccount, repo: string): void {
  if (repo !== account.did && repo !== account.handle)
    throw refusal(401, "AuthenticationRequired", "Authentication Required");
}

/** The reference server fails with its database's unique index; only its log contains the cause. */
function alreadyThere(): Refusal {
  return refusal(500, "InternalServerError", "Internal Server Error");
}

function readBody<Schema extends z.ZodType>(request: SandboxRequest, schema: Schema): z.infer<Schema> {
  if (request.headers.get("content-type")?.startsWith("application/json") !== true)
    throw invalidRequest("Wrong request encoding (Content-Type)");
  if (request.bytes.length > maxJsonBytes) throw refusal(413, "PayloadTooLargeError", "request entity too large");
  const body = jsonBody(request);
  if (body === undefined) throw refusal(400, "SyntaxError", "Unexpected token in JSON");
  return readAs(schema, body, ([{ path, message }]) => invalidRequest(`Input/${path.join("/")} ${message}`));
}

/**
 * Microseconds, incremented if several ids are needed at the same time, and ten random bits.
 * https://atproto.com/specs/tid (2026-08)
 */
function createTimeIds({ clock, random }: SandboxPorts): () => string {
  const alphabet = "234567abcdefghijklmnopqrstuvwxyz";
  let last = 0n;
  return () => {
    const now = BigInt(Math.floor(clock.now())) * 1000n;
    last = now > last ? now : last + 1n;
    let rest = (last * 1024n) | BigInt(Math.floor(random() * 1024));
    let text = "";
    for (; text.length < 13; rest >>= 5n) text = alphabet.charAt(Number(rest & 31n)) + text;
    return text;
  };
}

const mimeTypes: Readonly<Record<FileFormat, string>> = {
  png: "image/png",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  avif: "image/avif",
  heic: "image/heic",
  webm: "video/webm",
  mp4: "video/mp4",
  mov: "video/quicktime",
};

function mimeOf(bytes: Uint8Array): string | undefined {
  const format = formatOf(bytes);
  return format === null ? undefined : mimeTypes[format];
}
