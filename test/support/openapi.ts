import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Ajv, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";

/** Checks single bodies against a network's own OpenAPI document. Each method returns one line a finding; none: it fits. */
export interface OpenApiChecker {
  /** A JSON request body. `path` is concrete: `/api/v1/statuses/1`. */
  request(method: string, path: string, body: unknown): string[];
  /** A JSON answer; `undefined` for an answer without a body, of which only the status is checked. */
  reply(method: string, path: string, status: number, body: unknown): string[];
}

export interface OpenApiOptions {
  /** Corrects what is wrong in the document, before anything is compiled. */
  amend?: (document: OpenApiDocument) => void;
}

export interface OpenApiDocument {
  openapi: string;
  paths: Record<string, Record<string, Node>>;
  components: Node;
}

export interface Node {
  [key: string]: unknown;
}

/** Where the contracts lie; null, with the reason, when they are not there. */
export function contractFile(name: string): { file: string } | { skip: string } {
  const folder = resolve(process.env.POSTRIDER_CONTRACTS ?? "../shared/contracts");
  const file = resolve(folder, name);
  return existsSync(file) ? { file } : { skip: `${name} is not in ${folder}; set POSTRIDER_CONTRACTS` };
}

export function openApiChecker(file: string, options: OpenApiOptions = {}): OpenApiChecker {
  const document = readDocument(file);
  options.amend?.(document);
  return checkerOf(document);
}

/** As `openApiChecker`, for a document at hand. */
export function checkerOf(document: OpenApiDocument): OpenApiChecker {
  const isNew = document.openapi.startsWith("3.1");
  const ajv = new (isNew ? Ajv2020 : Ajv)({ strict: false, allErrors: true, logger: false, validateFormats: true });
  formats.default(ajv as Ajv);
  ajv.addSchema(document, contractId);
  const compiled = new Map<string, ValidateFunction>();

  function check(holder: readonly string[], value: unknown, side: string): string[] {
    const place = resolveReference(document, holder);
    const content = (nodeAt(document, place)?.content ?? {}) as Node;
    const media = Object.keys(content).find((type) => type.startsWith("application/json"));
    if (media === undefined) return value === undefined ? [] : [`no JSON ${side} is documented`];
    if (value === undefined) return [];
    const pointer = [...place, "content", media, "schema"].map(escapePointer).join("/");
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `${contractId}#/${pointer}` });
    compiled.set(pointer, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath || "/"} ${message} ${JSON.stringify(params)}`,
    );
  }

  function operationAt(method: string, path: string): string[] | null {
    const template = findTemplate(Object.keys(document.paths), path);
    const verb = method.toLowerCase();
    return template !== undefined && document.paths[template]?.[verb] ? ["paths", template, verb] : null;
  }

  return {
    request(method, path, body) {
      const place = operationAt(method, path);
      if (place === null) return [`no operation ${method} ${path}`];
      if (nodeAt(document, [...place, "requestBody"]) === undefined)
        return body === undefined ? [] : ["no request body is documented"];
      return check([...place, "requestBody"], body, "request");
    },
    reply(method, path, status, body) {
      const place = operationAt(method, path);
      if (place === null) return [`no operation ${method} ${path}`];
      const responses = nodeAt(document, [...place, "responses"]) ?? {};
      const range = `${Math.floor(status / 100)}XX`;
      const key = [String(status), range, range.toLowerCase(), "default"].find((each) => each in responses);
      if (key === undefined) return [`status ${status} is not documented`];
      return check([...place, "responses", key], body, "reply");
    },
  };
}

const contractId = "http://contract/";

function readDocument(file: string): OpenApiDocument {
  const document = JSON.parse(readFileSync(file, "utf8")) as OpenApiDocument;
  return document.openapi.startsWith("3.1") ? document : (fromOpenApi30(document) as OpenApiDocument);
}

/** A 3.0 schema in JSON Schema's terms: `nullable` and boolean exclusive bounds are OpenAPI's own. */
function fromOpenApi30(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(fromOpenApi30);
  if (node === null || typeof node !== "object") return node;
  const out: Node = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, fromOpenApi30(value)]));
  if (out.nullable === true) {
    delete out.nullable;
    if (typeof out.type === "string") out.type = [out.type, "null"];
    if (Array.isArray(out.enum) && !out.enum.includes(null)) out.enum.push(null);
  }
  for (const [flag, bound] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    if (out[flag] === true) {
      out[flag] = out[bound];
      delete out[bound];
    } else if (out[flag] === false) delete out[flag];
  }
  return out;
}

/** The document's path that a concrete one is an instance of; with the fewest placeholders, when several are. */
function findTemplate(templates: readonly string[], path: string): string | undefined {
  const wanted = path.split("/");
  const placeholders = (template: string): number => template.split("{").length;
  return templates
    .filter((template) => {
      const steps = template.split("/");
      return steps.length === wanted.length && steps.every((step, index) => fitsStep(step, wanted[index] ?? ""));
    })
    .sort((a, b) => placeholders(a) - placeholders(b))[0];
}

function fitsStep(step: string, wanted: string): boolean {
  if (!step.includes("{")) return step === wanted;
  const [before = "", after = ""] = step.split(/\{[^}]+\}/);
  return wanted.length > before.length + after.length && wanted.startsWith(before) && wanted.endsWith(after);
}

function resolveReference(document: OpenApiDocument, place: readonly string[]): readonly string[] {
  const reference = nodeAt(document, place)?.$ref;
  return typeof reference === "string" ? reference.slice(2).split("/").map(unescapePointer) : place;
}

function nodeAt(document: OpenApiDocument, place: readonly string[]): Node | undefined {
  return place.reduce<unknown>((node, key) => (node as Node | undefined)?.[key], document) as Node | undefined;
}

function escapePointer(step: string): string {
  return encodeURIComponent(step.replace(/~/g, "~0").replace(/\//g, "~1"));
}

function unescapePointer(step: string): string {
  return decodeURIComponent(step).replace(/~1/g, "/").replace(/~0/g, "~");
}
