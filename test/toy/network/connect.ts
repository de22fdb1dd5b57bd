import { z } from "zod";
import { documentedObject } from "../../wire/documented-object.ts";
import { PublishingError } from "../../wire/errors.ts";
import type { Connector, SignedPart } from "../contract/adapter.ts";
import type { Identity } from "../contract/profile.ts";
import type { NetworkRequest, NetworkResponse } from "../contract/request.ts";

const credentials = documentedObject({
  /** A token from the account's settings. */
  token: z.string().min(1).describe("A token from the account's settings."),
});

const meSchema = z.object({ id: z.string(), name: z.string() });
const me: NetworkRequest = { method: "GET", url: "https://api.toy.example/me" };

export const connector: Connector = {
  credentials,
  async login(context, input) {
    const { token } = credentials.parse(input);
    const identity = identityIn(await context.request(withToken(me, token)));
    return { identity, credentials: { secret: { token }, expires_at: null } };
  },
  inspect: async (context) => identityIn(await context.request(me)),
  sign: (request, { secret }) => withToken(request, String(secret.token)),
};

function withToken<Request extends SignedPart>(request: Request, token: string): Request {
  return { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } };
}

function identityIn({ body }: NetworkResponse): Identity {
  const parsed = meSchema.safeParse(body);
  if (!parsed.success) throw new PublishingError("network_error", "The account could not be read.");
  const { id, name } = parsed.data;
  const unknown = { avatar_url: null, url: null, scopes: [], limits: {}, host: null, known: {} };
  return { external_id: id, name, handle: name, ...unknown };
}
