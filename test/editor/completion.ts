import ts from "typescript";
import { describe, expect, it } from "vitest";
import { sceneOf, scenes } from "../networks/scenes.ts";
import { type Described, describedInSchema, describedInType } from "./described.ts";
import { inOneLine, typedPackage } from "./typed-package.ts";

const names = scenes.map(({ network }) => network);

function demandsOptions(network: string): boolean {
  const options = sceneOf(network).adapter().options;
  return !options.safeParse({}).success;
}

/** A host's code, up to the cursor of its editor. */
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
${demandsOptions(name) ? "// @ts-expect-error an option is missing, as an editor says at once" : ""}
void social.posts.create({ profile_ids: ["prof_1"], text: "Hello", networks: { ${name}: { } } });`,
  )
  .join("\n")}
`;

const { service, hostPath, checker, typeNamed } = typedPackage(host);

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

it("the host's code compiles", () => {
  expect(service.getSemanticDiagnostics(hostPath).map(({ messageText }) => messageText)).toEqual([]);
});

describe.each(scenes.map(({ network, adapter }) => ({ network, adapter: adapter() })))(
  "an editor, at the types of $network",
  ({ network, adapter }) => {
    it.each([
      ["Options", adapter.options],
      ["Credentials", adapter.connect.credentials],
    ])("shows at each field its schema's description: %s", (kind, schema) => {
      const described = describedInSchema(schema, "input");
      expect(described).not.toEqual([]);
      expect(sorted(describedInType(typeNamed(`${network}${kind}`), checker))).toEqual(sorted(described));
    });

    it("completes the options of a post, each with its description", () => {
      const expected = describedInSchema(adapter.options, "input").flatMap(([path, description]): Described[] =>
        path.lastIndexOf(".") === 0 ? [[path.slice(1), description]] : [],
      );
      expect(completionsFor(network)).toEqual(expect.arrayContaining(expected));
    });
  },
);
