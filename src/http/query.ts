import * as z from "zod";
import { type JsonObject, unstorableText } from "../wire/json.ts";
import { invalid } from "./answer.ts";

/** The form of a parameter in a URL. */
export type ParameterKind = "integer" | "boolean" | "list" | "text";

/** A query parameter, derived from its schema. */
export interface Parameter {
  name: string;
  kind: ParameterKind;
  /** JSON Schema. */
  schema: JsonObject;
  description: string;
  isRequired: boolean;
}

/** Parameters by query. Creating JSON Schema is slow, so it happens once per query. */
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

/** The list branch of a schema that allows one value or several; a URL writes it as a list with commas. */
function listBranch({ anyOf }: JsonObject): JsonObject | null {
  if (!Array.isArray(anyOf)) return null;
  const branch = (anyOf as JsonObject[]).find(({ type }) => type === "array");
  return branch ?? null;
}

/** Maximum length of a query. Node limits a request's head to less; other hosts have no limit. */
const maxQueryCharacters = 16_384;

/**
 * Converts a URL's query to the module's input. Unknown names stay, so that the schema rejects them by name.
 *
 * @throws HttpFailure for problems that the schema would not see: a single value given twice, or a query that is too
 * long
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
    // Several values may be separated by commas or repeated: clients differ.
    query.set(name, known === undefined ? value : [known, value].flat());
  }
  return Object.fromEntries(query);
}

/** Text that is not of the kind stays text, so that the schema rejects it with its own message. */
function toValue(text: string, kind: ParameterKind): unknown {
  if (kind === "integer") return /^-?\d{1,16}$/.test(text) ? Number(text) : text;
  if (kind === "boolean") return text === "true" ? true : text === "false" ? false : text;
  return kind === "list" ? text.split(",") : text;
}
