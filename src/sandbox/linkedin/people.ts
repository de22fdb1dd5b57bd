import { ok, type SandboxAnswer } from "../exchange.ts";
import { type Route, route } from "../parts/routes.ts";
import type { Logins } from "./logins.ts";
import { refusal } from "./refusal.ts";
import { listed, type Member, type Organization, type State } from "./state.ts";

/** The last part of a URN. */
function idIn(urn: string): string {
  return urn.slice(urn.lastIndexOf(":") + 1);
}

/** The value of `projection`. https://github.com/gitroomhq/postiz-app, linkedin.page.provider.ts (2026-08) */
const logoProjection = "(logoV2(original~:playableStreams))";

export function peopleRoutes({ members, organizations }: State, logins: Logins): Route[] {
  function memberOf(wanted: string): Member {
    const found = members.find(({ urn }) => urn === wanted);
    if (found === undefined) throw refusal(404, "NOT_FOUND", "The member is gone.");
    return found;
  }

  function organizationOf(id: string): Organization {
    const found = organizations.find(({ urn }) => idIn(urn) === id);
    if (found === undefined) throw refusal(404, "NOT_FOUND", `Could not find organization ${id}`);
    return found;
  }

  return [
    /** https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2 (2026-08) */
    route("userinfo", "GET /v2/userinfo", (request) => {
      const { member } = logins.callerOf(request, "userinfo.GET.NO_VERSION", "openid");
      const { urn, name } = memberOf(member);
      const picture = `https://media.licdn.com/dms/image/${idIn(urn)}?e=1800000000`;
      return ok({ sub: idIn(urn), name, picture, locale: { country: "US", language: "en" } });
    }),

    /** https://learn.microsoft.com/en-us/linkedin/shared/integrations/people/profile-api (2026-08) */
    route("me", "GET /v2/me", (request) => {
      const { member } = logins.callerOf(request, "me.GET.NO_VERSION", "r_basicprofile");
      const { urn, name, vanityName } = memberOf(member);
      const [localizedFirstName = "", ...last] = name.split(" ");
      return ok({ id: idIn(urn), localizedFirstName, localizedLastName: last.join(" "), vanityName });
    }),

    /** https://learn.microsoft.com/en-us/linkedin/marketing/community-management/organizations/organization-access-control-by-role (2026-08) */
    route("organizationAcls", "GET /rest/organizationAcls?q=roleAssignee", (request) => {
      const resource = "partnerApiOrganizationAcls.FINDER-roleAssignee";
      const { member } = logins.callerOf(request, resource, "rw_organization_admin");
      const own = organizations.filter(({ roles }) => roles.has(member));
      return listed(request.url, own, ({ urn, roles }) => {
        return { organization: urn, role: roles.get(member), roleAssignee: member, state: "APPROVED" };
      });
    }),

    /** https://learn.microsoft.com/en-us/linkedin/marketing/community-management/organizations/organization-lookup-api (2026-08) */
    route("organization", "GET /rest/organizations/:organization", (request, id) => {
      logins.callerOf(request, "organizations.GET", "rw_organization_admin", "r_organization_social");
      const { name, vanityName } = organizationOf(id);
      return ok({ id: Number(id), localizedName: name, vanityName });
    }),

    /** An organisation without a logo lacks this field. */
    route("logo", "GET /v2/organizations/:id", (request, id): SandboxAnswer => {
      logins.callerOf(request, "organizations.GET.NO_VERSION", "rw_organization_admin");
      const { logo } = organizationOf(id);
      if (request.url.searchParams.get("projection") !== logoProjection)
        throw refusal(400, "ILLEGAL_ARGUMENT", "Invalid projection specified");
      if (logo === null) return ok({});
      const identifiers = [{ identifier: logo, identifierType: "EXTERNAL_URL" }];
      return ok({ logoV2: { "original~": { elements: [{ identifiers }] } } });
    }),
  ];
}
