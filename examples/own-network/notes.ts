import { PublishingError } from "postrider";
import {
  type Connector,
  type ErrorTable,
  type Identity,
  type NetworkAdapter,
  type NetworkRequest,
  type NetworkSpec,
  type PublishedPart,
  type Publisher,
  readBackRules,
  type SignedPart,
} from "postrider/networks";
import { z } from "zod";

const api = "https://notes.example.com";

/** What `networks.notes` takes in a post. */
const options = z.strictObject({ pinned: z.boolean().optional().describe("Keep the note at the top.") });
/** What `profiles.connect` takes. */
const credentials = z.strictObject({ token: z.string().min(1).describe("A token, from the board's settings.") });

/** A notice board of your own, as a network. */
export function notes(): NetworkAdapter<"notes", typeof options, typeof credentials> {
  return { spec, options, errors, connect, publish };
}

// Data: what may be posted, and what its refusals mean. Each number and each row names its source.

const source = "https://notes.example.com/docs (2026-11)";

const spec: NetworkSpec & { network: "notes" } = {
  network: "notes",
  name: "Notes",
  text: { max: 500, unit: "graphemes" },
  threads: false,
  media: { max_items: 0, mixing: "any", types: [] },
  post_types: ["post"],
  title: null,
  link_card: "from_text",
  inbox: { dm: "none", comment: "none", mention: "none" },
  duplicates: ["located"],
  api_version: "1",
  versions: { "1": null },
  hosts: ["notes.example.com"],
  rules: [],
  sources: { "text.max": source, media: source },
};

const errors: ErrorTable = {
  body: z.object({ code: z.string(), message: z.string() }).transform((body) => ({ ...body, codes: [body.code] })),
  rows: [
    { status: 401, as: "reauthentication_required", effect: "none", message: "Reconnect Notes.", source },
    { status: 422, as: "invalid_request", effect: "none", message: "Notes rejects this text.", source },
    { status: 429, as: "network_error", effect: "later", remedy: "rate_limit", message: "Notes is busy.", source },
  ],
  rateLimitEnd: ({ headers }, now) => now + Number(headers.get("retry-after") ?? 60) * 1000,
};

// Verbs: whose token it is, the one request that publishes, and how a note is found when its answer was lost.

const connect: Connector<typeof credentials> = {
  credentials,
  async login(context, given) {
    const { token } = credentials.parse(given);
    const { body } = await context.request(withToken(whoAmI, token));
    return { identity: identityIn(body), credentials: { secret: { token }, expires_at: null } };
  },
  inspect: async (context) => identityIn((await context.request(whoAmI)).body),
  sign: (request, { secret }) => withToken(request, String(secret.token)),
};

const publish: Publisher<z.output<typeof options>> = {
  rules: () => readBackRules,
  key: ({ subjectId, part, bodyHash }) => `${subjectId}-${part}-${bodyHash}`,
  commit: ({ part, key }) => ({
    method: "PUT",
    url: `${api}/notes/${key}`,
    body: { json: { text: part.text, pinned: part.options.pinned ?? false } },
  }),
  accepted({ body }) {
    const live = noteIn(body);
    return live && { live };
  },
  async lookFor(context, { key }) {
    const { status, body } = await context.request({ method: "GET", url: `${api}/notes/${key}`, accept: [404] });
    if (status === 404) return { absent: true };
    const live = noteIn(body);
    return live === null ? { cannot_tell: "Notes gave an answer that cannot be read." } : { live };
  },
  textForms: ({ text }) => [text],
};

const whoAmI: NetworkRequest = { method: "GET", url: `${api}/me` };
const accountSchema = z.object({ id: z.string(), name: z.string() });
const noteSchema = z.object({ id: z.string(), url: z.string() });

function withToken<Request extends SignedPart>(request: Request, token: string): Request {
  return { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } };
}

function identityIn(body: unknown): Identity {
  const { success, data } = accountSchema.safeParse(body);
  if (!success) throw new PublishingError("network_error", "Notes did not say whose token it is.");
  const none = { avatar_url: null, url: null, scopes: [], limits: {}, host: null, account_facts: {} };
  return { external_id: data.id, name: data.name, handle: null, ...none };
}

function noteIn(body: unknown): PublishedPart | null {
  const { success, data } = noteSchema.safeParse(body);
  return success ? { ...data, ref: null } : null;
}
