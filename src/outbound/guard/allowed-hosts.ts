import { SocialError } from "../../wire/errors.ts";
import { readAllowEntry } from "./target.ts";

/** What the guard is asked to reach: receivers of webhooks, media files, instances and personal servers. */
const uses = ["webhooks", "media", "instances"] as const;

type Use = (typeof uses)[number];

/** Places that may be reached although they are not public, `host:port`: for everything, or for each use its own. */
export type AllowedHosts = readonly string[] | { readonly [use in Use]?: readonly string[] };

/**
 * The lists for each use, in the spelling that the guard compares.
 *
 * @throws SocialError `invalid_options` that names the option and the entry that would never fit
 */
export function readAllowedHosts(option: AllowedHosts = []): Record<Use, string[]> {
  if (isList(option)) {
    const all = readList(option, "allowedHosts");
    return { webhooks: all, media: all, instances: all };
  }
  const unknown = Object.keys(option).find((key) => !(uses as readonly string[]).includes(key));
  if (unknown !== undefined) throw wrong(`allowedHosts.${unknown}: unknown use; known are ${uses.join(", ")}.`);
  const { webhooks = [], media = [], instances = [] } = option;
  return {
    webhooks: readList(webhooks, "allowedHosts.webhooks"),
    media: readList(media, "allowedHosts.media"),
    instances: readList(instances, "allowedHosts.instances"),
  };
}

function isList(option: AllowedHosts): option is readonly string[] {
  if (typeof option !== "object" || option === null) {
    throw wrong(`allowedHosts: must be a list of hosts with ports, or { ${uses.join(", ")} } with lists.`);
  }
  return Array.isArray(option);
}

function readList(entries: readonly string[], name: string): string[] {
  if (!Array.isArray(entries)) throw wrong(`${name}: must be a list, for example ["localhost:3000"].`);
  return entries.map((entry: unknown, index) => {
    try {
      return readAllowEntry(String(entry));
    } catch (error) {
      const problem = error instanceof Error ? error.message.replace(/^allow: /, "") : "";
      throw wrong(`${name}[${index}]: ${problem}.`);
    }
  });
}

function wrong(message: string): SocialError {
  return new SocialError("invalid_options", message);
}
