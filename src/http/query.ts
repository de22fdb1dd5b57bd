import * as z from "zod";
import { type JsonObject, unstorableText } from "../wire/json.ts";
import { invalid } from "./answer.ts";

/** How a parameter is written in a URL. */
export type ParameterKind = "integer" | "boolean" | "list" | "text";

/** A query parameter, as its schema says. */
export interface Parameter {
  name: string;
  kind: ParameterKind;
  /** As JSON Schema. */
  schema: JsonObject;
  description: string;
  isRequired: boolean;
}

/** JSON Schema takes so long to make that it is made once, of each query that is asked for. */
const known = new WeakMap<z.ZodObject, readonly Parameter[]>();

/** The parameters of a query, from the schema that parses it. */
export function parametersOf(query: z.ZodObject | null): readonly Parameter[] {
  if (query === null) return [];
  const parameters = known.get(query) ?? readParameters(query);
  known.set(query, parameters);
  return parameters;
}

function readParameters(query: z.ZodObject): Parameter[] {
  return Object.entries(query.shape).map(([name, field]) => {
    const json = z.toJSONSchema(field as z.ZodType, { io: "input", unrepresentable: "any" }) as JsonObject;
    const { $schema: _, description = "", ...schema } = json;
    const list = listBranch(schema);
    const kind =
      list !== null ? "list" : schema.type === "integer" ? "integer" : schema.type === "boolean" ? "boolean" : "text";
    const isRequired = !(field as z.ZodType).safeParse(undefined).success;
    return { name, kind, schema: list ?? schema, description: String(description), isRequired };
  });
}

/** What takes one value or several is written as a list with commas. */
function listBranch({ anyOf }: JsonObject): JsonObject | null {
  if (!Array.isArray(anyOf)) return null;
  const branch = (anyOf as JsonObject[]).find(({ type }) => type === "array");
  return branch ?? null;
}

/** More than Node takes in a request's head anyway; other hosts have no limit. */
const maxQueryCharacters = 16_384;

/**
 * A URL's query as the module takes it. Unknown names are left in, for the
 * schema to refuse by name.
 *
 * @throws HttpFailure for what the schema would not see: a single value given twice, a query too long to be meant
 */
export function readQuery(search: URLSearchParams, parameters: readonly Parameter[]): Record<string, unknown> {
  if (String(search).length > maxQueryCharacters) throw invalid("The query is too long.", "query");
  const query = new Map<string, unknown>();
  for (const [name, text] of search) {
    if (unstorableText.test(name + text)) throw invalid("This parameter cannot be read.", name);
    const kind = parameters.find((each) => each.name === name)?.kind ?? "text";
    const value = toValue(text, kind);
    const known = query.get(name);
    if (known !== undefined && kind !== "list") throw invalid("This parameter is given twice.", name);
    // Several values stand with commas or one by one: clients differ.
    query.set(name, known === undefined ? value : [known, value].flat());
  }
  return Object.fromEntries(query);
}

/** What is no number stays text, so that the schema refuses it with its own message. */
function toValue(text: string, kind: ParameterKind): unknown {
  if (kind === "integer") return /^-?\d{1,16}$/.test(text) ? Number(text) : text;
  if (kind === "boolean") return text === "true" ? true : text === "false" ? false : text;
  return kind === "list" ? text.split(",") : text;
}
