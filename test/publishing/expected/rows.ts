import type { CommitTable } from "./account-rules.ts";

/** When the network carries a request out, seconds after it was made; null: never. */
type Done = number | null;

/** The incident of a request; `outcomes-faults.ts` causes it on the simulated networks. */
export type Incident =
  | { what: "all goes well" }
  | { what: "it never leaves" }
  | { what: "it is lost"; done: Done }
  /** Until the hard end. */
  | { what: "silence"; done: Done }
  | { what: "a late yes"; seconds: number }
  /** The head of the response comes immediately. */
  | { what: "a slow body"; seconds: number }
  /** The head of the response comes immediately, and its body cannot be read. */
  | { what: "a broken body" }
  /** A 2xx with another body. */
  | { what: "another yes"; done: Done }
  /** An inconclusive redirect, 408, 5xx … */
  | { what: "an open status"; done: Done }
  | { what: "500"; done: Done }
  /** Until so many seconds from now; null: not named. */
  | { what: "429"; by: "network" | "header"; seconds: number | null }
  /** With a text that no row of the error table lists, or as an HTML page of a proxy. */
  | { what: "a refusal"; status: number; as: "words" | "page" };

/** The incident of each request in turn; the last holds for all that follow. */
export type Row = readonly Incident[];

const well: Incident = { what: "all goes well" };
const unsent: Incident = { what: "it never leaves" };
const lost = (done: Done): Incident => ({ what: "it is lost", done });
const silence = (done: Done): Incident => ({ what: "silence", done });
const anotherYes = (done: Done): Incident => ({ what: "another yes", done });
const open = (done: Done): Incident => ({ what: "an open status", done });
const internal = (done: Done): Incident => ({ what: "500", done });
const told = (seconds: number): Incident => ({ what: "429", by: "network", seconds });
const header = (seconds: number | null): Incident => ({ what: "429", by: "header", seconds });
const words = (status: number): Incident => ({ what: "a refusal", status, as: "words" });
const page = (status: number): Incident => ({ what: "a refusal", status, as: "page" });

function times(count: number, incident: Incident): Row {
  return [...Array.from({ length: count }, () => incident), well];
}

function once(incident: Incident): Row {
  return times(1, incident);
}

function always(incident: Incident): Row {
  return [incident];
}

/** The network did nothing, or did it all the same. */
function notDoneAndDone(answer: string, incident: (done: Done) => Incident): Record<string, Row> {
  return { [`${answer}, not done`]: once(incident(null)), [`${answer}, done`]: once(incident(0)) };
}

/** All incidents of the request that publishes. */
export const commitRows: Readonly<Record<CommitTable, Readonly<Record<string, Row>>>> = {
  notSent: {
    "host is not found": once(unsent),
    "name look-up fails for now": once(unsent),
    "connection refused": once(unsent),
    "connection refused, 4 times": times(4, unsent),
    "connection refused, for hours": always(unsent),
    "host unreachable": once(unsent),
    "no route": once(unsent),
    "connect timeout": once(unsent),
    "connect timeout of the guard": once(unsent),
    "address refused by the guard": once(unsent),
    "certificate expired": once(unsent),
    "certificate of another host": once(unsent),
  },
  lost: {
    "reset, not done": once(lost(null)),
    "reset, not done, 2 times": times(2, lost(null)),
    "reset, not done, 3 times": times(3, lost(null)),
    "reset, not done, for hours": always(lost(null)),
    "reset, done": once(lost(0)),
    "reset, done, for hours": always(lost(0)),
    "reset, done 4 s later": once(lost(4)),
    "reset, done 60 s later": once(lost(60)),
    "reset, done 90 s later": once(lost(90)),
    "reset, done 10 min later": once(lost(600)),
    "no answer, not done": once(silence(null)),
    "no answer, not done, for hours": always(silence(null)),
    "answer after 5 s": once({ what: "a late yes", seconds: 5 }),
    "answer after 10 min": once({ what: "a late yes", seconds: 600 }),
    "drips for 5 s": once({ what: "a slow body", seconds: 5 }),
    "drips for 10 min": once({ what: "a slow body", seconds: 600 }),
  },
  unreadable: {
    "2xx cut in the middle": once({ what: "a broken body" }),
    "2xx empty": once(anotherYes(0)),
    "2xx empty, not done": once(anotherYes(null)),
    "2xx a page": once(anotherYes(0)),
    "2xx a page, not done": once(anotherYes(null)),
    "2xx a page, for hours": always(anotherYes(0)),
    "2xx another JSON": once(anotherYes(0)),
    "2xx another JSON, not done": once(anotherYes(null)),
    "2xx of 9 MiB": once({ what: "a broken body" }),
    "2xx without a body (204)": once(anotherYes(0)),
  },
  redirects: {
    ...notDoneAndDone("302", open),
    "308, not done": once(open(null)),
    "304, not done": once(open(null)),
  },
  serverErrors: {
    ...notDoneAndDone("500", internal),
    ...notDoneAndDone("501", open),
    ...notDoneAndDone("502", open),
    ...notDoneAndDone("503", open),
    ...notDoneAndDone("504", open),
    ...notDoneAndDone("520", open),
    ...notDoneAndDone("524", open),
    ...notDoneAndDone("500 in its own words", internal),
    ...notDoneAndDone("503 in its own words", open),
    "503, not done, for hours": always(open(null)),
  },
  undecided: {
    ...notDoneAndDone("408 in its own words", open),
    ...notDoneAndDone("409 in its own words", open),
    ...notDoneAndDone("423 in its own words", open),
    ...notDoneAndDone("425 in its own words", open),
    ...notDoneAndDone("499 in its own words", open),
  },
  knownWords: {
    "302 in known words, done": once(open(0)),
    "408 in known words, done": once(open(0)),
    "409 in known words, done": once(open(0)),
    "499 in known words, done": once(open(0)),
    "500 in known words, done": once(open(0)),
    "502 in known words, done": once(open(0)),
    "503 in known words, done": once(open(0)),
  },
  limited: {
    "429 until in 60 s": once(told(60)),
    "429 until in 20 min": once(told(1_200)),
    "429 until in 2 h": once(told(7_200)),
    "429 until the year 9999": once(told(250_000_000_000)),
    "429 until 10 min ago": once(told(-600)),
    "429 until 10 min ago, 4 times": times(4, told(-600)),
    "429, Retry-After: 60": once(header(60)),
    "429 a page, Retry-After: 60": once(header(60)),
    "429, Retry-After: a date in 60 s": once(header(60)),
    "429, end unknown": once(header(null)),
    "429, end unknown, for hours": always(header(null)),
  },
  refused: {
    "401 a page": once(page(401)),
    "403 a page": once(page(403)),
    "404 a page": once(page(404)),
    "400 empty": once(page(400)),
    "400 in other words": once(words(400)),
    "401 in other words": once(words(401)),
    "403 in other words": once(words(403)),
    "404 in other words": once(words(404)),
    "418 in other words": once(words(418)),
    "422 in other words": once(words(422)),
  },
  severalTroubles: {
    "reset, done; then 500": [lost(0), internal(null)],
    "reset, done; then 400": [lost(0), words(400)],
    "reset, done; then 401": [lost(0), words(401)],
    "reset, done; then 429": [lost(0), header(null)],
    "reset, done; then unreachable": [lost(0), unsent],
    "reset, not done; then 500": [lost(null), internal(null)],
    "reset, not done; then 400": [lost(null), words(400)],
    "reset, not done; then 401": [lost(null), words(401)],
    "reset, not done; then 429": [lost(null), header(null)],
    "reset, not done; then unreachable": [lost(null), unsent],
    "reset, done 60 s later; then 400": [lost(60), words(400)],
    "reset, done 60 s later; then 429": [lost(60), header(null)],
  },
};

const byName: ReadonlyMap<string, Row> = new Map(Object.values(commitRows).flatMap((rows) => Object.entries(rows)));

export function rowOf(name: string): Row {
  const row = byName.get(name);
  if (row === undefined) throw new Error(`no row is called "${name}"`);
  return row;
}

/** So many requests are lost, carried out or not. */
export function lostFirst(count: number, done: Done): Row {
  return times(count, lost(done));
}

/** The incident of the nth request, from 1. */
export function nthOf(row: Row, number: number): Incident {
  return row[Math.min(number, row.length) - 1] ?? well;
}

/** When the network carries out a request with this incident, seconds after it was made; null: never. */
export function doneAfter(incident: Incident): Done {
  if ("done" in incident) return incident.done;
  const { what } = incident;
  return what === "it never leaves" || what === "429" || what === "a refusal" ? null : 0;
}
