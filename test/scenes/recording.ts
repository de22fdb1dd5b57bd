import { createHash } from "node:crypto";
import type { Operation } from "../../src/storage/storage.ts";
import { createNames, type Names } from "./names.ts";

/**
 * What happens in a scene, line by line. Lines are kept by lane (a profile, an
 * endpoint, the caller): inside a lane their order says something, between two
 * lanes it is chance.
 */
export interface Recording {
  /** Words as they are; anything else as `shown`. */
  add(lane: string, ...parts: readonly unknown[]): void;
  write(lane: string, operations: readonly Operation[]): void;
  /** Everything, lane by lane. */
  text(): string;
  /** Lane → a digest of its lines. */
  digests(): Record<string, string>;
}

export function createRecording(now: () => number): Recording {
  const lanes = new Map<string, string[]>();
  const names = createNames();

  function add(lane: string, line: string): void {
    const lines = lanes.get(lane) ?? [];
    lanes.set(lane, lines);
    lines.push(`${(now() / 1_000).toFixed(3).padStart(9)} ${line}`);
  }

  function wordsOf(part: unknown): string {
    return typeof part === "string" ? names.applied(part) : shown(part, names);
  }

  function operationLine(operation: Operation): string {
    const { kind, collection } = operation;
    if (kind === "insert") return `          ${kind} ${collection} ${wordsOf(operation.row)}`;
    const change = kind === "update" ? ` ${wordsOf(operation.change)}` : "";
    const where = kind === "delete" ? "" : ` where ${wordsOf(operation.where)}`;
    return `          ${kind} ${collection} ${wordsOf(operation.id)}${change}${where}`;
  }

  function sorted(): [string, string[]][] {
    const byName = [...lanes].sort(([some], [other]) => (some < other ? -1 : 1));
    return byName.map(([lane, lines]) => [lane, inOrder(lane, lines)]);
  }

  return {
    add: (lane, ...parts) => add(lane, parts.map(wordsOf).join(" ")),
    write(lane, operations) {
      names.learn(operations);
      add(lane, ["write", ...operations.map(operationLine)].join("\n"));
    },
    text: () =>
      sorted()
        .map(([lane, lines]) => [`## ${lane}`, ...lines, ""].join("\n"))
        .join("\n"),
    digests: () =>
      Object.fromEntries(sorted().map(([lane, lines]) => [lane, `${lines.length} ${digest(lines.join("\n"))}`])),
  };
}

/** Where things go on side by side, those of one moment come in any order. */
const unordered = /^(?:endpoint|claims|left in)/;

function inOrder(lane: string, lines: string[]): string[] {
  return unordered.test(lane) ? [...lines].sort() : lines;
}

const maxTextLength = 60;
const maxPartLength = 160;

/** A value with its keys in order: secrets left out, what is long cut and told apart by a digest. */
function shown(value: unknown, names: Names, depth = 0): string {
  if (typeof value === "string") return JSON.stringify(shortened(withoutSecrets(names.applied(value)), maxTextLength));
  if (typeof value !== "object" || value === null) return String(value);
  const parts = Array.isArray(value)
    ? value.map((item) => shown(item, names, depth + 1))
    : Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .sort(([some], [other]) => (some < other ? -1 : 1))
        .map(([key, item]) => `${key}: ${shown(item, names, depth + 1)}`);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const whole = `${open}${parts.join(", ")}${close}`;
  return depth === 0 ? whole : shortened(whole, maxPartLength);
}

function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…${digest(text)}`;
}

/** Sealed values, secrets of endpoints and tokens differ with every random byte. */
function withoutSecrets(text: string): string {
  return text
    .replace(/^v1\.[\w-]+\.[\w-]+\.[\w-]+$/, "(sealed)")
    .replace(/whsec_[\w-]+/g, "(secret)")
    .replace(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, "(token)");
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}
