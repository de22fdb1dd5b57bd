import type { JsonObject } from "../../wire/json.ts";
import type { SandboxAnswer } from "../exchange.ts";
import type { Caller } from "./logins.ts";
import { refusal } from "./refusal.ts";
import type { Member, State } from "./state.ts";

/** Whose token it is. @throws Refusal */
export function memberOf({ members }: State, { member }: Caller): Member {
  const found = members.find(({ urn }) => urn === member);
  if (found === undefined) throw refusal(404, "NOT_FOUND", "The member is gone.");
  return found;
}

/** The last step of a name. */
export function idIn(urn: string): string {
  return urn.slice(urn.lastIndexOf(":") + 1);
}

/** https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2 (2026-08) */
export function userinfo({ urn, name }: Member): SandboxAnswer {
  const picture = `https://media.licdn.com/dms/image/${idIn(urn)}?e=1800000000`;
  return { status: 200, json: { sub: idIn(urn), name, picture, locale: { country: "US", language: "en" } } };
}

/** https://learn.microsoft.com/en-us/linkedin/shared/integrations/people/profile-api (2026-08) */
export function me({ urn, name, vanityName }: Member): SandboxAnswer {
  const [localizedFirstName = "", ...last] = name.split(" ");
  return { status: 200, json: { id: idIn(urn), localizedFirstName, localizedLastName: last.join(" "), vanityName } };
}

/** https://learn.microsoft.com/en-us/linkedin/marketing/community-management/organizations/organization-access-control-by-role (2026-08) */
export function roles({ organizations }: State, { member }: Caller, { searchParams }: URL): SandboxAnswer {
  const [start, count] = [Number(searchParams.get("start") ?? 0), Number(searchParams.get("count") ?? 10)];
  const all = organizations.flatMap(({ urn, roles: given }): JsonObject[] => {
    const role = given.get(member);
    return role === undefined ? [] : [{ organization: urn, role, roleAssignee: member, state: "APPROVED" }];
  });
  return { status: 200, json: { elements: all.slice(start, start + count), paging: { start, count, links: [] } } };
}

/** https://learn.microsoft.com/en-us/linkedin/marketing/community-management/organizations/organization-lookup-api (2026-08) */
export function organization({ organizations }: State, id: string): SandboxAnswer {
  const found = organizations.find(({ urn }) => idIn(urn) === id);
  if (found === undefined) throw refusal(404, "NOT_FOUND", `Could not find organization ${id}`);
  return { status: 200, json: { id: Number(id), localizedName: found.name, vanityName: found.vanityName } };
}

/** What `projection` asks for. https://github.com/gitroomhq/postiz-app, linkedin.page.provider.ts (2026-08) */
const logoProjection = "(logoV2(original~:playableStreams))";

/** One without a logo has no such field. */
export function logo({ organizations }: State, id: string, { searchParams }: URL): SandboxAnswer {
  const found = organizations.find(({ urn }) => idIn(urn) === id);
  if (found === undefined) throw refusal(404, "NOT_FOUND", `Could not find organization ${id}`);
  if (searchParams.get("projection") !== logoProjection)
    throw refusal(400, "ILLEGAL_ARGUMENT", "Invalid projection specified");
  if (found.logo === null) return { status: 200, json: {} };
  const identifiers = [{ identifier: found.logo, identifierType: "EXTERNAL_URL" }];
  return { status: 200, json: { logoV2: { "original~": { elements: [{ identifiers }] } } } };
}
