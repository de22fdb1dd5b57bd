import { connectionFailures } from "../../src/connections/schema.ts";
import { requestLimits } from "../../src/http/limits.ts";
import { routes } from "../../src/http/routes.ts";
import type { NetworkDescription } from "../../src/networks/runtime/schema.ts";
import { moves } from "../../src/posts/moves.ts";

/** What is made from the code, by the name between `<!-- name -->` and `<!-- /name -->` in a document. */
export function generatedTables(networks: readonly NetworkDescription[]): Record<string, string> {
  return {
    networks: networksTable(networks.filter(isPublishedOn)),
    "network-sections": networks.map(networkSection).join("\n\n"),
    endpoints: endpointsTable(),
    moves: movesTable(),
    "connection-errors": table(
      ["error", "what happened"],
      Object.entries(connectionFailures).map(([code, meaning]) => [`\`${code}\``, meaning]),
    ),
  };
}

function isPublishedOn({ post_types }: NetworkDescription): boolean {
  return post_types.length > 0;
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

/** Everything about one network that its spec and schemas tell. */
function networkSection(description: NetworkDescription): string {
  if (!isPublishedOn(description)) return inboxSection(description);
  const { name, media, title, link_card, options, credentials, choices } = description;
  const facts = [
    ["import from", `\`"postrider/networks/${description.network}"\``],
    ["text", textCell(description.text)],
    ["title", title === null ? "none" : `${number(title.max)} characters${title.required ? ", required" : ""}`],
    ["link", link_card === "field" ? "a card made from the field `link`" : "the network makes a card from the text"],
    ["thread", description.threads ? "yes" : "no"],
    ["media in a post", mediaCell(media)],
    ["alternative text", media.max_alt === undefined ? "" : `${number(media.max_alt)} characters`],
    ["all files of a post", media.max_total_bytes === undefined ? "" : megabytes(media.max_total_bytes)],
    ["when an answer is lost", description.duplicates.map((kind) => lostAnswer[kind] ?? kind).join(", ")],
    ["values that depend on the account", choices.map((option) => `\`${option}\``).join(", ")],
    ["API", apiCell(description)],
  ].filter(([, value]) => value !== "");
  return [
    `## ${name}`,
    table(["property", "value"], facts),
    `### ${name}: credentials`,
    table(["credential", "description"], credentialRows(credentials)),
    ...loginSection(description),
    `### ${name}: options`,
    `Keys of \`networks.${description.network}\`, in addition to those of every network.`,
    table(["option", "type", "description"], optionRows(options as JsonSchema)),
    `### ${name}: files`,
    table(["file", "limits", "notes"], media.types.map(fileRow)),
  ].join("\n\n");
}

/** Of a network that has an inbox and no posts. */
function inboxSection(description: NetworkDescription): string {
  const { name, network, text, duplicates, credentials, inbox } = description;
  const facts = [
    ["import from", `\`"postrider/networks/${network}"\``],
    ["use", "inbox only"],
    ...Object.entries(inbox).map(([kind, { may, why }]) => [kind, why === null ? may : `${may}: ${why}`]),
    ["reply", textCell(text)],
    ["when an answer is lost", duplicates.map((kind) => lostAnswer[kind] ?? kind).join(", ")],
    ["API", apiCell(description)],
  ];
  return [
    `## ${name}`,
    table(["property", "value"], facts),
    `### ${name}: credentials`,
    table(["credential", "description"], credentialRows(credentials)),
    ...loginSection(description),
  ].join("\n\n");
}

/** The fields that connecting in the browser takes; nothing where a network has no such way. */
function loginSection({ name, login }: NetworkDescription): string[] {
  if (login === null) return [];
  const rows = optionRows(login as JsonSchema);
  const fields = rows.length === 0 ? "No extra fields." : table(["field of `login`", "type", "description"], rows);
  const setup = `[Going real](going-real.md#${name.toLowerCase().replaceAll(" ", "-")}) has the app, its scopes and its callback address.`;
  return [`### ${name}: connecting in the browser`, setup, fields];
}

function apiCell({ api_version, sunset_at }: NetworkDescription): string {
  return sunset_at === null ? api_version : `${api_version}, until ${sunset_at}`;
}

function credentialRows(schema: unknown): string[][] {
  return alternativesOf(schema).flatMap(({ properties, required = [] }) =>
    Object.entries(properties).map(([key, { description = "" }]) => [
      `\`${key}\`${required.includes(key) ? "" : " (optional)"}`,
      description,
    ]),
  );
}

/** As much of JSON Schema as options use. */
interface JsonSchema {
  type?: string;
  description?: string;
  enum?: readonly string[];
  anyOf?: readonly JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: readonly string[];
  format?: string;
  minimum?: number;
  maximum?: number;
}

/** A row for each option, and for each field within one: `poll.options`, `captions[].url`. */
function optionRows({ properties = {}, required = [] }: JsonSchema, within = ""): string[][] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const name = `${within}${key}`;
    const must = required.includes(key) ? " (required)" : "";
    const row = [`\`${name}\`${must}`, valueCell(schema), schema.description ?? ""];
    const inner = schema.items?.properties === undefined ? schema : schema.items;
    return [row, ...optionRows(inner, inner === schema ? `${name}.` : `${name}[].`)];
  });
}

function valueCell({ type, enum: values, anyOf, items, format, minimum, maximum }: JsonSchema): string {
  if (anyOf !== undefined) return anyOf.map(valueCell).join(", or ");
  if (values !== undefined) return values.map((value) => `\`${value}\``).join(", ");
  if (type === "array") return `list of: ${valueCell(items ?? {})}`;
  if (type === "boolean") return "boolean";
  if (type === "null") return "null";
  if (type === "object") return "object";
  if (type === "string") return format === "uri" ? "URL" : "string";
  const range = minimum === undefined || maximum === undefined ? "" : `, ${number(minimum)} to ${number(maximum)}`;
  return `${type}${range}`;
}

type MediaRule = NetworkDescription["media"]["types"][number];

function fileRow({
  type,
  mime,
  max_bytes,
  max_seconds,
  max_pixels,
  max_short_side,
  action,
  moving,
}: MediaRule): string[] {
  const bounds = [
    megabytes(max_bytes),
    max_seconds === undefined ? "" : `${number(max_seconds)} s`,
    max_short_side === undefined ? "" : `shorter side ${number(max_short_side)} pixels`,
    max_pixels === undefined ? "" : `${number(max_pixels)} pixels`,
  ];
  const besides = [action, moving?.action === undefined ? undefined : `animated: ${moving.action}`];
  return [
    `${type}, \`${mime}\``,
    bounds.filter((bound) => bound !== "").join(", "),
    besides.filter(Boolean).join("; "),
  ];
}

/** Rounded down: what fits the number fits the network. */
function megabytes(bytes: number): string {
  return bytes < 10_000_000_000 ? `${Math.floor(bytes / 1_000_000)} MB` : `${Math.floor(bytes / 1_000_000_000)} GB`;
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

const unitWords: Record<string, string> = {
  graphemes: "characters",
  utf16: "UTF-16 units",
  utf8: "bytes",
  emoji_bytes: "characters, an emoji counts its bytes",
};

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
      return `${kind} ${megabytes(Math.min(...rules.map(({ max_bytes }) => max_bytes)))} (${formats})`;
    })
    .join("; ");
}

function number(value: number): string {
  return value.toLocaleString("en-US");
}

export function table(heading: readonly string[], rows: readonly string[][]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(heading), `|${"---|".repeat(heading.length)}`, ...rows.map(line)].join("\n");
}
