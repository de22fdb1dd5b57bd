import type { AccountRules, CommitTable, Exception, NetworkOutcomes, TableName } from "./account-rules.ts";
import { betweenReplaysSeconds, follow, type Outcome } from "./commit.ts";
import { furtherRows } from "./further-rows.ts";
import { commitRows, lostFirst, type Row, rowOf } from "./rows.ts";
import { cellOfConfirm, cellOfUpload } from "./uploads.ts";

/**
 * One cell of a table: an account, an incident, and the outcome. The outcome
 * says how the post's target ends, and four numbers:
 *
 *     published 2 1 5 1
 *               │ │ │ └ posts on the network in the end
 *               │ │ └── seconds until the target settled
 *               │ └──── requests that looked for the post
 *               └────── number of publishing requests
 *
 * `timeout` means that it may be live, `network_error` that it is known not
 * to be.
 *
 * By hand, for `reset, not done` with a hard end and a settle window of 30 s
 * each and looks a minute apart: the request may take 5 s to leave, so the
 * looks are at 5 + 30 + 30 = 65 and at 125 s; the post is absent, and is sent
 * again 5 s later: `published 2 2 130 1`.
 */
export interface ExpectedCell {
  table: TableName;
  row: string;
  account: string;
  expected: string;
}

/** All cells of a network that apply. */
export function cellsOfNetwork(outcomes: NetworkOutcomes): ExpectedCell[] {
  return derivedCells(outcomes).flatMap((cell) => {
    const said = outcomes.exceptions?.find((exception) => isOf(exception, cell));
    const expected = said === undefined ? cell.expected : said.cells[cell.row];
    return typeof expected === "string" ? [{ ...cell, expected }] : [];
  });
}

export function isOf({ table, accounts, cells }: Exception, cell: ExpectedCell): boolean {
  return table === cell.table && Object.hasOwn(cells, cell.row) && (accounts?.includes(cell.account) ?? true);
}

/** The outcomes by the rules, without the exceptions. */
export function derivedCells({ accounts, titled = {}, confirm }: NetworkOutcomes): ExpectedCell[] {
  const commitTables = Object.keys(commitRows) as CommitTable[];
  return [
    ...commitTables.flatMap((table) => cellsOf(table, accounts, afterCommit)),
    ...cellsOf("withPicture", accounts, withPicture),
    ...cellsOf("withTitle", titled, afterCommit),
    ...cellsOf("inThread", accounts, inThread),
    ...cellsOf("stage", accounts, (rules, row) => rules.upload && cellOfUpload(rules, rules.upload, rowOf(row))),
    ...cellsOf(
      "confirm",
      confirm?.accounts ?? accounts,
      (rules, row) => confirm && cellOfConfirm(rules, confirm.request, rowOf(row)),
    ),
    ...cellsOf("locateDone", accounts, (rules, row) => afterLook(rules, { done: 0, looks: rowOf(row) })),
    ...cellsOf("locateNotDone", accounts, (rules, row) => afterLook(rules, { done: null, looks: rowOf(row) })),
    ...cellsOf("shownLate", accounts, (rules, row) => afterLook(rules, { done: 0, shownAfterSeconds: secondsIn(row) })),
    ...cellsOf("shownAfterAnother", accounts, shownAfterAnother),
  ];
}

/** The outcome of a cell; undefined: it does not apply. */
type CellOf = (rules: AccountRules, row: string) => string | undefined;

function cellsOf(table: TableName, accounts: NetworkOutcomes["accounts"], cellOf: CellOf): ExpectedCell[] {
  const rows =
    table in commitRows
      ? Object.keys(commitRows[table as CommitTable])
      : furtherRows[table as keyof typeof furtherRows];
  return rows.flatMap((row) =>
    Object.entries(accounts).flatMap(([account, rules]) => {
      const expected = cellOf(rules, row);
      return expected === undefined ? [] : [{ table, row, account, expected }];
    }),
  );
}

function inCell({ ends, sent, looked, seconds, there }: Outcome): string {
  return [ends, sent, looked, seconds, there].join(" ");
}

/** No guarantee covers a request that the network carries out after all waits, where it made a second post. */
function afterCommit(rules: AccountRules, row: string): string | undefined {
  const outcome = follow(rules, { commits: rowOf(row) });
  return outcome.there > 1 && row === "reset, done 10 min later" ? undefined : inCell(outcome);
}

function withPicture(rules: AccountRules, row: string): string | undefined {
  if (rules.settleWithPictureSeconds === undefined) return undefined;
  return inCell(follow(rules, { commits: rowOf(row), hasPicture: true }));
}

/** The parts of the tested thread. */
const parts = 3;

function inThread(rules: AccountRules, row: string): string | undefined {
  if (rules.thread === undefined) return undefined;
  const isTogether = rules.thread === "in one request";
  const outcome = follow(isTogether ? { ...rules, requestsToFind: parts } : rules, { commits: rowOf(row) });
  const there = outcome.ends === "published" ? parts : isTogether ? 0 : 1;
  // The first part, and the third if it is reached.
  const others = isTogether ? 0 : there === parts ? 2 : 1;
  return inCell({ ...outcome, sent: outcome.sent + others, there });
}

/** Loses the response, and those of the repetitions that come before a look. */
function afterLook(
  rules: AccountRules,
  { done, ...looking }: { done: 0 | null; looks?: Row; shownAfterSeconds?: number },
): string | undefined {
  if (rules.foundBy === "nothing") return undefined;
  const replays = rules.replaySeconds === undefined ? 0 : 1 + rules.replaySeconds / betweenReplaysSeconds;
  return inCell(follow(rules, { commits: lostFirst(1 + replays, done), ...looking }));
}

/** True: a look can miss the post; the state of a key or an upload is certain. */
function shownAfterAnother(rules: AccountRules, row: string): string | undefined {
  const canBeOverlooked = rules.foundBy === "list" || rules.foundBy === "container";
  if (!canBeOverlooked || rules.replaySeconds !== undefined) return undefined;
  const commits: Row = [...lostFirst(1, 0).slice(0, 1), ...lostFirst(1, null)];
  return inCell(follow(rules, { commits, shownAfterSeconds: secondsIn(row) }));
}

function secondsIn(row: string): number {
  return Number.parseInt(row, 10);
}
