import { expect, it } from "vitest";
import { openApiDocument } from "../../src/http/openapi/document.ts";

/** The part of Spectral that is used here; its own types are installed only with `npm run test:real`. */
interface Spectral {
  setRuleset(ruleset: object): void;
  run(document: object): Promise<{ code: string | number; path: (string | number)[]; message: string }[]>;
}

const load = (name: string): Promise<unknown> => import(name);

/** Every rule of OpenAPI, recommended or not. Only the host knows a contact's address. */
async function lint(document: object): Promise<string[]> {
  const { Spectral } = (await load("@stoplight/spectral-core")) as { Spectral: new () => Spectral };
  const { oas } = (await load("@stoplight/spectral-rulesets")) as { oas: object };
  const spectral = new Spectral();
  spectral.setRuleset({ extends: [[oas, "all"]], rules: { "contact-properties": "off" } });
  const findings = await spectral.run(JSON.parse(JSON.stringify(document)));
  return findings.map(({ code, path, message }) => `${code} ${path.join("/")}: ${message}`);
}

it("Spectral accepts the document", async () => {
  expect(await lint(openApiDocument({ basePath: "/social" }))).toEqual([]);
});

it("Spectral would reject the document with a wrong example, a dangling pointer, or an unknown field", async () => {
  const { paths, ...rest } = openApiDocument({ basePath: "" });
  const content = { "application/json": { schema: { type: "integer" }, example: "one" } };
  const responses = { 200: { description: "No.", content }, 404: { $ref: "#/components/responses/Nothing" } };
  const get = { ...(paths as Record<string, { get: object }>)["/v1/networks"]?.get, responses, sumary: "No." };
  const findings = await lint({ ...rest, paths: { "/v1/networks": { get } } });
  const codes = new Set(findings.map((finding) => finding.split(" ")[0]));
  expect([...codes]).toEqual(expect.arrayContaining(["oas3-valid-media-example", "invalid-ref", "oas3-schema"]));
});
