import type { SignedPart } from "../networks/contract/adapter.ts";
import type { CommitBody, CommitRequest } from "../networks/contract/commit.ts";
import { boundaryFrom, onResponse, signRequest, toExchange, toRequestBody } from "../networks/runtime/exchange.ts";
import { type EncodedBody, encodeBody } from "../outbound/body.ts";
import { CalledOff, TransportFailure } from "../outbound/http.ts";
import { secretsIn } from "../outbound/redaction.ts";
import { wholeMs } from "../ports/clock.ts";
import { toChange, toRow } from "../storage/typed.ts";
import { PublishingError } from "../wire/errors.ts";
import { contentIn, type Files, filesOf, hashesOf } from "./files.ts";
import { hashOfBody, type IntentRow, type Keys, newIntent, sendWithinMs } from "./intent.ts";
import { boundRequestOf, type PartRun, sealHandles } from "./part-run.ts";
import { type Recorded, record, recordResponse } from "./record.ts";

/**
 * Writes intent `number` and sends its request once. The response is recorded when this resolves.
 *
 * @param number the intent's, from 1
 * @param until nothing may be sent after this, the store's time, milliseconds; null: no limit
 * @returns `too_late`: nothing was written or sent; null: another process wrote the record, so read it again
 */
export async function commitPart(
  run: PartRun,
  { number, until }: { number: number; until: number | null },
): Promise<Recorded | "too_late"> {
  const { ports, lease } = run;
  const hardEndMs = hardEndMsOf(run);
  await run.credentials.outlive(hardEndMs);
  await ports.pace();
  const { request, keys, body, fileHashes } = await keyedRequest(run);
  const signed = await sign(run, request);
  const now = lease.now();
  if (until !== null && now > until) return "too_late";
  const wall = ports.clock.now();
  const { host } = new URL(signed.url);
  const id = ports.ids.create("intent", now);
  const intent = newIntent({
    id,
    profileId: lease.id,
    subjectId: run.subjectId,
    part: run.index,
    number,
    keys,
    body: request.body,
    host,
    fileHashes,
    handles: sealHandles(run, id, keys),
    now,
    otherClocks: { machine: wall, network: ports.outbound.timeAt(host) },
    hardEndMs,
  });
  ports.sentHere.note(id);
  await lease.beginRequest(id, hardEndMs, {
    operations: [...run.guard(), { kind: "insert", collection: "intents", row: toRow(intent) }],
    where: { status: "connected" },
  });
  return sendIntent(run, intent, {
    signed,
    operation: request.operation,
    body,
    sendBy: intent.private.send_by,
    before: { now, wall },
  });
}

/** Two passes: the key is derived from the body, which may itself contain the key. */
async function keyedRequest(
  run: PartRun,
): Promise<{ request: CommitRequest; keys: Keys; body: EncodedBody; fileHashes: string[] }> {
  const { publisher } = run;
  const count = publisher.partsPerRequest?.() ?? 1;
  const { body: draft } = publisher.requestFor(emptyKeys(count)).request();
  const files = await filesOf(run, draft);
  const fileHashes = hashesOf(files);
  const keys = publisher.keys(count, hashOfBody(draft, fileHashes));
  const request = publisher.requestFor(keys).request();
  return { request, keys, body: await encode(run, request.body, files), fileHashes };
}

function emptyKeys(count: number): Keys {
  return ["", ...Array.from({ length: count - 1 }, () => "")];
}

function hardEndMsOf({ publisher }: PartRun): number {
  return wholeMs(publisher.rules.hardEndSeconds * 1000);
}

/** Sends an intent's stored request again, under the same key. */
export async function replayIntent(run: PartRun, intent: IntentRow): Promise<Recorded> {
  const { lease } = run;
  const hardEndMs = hardEndMsOf(run);
  await run.credentials.outlive(hardEndMs);
  const { body: given } = intent.private;
  const stored: CommitRequest = { ...boundRequestOf(run, intent).request(), ...(given && { body: given }) };
  const body = await sameBody(run, intent).catch((error: unknown) => {
    if (PublishingError.is(error)) return null;
    throw error;
  });
  if (body === null) {
    const message = "A file was changed or deleted, so the same request cannot be sent again.";
    return record(run, intent, { state: "unknown", message, more: { replay_at: null } });
  }
  const signed = await sign(run, stored);
  const now = lease.now();
  const wall = run.ports.clock.now();
  const sendBy = Math.min(now + sendWithinMs, intent.private.opened_at + run.publisher.rules.replaySeconds * 1000);
  const again: IntentRow = { ...intent, private: { ...intent.private, hard_end: now + sendWithinMs + hardEndMs } };
  const change = toChange({ private: again.private });
  // If this process dies, the next holder waits for this request as well.
  await lease.beginRequest(intent.id, hardEndMs, {
    operations: [{ kind: "update", collection: "intents", id: intent.id, change, where: { state: intent.state } }],
  });
  return sendIntent(run, again, { signed, operation: stored.operation, body, sendBy, before: { now, wall } });
}

/** The stored body with its files. Null: a file has changed. */
async function sameBody(run: PartRun, { private: { body, hash } }: IntentRow): Promise<EncodedBody | null> {
  if (body === undefined) return null;
  const files = await filesOf(run, body);
  return hashOfBody(body, hashesOf(files)) === hash ? encode(run, body, files) : null;
}

/** Runs before the intent is written, so that a failure here leaves no record. */
function sign({ adapter, credentials, ports }: PartRun, request: CommitRequest): Promise<SignedPart> {
  return signRequest(adapter, request, {
    profileHost: credentials.profile().private.host,
    secret: credentials.secret(),
    now: () => ports.clock.now(),
    ids: ports.ids,
  });
}

async function sendIntent(
  run: PartRun,
  intent: IntentRow,
  options: {
    signed: SignedPart;
    operation: string | undefined;
    body: EncodedBody;
    sendBy: number;
    /** When its intent was made, by the lease's clock and the wall clock. */
    before: { now: number; wall: number };
  },
): Promise<Recorded> {
  const { ports, lease, adapter } = run;
  const { signed, operation, body, sendBy, before } = options;
  const replayed = intent.private.unknown_since !== null;
  try {
    const response = await ports.outbound.send(
      toExchange(adapter, signed, {
        body,
        secrets: secretsIn({ secret: run.credentials.secret() }),
        hardEndMs: hardEndMsOf(run),
        beforeSending: () => {
          const wallPassed = ports.clock.now() - before.wall;
          // If the machine slept while the intent was written, its monotonic clock missed that time.
          if (lease.hasClockJumped() || lease.now() > sendBy || before.now + wallPassed > sendBy) {
            throw new CalledOff("The process was paused between the intent and the first byte.");
          }
        },
      }),
    );
    onResponse(adapter, { url: signed.url, headers: response.headers, at: ports.clock.now() });
    return await recordResponse(run, intent, { response, operation });
  } catch (error) {
    if (!(error instanceof TransportFailure)) throw error;
    // A repetition that was not sent leaves its intent unknown.
    const state = error.kind === "not_sent" && !replayed ? "not_sent" : "unknown";
    return record(run, intent, { state, message: error.message });
  }
}

function encode({ ports }: PartRun, body: CommitBody, files: Files): Promise<EncodedBody> {
  const options = { openMedia: ports.session.openMedia, boundary: boundaryFrom(ports.ids) };
  return encodeBody(
    toRequestBody(body, (file) => contentIn(files, file)),
    options,
  );
}
