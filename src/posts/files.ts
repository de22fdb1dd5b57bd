import { errorIssue } from "../planning/issue.ts";
import type { ParsedCreatePost, PlanIssue, TargetPlan } from "../planning/schema.ts";
import { type ErrorDetail, PublishingError, SocialError } from "../wire/errors.ts";
import { fieldPath } from "../wire/parse-issue.ts";
import type { PostPorts } from "./ports.ts";

/** Fields of text. A hosted file's URL in any other field names a file. */
const words: ReadonlySet<PropertyKey> = new Set(["text", "title", "thread", "alt"]);

interface NamedFile {
  url: string;
  key: string;
  /** The field of the request. */
  field: string;
}

/** The hosted files that a post needs, and an error detail for each that the account does not have. */
export async function readHostedFiles(
  { hosting }: PostPorts,
  accountId: string,
  body: ParsedCreatePost,
): Promise<{ keys: string[]; details: ErrorDetail[] }> {
  const files = new Map<string, NamedFile>();
  for (const file of filesIn(body, hosting.keyOf)) if (!files.has(file.key)) files.set(file.key, file);
  const details: ErrorDetail[] = [];
  for (const { url, field } of files.values()) {
    try {
      await hosting.inspect(url, accountId);
    } catch (error) {
      if (!PublishingError.is(error)) throw error;
      const network = /^networks\.([^.]+)\./.exec(field)?.[1];
      details.push({
        field,
        ...(network === undefined ? {} : { network }),
        code: error.code,
        message: error.message,
      });
    }
  }
  return { keys: [...files.keys()], details };
}

/** The keys of all hosted files that a post names, whether or not they still exist. */
export function hostedKeysIn({ hosting }: PostPorts, body: ParsedCreatePost): string[] {
  return [...new Set(filesIn(body, hosting.keyOf).map(({ key }) => key))];
}

/**
 * All hosted files in a body, such as covers and documents, including those in network options. A link to a file does
 * not count.
 */
function filesIn({ media, link, networks }: ParsedCreatePost, keyOf: (url: string) => string | null): NamedFile[] {
  const found: NamedFile[] = [];
  function look(value: unknown, path: PropertyKey[]): void {
    const name = path.at(-1) ?? "";
    const isLink = name === "link" || (name === "url" && path.at(-2) === "link");
    if (words.has(name) || (isLink && typeof value === "string")) return;
    if (typeof value === "string") {
      const key = keyOf(value);
      if (key !== null) found.push({ url: value, key, field: fieldPath(path) });
    } else if (typeof value === "object" && value !== null) {
      for (const [inner, each] of Object.entries(value))
        look(each, [...path, Array.isArray(value) ? Number(inner) : inner]);
    }
  }
  look(media, ["media"]);
  look(link, ["link"]);
  look(networks, ["networks"]);
  return found;
}

/**
 * A target's plan, with an issue for each missing hosted file that it does not report yet: covers, and files in
 * options.
 */
export function withMissing(plan: TargetPlan, details: readonly ErrorDetail[]): TargetPlan {
  const missing = details.flatMap(({ field = "media", network, code = "media_error", message }): PlanIssue[] => {
    const isOther = network !== undefined && network !== plan.network;
    return isOther || plan.issues.some((issue) => issue.message === message) ? [] : [errorIssue(code, field, message)];
  });
  if (missing.length === 0) return plan;
  // A card image that is missing at another host is only a warning; the error about a hosted file replaces it.
  const isSaid = ({ severity, field }: PlanIssue) =>
    severity === "warning" && missing.some((issue) => issue.field === field);
  return { ...plan, valid: false, issues: [...plan.issues.filter((issue) => !isSaid(issue)), ...missing] };
}

/** A file was deleted between the check and the write of the post. */
export function fileGone(): SocialError {
  const message = "A file of the post no longer exists; upload it again.";
  return new SocialError("invalid_request", "The post is not valid; nothing was sent.", {
    details: [{ field: "media", code: "media_error", message }],
  });
}
