import { fileURLToPath } from "node:url";
import createClient from "openapi-fetch";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";
import { beforeAll, describe, expect, it } from "vitest";
import { openApiDocument } from "../../src/http/openapi/document.ts";
import { testNetworks } from "../support/service.ts";
import { createRest, origin } from "./rest.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** A program written only from the document. It is compiled against the generated types, and then run. */
const tour = `
import type { Client } from "openapi-fetch";
import type { components, paths } from "./paths";

type Post = components["schemas"]["Post"];

export async function tour(client: Client<paths>, breakNetwork: () => Promise<void>): Promise<string[]> {
  const seen: string[] = [];

  const connected = await client.POST("/v1/profiles/connect", {
    body: { network: "bluesky", credentials: { identifier: "alice.sandbox.example", app_password: "abcd-efgh-ijkl-mnop" } },
  });
  const made = connected.data?.data;
  const profile = made !== undefined && "profiles" in made ? made.profiles[0] : undefined;
  if (profile === undefined) throw new Error(connected.error?.error.message);
  seen.push(\`connected \${profile.handle}: \${profile.status}\`);

  const body: components["schemas"]["CreatePost"] = { profile_ids: [profile.id], text: "Hello" };
  const created = await client.POST("/v1/posts", { body, params: { header: { "Idempotency-Key": "tour-0001" } } });
  const post: Post | undefined = created.data?.data;
  if (post === undefined) throw new Error(created.error?.error.message);
  seen.push(\`created \${created.response.status}: \${post.status}, \${post.targets.map(({ url }) => url === null).join()}\`);

  const again = await client.POST("/v1/posts", { body, params: { header: { "Idempotency-Key": "tour-0001" } } });
  seen.push(\`again \${again.response.status}: \${again.data?.data.id === post.id}\`);

  await breakNetwork();
  const failed = await client.POST("/v1/posts", {
    body: { ...body, networks: { bluesky: { text: "Hello, Bluesky" } }, idempotency_key: "tour-0002" },
  });
  const { id = "", status, targets = [] } = failed.data?.data ?? {};
  seen.push(\`failed: \${status}, \${targets[0]?.error?.code}\`);

  const listed = await client.GET("/v1/posts", {
    params: { query: { limit: 10, status: ["published", "failed"], network: ["bluesky"] } },
  });
  const { total, has_more } = listed.data?.meta.pagination ?? {};
  seen.push(\`listed \${listed.data?.data.map((each) => each.status).join()}: \${total}, \${has_more}\`);

  const got = await client.GET("/v1/posts/{postId}", { params: { path: { postId: id } } });
  seen.push(\`got \${got.data?.data.status}\`);

  const retried = await client.POST("/v1/posts/{postId}/retry", { params: { path: { postId: id } } });
  seen.push(\`retried: \${retried.data?.data.status}, \${retried.data?.data.targets[0]?.attempts} attempts\`);

  const drafted = await client.POST("/v1/posts", { body: { ...body, draft: true } });
  const draftPath = { path: { postId: drafted.data?.data.id ?? "" } };
  const changes: components["schemas"]["UpdatePost"] = { text: "Later", scheduled_at: "2027-01-01T09:00:00Z", draft: false };
  const updated = await client.PATCH("/v1/posts/{postId}", { params: draftPath, body: changes });
  seen.push(\`updated: \${drafted.data?.data.status}, \${updated.data?.data.status}, \${updated.data?.data.text}\`);

  const cancelled = await client.POST("/v1/posts/{postId}/cancel", { params: draftPath });
  seen.push(\`cancelled: \${cancelled.data?.data.status}, \${cancelled.data?.data.targets[0]?.status}\`);

  const late = await client.PATCH("/v1/posts/{postId}", { params: draftPath, body: { publish_now: true } });
  seen.push(\`late \${late.response.status}: \${late.error?.error.code}\`);

  const planned = await client.POST("/v1/posts/validate", { body: { ...body, text: "x".repeat(301) } });
  seen.push(\`planned: \${planned.data?.data.valid}, \${planned.data?.data.targets[0]?.issues[0]?.field}\`);

  const networks = await client.GET("/v1/networks");
  seen.push(\`networks: \${networks.data?.data.map(({ network, text }) => \`\${network} \${text.max}\`).join()}\`);

  const missing = await client.GET("/v1/posts/{postId}", { params: { path: { postId: "post_none" } } });
  if (missing.error !== undefined) seen.push(\`missing: \${missing.error.error.code}\`);

  const wrong = await client.POST("/v1/posts", { body: { profile_ids: [] } });
  seen.push(\`wrong: \${wrong.error?.error.details?.map(({ field }) => field).join()}\`);

  const checked = await client.POST("/v1/profiles/{profileId}/check", { params: { path: { profileId: profile.id } } });
  seen.push(\`checked: \${checked.data?.data.status}\`);

  const gone = await client.DELETE("/v1/profiles/{profileId}", { params: { path: { profileId: profile.id } } });
  const after = await client.GET("/v1/profiles", { params: { query: { status: "disconnected" } } });
  seen.push(\`disconnected \${gone.response.status}: \${after.data?.data.map(({ handle }) => handle).join()}\`);
  return seen;
}
`;

const mistakes: readonly [what: string, expression: string][] = [
  ["an unknown field", '({ profile_ids: [], txt: "Hello" }) satisfies CreatePost'],
  ["a body without its required fields", 'client.POST("/v1/posts", { body: { text: "Hello" } })'],
  ["an unknown status", 'client.GET("/v1/posts", { params: { query: { status: ["sent"] } } })'],
  ["an unknown network", "({ profile_ids: [], networks: { blusky: {} } }) satisfies CreatePost"],
  [
    "an idempotency key in an update",
    '({ idempotency_key: "tour-0001" }) satisfies components["schemas"]["UpdatePost"]',
  ],
  ["an unknown path", 'client.GET("/v1/pots")'],
];

function fileOf(what: string): string {
  return `${what.replaceAll(" ", "-")}.ts`;
}

function programWith([what, expression]: (typeof mistakes)[number]): [file: string, source: string] {
  const source = [
    'import type { Client } from "openapi-fetch";',
    'import type { components, paths } from "./paths";',
    'export type CreatePost = components["schemas"]["CreatePost"];',
    `export const wrong = (client: Client<paths>) => [client, ${expression}];`,
  ];
  return [fileOf(what), source.join("\n")];
}

let paths = "";
/** The errors of all wrong programs, which are compiled together. */
let wrong: string[] | undefined;

beforeAll(async () => {
  const networks = testNetworks().map(({ spec }) => spec.network);
  paths = astToString(await openapiTS(JSON.stringify(openApiDocument({ basePath: "/social", networks }))));
});

describe("a client that openapi-typescript generates from the document", () => {
  it("compiles in strict mode, and so does the code that uses it", () => {
    expect(findingsIn({ "paths.ts": paths, "tour.ts": tour })).toEqual([]);
  }, 60_000);

  it.each(mistakes)(
    "does not compile with %s",
    (what) => {
      wrong ??= findingsIn({ "paths.ts": paths, ...Object.fromEntries(mistakes.map(programWith)) });
      expect(wrong.filter((finding) => finding.startsWith(`${fileOf(what)}: `))).toHaveLength(1);
    },
    60_000,
  );

  it("connects, creates, lists, gets, retries, updates, cancels and disconnects", async () => {
    const { handler, key, sandbox, clock } = await createRest({ handler: { basePath: "/social" } });
    sandbox.bluesky.addAccount({ handle: "alice.sandbox.example" });
    const client = createClient<never>({
      baseUrl: `${origin}/social`,
      headers: { authorization: `Bearer ${key}` },
      // The document says explode: false; this library does not read it there.
      querySerializer: { array: { style: "form", explode: false } },
      fetch: (request: Request) => clock.run(() => handler(request)),
    });
    const answer = { status: 400, json: { error: "InvalidRequest", message: "No." } };
    const breakNetwork = async (): Promise<void> => {
      await clock.advance(1_000);
      sandbox.bluesky.faults.add({ kind: "refuse", answer, operation: "commit" });
    };
    const { outputText } = ts.transpileModule(tour, {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
    });
    const module = await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(outputText)}`);
    expect(await module.tour(client, breakNetwork)).toEqual([
      "connected alice.sandbox.example: connected",
      "created 201: published, false",
      "again 200: true",
      "failed: failed, invalid_request",
      "listed failed,published: 2, false",
      "got failed",
      "retried: published, 2 attempts",
      "updated: draft, scheduled, Later",
      "cancelled: cancelled, skipped",
      "late 409: conflict",
      "planned: false, text",
      `networks: ${testNetworks().map(({ spec }) => `${spec.network} ${spec.text.max}`)}`,
      "missing: not_found",
      "wrong: profile_ids",
      "checked: connected",
      "disconnected 204: alice.sandbox.example",
    ]);
  });
});

const options: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
  noEmit: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2022,
  lib: ["lib.es2022.d.ts", "lib.dom.d.ts"],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  types: [],
};

/** Libraries are read once for all compilations. */
const libraries = new Map<string, ts.SourceFile | undefined>();

/** The compiler's messages about a set of files. */
function findingsIn(sources: Readonly<Record<string, string>>): string[] {
  const files = new Map(Object.entries(sources).map(([name, source]) => [`${root}${name}`, source]));
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (name) => files.has(name) || fileExists(name);
  host.readFile = (name) => files.get(name) ?? readFile(name);
  host.getSourceFile = (name, languageVersion, ...rest) => {
    const source = files.get(name);
    if (source !== undefined) return ts.createSourceFile(name, source, languageVersion);
    if (!libraries.has(name)) libraries.set(name, getSourceFile(name, languageVersion, ...rest));
    return libraries.get(name);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return [...files.keys()].flatMap((name) => {
    const source = program.getSourceFile(name);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ messageText }) => `${name.slice(root.length)}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`,
    );
  });
}
