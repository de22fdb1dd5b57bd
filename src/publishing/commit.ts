import { PublishingError } from "../errors.ts";
import type { CommitFile, CommitRequest } from "../networks/adapter.ts";
import type { NetworkRequest } from "../networks/request.ts";
import { assertHostAllowed, boundaryFrom, trustOf } from "../networks/session.ts";
import { type EncodedBody, encodeBody } from "../outbound/body.ts";
import { CalledOff, TransportFailure } from "../outbound/http.ts";
import { keepWhile } from "../storage/lease.ts";
import { toChange, toRow } from "../storage/typed.ts";
import { hashOfBody, type IntentRow, newIntent, sendWithinMs, sha256 } from "./intent.ts";
import { type PartRun, publisherOf } from "./part-run.ts";
import { type Recorded, record, recordResponse } from "./record.ts";

/** Writes intent `number` and sends its request once. What came back is on record when this resolves. */
export async function commitPart(run: PartRun, number: number): Promise<Recorded> {
  const { ports, lease, adapter, rules } = run;
  const publisher = publisherOf(adapter);
  const hardEndMs = rules.hardEndSeconds * 1000;
  await run.credentials.outlive(hardEndMs);
  const key = publisher.key({ subjectId: run.subject.id, createdAt: run.subject.createdAt, part: run.index, number });
  const request = publisher.commit(run.inputFor(key));
  const { body, fileHashes } = await bodyOf(run, request);
  const signed = sign(run, request);
  const now = lease.now();
  const wall = ports.clock.now();
  const intent = newIntent({
    id: ports.ids.create("intent", now),
    profileId: lease.id,
    subjectId: run.subject.id,
    part: run.index,
    number,
    key,
    request,
    fileHashes,
    now,
    hardEndMs,
  });
  await lease.ensure(hardEndMs, {
    operations: [{ kind: "insert", collection: "intents", row: toRow(intent) }],
    where: { status: "connected" },
  });
  return sendIntent(run, intent, { signed, body, sendBy: intent.private.send_by, before: { now, wall } });
}

/** Sends the stored request of an intent again, under the same key. */
export async function replayIntent(run: PartRun, intent: IntentRow): Promise<Recorded> {
  const { lease, rules } = run;
  await run.credentials.outlive(rules.hardEndSeconds * 1000);
  const stored: CommitRequest = {
    ...publisherOf(run.adapter).commit(run.inputFor(intent.private.key)),
    json: intent.private.json,
  };
  if (intent.private.files === null) delete stored.files;
  else stored.files = intent.private.files;
  const same = await bodyOf(run, stored).catch((error: unknown) => {
    if (PublishingError.is(error)) return null;
    throw error;
  });
  if (same === null || hashOfBody(stored.json, same.fileHashes) !== intent.private.hash) {
    const message = "A file has changed or is gone, so the same request cannot be sent again.";
    return record(run, intent, { state: "unknown", message, more: { replay_at: null } });
  }
  const signed = sign(run, stored);
  const now = lease.now();
  const wall = run.ports.clock.now();
  const hardEndMs = rules.hardEndSeconds * 1000;
  const sendBy = Math.min(now + sendWithinMs, intent.private.opened_at + rules.replaySeconds * 1000);
  const again: IntentRow = { ...intent, private: { ...intent.private, hard_end: now + sendWithinMs + hardEndMs } };
  const change = toChange({ private: again.private });
  // Should this process die, whoever takes over waits for this request, too.
  await lease.ensure(hardEndMs, {
    operations: [{ kind: "update", collection: "intents", id: intent.id, change, where: { state: intent.state } }],
  });
  return sendIntent(run, again, { signed, body: same.body, sendBy, before: { now, wall } });
}

/** Before the intent: what fails here leaves nothing on record. */
function sign(run: PartRun, { method, url, headers = {} }: CommitRequest): NetworkRequest {
  const signed = run.adapter.connect.authorize({ method, url, headers }, run.credentials.secret());
  assertHostAllowed(run.adapter, run.credentials.profile().private.host, signed.url);
  return signed;
}

async function sendIntent(
  run: PartRun,
  intent: IntentRow,
  options: {
    signed: NetworkRequest;
    body: EncodedBody;
    sendBy: number;
    /** When its intent was made, by the lease and by the wall clock. */
    before: { now: number; wall: number };
  },
): Promise<Recorded> {
  const { ports, lease, adapter, rules } = run;
  const { signed, body, sendBy, before } = options;
  const replayed = intent.private.unknown_since !== null;
  try {
    const response = await ports.outbound.send({
      method: signed.method,
      url: signed.url,
      headers: signed.headers ?? {},
      body,
      trust: trustOf(adapter, signed.url),
      hardEndMs: rules.hardEndSeconds * 1000,
      beforeSending: () => {
        const wallPassed = ports.clock.now() - before.wall;
        // A machine that slept while the intent was written has lost more time than its monotonic clock shows.
        if (lease.hasDrifted() || lease.now() > sendBy || before.now + wallPassed > sendBy) {
          throw new CalledOff("The process stood still between the intent and the first byte.");
        }
      },
    });
    return await recordResponse(run, intent, response);
  } catch (error) {
    if (!(error instanceof TransportFailure)) throw error;
    // A repetition that was not sent leaves its intent as unknown as it was.
    const state = error.kind === "not_sent" && !replayed ? "not_sent" : "unknown";
    return record(run, intent, { state, message: error.message });
  }
}

async function bodyOf(run: PartRun, request: CommitRequest): Promise<{ body: EncodedBody; fileHashes: string[] }> {
  const { ports } = run;
  const options = { openMedia: ports.session.openMedia, boundary: boundaryFrom(ports.ids) };
  if (request.files === undefined) return { body: await encodeBody({ json: request.json }, options), fileHashes: [] };
  const { items } = request.files;
  const files = await keepWhile(run.lease, ports.clock, () => Promise.all(items.map((item) => readFile(run, item))));
  const json = { name: request.files.json_field, value: JSON.stringify(request.json), contentType: "application/json" };
  return {
    body: await encodeBody({ multipart: [json, ...files] }, options),
    fileHashes: files.map(({ file }) => sha256(file.bytes)),
  };
}

async function readFile(
  run: PartRun,
  item: CommitFile,
): Promise<{ name: string; filename: string; file: { contentType: string; bytes: Uint8Array } }> {
  const media = run.part.media[item.media];
  if (media === undefined) throw new PublishingError("internal_error", `The part has no media ${item.media}.`);
  const rule = run.adapter.spec.media.types.find(({ mime }) => mime === media.mime_type);
  const bytes = await run.ports.readMedia(media.url, { maxBytes: rule?.max_bytes ?? 0 });
  return { name: item.field, filename: item.filename, file: { contentType: media.mime_type, bytes } };
}
