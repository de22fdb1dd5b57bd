import { z } from "zod";
import { documentedObject } from "../../wire/documented-object.ts";
import type { Connector } from "../contract/adapter.ts";
import type { Identity } from "../contract/profile.ts";
import type { LoginContext } from "../contract/request.ts";
import { answersOf } from "../shared/answer.ts";
import { inNameOf, withBearer } from "../shared/bearer.ts";

const credentials = documentedObject({
  /** A token from the account's settings. */
  token: z.string().min(1).describe("A token from the account's settings."),
});

const { getAnswer } = answersOf("Toy");

export const connector: Connector = {
  credentials,
  async login(context, input) {
    const { token } = credentials.parse(input);
    const identity = await readIdentity(inNameOf(context, token));
    return { identity, credentials: { secret: { token }, expires_at: null } };
  },
  inspect: readIdentity,
  sign: (request, { secret }) => withBearer(request, String(secret.token)),
};

const meSchema = z.object({ id: z.string(), name: z.string() });

async function readIdentity(context: Pick<LoginContext, "request">): Promise<Identity> {
  const { id, name } = await getAnswer(meSchema, context, "https://api.toy.example/me");
  const unknown = { avatar_url: null, url: null, scopes: [], limits: {}, host: null, account_facts: {} };
  return { external_id: id, name, handle: name, ...unknown };
}
