import { type ErrorDetail, PublishingError } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import type { NetworkAdapter, Part, PlanInput, PlannedLink, PlannedMedia } from "../networks/adapter.ts";
import { applyLimits, type NetworkSpec } from "../networks/spec.ts";
import { checkInput } from "../parse.ts";
import { factsOf, type ProfileRow } from "../profiles/rows.ts";
import { countText, fits } from "../text/count.ts";
import { checkMedia } from "./check-media.ts";
import type { MediaRequest, MediaResult } from "./media.ts";
import {
  type OverrideContent,
  overrideContentKeys,
  overrideContentSchema,
  type ParsedCreatePost,
  type PlanIssue,
  type TargetPlan,
} from "./schema.ts";
import { splitThread } from "./thread.ts";

/** A post as one profile's network will see it. */
export interface PlannedTarget {
  profile: ProfileRow;
  input: PlanInput;
  /** Empty when there are errors. */
  parts: Part[];
  issues: PlanIssue[];
  /** A file could not be read, but may be there in a while. */
  waitsForMedia: boolean;
  spec: NetworkSpec;
}

/** What a post's own words become on one network, before its media are known. */
export interface TargetContent {
  content: ParsedCreatePost & OverrideContent;
  options: JsonObject;
  issues: PlanIssue[];
  /** Content keys that the network's override replaced: issues name them there. */
  replaced: ReadonlySet<string>;
}

/** Applies the override of one network and parses its pass-through options. */
export function contentFor(body: ParsedCreatePost, adapter: NetworkAdapter): TargetContent {
  const { network } = adapter.spec;
  const override = body.networks[network] ?? {};
  const own: JsonObject = {};
  const content: JsonObject = {};
  for (const [key, value] of Object.entries(override)) {
    if ((overrideContentKeys as string[]).includes(key)) content[key] = value;
    else own[key] = value;
  }
  const checkedContent = checkInput(overrideContentSchema, content);
  // What is no option may be a slip of a content key.
  const checkedOptions = checkInput(adapter.options, own, { noun: "option", besides: overrideContentKeys });
  const issues = [checkedContent, checkedOptions].flatMap((checked) =>
    "data" in checked ? [] : checked.details.map((detail) => issueOf(detail, network)),
  );
  const replaced = Object.fromEntries(
    Object.entries("data" in checkedContent ? checkedContent.data : {}).filter(([, value]) => value != null),
  );
  return {
    content: { ...body, ...replaced },
    options: ("data" in checkedOptions ? checkedOptions.data : {}) as JsonObject,
    issues,
    replaced: new Set(Object.keys(replaced)),
  };
}

/** Files as a request names them, in one form. */
export function mediaOf(media: ParsedCreatePost["media"]): MediaRequest[] {
  return media.map((item) =>
    typeof item === "string"
      ? { url: item, alt: null, thumbnail_url: null }
      : { url: item.url, alt: item.alt ?? null, thumbnail_url: item.thumbnail_url ?? null },
  );
}

/** Cuts a target's content into parts and checks them against its network's spec and the account's limits. */
export function planTarget(
  profile: ProfileRow,
  adapter: NetworkAdapter,
  content: TargetContent,
  media: readonly MediaResult[],
): PlannedTarget {
  const allowed = applyLimits(adapter.spec, profile.limits);
  const issues: PlanIssue[] = [];
  const planned: PlannedMedia[] = [];
  media.forEach((result, index) => {
    if ("error" in result) issues.push(errorIssue(result.error.code, `media[${index}]`, result.error.message));
    else planned.push(result);
  });
  const input = toInput(content, planned);
  const spec = withoutTakenText(allowed, input);
  const parts = cutIntoParts(input, spec, issues);
  issues.push(...checkParts(parts, input, spec), ...checkMedia(planned, spec));
  for (const rule of spec.rules) {
    const found = rule.check({ input, parts, spec, profile: factsOf(profile) });
    if (found !== null) issues.push(errorIssue(rule.code, found.field, found.message));
  }
  const placed = issues.map((issue) => ({ ...issue, field: fieldOf(issue.field, content.replaced, spec) }));
  const waitsForMedia = media.some((result) => "error" in result && result.error.isPassing);
  return { profile, input, parts, issues: [...content.issues, ...placed], waitsForMedia, spec };
}

function withoutTakenText(spec: NetworkSpec, { options }: PlanInput): NetworkSpec {
  const taken = spec.takenFromText?.(options, spec.text) ?? 0;
  return taken === 0 ? spec : { ...spec, text: { ...spec.text, max: spec.text.max - taken } };
}

/** The place in the request where a content key of one network stands. */
function fieldOf(field: string, replaced: ReadonlySet<string>, spec: NetworkSpec): string {
  const [key = ""] = field.split(/[.[]/, 1);
  return replaced.has(key) ? `networks.${spec.network}.${field}` : field;
}

function toInput({ content, options }: TargetContent, media: PlannedMedia[]): PlanInput {
  return {
    text: content.text ?? "",
    title: content.title ?? null,
    link: toLink(content.link),
    thread: content.thread ?? null,
    auto_thread: content.auto_thread,
    media,
    post_type: content.post_type ?? "post",
    options,
  };
}

export function toLink(link: ParsedCreatePost["link"]): PlannedLink | null {
  if (link == null) return null;
  if (typeof link === "string") return { url: link, title: null, description: null, image_url: null };
  const { url, title = null, description = null, image_url = null } = link;
  return { url, title, description, image_url };
}

function cutIntoParts(input: PlanInput, spec: NetworkSpec, issues: PlanIssue[]): Part[] {
  const { media, title, post_type, options } = input;
  const texts = textsOf(input, spec, issues);
  return texts.map((text, index) => ({
    text,
    media: index === 0 ? [...media] : [],
    link: index === 0 && spec.link_card === "field" ? input.link : null,
    title: index === 0 ? title : null,
    post_type,
    options,
  }));
}

function textsOf(input: PlanInput, spec: NetworkSpec, issues: PlanIssue[]): string[] {
  const { thread, link } = input;
  if (thread !== null && spec.threads) {
    if (link !== null && spec.link_card === "from_text" && !thread.some((text) => text.includes(link.url))) {
      const message = `${spec.name} shows a link only where its address stands in the text; put it into a thread part.`;
      issues.push({ severity: "warning", code: "unsupported", field: "link", message });
    }
    return [...thread];
  }
  if (thread !== null && input.text === "" && input.media.length === 0) {
    issues.push(errorIssue("unsupported", "thread", `${spec.name} has no threads; give a text for it besides.`));
    return [];
  }
  const text = withLink(input, spec);
  if (!input.auto_thread || !spec.threads || fits(text, spec.text)) return [text];
  try {
    return splitThread(text, spec.text);
  } catch (error) {
    if (!PublishingError.is(error)) throw error;
    issues.push(errorIssue(error.code, "text", error.message));
    return [];
  }
}

/** Where the network makes its card from the text, the address is put there. */
function withLink({ text, link }: PlanInput, spec: NetworkSpec): string {
  if (link === null || spec.link_card === "field" || text.includes(link.url)) return text;
  return text === "" ? link.url : `${text}\n\n${link.url}`;
}

const mostThreadParts = 50;

function checkParts(parts: readonly Part[], input: PlanInput, spec: NetworkSpec): PlanIssue[] {
  const issues: PlanIssue[] = [];
  const field = (index: number): string => (input.thread !== null && spec.threads ? `thread[${index}]` : "text");
  parts.forEach((part, index) => {
    const length = countText(part.text, spec.text);
    const bytes = new TextEncoder().encode(part.text).length;
    if (length > spec.text.max) {
      const hint = spec.threads && input.thread === null ? " Shorten it, or set auto_thread." : " Shorten it.";
      issues.push(tooLong(field(index), `${length} of at most ${spec.text.max} ${unitNames[spec.text.unit]}.${hint}`));
    } else if (spec.text.max_bytes !== undefined && bytes > spec.text.max_bytes) {
      issues.push(tooLong(field(index), `${bytes} of at most ${spec.text.max_bytes} bytes. Shorten it.`));
    }
  });
  if (parts.length > mostThreadParts) {
    issues.push(tooLong("text", `it makes ${parts.length} parts; a thread has at most ${mostThreadParts}.`));
  }
  return [...issues, ...checkKind(input, spec)];
}

function checkKind(input: PlanInput, spec: NetworkSpec): PlanIssue[] {
  const issues: PlanIssue[] = [];
  if (!spec.post_types.includes(input.post_type)) {
    const known = spec.post_types.join(", ");
    issues.push(errorIssue("unsupported", "post_type", `${spec.name} has no ${input.post_type}; it takes ${known}.`));
  }
  if (spec.title === null) {
    if (input.title !== null) {
      const message = `${spec.name} has no titles; it is left out there.`;
      issues.push({ severity: "warning", code: "unsupported", field: "title", message });
    }
  } else if (input.title === null || input.title === "") {
    if (spec.title.required) issues.push(errorIssue("invalid_request", "title", `${spec.name} needs a title.`));
  } else if ([...input.title].length > spec.title.max) {
    issues.push(tooLong("title", `at most ${spec.title.max} characters on ${spec.name}.`));
  }
  return issues;
}

const unitNames: Record<NetworkSpec["text"]["unit"], string> = {
  graphemes: "characters",
  utf16: "UTF-16 units",
  utf8: "bytes",
  weighted: "weighted characters",
};

function tooLong(field: string, message: string): PlanIssue {
  return errorIssue("invalid_request", field, `Too long: ${message}`);
}

function errorIssue(code: string, field: string, message: string): PlanIssue {
  return { severity: "error", code, field, message };
}

/** A zod issue as ours; an unknown key is named with its full path. */
function issueOf({ field = "", message }: ErrorDetail, network: string): PlanIssue {
  return errorIssue("invalid_request", `networks.${network}${field === "" ? "" : `.${field}`}`, message);
}

/** A planned target as `posts.validate` shows it. */
export function toPlan({ profile, input, parts, issues, spec }: PlannedTarget): TargetPlan {
  return {
    profile_id: profile.id,
    network: spec.network,
    valid: !issues.some(({ severity }) => severity === "error"),
    parts: parts.map(({ text }) => ({ text, length: countText(text, spec.text), limit: spec.text.max })),
    media: input.media.map(({ url, type, mime_type }) => ({
      url,
      type,
      action: spec.media.types.find(({ mime }) => mime === mime_type)?.action ?? "as_is",
    })),
    issues,
  };
}

export function toDetails({ issues, spec }: PlannedTarget): ErrorDetail[] {
  return issues
    .filter(({ severity }) => severity === "error")
    .map(({ message, field, code }) => ({ message, field, network: spec.network, code }));
}
