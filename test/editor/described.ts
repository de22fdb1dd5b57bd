import ts from "typescript";
import { z } from "zod";
import { docsOf } from "./typed-package.ts";

/** A field by its path, and its description. */
export type Described = [path: string, description: string];

interface JsonSchema {
  description?: string;
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  /** The schema itself, if it has a name. */
  $defs?: Record<string, JsonSchema>;
}

/** The descriptions in a schema of its fields, at any depth. */
export function describedInSchema(schema: z.ZodType, io: "input" | "output"): Described[] {
  const { $defs = {}, ...root } = z.toJSONSchema(schema, { io }) as JsonSchema;
  const [named = root] = Object.values($defs);
  return describedInJson(named, "");
}

function describedInJson({ properties = {}, items, anyOf = [] }: JsonSchema, path: string): Described[] {
  const own = Object.entries(properties).flatMap(([name, property]): Described[] => [
    [`${path}.${name}`, property.description ?? ""],
    ...describedInJson(property, `${path}.${name}`),
  ]);
  const within = [...anyOf, ...(items === undefined ? [] : [items])];
  return [...own, ...within.flatMap((each) => describedInJson(each, path))];
}

/**
 * The comments that an editor shows at the fields of a type, at any depth. Skips types that other
 * packages declare.
 */
export function describedInType(type: ts.Type, checker: ts.TypeChecker, path = ""): Described[] {
  return [...fieldsOf(type, { checker, seen: new Set() }, path)];
}

interface Walk {
  checker: ts.TypeChecker;
  /** The types around this one: some contain themselves. */
  seen: ReadonlySet<ts.Type>;
}

function* fieldsOf(type: ts.Type, { checker, seen }: Walk, path: string): Generator<Described> {
  if (seen.has(type)) return;
  const walk: Walk = { checker, seen: new Set([...seen, type]) };
  if (type.isUnion()) for (const each of type.types) yield* fieldsOf(each, walk, path);
  if (!isObject(type)) return;
  for (const each of checker.getTypeArguments(type as ts.TypeReference)) yield* fieldsOf(each, walk, path);
  for (const call of type.getCallSignatures()) yield* fieldsOfCall(call, walk, path);
  for (const property of type.getProperties()) {
    if (isOfOthers(property)) continue;
    const here = `${path}.${property.name}`;
    // Keys of a record have no declaration.
    if (property.declarations !== undefined) yield [here, docsOf(property, checker)];
    yield* fieldsOf(checker.getTypeOfSymbol(property), walk, here);
  }
}

function* fieldsOfCall(call: ts.Signature, walk: Walk, path: string): Generator<Described> {
  for (const parameter of call.getParameters()) {
    yield* fieldsOf(walk.checker.getTypeOfSymbol(parameter), walk, `${path}(${parameter.name})`);
  }
  yield* fieldsOf(call.getReturnType(), walk, `${path}()`);
}

function isObject(type: ts.Type): boolean {
  return type.isIntersection() || (type.flags & ts.TypeFlags.Object) !== 0;
}

function isOfOthers({ declarations = [] }: ts.Symbol): boolean {
  return (
    declarations.length > 0 && declarations.every((each) => /\/node_modules\//.test(each.getSourceFile().fileName))
  );
}
