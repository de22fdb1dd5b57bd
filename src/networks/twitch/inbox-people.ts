import type { InboxContext, Person } from "../contract/inbox.ts";
import { usersSchema } from "./account.ts";
import { endpoint } from "./api.ts";

/**
 * Adds a user's avatar, read once, when the conversation begins. https://dev.twitch.tv/docs/api/reference#get-users
 * (2026-02)
 */
export async function personIn(context: InboxContext, thread: string, person: Person): Promise<Person> {
  if ((await context.knownThreads([thread])).size > 0) return person;
  const url = endpoint("users", { id: person.id });
  const response = await context.request({ method: "GET", url, accept: [400, 404] });
  const [user] = usersSchema.safeParse(response.body).data?.data ?? [];
  return user === undefined ? person : { ...person, avatar_url: user.profile_image_url ?? null };
}
