import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const contracts = resolve(import.meta.dirname, "../..", process.env.POSTRIDER_CONTRACTS ?? "../shared/contracts");

/** The folder of twitter-text's conformance files (https://github.com/twitter/twitter-text/tree/master/conformance). */
const folder = join(contracts, "twitter-text");

/** Why conformance tests cannot run; null if they can. */
export const missingConformance: string | null = existsSync(folder) ? null : `no contracts at ${folder}`;

export interface ConformanceCase {
  description: string;
  text: string;
  /** The rest of the case, in its source form. */
  expected: string;
}

/** The cases of one section. Reads only the YAML that these files use; none if the files are absent. */
export function conformanceCases(file: string, section: string): ConformanceCase[] {
  if (missingConformance !== null) return [];
  const lines = readFileSync(join(folder, file), "utf8")
    .split("\n")
    .filter((line) => !/^\s*#/.test(line));
  const start = lines.indexOf(`  ${section}:`);
  const length = lines.slice(start + 1).findIndex((line) => /^ {2}\w/.test(line));
  const body = lines.slice(start + 1, length === -1 ? undefined : start + 1 + length).join("\n");
  return body
    .split(/^ {4}- /m)
    .slice(1)
    .map((entry) => ({
      description: quoted(/description: (".*")/.exec(entry)?.[1]),
      text: quoted(/^ {6}text: (".*")$/m.exec(entry)?.[1]),
      expected: unescapeWide(entry.slice(entry.indexOf("expected:") + "expected:".length)),
    }));
}

function quoted(value: string | undefined): string {
  return value === undefined ? "" : String(JSON.parse(unescapeWide(value)));
}

/** JSON has no `\U0001F431`. */
function unescapeWide(value: string): string {
  return value.replace(/\\U([0-9a-fA-F]{8})/g, (_, digits: string) =>
    String.fromCodePoint(Number.parseInt(digits, 16)),
  );
}
