import { errorIssue } from "../planning/issue.ts";
import type { ParsedCreatePost, PlanIssue, TargetPlan } from "../planning/schema.ts";
import { type ErrorDetail, PublishingError, SocialError } from "../wire/errors.ts";
import { fieldPath } from "../wire/parse-issue.ts";
import type { PostPorts } from "./ports.ts";

/** What a post says itself, and what its overrides say: all else that is an address of ours is a file. */
const words: ReadonlySet<PropertyKey> = new Set(["text", "title", "thread", "alt"]);

interface NamedFile {
  url: string;
  key: string;
  /** Where the request has it. */
  field: string;
}

/** The hosted files that a post needs, and a detail for each that the account does not have. */
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

/** The keys of all hosted files that a post names, whether they are still there or not. */
export function hostedKeysIn({ hosting }: PostPorts, body: ParsedCreatePost): string[] {
  return [...new Set(filesIn(body, hosting.keyOf).map(({ key }) => key))];
}

/** Covers, documents and the like, in the options of a network too. A link that is a file is only a link. */
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

/** A target's plan with the hosted files that it does not speak of yet: covers, and files in options. */
export function withMissing(plan: TargetPlan, details: readonly ErrorDetail[]): TargetPlan {
  const missing = details.flatMap(({ field = "media", network, code = "media_error", message }): PlanIssue[] => {
    const isOther = network !== undefined && network !== plan.network;
    return isOther || plan.issues.some((issue) => issue.message === message) ? [] : [errorIssue(code, field, message)];
  });
  if (missing.length === 0) return plan;
  // The picture of a card may be missing on the web, where it is no more than a warning.
  const isSaid = ({ severity, field }: PlanIssue) =>
    severity === "warning" && missing.some((issue) => issue.field === field);
  return { ...plan, valid: false, issues: [...plan.issues.filter((issue) => !isSaid(issue)), ...missing] };
}

/** A file went between being looked at and the post being stored. */
export function fileGone(): SocialError {
  const message = "A file of the post no longer exists; upload it again.";
  return new SocialError("invalid_request", "The post is not valid; nothing was sent.", {
    details: [{ field: "media", code: "media_error", message }],
  });
}
