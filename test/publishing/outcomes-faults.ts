import type { SandboxAnswer } from "../../src/sandbox/exchange.ts";
import type { Fault, FaultKind } from "../../src/sandbox/faults.ts";
import { misleadingAnswers, openStatuses } from "../support/misleading-answers.ts";
import type { Setting } from "./outcomes-bench.ts";

type Strike = FaultKind & Pick<Fault, "times">;

/** The faults of one request, and of its repetitions. */
export type Trouble = (setting: Setting) => Strike | readonly Strike[];

/** Longer than any wait. */
const forHours = 100_000;

const page = "<!doctype html><title>All is well</title>";

function notSent(code: string, times = 1): Trouble {
  return () => ({ kind: "not_sent", code, times });
}

/** The same response, whether the network acted or not. */
function answered(answer: SandboxAnswer | ((setting: Setting) => SandboxAnswer)): { undone: Trouble; done: Trouble } {
  const of = (setting: Setting): SandboxAnswer => (typeof answer === "function" ? answer(setting) : answer);
  return {
    undone: (setting) => ({ kind: "refuse", answer: of(setting) }),
    done: (setting) => ({ kind: "refuse_though_done", answer: of(setting) }),
  };
}

/** In the network's own text and format. */
function said(status: number, words = "Something else"): { undone: Trouble; done: Trouble } {
  return answered(({ scene: { refusals } }) => refusals.answer({ status, words }));
}

/** In the text of a refusal that the network's error table lists. */
function known(status: number): { undone: Trouble; done: Trouble } {
  return answered(({ scene }) => {
    const listed = misleadingAnswers(scene).find((answer) => answer.status === status);
    return listed ?? scene.refusals.answer({ status, words: "Something else" });
  });
}

/** The first request meets the first fault, its repetitions the others. */
function inTurn(...given: readonly Trouble[]): Trouble {
  return (setting) => given.flatMap((trouble) => trouble(setting));
}

function always(trouble: Trouble): Trouble {
  return (setting) => [trouble(setting)].flat().map((strike) => ({ ...strike, times: forHours }));
}

function limited(answer: (setting: Setting) => SandboxAnswer, times = 1): Trouble {
  return (setting) => ({ kind: "refuse", answer: answer(setting), times });
}

const bare429 = ({ scene: { refusals } }: Setting): SandboxAnswer =>
  refusals.answer({ status: 429, words: "Slow down" });

/** All incidents of a request, by their name in the tables. */
export const troubles: Readonly<Record<string, Trouble>> = {
  "host is not found": notSent("ENOTFOUND"),
  "name look-up fails for now": notSent("EAI_AGAIN"),
  "connection refused": notSent("ECONNREFUSED"),
  "connection refused, 4 times": notSent("ECONNREFUSED", 4),
  "connection refused, for hours": notSent("ECONNREFUSED", forHours),
  "host unreachable": notSent("EHOSTUNREACH"),
  "no route": notSent("ENETUNREACH"),
  "connect timeout": notSent("UND_ERR_CONNECT_TIMEOUT"),
  "connect timeout of the guard": notSent("CONNECT_TIMEOUT"),
  "address refused by the guard": notSent("ADDRESS_REFUSED"),
  "certificate expired": notSent("CERT_HAS_EXPIRED"),
  "certificate of another host": notSent("ERR_TLS_CERT_ALTNAME_INVALID"),

  "reset, not done": () => ({ kind: "drop_before" }),
  "reset, not done, 2 times": () => ({ kind: "drop_before", times: 2 }),
  "reset, not done, 3 times": () => ({ kind: "drop_before", times: 3 }),
  "reset, not done, for hours": () => ({ kind: "drop_before", times: forHours }),
  "reset, done": () => ({ kind: "drop_after" }),
  "reset, done, for hours": () => ({ kind: "drop_after", times: forHours }),
  "reset, done 4 s later": () => ({ kind: "accept_late", seconds: 4 }),
  "reset, done 60 s later": () => ({ kind: "accept_late", seconds: 60 }),
  "reset, done 90 s later": () => ({ kind: "accept_late", seconds: 90 }),
  "reset, done 10 min later": () => ({ kind: "accept_late", seconds: 600 }),
  "no answer, not done": () => ({ kind: "hang" }),
  "no answer, not done, for hours": () => ({ kind: "hang", times: forHours }),
  "answer after 5 s": () => ({ kind: "slow", seconds: 5 }),
  "answer after 10 min": () => ({ kind: "slow", seconds: 600 }),
  "drips for 5 s": () => ({ kind: "drip", seconds: 5 }),
  "drips for 10 min": () => ({ kind: "drip", seconds: 600 }),

  "2xx cut in the middle": () => ({ kind: "cut_body" }),
  "2xx empty": answered({ status: 200 }).done,
  "2xx empty, not done": answered({ status: 200 }).undone,
  "2xx a page": answered({ status: 200, text: page }).done,
  "2xx a page, not done": answered({ status: 200, text: page }).undone,
  "2xx a page, for hours": always(answered({ status: 200, text: page }).done),
  "2xx another JSON": answered({ status: 200, json: { ok: true } }).done,
  "2xx another JSON, not done": answered({ status: 200, json: { ok: true } }).undone,
  "2xx of 9 MiB": () => ({ kind: "huge_body", bytes: 9 * 1024 * 1024 }),
  "2xx without a body (204)": answered({ status: 204 }).done,

  "302, not done": answered({ status: 302, headers: { location: "https://elsewhere.example/" } }).undone,
  "302, done": answered({ status: 302, headers: { location: "https://elsewhere.example/" } }).done,
  "308, not done": answered({ status: 308, headers: { location: "https://elsewhere.example/" } }).undone,
  "304, not done": answered({ status: 304 }).undone,

  ...Object.fromEntries(
    [500, 501, 502, 503, 504, 520, 524].flatMap((status) => [
      [`${status}, not done`, answered({ status, text: page }).undone],
      [`${status}, done`, answered({ status, text: page }).done],
    ]),
  ),
  "500 in its own words, not done": said(500).undone,
  "500 in its own words, done": said(500).done,
  "503 in its own words, not done": said(503).undone,
  "503 in its own words, done": said(503).done,
  "503, not done, for hours": () => ({ kind: "refuse", answer: { status: 503, text: page }, times: forHours }),

  ...Object.fromEntries(
    [408, 409, 423, 425, 499].flatMap((status) => [
      [`${status} in its own words, not done`, said(status).undone],
      [`${status} in its own words, done`, said(status).done],
    ]),
  ),

  ...Object.fromEntries(openStatuses.map((status) => [`${status} in known words, done`, known(status).done])),

  "429 until in 60 s": limited(({ scene: { refusals }, now }) => refusals.limited({ now, endsAt: now + 60_000 })),
  "429 until in 20 min": limited(({ scene: { refusals }, now }) => refusals.limited({ now, endsAt: now + 1_200_000 })),
  "429 until in 2 h": limited(({ scene: { refusals }, now }) => refusals.limited({ now, endsAt: now + 7_200_000 })),
  "429 until the year 9999": limited(({ scene: { refusals }, now }) =>
    refusals.limited({ now, endsAt: Date.UTC(9999, 0) }),
  ),
  "429 until 10 min ago": limited(({ scene: { refusals }, now }) => refusals.limited({ now, endsAt: now - 600_000 })),
  "429 until 10 min ago, 4 times": limited(
    ({ scene: { refusals }, now }) => refusals.limited({ now, endsAt: now - 600_000 }),
    4,
  ),
  "429, Retry-After: 60": limited((setting) => ({ ...bare429(setting), headers: { "retry-after": "60" } })),
  "429 a page, Retry-After: 60": limited(() => ({ status: 429, headers: { "retry-after": "60" }, text: page })),
  "429, Retry-After: a date in 60 s": limited((setting) => ({
    ...bare429(setting),
    headers: { "retry-after": new Date(setting.now + 60_000).toUTCString() },
  })),
  "429, end unknown": limited(bare429),
  "429, end unknown, for hours": limited(bare429, forHours),

  "401 a page": answered({ status: 401, text: page }).undone,
  "403 a page": answered({ status: 403, text: page }).undone,
  "404 a page": answered({ status: 404, text: page }).undone,
  "400 empty": answered({ status: 400 }).undone,
  "400 in other words": said(400).undone,
  "401 in other words": said(401).undone,
  "403 in other words": said(403).undone,
  "404 in other words": said(404).undone,
  "418 in other words": said(418).undone,
  "422 in other words": said(422).undone,

  "reset, done; then 500": inTurn(() => ({ kind: "drop_after" }), always(said(500).undone)),
  "reset, done; then 400": inTurn(() => ({ kind: "drop_after" }), always(said(400).undone)),
  "reset, done; then 401": inTurn(() => ({ kind: "drop_after" }), always(said(401).undone)),
  "reset, done; then 429": inTurn(() => ({ kind: "drop_after" }), always(limited(bare429))),
  "reset, done; then unreachable": inTurn(() => ({ kind: "drop_after" }), notSent("ECONNREFUSED", forHours)),
  "reset, not done; then 500": inTurn(() => ({ kind: "drop_before" }), always(said(500).undone)),
  "reset, not done; then 400": inTurn(() => ({ kind: "drop_before" }), always(said(400).undone)),
  "reset, not done; then 401": inTurn(() => ({ kind: "drop_before" }), always(said(401).undone)),
  "reset, not done; then 429": inTurn(() => ({ kind: "drop_before" }), always(limited(bare429))),
  "reset, not done; then unreachable": inTurn(() => ({ kind: "drop_before" }), notSent("ECONNREFUSED", forHours)),
  "reset, done 60 s later; then 400": inTurn(() => ({ kind: "accept_late", seconds: 60 }), always(said(400).undone)),
  "reset, done 60 s later; then 429": inTurn(() => ({ kind: "accept_late", seconds: 60 }), always(limited(bare429))),
};

/** The faults, limited to the requests of one operation. */
export function troubleWith(name: string, operation: string): (setting: Setting) => Fault[] {
  const trouble = troubles[name];
  if (trouble === undefined) throw new Error(`nothing is known that is called "${name}"`);
  return (setting) => [trouble(setting)].flat().map((strike) => ({ ...strike, operation }));
}
