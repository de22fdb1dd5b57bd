import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { Identity } from "../contract/profile.ts";
import type { LoginContext } from "../contract/request.ts";
import { graphErrorCodes } from "../shared/meta/errors.ts";
import { graphId } from "../shared/meta/graph-id.ts";
import type { PageReading } from "../shared/meta/person.ts";
import { type Api, getAnswer, readAnswer, wholeAddress } from "./api.ts";

/** https://github.com/facebook/facebook-business-sdk-codegen (2026-04) */
const pageSchema = z.object({
  id: graphId,
  name: z.string(),
  /** Absent on new Pages. */
  username: z.string().nullish(),
  link: z.string().nullish(),
  picture: z.object({ data: z.object({ url: z.string().nullish() }) }).nullish(),
});

export type Page = z.infer<typeof pageSchema>;

const pageFields = "id,name,username,link,picture.type(large)";

/** A Page that a user has access to. */
const reachedSchema = pageSchema.extend({
  /** Absent if the user's role on the Page does not suffice. */
  access_token: z.string().nullish(),
  tasks: z.array(z.string()).nullish(),
});

export type ReachedPage = z.infer<typeof reachedSchema>;

export const reachedPages: PageReading<typeof reachedSchema> = {
  fields: `${pageFields},access_token,tasks`,
  schema: reachedSchema,
};

/**
 * Pages of the newer kind use other names for the same task. https://github.com/facebook/facebook-business-sdk-codegen
 * (2026-04)
 */
const publishTasks: ReadonlySet<string> = new Set([
  "CREATE_CONTENT",
  "PROFILE_PLUS_CREATE_CONTENT",
  "PROFILE_PLUS_FULL_CONTROL",
]);

/** True: the user may publish on the Page, or the tasks are unknown. */
export function mayPublish({ tasks }: Pick<ReachedPage, "tasks">): boolean {
  return tasks == null || tasks.some((task) => publishTasks.has(task));
}

/** How to read a Page. */
interface Reading extends Pick<LoginContext, "request"> {
  api: Api;
}

/** @param id `me`: the token's own Page */
export function readPage(reading: Reading, id: string): Promise<Page> {
  return getAnswer(pageSchema, reading, reading.api.endpoint([id], { fields: pageFields }));
}

const noPermission: ReadonlySet<string> = new Set(["10", "200..299"]);
const listSchema = z.object({ data: z.array(z.unknown()) });

/**
 * Published posts must be readable; otherwise the outcome of a post with a lost response could not be verified.
 *
 * @throws PublishingError `invalid_request` naming the scope
 */
export async function assertReadable(reading: Reading, id: string): Promise<void> {
  const url = reading.api.endpoint([id, "published_posts"], { fields: "id", limit: "1" });
  const response = await reading.request({ method: "GET", url, accept: [400, 403] });
  if (response.status === 200) return void readAnswer(listSchema, response);
  if (graphErrorCodes(response.body).some((code) => noPermission.has(code))) throw lacks("pages_read_engagement");
  await getAnswer(listSchema, reading, url);
}

export function lacks(scopes: string): PublishingError {
  return new PublishingError(
    "invalid_request",
    `access_token: it lacks ${scopes}. Sign in again and allow all permissions.`,
  );
}

/** The Page as shown on a profile. */
export function identityOf(
  page: Page,
  known: { scopes: readonly string[]; tasks: readonly string[] | null },
): Identity {
  const scopes = [...known.scopes];
  return {
    external_id: page.id,
    name: page.name,
    handle: page.username ?? null,
    avatar_url: page.picture?.data.url ?? null,
    url: page.link == null ? wholeAddress(`/${page.id}`) : wholeAddress(page.link),
    scopes,
    limits: {},
    host: null,
    account_facts: { scopes, tasks: known.tasks === null ? null : [...known.tasks] },
  };
}
