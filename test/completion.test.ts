import ts from "typescript";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { scenes } from "./networks/scenes.ts";
import { docsOf, inOneLine, typedPackage } from "./support/declarations.ts";

const names = scenes.map(({ network }) => network);

/** What a host writes, up to the place where its editor is asked. */
const host = `
import { createSocialService } from "postrider";
${names.map((name) => `import { ${name} } from "postrider/networks/${name}";`).join("\n")}
import { memoryStorage } from "postrider/storage/memory";
import type { z } from "zod";
const networks = [${names.map((name) => `${name}()`).join(", ")}];
const social = createSocialService({ storage: memoryStorage(), networks });
${names
  .map(
    (name) => `
export type ${name}Options = z.input<ReturnType<typeof ${name}>["options"]>;
export type ${name}Credentials = z.input<ReturnType<typeof ${name}>["connect"]["credentials"]>;
void social.posts.create({ profile_ids: ["prof_1"], text: "Hello", networks: { ${name}: { } } });`,
  )
  .join("\n")}
`;

const { service, hostPath, checker } = typedPackage(host);

/** A field by its path, and what is said of it. */
type Described = [path: string, description: string];

interface JsonSchema {
  description?: string;
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
}

function describedInSchema({ properties = {}, items, anyOf = [] }: JsonSchema, path = ""): Described[] {
  const own = Object.entries(properties).flatMap(([name, property]): Described[] => [
    [`${path}.${name}`, property.description ?? ""],
    ...describedInSchema(property, `${path}.${name}`),
  ]);
  const within = [...anyOf, ...(items === undefined ? [] : [items])];
  return [...own, ...within.flatMap((each) => describedInSchema(each, path))];
}

function describedInType(type: ts.Type, path = ""): Described[] {
  if (type.isUnion()) return type.types.flatMap((each) => describedInType(each, path));
  if (checker.isArrayType(type))
    return checker.getTypeArguments(type as ts.TypeReference).flatMap((each) => describedInType(each, path));
  if ((type.flags & ts.TypeFlags.Object) === 0) return [];
  return type.getProperties().flatMap((property): Described[] => {
    const here = `${path}.${property.name}`;
    return [[here, docsOf(property, checker)], ...describedInType(checker.getTypeOfSymbol(property), here)];
  });
}

function typeNamed(name: string): ts.Type {
  const statements = service.getProgram()?.getSourceFile(hostPath)?.statements ?? [];
  const found = statements.find((each) => ts.isTypeAliasDeclaration(each) && each.name.text === name);
  if (found === undefined) throw new Error(`the host has no type ${name}`);
  return checker.getTypeAtLocation(found);
}

function completionsFor(network: string): Described[] {
  const place = `{ ${network}: { `;
  const at = host.indexOf(place) + place.length;
  const entries = service.getCompletionsAtPosition(hostPath, at, {})?.entries ?? [];
  return entries.map(({ name, data }) => {
    const details = service.getCompletionEntryDetails(hostPath, at, name, {}, undefined, {}, data);
    return [name, inOneLine(ts.displayPartsToString(details?.documentation))];
  });
}

function sorted(described: readonly Described[]): Described[] {
  return described.toSorted(([a], [b]) => a.localeCompare(b));
}

it("the host compiles", () => {
  expect(service.getSemanticDiagnostics(hostPath).map(({ messageText }) => messageText)).toEqual([]);
});

describe.each(scenes.map(({ network, adapter }) => ({ network, adapter: adapter() })))(
  "an editor, at what $network takes",
  ({ network, adapter }) => {
    it.each([
      ["Options", adapter.options],
      ["Credentials", adapter.connect.credentials],
    ])("shows at each field the description that its schema has: %s", (kind, schema) => {
      const described = describedInSchema(z.toJSONSchema(schema, { io: "input" }) as JsonSchema);
      expect(described).not.toEqual([]);
      expect(sorted(describedInType(typeNamed(`${network}${kind}`)))).toEqual(sorted(described));
    });

    it("completes the options of a post, each with its description", () => {
      const { properties = {} } = z.toJSONSchema(adapter.options, { io: "input" }) as JsonSchema;
      const expected = Object.entries(properties).map(([name, { description = "" }]): Described => [name, description]);
      expect(completionsFor(network)).toEqual(expect.arrayContaining(expected));
    });
  },
);
