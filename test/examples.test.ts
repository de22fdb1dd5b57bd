import type { ChildProcess } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { countParts, inWords, isExact } from "../examples/demo/count.ts";
import { scenes } from "../examples/demo/networks.ts";
import { textsThatFit } from "../examples/demo/texts.ts";
import { buildDemo } from "./support/built-programs.ts";
import { fetchFromCurl, linesOf } from "./support/curl.ts";
import { root } from "./support/documents.ts";
import { startNode } from "./support/example.ts";
import { freePort } from "./support/free-port.ts";
import { type Installed, installExamples } from "./support/installed.ts";
import { startPostgres } from "./support/postgres.ts";
import { createTestService } from "./support/service.ts";
// Their tests run with these.
import "../examples/own-network/notes.contract.ts";
import "../examples/testing/storage.contract.ts";

const patience = 180_000;

const programs = [
  "connect/server.ts",
  "express/server.ts",
  "inbox/answer.ts",
  "operating/cron.ts",
  "operating/worker.ts",
  "postgres/worker.ts",
  "production/sandbox.ts",
  "production/web.ts",
  "production/worker.ts",
  "restore/restore.ts",
];

let temporary = "";
let built = "";
let installed: Installed | undefined;
/** Runs while the other examples are tested: most of its time is waiting. */
let demoProcess: ChildProcess | undefined;
let wholeDemo: Promise<Ended> | undefined;
beforeAll(async () => {
  temporary = mkdtempSync(join(tmpdir(), "postrider-examples-"));
  built = mkdtempSync(join(root, "node_modules/.postrider-demo-"));
  await buildDemo(built);
  demoProcess = startDemo({ MASTODON_URL: "mastodon.invalid", MASTODON_TOKEN: "a-token" });
  wholeDemo = ended(demoProcess);
  installed = await installExamples(programs);
}, patience);
afterAll(async () => {
  // Still running where only other tests were wanted.
  demoProcess?.kill();
  await wholeDemo;
  installed?.remove();
  for (const folder of [temporary, built]) if (folder !== "") rmSync(folder, { recursive: true, force: true });
});

// Examples that end on their own are run by documents.test.ts. Those for Next.js, Nest and Jest
// have packages of their own: test/real/next.real.ts, nest.real.ts, jest.real.ts.
describe("the example for Express", () => {
  it(
    "responds to the command in its guide, and ends on SIGTERM",
    async () => {
      const running = startExample("express/server.ts", { PORT: "0" });
      const exit = ended(running);
      const [create = "", list = "", document = ""] = linesOf(await printed(running, "openapi.json\n"));
      const first = await fetchFromCurl(create);
      const second = await fetchFromCurl(create);
      expect([first.status, second.status]).toEqual([201, 200]);
      expect(second.headers.get("idempotent-replay")).toBe("true");
      const created = (await first.json()) as { data: { status: string } };
      expect(created.data.status).toBe("published");
      expect(await second.json()).toEqual(created);
      expect(await (await fetchFromCurl(list)).json()).toMatchObject({ data: [created.data] });
      expect(await (await fetchFromCurl(document)).json()).toMatchObject({ servers: [{ url: "/social" }] });
      expect(await (await fetch(new URL("/", document.split(" ")[1]))).text()).toBe("The host's own page.\n");
      running.kill("SIGTERM");
      expect((await exit).code, (await exit).output).toBe(0);
    },
    patience,
  );
});

describe("the example of connecting accounts", () => {
  it(
    "leads from a form to the network's page and back to a profile",
    async () => {
      const port = await freePort();
      const running = startExample("connect/server.ts", { PORT: String(port) });
      const exit = ended(running);
      await printed(running, "mastodon.sandbox.example");
      const origin = `http://localhost:${port}`;
      const form = { instance: "mastodon.sandbox.example" };
      const login = await submit(`${origin}/connect/mastodon`, form);
      const link = /<a href="([^"]+)">Allow as alice</.exec(await login.text())?.[1] ?? "";
      const choice = await (await fetch(new URL(link.replaceAll("&amp;", "&"), origin))).text();
      const fields = [...choice.matchAll(/name="(\w+)" value="([^"]+)"/g)].map(([, name = "", value = ""]) => [
        name,
        value,
      ]);
      const done = await submit(`${origin}/connected`, Object.fromEntries(fields));
      expect(await done.text()).toContain("alice on mastodon: connected");
      const lost = await fetch(`${origin}/social/connect/mastodon/callback?state=x`);
      expect([lost.status, await lost.text()]).toEqual([400, expect.stringContaining("Unknown sign-in")]);
      running.kill("SIGTERM");
      expect((await exit).code, (await exit).output).toBe(0);
    },
    patience,
  );
});

function submit(url: string, form: Record<string, string>): Promise<Response> {
  return fetch(url, { method: "POST", body: new URLSearchParams(form) });
}

it("the inbox: a user writes, and gets a reply", async () => {
  const { code, output } = await ended(startExample("inbox/answer.ts"));
  expect(code, output).toBe(0);
  expect(output).toContain("mention from Ann: @alice do you ship to Norway?");
  expect(output).toContain("outbound: We do: four days, no customs. (0 unread)");
});

describe("the demo's texts", () => {
  const description = createTestService().social.networks.list()[0] ?? expect.unreachable();
  const withLimit = (max: number, threads: boolean) => [
    { ...description, threads, text: { ...description.text, max } },
  ];
  const text = "One two three.\n\nFour five six.";

  it("go out whole where they fit, or become a thread", () => {
    expect(textsThatFit(text, withLimit(text.length, false))).toEqual({});
    expect(textsThatFit(text, withLimit(5, true))).toEqual({});
  });

  it.each([
    ["by the paragraph", text.length - 1, "One two three."],
    ["by the word where no paragraph fits", 9, "One two"],
  ])("are shorter where neither is possible, %s", (_, max, shorter) => {
    expect(textsThatFit(text, withLimit(max, false))).toEqual({ [description.network]: { text: shorter } });
  });
});

describe("the demo's count", () => {
  const planned = ["one", "two"];
  const shown = (...texts: string[]) =>
    texts.map((text, index) => ({ id: String(index), text, reply_to: index === 0 ? null : String(index - 1) }));

  it("is exact when every part exists once, in order", () => {
    const count = countParts(planned, shown("one", "two"));
    expect(isExact(count)).toBe(true);
    expect(inWords(count)).toBe("2 of 2 parts are there, each exactly once, in order");
  });

  it.each([
    { what: "a missing part", posts: shown("one"), words: "1 of 2 parts are there, 1 missing" },
    { what: "a duplicate part", posts: shown("one", "two", "two"), words: "0 missing, 1 there twice" },
    { what: "an unplanned post", posts: shown("one", "two", "three"), words: "0 there twice, 1 unplanned" },
    { what: "parts in the wrong order", posts: shown("two", "one"), words: "but the order is wrong" },
    {
      what: "a part that replies to nothing",
      posts: shown("one", "two").map((post) => ({ ...post, reply_to: null })),
      words: "but the order is wrong",
    },
  ])("detects $what", ({ posts, words }) => {
    const count = countParts(planned, posts);
    expect(isExact(count)).toBe(false);
    expect(inWords(count)).toContain(words);
  });
});

describe("the start after a restored backup", () => {
  const environment = (): Record<string, string> => ({
    SOCIAL_DATABASE: join(temporary, "restored.db"),
    SOCIAL_ENCRYPTION_KEY: Buffer.alloc(32).toString("base64"),
  });

  it("says that it looks before it sends, runs, and ends on SIGTERM", async () => {
    const running = startExample("restore/restore.ts", environment(), ["2026-11-21T04:00:00Z"]);
    const end = ended(running);
    running.stderr?.on("data", (text) => {
      if (String(text).includes("restored from a backup")) running.kill("SIGTERM");
    });
    expect(await end).toMatchObject({
      code: 0,
      output: expect.stringContaining("may have been published since { targets: 0 }"),
    });
  });

  it("asks for the time where the argument is none", async () => {
    const { code, output } = await ended(startExample("restore/restore.ts", environment(), ["yesterday"]));
    expect(code).toBe(1);
    expect(output).toContain("restoredFrom: must be the time of the backup");
  });
});

describe("the service on one SQLite file", () => {
  const environment = (name: string): Record<string, string> => ({
    SOCIAL_DATABASE: join(temporary, name),
    SOCIAL_ENCRYPTION_KEY: Buffer.alloc(32).toString("base64"),
  });

  it("starts, and ends on SIGTERM", async () => {
    const running = startExample("operating/worker.ts", environment("worker.db"));
    const end = ended(running);
    await printed(running, "The service has started.");
    running.kill("SIGTERM");
    expect(await end).toMatchObject({ code: 0 });
  });

  it("processes due work and ends, like a cron job", async () => {
    const { code, output } = await ended(startExample("operating/cron.ts", environment("cron.db")));
    expect(output).toContain("{ posts: 0, profiles: 0, inboxes: 0, endpoints: 0, hasMore: false }");
    expect(code).toBe(0);
  });
});

describe("the service on Postgres with pg-boss", () => {
  it("starts, and ends on SIGTERM", async ({ skip }) => {
    const server = await startPostgres();
    if (typeof server === "string") return skip(server);
    try {
      const running = startExample("postgres/worker.ts", {
        DATABASE_URL: server.url,
        SOCIAL_ENCRYPTION_KEY: Buffer.alloc(32).toString("base64"),
      });
      const end = ended(running);
      await printed(running, "The service has started.");
      running.kill("SIGTERM");
      expect(await end).toEqual({ code: 0, output: "The service has started.\n" });
    } finally {
      await server.remove();
    }
  });
});

describe("the example for production", () => {
  it(
    "publishes through the web process, reads the inbox in the worker, and ends on SIGTERM",
    async ({ skip }) => {
      const server = await startPostgres();
      if (typeof server === "string") return skip(server);
      const sandbox = startExample("production/sandbox.ts", { SANDBOX_PORT: "0" }, [], { isTypedTo: true });
      try {
        const [first = "", body = ""] = (await printed(sandbox, "Type a line")).split("\n");
        const port = await freePort();
        const baseUrl = `http://localhost:${port}/social`;
        const environment = {
          DATABASE_URL: server.url,
          SOCIAL_ENCRYPTION_KEY: Buffer.alloc(32).toString("base64"),
          SOCIAL_BASE_URL: baseUrl,
          SOCIAL_API_TOKEN: "only-to-try",
          APP_NAME: "My app",
          FACEBOOK_APP_ID: "1234567890123456",
          FACEBOOK_APP_SECRET: "0123456789abcdef0123456789abcdef",
          SOCIAL_SANDBOX_URL: first.split("=")[1] ?? "",
          PORT: String(port),
        };
        const web = startExample("production/web.ts", environment);
        const webEnd = ended(web);
        await printed(web, "listens on port");
        const ask = async (path: string, json: string, token = "only-to-try") => {
          const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
          const response = await fetch(`${baseUrl}/v1${path}`, { method: "POST", headers, body: json });
          return { status: response.status, body: (await response.json()) as { data: Record<string, unknown> } };
        };
        expect((await ask("/profiles/connect", body, "another")).status).toBe(401);
        const connected = await ask("/profiles/connect", body);
        const [{ id } = { id: "" }] = connected.body.data.profiles as { id: string }[];
        const post = { profile_ids: [id], text: "Hello", idempotency_key: "hello-production" };
        expect(await ask("/posts", JSON.stringify(post))).toMatchObject({
          status: 201,
          body: { data: { status: "published" } },
        });
        const later = { ...post, idempotency_key: "hello-later", scheduled_at: "2099-01-01T00:00:00Z" };
        expect(await ask("/posts", JSON.stringify(later))).toMatchObject({ body: { data: { status: "scheduled" } } });
        sandbox.stdin?.write("do you ship to Norway?\n");
        const worker = startExample("production/worker.ts", environment);
        const workerEnd = ended(worker);
        await printed(worker, "Received @alice do you ship to Norway?");
        for (const running of [web, worker]) running.kill("SIGTERM");
        expect([(await webEnd).code, (await workerEnd).code], (await webEnd).output).toEqual([0, 0]);
      } finally {
        sandbox.kill();
        await server.remove();
      }
    },
    patience,
  );

  it("names a variable that is not set", async () => {
    const { code, output } = await ended(startExample("production/worker.ts", { DATABASE_URL: "" }));
    expect(output).toContain("The environment variable DATABASE_URL is not set.");
    expect(code).toBe(1);
  });
});

describe("the demo", () => {
  let demo: Ended = { code: null, output: "" };
  beforeAll(async () => {
    demo = await (wholeDemo ?? expect.unreachable());
  }, patience);

  it("ends successfully", () => {
    expect(demo.code, demo.output).toBe(0);
    expect(demo.output).toContain("No post twice, no post lost.");
  });

  it("publishes nothing for real where it cannot ask the user", () => {
    expect(demo.output).toContain("There are credentials for mastodon, but nobody to ask");
  });

  it("shows one post on every network, with its image", () => {
    for (const { network } of scenes) {
      expect(demo.output).toMatch(new RegExp(`${network} +published, [1-9]\\d* parts? in \\d+ ms\\n +https://`));
    }
    const withPicture = scenes.filter(({ needs }) => needs === undefined);
    expect(demo.output.match(/\[picture: A pale sun/g)).toHaveLength(withPicture.length);
  });

  it("kills a process when each network has accepted a part and its response is still out", () => {
    const held = [...demo.output.matchAll(/^ +(\w+) .* parts? (\d.*) (?:is|are) public; answer held back$/gm)];
    const expected = scenes.map(({ network, threads }) => [network, expect.stringMatching(heldParts(threads))]);
    expect(Object.fromEntries(held.map(([, network, parts]) => [network, parts]))).toEqual(
      Object.fromEntries(expected),
    );
    expect(held).toHaveLength(scenes.length);
    expect(demo.output).toMatch(/Process \d+ is dead \(SIGKILL\)/);
    expect(demo.output).toContain("this idempotency key is known: no new post is made");
  });

  it("counts every part exactly once", () => {
    for (const { network, threads } of scenes) {
      const [, parts = "0"] =
        new RegExp(`${network} +(\\d+) of \\1 parts? (?:is|are) there, (?:each )?exactly once`).exec(demo.output) ?? [];
      expect([network, threads === null ? Number(parts) === 1 : Number(parts) > 2]).toEqual([network, true]);
    }
  });

  it("mounts the REST API in Express and shows requests and responses", () => {
    const [, rest = ""] = demo.output.split("3. The same, over HTTP");
    const [act = ""] = rest.split("4. Told, signed");
    const answers = [...act.matchAll(/^ +< (\d{3}) (.*)$/gm)].map(([, status, rest]) => `${status} ${rest}`);
    expect(answers).toEqual([
      expect.stringMatching(/^201 Created/),
      expect.stringMatching(/^201 Created .*RateLimit-Remaining: 29$/),
      expect.stringMatching(/^200 OK .*Idempotent-Replay: true/),
      expect.stringMatching(/^400 Bad Request/),
      expect.stringMatching(/^200 OK/),
      expect.stringMatching(/^404 Not Found/),
    ]);
    expect(act).toContain('"message":"The request is not valid. titel: Did you mean title? There is no such field."');
    expect(act).toMatch(/^ +< \d+ times 200, then 429 +Retry-After: \d+, RateLimit-Remaining: 0$/m);
    expect(act).toMatch(/The request for that post was sent \d+ times\. The network shows it once\./);
  });

  it("delivers to a receiver, which handles a repeated event once, with signatures that Stripe's verifier accepts", () => {
    const [, act = ""] = demo.output.split("4. Told, signed, at least once");
    const calls = [...act.matchAll(/^ +the receiver: (\S+), answered (\d+)$/gm)].map(([, event, status]) => [
      event,
      status,
    ]);
    expect(calls).toEqual([
      ["post.published", "204"],
      ["post.published", "200"],
      ["webhook.test", "204"],
    ]);
    expect(act).toContain("Stripe's own verifier takes the signatures.");
  });

  it("fits a terminal of 100 columns, and cuts no word", () => {
    expect(demo.output.split("\n").filter((line) => line.length > 100)).toEqual([]);
    // Ids are shown by their ends.
    expect(demo.output).not.toMatch(/[^\W_]…/);
    const bodies = [...demo.output.matchAll(/^ {6}(\{.*)(?:\n {6}(".*|\{.*))?$/gm)].map(([, ...lines]) =>
      lines.join(""),
    );
    expect(bodies.length).toBeGreaterThan(10);
    for (const body of bodies) expect(body).toMatch(/(?:[\]}]|, …|[[{,] …)$/);
  });

  it("prints neither escape codes nor stack traces into a pipe, and leaves nothing behind", () => {
    expect(demo.output).not.toContain("\u001b");
    expect(demo.output).not.toMatch(/^ +at .*:\d+:\d+/m);
    expect(foldersLeft()).toEqual([]);
  });

  it(
    "leaves neither folder nor process behind when it is interrupted",
    async () => {
      const running = startDemo();
      const interrupted = ended(running);
      // The publisher is running then.
      await printed(running, "Another process");
      expect(foldersLeft()).toHaveLength(1);
      running.kill("SIGINT");
      // Ends only when no process holds the output any more.
      expect((await interrupted).code).toBe(130);
      expect((await interrupted).output).not.toContain("Counted");
      expect(foldersLeft()).toEqual([]);
    },
    patience,
  );
});

/** The parts whose responses are held back: a thread that goes out in one request exists as a whole. */
function heldParts(threads: (typeof scenes)[number]["threads"]): RegExp {
  if (threads === "in one request") return /^1 to [2-9]$/;
  return threads === null ? /^1$/ : /^2$/;
}

interface Ended {
  code: number | null;
  output: string;
}

function startExample(
  name: string,
  environment: Record<string, string> = {},
  given: readonly string[] = [],
  { isTypedTo = false } = {},
): ChildProcess {
  const env = { TMPDIR: temporary, ...environment };
  return (installed ?? expect.unreachable()).start(name, { given, env, isTypedTo });
}

/** Like `npm run demo`. */
function startDemo(environment: Record<string, string> = {}): ChildProcess {
  return startNode([join(built, "demo.js")], { env: { TMPDIR: temporary, ...environment } });
}

function ended(running: ChildProcess): Promise<Ended> {
  let output = "";
  for (const stream of [running.stdout, running.stderr]) stream?.on("data", (text) => (output += text));
  return new Promise((resolve) => running.once("close", (code) => resolve({ code, output })));
}

/** The output until these words. */
function printed(running: ChildProcess, words: string): Promise<string> {
  let output = "";
  return new Promise((resolve, reject) => {
    running.once("close", () => reject(new Error(`It ended without "${words}": ${output}`)));
    running.stdout?.on("data", (text) => {
      output += text;
      if (output.includes(words)) resolve(output);
    });
  });
}

function foldersLeft(): string[] {
  return readdirSync(temporary).filter((name) => name.startsWith("postrider-demo-"));
}
