import { requestLimits } from "../../src/http/limits.ts";
import { routes } from "../../src/http/routes.ts";
import type { NetworkDescription } from "../../src/networks/runtime/registry.ts";
import { moves } from "../../src/posts/moves.ts";

/** The TypeScript blocks, in order. */
export function blocksOf(readme: string): string[] {
  return [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block = ""]) => block);
}

/** The readme with what is made from the code made anew, between `<!-- name -->` and `<!-- /name -->`. */
export function regenerated(readme: string, networks: readonly NetworkDescription[]): string {
  const tables = {
    networks: networksTable(networks),
    credentials: credentialsTable(networks),
    endpoints: endpointsTable(),
    moves: movesTable(),
  };
  return Object.entries(tables).reduce((text, [name, content]) => replaced(text, name, content), readme);
}

function replaced(readme: string, name: string, content: string): string {
  const place = new RegExp(`(?<=<!-- ${name} -->\n).*?(?=<!-- /${name} -->)`, "s");
  if (!place.test(readme)) throw new Error(`README.md has no place for ${name}.`);
  return readme.replace(place, () => `${content}\n`);
}

function endpointsTable(): string {
  return table(
    ["endpoint", "what it does", "scope", "requests a minute"],
    routes.map(({ method, path, summary, scope, bucket, publishes }) => [
      `\`${method} ${path}\``,
      summary,
      `\`${scope}\``,
      `${requestLimits[bucket]} (${bucket})${publishes === undefined ? "" : `, ${requestLimits.publish} where it publishes`}`,
    ]),
  );
}

function movesTable(): string {
  const cell = (statuses: readonly (string | null)[]): string =>
    statuses.map((status) => (status === null ? "" : `\`${status}\``)).join(", ");
  return table(
    ["move", "from", "to", "when"],
    moves.map(({ move, from, to, when }) => [`\`${move}\``, cell(from), cell(to), when]),
  );
}

function networksTable(networks: readonly NetworkDescription[]): string {
  return table(
    ["network", "text", "threads", "media in a post", "files", "when an answer is lost", "API"],
    networks.map(({ name, text, threads, media, duplicates, api_version }) => [
      name,
      textCell(text),
      threads ? "yes" : "no",
      mediaCell(media),
      filesCell(media),
      duplicates.map((kind) => lostAnswer[kind] ?? kind).join(", "),
      api_version,
    ]),
  );
}

function credentialsTable(networks: readonly NetworkDescription[]): string {
  const rows = networks.flatMap(({ name, credentials }) =>
    alternativesOf(credentials).flatMap(({ properties, required = [] }) =>
      Object.entries(properties).map(([key, { description = "" }]) => [
        name,
        `\`${key}\`${required.includes(key) ? "" : " (optional)"}`,
        description,
      ]),
    ),
  );
  return table(["network", "credential", "what it is"], rows);
}

interface CredentialsSchema {
  properties: Record<string, { description?: string }>;
  required?: string[];
}

function alternativesOf(schema: unknown): CredentialsSchema[] {
  const { anyOf } = schema as { anyOf?: CredentialsSchema[] };
  return anyOf ?? [schema as CredentialsSchema];
}

const lostAnswer: Record<string, string> = { keyed: "keyed", located: "read back", may_be_live: "may be live" };

const unitWords: Record<string, string> = { graphemes: "characters", utf16: "UTF-16 units", utf8: "bytes" };

function textCell({ max, unit, max_bytes, url_length }: NetworkDescription["text"]): string {
  const bytes = max_bytes === null ? "" : `, ${number(max_bytes)} bytes`;
  const links = url_length === null ? "" : `, a link counts ${url_length}`;
  return `${number(max)} ${unitWords[unit] ?? unit}${bytes}${links}`;
}

function mediaCell({ max_items, max_of_type = {}, mixing }: NetworkDescription["media"]): string {
  const fewer = Object.entries(max_of_type).map(([type, count]) => `${count} ${type}`);
  const mixed = mixing === "any" ? "mixed" : "of one type";
  return [`up to ${max_items}, ${mixed}`, ...fewer].join("; ");
}

/** Each kind of file with its formats and the size that all of them may have. */
function filesCell({ types }: NetworkDescription["media"]): string {
  const kinds = [...new Set(types.map(({ type }) => type))];
  return kinds
    .map((kind) => {
      const rules = types.filter(({ type }) => type === kind);
      const formats = rules.map(({ mime }) => mime.slice(mime.indexOf("/") + 1)).join(", ");
      const megabytes = Math.floor(Math.min(...rules.map(({ max_bytes }) => max_bytes)) / 1_000_000);
      return `${kind} ${megabytes} MB (${formats})`;
    })
    .join("; ");
}

function number(value: number): string {
  return value.toLocaleString("en-US");
}

function table(heading: readonly string[], rows: readonly string[][]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(heading), `|${"---|".repeat(heading.length)}`, ...rows.map(line)].join("\n");
}
