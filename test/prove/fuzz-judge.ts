/** What is wrong with an answer. */
import type { Json, JsonObject } from "../../src/wire/json.ts";
import { answerComplaints, basePath, bodyComplaints, type Operation, operationsAt } from "./fuzz-document.ts";
import { reasonsOutside } from "./fuzz-reasons.ts";
import type { FuzzRequest } from "./fuzz-request.ts";
import { bytesOf, type Exchange, type Reply } from "./fuzz-send.ts";
import { type Account, accounts, type FuzzWorld, markOf } from "./fuzz-world.ts";

export interface FuzzFinding {
  /** A column of the table: `stuck`: no answer · `twice`: an idempotency key made two posts · `wrong`: anything else. */
  what: "stuck" | "twice" | "wrong";
  message: string;
  request: FuzzRequest;
}

/** What an answer is judged by. */
interface Judged {
  world: FuzzWorld;
  request: FuzzRequest;
  reply: Reply;
  /** Undefined: no body. Null-like text that is no JSON is a finding of its own. */
  body: JsonObject | undefined;
  /** Undefined: the document has none for this path and method. */
  operation: Operation | undefined;
  methods: readonly string[];
}

type Rule = (judged: Judged) => string[];

export function findingsIn(world: FuzzWorld, exchanges: readonly Exchange[]): FuzzFinding[] {
  // Of two at once, the one that made the post comes first.
  const ordered = [...exchanges].sort((one, other) => (other.reply?.status ?? 0) - (one.reply?.status ?? 0));
  return ordered.flatMap(({ request, reply }): FuzzFinding[] => {
    if (isForDocument(request)) return [];
    if (reply === null) return [{ what: "stuck", message: "no answer in time", request }];
    const judged = { world, request, reply, ...operationOf(request), body: parsed(reply.text) };
    const twice = repeatedly(judged).map((message): FuzzFinding => ({ what: "twice", message, request }));
    const wrong = rules.flatMap((rule) =>
      rule(judged).map((message): FuzzFinding => ({ what: "wrong", message, request })),
    );
    return [...twice, ...wrong];
  });
}

function operationOf({ method, path }: FuzzRequest): { operation: Operation | undefined; methods: string[] } {
  const found = operationsAt(pathnameOf(path));
  const wanted = method === "HEAD" ? "GET" : method;
  return {
    operation: found.find((each) => each.method === wanted),
    methods: found.map((each) => each.method),
  };
}

function pathnameOf(path: string): string {
  return new URL(`https://app.example.com${path}`).pathname;
}

function parsed(text: string): JsonObject | undefined {
  if (text === "") return undefined;
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    return { "not JSON": text.slice(0, 200) };
  }
}

const codesOf: Readonly<Record<number, readonly string[]>> = {
  400: ["invalid_request"],
  401: ["unauthorized"],
  402: ["payment_required"],
  403: ["forbidden"],
  404: ["not_found"],
  405: ["invalid_request"],
  409: ["conflict"],
  413: ["invalid_request"],
  415: ["invalid_request"],
  422: ["unsupported", "publish_failed"],
  429: ["rate_limited"],
};

function neverOurFault({ reply, world }: Judged): string[] {
  if (reply.status < 500) return [];
  return [`answered ${reply.status}: ${world.errors.at(-1)?.slice(0, 600) ?? "nothing was logged"}`];
}

function isNamed({ request, reply, body }: Judged): string[] {
  if (reply.status < 400) return [];
  if (request.method === "HEAD") return reply.text === "" ? [] : ["an answer to HEAD has a body"];
  const type = reply.headers.get("content-type") ?? "";
  const complaints: string[] = [];
  if (!type.startsWith("application/json")) complaints.push(`its type is "${type}"`);
  const { code, details } = errorOf(body);
  if (!codesOf[reply.status]?.includes(code) && reply.status < 500) complaints.push(`${reply.status} with "${code}"`);
  const namesAll =
    details.length > 0 && details.every(({ field, network }) => field !== undefined || network !== undefined);
  if (reply.status === 400 && !namesAll) complaints.push("a 400 that names no field");
  return complaints.map((complaint) => `${reply.status}: ${complaint}`);
}

function errorOf(body: JsonObject | undefined): { code: string; details: Record<string, string>[] } {
  const error = (body?.error ?? {}) as { code?: string; details?: Record<string, string>[] };
  return { code: error.code ?? "", details: error.details ?? [] };
}

/** Status, envelope and every field. */
function isInDocument({ request, reply, body, operation }: Judged): string[] {
  const path = operation === undefined ? "/" : pathnameOf(request.path);
  return answerComplaints(request.method, path, reply.status, body).map((complaint) => `${reply.status}: ${complaint}`);
}

/** It needs no key, counts nothing, and does not describe itself. */
function isForDocument({ path }: FuzzRequest): boolean {
  return pathnameOf(path) === `${basePath}/v1/openapi.json`;
}

function isNotFoundOrNotAllowed({ reply, operation, methods }: Judged): string[] {
  if (operation !== undefined) return [];
  const allowed = (reply.headers.get("allow") ?? "").split(", ").filter((method) => method !== "HEAD");
  if (methods.length === 0) return reply.status === 404 ? [] : [`no such path, yet ${reply.status}`];
  if (reply.status !== 405) return [`no such method, yet ${reply.status}`];
  return allowed.sort().join() === [...methods].sort().join() ? [] : [`Allow is ${allowed}, not ${methods}`];
}

function respectsTheKey({ request, reply, operation }: Judged): string[] {
  if (operation === undefined) return [];
  const { caller } = request;
  if (caller === null || caller === "revoked") return reply.status === 401 ? [] : [`no valid key, yet ${reply.status}`];
  if (reply.status === 401) return ["a valid key was refused"];
  if (caller === "spent") return reply.status === 429 ? [] : [`the budget is spent, yet ${reply.status}`];
  const granted = caller === "readOnly" ? ["read"] : caller === "inboxOnly" ? ["inbox"] : [operation.scope];
  if (granted.includes(operation.scope)) return reply.status === 403 ? ["refused a scope that the key has"] : [];
  return reply.status === 403 ? [] : [`the key lacks the scope ${operation.scope}, yet ${reply.status}`];
}

function countsInHeaders({ reply }: Judged): string[] {
  const isCounted = (reply.status >= 200 && reply.status < 300) || reply.status === 429;
  if (!isCounted) return [];
  const names = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"];
  if (reply.status === 429) names.push("Retry-After");
  const wrong = names.filter((name) => !/^\d{1,5}$/.test(reply.headers.get(name) ?? ""));
  return wrong.map((name) => `${name} is ${reply.headers.get(name)}`);
}

function takesWhatIsValid({ request, reply, body, operation }: Judged): string[] {
  if (operation === undefined || !request.isIntact || reply.status !== 400) return [];
  if (request.body === undefined && operation.body?.isRequired) return [];
  if (request.body !== undefined && bodyComplaints(operation.method, operation.path, request.body).length > 0)
    return [];
  const unnamed = errorOf(body).details.filter(
    ({ network, field, message }) =>
      network === undefined && !reasonsOutside.some((reason) => reason.test(`${field}: ${message}`)),
  );
  return unnamed.map((detail) => `the document allows it, yet 400: ${JSON.stringify(detail)}`);
}

function refusesWhatIsNot({ request, reply, operation }: Judged): string[] {
  if (operation?.body == null || reply.status >= 300) return [];
  const bytes = bytesOf(request);
  if (bytes === undefined) return operation.body.isRequired ? ["there was no body"] : [];
  if (request.transfer === "breaks") return ["its body broke off"];
  try {
    const sent = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as Json;
    // A key that was used brings its post back whatever else the body says.
    if (reply.headers.get("Idempotent-Replay") === "true") return [];
    return bodyComplaints(operation.method, operation.path, sent).map(
      (complaint) => `${reply.status}, though in the body ${complaint}`,
    );
  } catch {
    return bytes.length === 0 && !operation.body.isRequired ? [] : ["its body is no JSON"];
  }
}

function accountOf({ caller }: FuzzRequest): Account {
  return caller === "theirs" ? "theirs" : "ours";
}

function keepsAccountsApart({ world, request, reply }: Judged): string[] {
  const own = accountOf(request);
  const [foreign = own] = accounts.filter((account) => account !== own);
  const { secrets, postIds, profileIds, webhookIds, deliveryIds } = world;
  const foreignIds = [postIds, profileIds, webhookIds, deliveryIds].flatMap((ids) => ids[foreign]);
  const hidden = [...secrets, ...foreignIds, markOf[foreign]];
  const sent = `${request.path} ${JSON.stringify(request.headers)} ${JSON.stringify(request.body)}`;
  return hidden
    .filter((word) => reply.text.includes(word) && !sent.includes(word))
    .map((word) => `the answer to ${own} holds ${word}`)
    .concat(
      reply.status < 300 && hidden.some((word) => pathnameOf(request.path).includes(word))
        ? ["a foreign id was taken"]
        : [],
    );
}

function repeatedly({ world, request, reply, body, operation }: Judged): string[] {
  if (operation?.operationId !== "createPost" || reply.status >= 300) return [];
  const post = body?.data as JsonObject;
  const key = typeof post.idempotency_key === "string" ? `${accountOf(request)} ${post.idempotency_key}` : null;
  const isReplay = reply.headers.get("Idempotent-Replay") === "true";
  const header = new Headers(request.headers).get("Idempotency-Key");
  if (header !== null && header !== post.idempotency_key) return [`its key is not ${header}`];
  if (isReplay !== (reply.status === 200)) return [`${reply.status} with Idempotent-Replay ${isReplay}`];
  if (key === null) return isReplay ? ["a replay without a key"] : [];
  const known = world.keyed.get(key);
  world.keyed.set(key, known ?? String(post.id));
  if (isReplay) return known === undefined || known === post.id ? [] : [`replayed ${post.id}, not ${known}`];
  return known === undefined ? [] : [`the key made ${known}, and now ${post.id}`];
}

const rules: readonly Rule[] = [
  neverOurFault,
  isNamed,
  isInDocument,
  isNotFoundOrNotAllowed,
  respectsTheKey,
  countsInHeaders,
  takesWhatIsValid,
  refusesWhatIsNot,
  keepsAccountsApart,
];
