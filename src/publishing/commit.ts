import { isoTime } from "../clock.ts";
import { PublishingError } from "../errors.ts";
import type { CommitFile, CommitInput, CommitRequest, CommitRules, NetworkAdapter, Part } from "../networks/adapter.ts";
import { type Refusal, readRefusal } from "../networks/error-map.ts";
import type { NetworkResponse } from "../networks/request.ts";
import { assertHostAllowed, boundaryFrom } from "../networks/session.ts";
import { type EncodedBody, encodeBody } from "../outbound/body.ts";
import { CalledOff, TransportFailure } from "../outbound/http.ts";
import type { OpenCredentials } from "../profiles/credentials.ts";
import { type Lease, onlyWhileHeld } from "../profiles/lease.ts";
import { type Operation, StorageConflict } from "../storage/storage.ts";
import { toChange, toRow } from "../storage/typed.ts";
import { hashOfBody, type IntentRecord, type IntentRow, type IntentState, newIntent, sha256 } from "./intent.ts";
import type { PublishingPorts } from "./ports.ts";

/** One part of one target, ready to be made public. */
export interface PartRun {
  ports: PublishingPorts;
  lease: Lease;
  adapter: NetworkAdapter;
  credentials: OpenCredentials;
  rules: CommitRules;
  part: Part;
  subject: { id: string; createdAt: number };
  /** An earlier request for this part lost its answer: a duplicate refusal is then evidence. */
  lostBefore: boolean;
  /** Builds what the request is made from; the key is the intent's. */
  inputFor(key: string): CommitInput;
}

/** Writes intent `number` and sends its request once. What came back is on record when this resolves. */
export async function commitPart(run: PartRun, number: number): Promise<void> {
  const { ports, lease, adapter, rules } = run;
  const publisher = publisherOf(adapter);
  const hardEndMs = rules.hardEndSeconds * 1000;
  await run.credentials.outlive(hardEndMs);
  await lease.ensure(hardEndMs);
  const { index } = run.inputFor("");
  const key = publisher.key({ subjectId: run.subject.id, createdAt: run.subject.createdAt, part: index, number });
  const request = publisher.commit(run.inputFor(key));
  const { body, fileHashes } = await bodyOf(run, request);
  const now = lease.now();
  const intent = newIntent({
    id: ports.ids.create("intent", now),
    profileId: lease.profileId,
    subjectId: run.subject.id,
    part: index,
    number,
    key,
    request,
    fileHashes,
    now,
    hardEndMs,
  });
  await onlyWhileHeld(() =>
    ports.storage.write([
      lease.check({ status: "connected" }),
      { kind: "insert", collection: "intents", row: toRow(intent) },
    ]),
  );
  await sendIntent(run, intent, { request, body, sendBy: intent.private.send_by });
}

/** Sends the stored request of an intent again, under the same key. */
export async function replayIntent(run: PartRun, intent: IntentRow): Promise<void> {
  const { lease, rules } = run;
  await run.credentials.outlive(rules.hardEndSeconds * 1000);
  await lease.ensure(rules.hardEndSeconds * 1000);
  const stored: CommitRequest = {
    ...publisherOf(run.adapter).commit(run.inputFor(intent.private.key)),
    json: intent.private.json,
  };
  if (intent.private.files === null) delete stored.files;
  else stored.files = intent.private.files;
  const { body, fileHashes } = await bodyOf(run, stored);
  if (hashOfBody(stored.json, fileHashes) !== intent.private.hash) {
    const message = "A file has changed, so the same request cannot be sent again.";
    return record(run, intent, { state: "unknown", message, more: { replay_at: null } });
  }
  const sendBy = intent.private.opened_at + rules.replaySeconds * 1000;
  await sendIntent(run, intent, { request: stored, body, sendBy });
}

async function sendIntent(
  run: PartRun,
  intent: IntentRow,
  options: { request: CommitRequest; body: EncodedBody; sendBy: number },
): Promise<void> {
  const { ports, lease, adapter, rules } = run;
  const { request, body, sendBy } = options;
  const signed = adapter.connect.authorize(
    { method: request.method, url: request.url, headers: request.headers ?? {} },
    run.credentials.secret(),
  );
  assertHostAllowed(adapter, run.credentials.profile().private.host, signed.url);
  const wallBefore = ports.clock.now();
  const storeBefore = lease.now();
  const replayed = intent.private.unknown_since !== null;
  try {
    const response = await ports.outbound.send({
      method: signed.method,
      url: signed.url,
      headers: signed.headers ?? {},
      body,
      trust: adapter.spec.hosts.includes(new URL(signed.url).host) ? "fixed" : "guarded",
      hardEndMs: rules.hardEndSeconds * 1000,
      beforeSending: () => {
        const wallPassed = ports.clock.now() - wallBefore;
        if (lease.now() > sendBy || storeBefore + wallPassed > sendBy) {
          throw new CalledOff("The process stood still between the intent and the first byte.");
        }
      },
    });
    await recordResponse(run, intent, response);
  } catch (error) {
    if (!(error instanceof TransportFailure)) throw error;
    // A repetition that was not sent leaves its intent as unknown as it was.
    if (error.kind === "not_sent" && !replayed)
      await record(run, intent, { state: "not_sent", message: error.message });
    else await record(run, intent, { state: "unknown", message: error.message });
  }
}

async function recordResponse(run: PartRun, intent: IntentRow, response: NetworkResponse): Promise<void> {
  const { adapter, ports } = run;
  const publisher = publisherOf(adapter);
  const input = run.inputFor(intent.private.key);
  if (response.status >= 200 && response.status < 300) {
    const published = publisher.accepted(response.body, input);
    if (published === null) {
      const message = "The network said yes, but its answer could not be read.";
      return record(run, intent, { state: "unknown", message });
    }
    return record(run, intent, { state: "accepted", message: null, answer: { published } });
  }
  const refusal = readRefusal(response, adapter.errors, ports.clock.now());
  if (refusal.effect === "duplicate" && (run.lostBefore || intent.private.unknown_since !== null)) {
    const named = publisher.duplicateOf?.(response.body, input) ?? null;
    if (named !== null) return record(run, intent, { state: "accepted", message: null, answer: { published: named } });
    return record(run, intent, { state: "unknown", message: refusal.message, more: { is_duplicate: true } });
  }
  return recordRefusal(run, intent, refusal);
}

async function recordRefusal(run: PartRun, intent: IntentRow, refusal: Refusal): Promise<void> {
  const { message, code } = refusal;
  // What a repetition is told says nothing about the request whose answer was lost.
  if (refusal.effect === "unknown" || intent.private.unknown_since !== null) {
    return record(run, intent, { state: "unknown", message });
  }
  if (refusal.effect === "later") {
    const { remedy, retryAt } = refusal;
    return record(run, intent, { state: "later", message, answer: { code, remedy, retry_at: retryAt } });
  }
  return record(run, intent, { state: "refused", message, answer: { code } });
}

interface RecordedAnswer {
  state: IntentState;
  message: string | null;
  answer?: IntentRow["private"]["answer"];
  more?: Partial<IntentRecord>;
}

/** Between two repetitions of one request, milliseconds. */
const betweenReplaysMs = 5_000;

/** States that an answer may still change, however late it comes. */
const changeable = ["open", "unknown", "undecided"] as const satisfies readonly IntentState[];

/**
 * Puts an answer on the intent's own row, whoever holds the profile by now,
 * and tries again while the store cannot be reached: the answer is the only
 * proof of what happened.
 */
async function record(run: PartRun, intent: IntentRow, answer: RecordedAnswer): Promise<void> {
  const now = run.lease.now();
  const { unknown_since: wasUnknown, replay_at } = intent.private;
  const isReplay = wasUnknown !== null;
  const change = {
    state: answer.state,
    private: {
      ...intent.private,
      message: answer.message,
      answer: answer.answer ?? null,
      unknown_since: answer.state === "unknown" ? (wasUnknown ?? now) : wasUnknown,
      replay_at: isReplay && replay_at !== null ? now + betweenReplaysMs : replay_at,
      ...answer.more,
    },
  };
  const operations: Operation[] = [
    {
      kind: "update",
      collection: "intents",
      id: intent.id,
      change: toChange(change),
      where: answer.state === "accepted" ? { state: { in: changeable } } : { state: intent.state },
    },
  ];
  if (answer.answer?.published !== undefined) operations.push(publicationOf(run, answer.answer.published.id));
  await writeStubbornly(run, operations);
}

/** Says whose a network's post is, so that nobody else takes it for theirs. */
export function publicationOf(run: PartRun, networkPostId: string): Operation {
  const { ports, lease, adapter, credentials, subject } = run;
  const now = lease.now();
  return {
    kind: "insert",
    collection: "publications",
    row: toRow({
      id: ports.ids.create("publication", now),
      network: adapter.spec.network,
      external_account_id: credentials.profile().external_id,
      network_post_id: networkPostId,
      subject_id: subject.id,
      created_at: isoTime(now),
    }),
  };
}

const storeRetryMs = 200;
const storePatienceMs = 20_000;

async function writeStubbornly(run: PartRun, operations: Operation[]): Promise<void> {
  const { ports, lease } = run;
  const until = lease.now() + storePatienceMs;
  let left = operations;
  for (;;) {
    try {
      return await ports.storage.write(left);
    } catch (error) {
      if (error instanceof StorageConflict) {
        // The row says already what another look or a later holder found out.
        if (error.operation.collection === "intents") return;
        // The post is on record as somebody's; that the network accepted ours stands all the same.
        left = left.filter((operation) => operation !== error.operation);
        continue;
      }
      if (lease.now() >= until) throw error;
      ports.logger.warn("the store did not take an answer; trying again", { error: String(error) });
      await ports.clock.sleep(storeRetryMs);
    }
  }
}

async function bodyOf(run: PartRun, request: CommitRequest): Promise<{ body: EncodedBody; fileHashes: string[] }> {
  const { ports } = run;
  const options = { openMedia: ports.session.openMedia, boundary: boundaryFrom(ports.ids) };
  if (request.files === undefined) return { body: await encodeBody({ json: request.json }, options), fileHashes: [] };
  const files = await Promise.all(request.files.items.map((item) => readFile(run, item)));
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

export function publisherOf(adapter: NetworkAdapter): NonNullable<NetworkAdapter["publish"]> {
  if (adapter.publish === undefined) {
    throw new PublishingError("unsupported", `Nothing can be published on ${adapter.spec.name}.`);
  }
  return adapter.publish;
}
