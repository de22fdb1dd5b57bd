import type { Asked } from "./recorder.ts";

/** What a plan of SQLite says in one step. */
const search = /^SEARCH (?:postrider_)?(\w+) USING .*?\((.*)\)$/;
const scan = /^SCAN postrider_\w+/;

/** Columns of which one value has the rows of one owner, or of one thing. */
const ownColumns =
  /\b(?:id|account_id|profile_id|post_id|media_id|webhook_id|conversation_id|inbox_id|subject_id|grant_id|hash|state_hash|external_id|external_account_id|key|post_id)=\?/;
/** Columns of which one value has few rows. */
const narrowColumns =
  /\b(?:id|post_id|media_id|subject_id|grant_id|about|key|state_hash|hash|external_id|derivation)=\?/;
/** What sweeps look for, in all accounts, a turn at a time. */
const sweepColumns = /\b(?:due_at|lease_until|created_at|sent_at|app_id)\b/;

/** What reads a collection whole, or sorts more than it shows, and why it may: collection, columns asked for, reason. */
const onPurpose: readonly (readonly [collection: string, columns: string, why: string])[] = [
  ["apps", "", "the host's own, a few"],
  ["keys", "", "the host lists the keys of all accounts"],
  ["profiles", "status", "a start tries the credentials of a few, the first due and the last"],
  ["profiles", "lease_until", "a clock that was wrong: what is leased for too long is little"],
  ["inboxes", "lease_until", "the same"],
  ["endpoints", "lease_until", "the same"],
  ["endpoints", "", "the same: all that waits is looked at anew"],
  ["profiles", "due_at", "the same"],
  ["targets", "due_at", "a store that was restored from a backup, once"],
  ["deletions", "status", "what networks have asked for and is not done is little"],
  ["connections", "due_at", "logins that nobody has finished, of an hour"],
  ["profiles", "id,network,status", "all profiles, page by page, get their inboxes"],
  ["profiles", "", "where posts end, the accounts are found by all profiles, page by page"],
  ["profiles", "id", "the same"],
  ["endpoints", "account_id,id", "an account is erased"],
  ["profiles", "account_id,id", "an account is erased"],
  ["connections", "account_id", "an account is erased"],
  ["media", "account_id,status", "an account is erased"],
];

/** True for a question that may read more than it finds. */
export function isOnPurpose(asked: Asked): boolean {
  if (asked.call !== "find") return false;
  const columns = Object.keys(asked.query.where).sort().join();
  const isNothing = Object.values(asked.query.where).some(
    (condition) => typeof condition === "object" && condition?.in?.length === 0,
  );
  return isNothing || onPurpose.some(([collection, named]) => collection === asked.collection && named === columns);
}

/** What is wrong with a plan of SQLite; empty: nothing. */
export function faultsOnSqlite(steps: readonly string[], asked: Asked): string[] {
  const reads = steps.flatMap((step) => search.exec(step)?.[2] ?? []);
  // Without a limit all that is sorted is shown.
  const isCut = asked.call !== "find" || asked.query.limit !== undefined;
  const sorts = steps.filter((step) => /TEMP B-TREE FOR ORDER BY/.test(step));
  const areFew = reads.every((columns) => narrowColumns.test(columns));
  // Sorted last: the rows of a page, found by their ids; and the first end of a post's claim, which is one row.
  const pageSorts = asked.call === "nextDueAt" || narrowColumns.test(reads[0] ?? "") ? 1 : 0;
  return [
    ...steps.filter((step) => scan.test(step)),
    ...reads.filter((columns) => !ownColumns.test(columns) && !sweepColumns.test(columns)),
    ...(areFew || !isCut ? [] : sorts.slice(0, sorts.length - pageSorts)),
  ];
}

/** A node of a plan of Postgres that was carried out. */
export interface PlanNode {
  "Node Type": string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Index Cond"?: string;
  Plans?: PlanNode[];
}

/** Rows that a page with many parts may read besides those that it shows. */
const spareRows = 2_500;

/** What is wrong with a plan that was carried out: more was read, or sorted, than it has found and a few rows. */
export function faultsOnPostgres(root: PlanNode, foundRows: number): string[] {
  const allowed = 2 * foundRows + spareRows;
  const nodes = allNodes(root);
  const scans = nodes.filter((node) => node["Relation Name"] !== undefined && !isOwnIndex(node));
  const sorts = nodes.filter((node) => node["Node Type"] === "Sort");
  return [
    ...scans.filter((node) => rowsReadBy(node) > allowed).map((node) => describe(node, "read")),
    ...sorts
      .filter((node) => (node.Plans ?? []).some((input) => rowsReadBy(input) > allowed))
      .map((node) => describe(node, "sorted")),
  ];
}

/** An account's part of an index that holds all that is asked, without the rows. */
function isOwnIndex(node: PlanNode): boolean {
  return node["Node Type"] === "Index Only Scan" && /^\(+account_id = /.test(node["Index Cond"] ?? "");
}

function rowsReadBy(node: PlanNode): number {
  return (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"];
}

function describe(node: PlanNode, what: string): string {
  return `${rowsReadBy(node)} rows ${what}: ${node["Node Type"]} ${node["Index Name"] ?? node["Relation Name"] ?? ""}`;
}

function allNodes(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(allNodes)];
}
