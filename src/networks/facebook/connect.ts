import * as z from "zod";
import { documentedObject } from "../../wire/documented-object.ts";
import { PublishingError } from "../../wire/errors.ts";
import type { Connector } from "../contract/adapter.ts";
import type { LoginContext } from "../contract/request.ts";
import { inNameOf } from "../shared/bearer.ts";
import { clientId, scopeList } from "../shared/credential-fields.ts";
import { defined } from "../shared/defined.ts";
import { namingToken } from "../shared/given-token.ts";
import { signForGraph } from "../shared/meta/graph.ts";
import { graphId } from "../shared/meta/graph-id.ts";
import { inspectToken } from "../shared/meta/inspect-token.ts";
import { grantedScopes, pagesOfPerson, personId } from "../shared/meta/person.ts";
import type { OAuthApp } from "../shared/oauth2.ts";
import type { Api } from "./api.ts";
import { readKnown } from "./known.ts";
import {
  assertReadable,
  identityOf,
  lacks,
  mayPublish,
  type Page,
  type ReachedPage,
  reachedPages,
  readPage,
} from "./page.ts";
import { neededToPublish } from "./scopes.ts";

export const credentialsSchema = documentedObject({
  /**
   * The access token of a Page, or of a person who may create content on Pages. A Page's token that was derived from a
   * long-lived one does not expire.
   */
  access_token: z
    .string()
    .trim()
    // The token is sent in a header.
    .regex(/^[\w.|-]{20,2000}$/, "An access token issued by Facebook.")
    .describe(
      "The access token of a Page, or of a person who may create content on Pages. A Page's token that was derived from a long-lived one does not expire.",
    ),
  /** Id of the Page; required if the token gives access to several. */
  page_id: graphId.optional().describe("Id of the Page; required if the token gives access to several."),
  /** Id of the app that issued the token. */
  client_id: clientId.optional().describe("Id of the app that issued the token."),
  /** The app-scoped id of the person who signed in. Facebook's data deletion requests refer to it. */
  person_id: graphId
    .optional()
    .describe("The app-scoped id of the person who signed in. Facebook's data deletion requests refer to it."),
  /** The token's scopes. Default: Facebook reports them to the adapter's app. */
  scopes: scopeList.optional().describe("The token's scopes. Default: Facebook reports them to the adapter's app."),
  /** The person's tasks on the Page, if known: CREATE_CONTENT and so on. */
  tasks: scopeList.optional().describe("The person's tasks on the Page, if known: CREATE_CONTENT and so on."),
});

type Given = z.infer<typeof credentialsSchema>;

/**
 * There is no `refresh`: a Page's token does not expire, and if it is invalid, or its owner was not active for 90 days,
 * the owner must reconnect the profile. There is no `revoke`: when a user revokes access at Facebook, the tokens of all
 * their Pages become invalid together.
 *
 * @param api the Graph API in the chosen version
 * @param app the host's app, if it is the same for all accounts
 */
export function createConnector(api: Api, app: OAuthApp | undefined): Connector<typeof credentialsSchema> {
  return {
    credentials: credentialsSchema,

    login: namingToken(async (context, input) => {
      const given = credentialsSchema.parse(input);
      const { page, token, person_id, scopes, tasks, reconnect_by } = await reachedWith(context, { api, app }, given);
      const missing = neededToPublish.filter((scope) => scopes !== null && !scopes.includes(scope));
      if (missing.length > 0) throw lacks(missing.join(", "));
      await assertReadable({ ...inNameOf(context, token), api }, page.id);
      const { client_id } = given;
      const identity = identityOf(page, { scopes: scopes ?? [], tasks });
      return {
        identity: { ...identity, ...(client_id && { app: client_id }) },
        credentials: {
          secret: defined({ access_token: token, client_id }),
          expires_at: null,
          reconnect_by,
          ...(client_id && person_id && { grant_id: `${client_id}/${person_id}` }),
        },
      };
    }),

    async inspect(context) {
      const page = await readPage({ request: context.request, api }, context.profile.external_id);
      const token = { version: api.version, token: String(context.secret.access_token) };
      const inspected = await inspectToken(context, { ...token, app });
      return {
        ...identityOf(page, readKnown(context.profile)),
        ...(inspected && { reconnect_by: inspected.reconnect_by }),
      };
    },

    sign: signForGraph,
  };
}

interface Reached {
  page: Page;
  /** The Page's access token. */
  token: string;
  /** The user who logged in. Undefined: unknown. */
  person_id: string | undefined;
  /** Null: unknown. */
  scopes: readonly string[] | null;
  tasks: readonly string[] | null;
  /** As in `Credentials`. */
  reconnect_by: number | null;
}

/** The Page that a token gives access to. The token is a Page's, or that of a user with Pages. */
async function reachedWith(
  context: LoginContext,
  { api, app }: { api: Api; app: OAuthApp | undefined },
  given: Given,
): Promise<Reached> {
  const { access_token: token } = given;
  const person = { version: api.version, token };
  const pages = await pagesOfPerson(context, person, reachedPages);
  if (pages !== null) {
    const page = chosen(pages, given);
    const inspected = await inspectToken(context, { version: api.version, token: page.access_token, app });
    return {
      page,
      token: page.access_token,
      person_id: await personId(context, person),
      scopes: await grantedScopes(context, person),
      tasks: page.tasks ?? null,
      reconnect_by: inspected?.reconnect_by ?? null,
    };
  }
  const page = await readPage({ ...inNameOf(context, token), api }, "me");
  if (given.page_id !== undefined && page.id !== given.page_id)
    throw new PublishingError("invalid_request", `page_id: this token belongs to the Page ${page.id}.`);
  const inspected = await inspectToken(context, { ...person, app });
  return {
    page,
    token,
    person_id: given.person_id,
    tasks: given.tasks ?? null,
    scopes: given.scopes ?? inspected?.scopes ?? null,
    reconnect_by: inspected?.reconnect_by ?? null,
  };
}

/** @throws PublishingError `invalid_request` unless exactly one Page matches */
function chosen(pages: readonly ReachedPage[], { page_id }: Given): ReachedPage & { access_token: string } {
  const fitting = pages.filter(({ id }) => page_id === undefined || id === page_id);
  const [only, another] = fitting;
  if (only === undefined || another !== undefined) {
    const names = pages.map(({ id, name }) => `${id} (${name})`).join(", ");
    const message =
      names === ""
        ? "access_token: it gives access to no Facebook Page. Sign in again and tick the Pages."
        : `page_id: must be a Page that the token gives access to: ${names}.`;
    throw new PublishingError("invalid_request", message);
  }
  const { access_token } = only;
  if (access_token == null || !mayPublish(only))
    throw new PublishingError(
      "invalid_request",
      `access_token: its owner lacks the task CREATE_CONTENT on the Page ${only.id}.`,
    );
  return { ...only, access_token };
}
