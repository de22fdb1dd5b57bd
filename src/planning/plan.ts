import { fileAfter, shapeOf } from "../media/fit/fit.ts";
import type { MediaChange } from "../media/transform/transformer.ts";
import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { ProfileLimits } from "../networks/contract/limits.ts";
import type { AnyOptions, Part, PlanInput, PlannedLink, PlannedMedia } from "../networks/contract/plan.ts";
import { applyLimits, type NetworkSpec } from "../networks/contract/spec.ts";
import { factsOf, type ProfileRow } from "../profiles/rows.ts";
import { countText } from "../text/count.ts";
import type { TextReader } from "../text/reading.ts";
import type { ErrorDetail } from "../wire/errors.ts";
import type { JsonObject } from "../wire/json.ts";
import { checkInput } from "../wire/parse.ts";
import { checkCovers } from "./check-covers.ts";
import { checkLinkPicture } from "./check-link-picture.ts";
import { checkChanged, checkLocations, checkMedia, checkPulled, type FittedMedia, shownAs } from "./check-media.ts";
import { checkOptionFiles } from "./check-option-files.ts";
import { checkParts, textRuleOf } from "./check-parts.ts";
import { costOf } from "./cost.ts";
import { cutIntoParts } from "./cut.ts";
import { errorIssue, warning } from "./issue.ts";
import type { MediaReader, MediaRequest, MediaResult } from "./media.ts";
import type { PlanningPorts } from "./ports.ts";
import {
  type OverrideContent,
  overrideContentKeys,
  overrideContentSchema,
  type ParsedCreatePost,
  type PlanIssue,
  type PlannedQuota,
  type TargetPlan,
} from "./schema.ts";
import { specFor } from "./variant.ts";

/** The plan that all profiles of one network with the same limits share. */
export interface SharedPlan {
  input: PlanInput;
  parts: Part[];
  /** Length of each part, as the network counts. */
  lengths: number[];
  issues: PlanIssue[];
  /** The files of `input`, and how each is sent. */
  files: FittedMedia[];
  /** The conversion of the link's image. Null: none. */
  linkChange: MediaChange | null;
  /** True: a file could not be read now, but may be readable later. */
  waitsForMedia: boolean;
  /** The index in the request of each file of `input`. Unreadable files are left out. */
  places: number[];
  spec: NetworkSpec;
}

/** The plan for one profile. */
export interface PlannedTarget extends SharedPlan {
  profile: ProfileRow;
}

/** A post's content on one network, before its media are read. */
export interface TargetContent {
  content: ParsedCreatePost & OverrideContent;
  /** The options as parsed. Null: they are invalid, so the network's rules cannot be checked. */
  options: AnyOptions | null;
  issues: PlanIssue[];
  /** Content keys that the network's override replaced. Issues name them there. */
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
  // An unknown option may be a misspelled content key, so these are suggested too.
  const checkedOptions = checkInput(adapter.options, own, { noun: "option", besides: overrideContentKeys });
  const issues = [checkedContent, checkedOptions].flatMap((checked) =>
    "data" in checked ? [] : checked.details.map((detail) => issueOf(detail, network)),
  );
  const replaced = Object.fromEntries(
    Object.entries("data" in checkedContent ? checkedContent.data : {}).filter(([, value]) => value != null),
  );
  return {
    content: { ...body, ...replaced },
    options: "data" in checkedOptions ? checkedOptions.data : (adapter.options.safeParse({}).data ?? null),
    issues,
    replaced: new Set(Object.keys(replaced)),
  };
}

/** The files of a request in one form. */
export function mediaOf(media: ParsedCreatePost["media"]): MediaRequest[] {
  return media.map((item) =>
    typeof item === "string"
      ? { url: item, alt: null, thumbnail_url: null }
      : { url: item.url, alt: item.alt ?? null, thumbnail_url: item.thumbnail_url ?? null },
  );
}

/** The ports and files that planning content needs. */
interface PlanningTools
  extends Pick<PlanningPorts, "mediaTools" | "changeWarnings" | "pullProblem" | "location" | "pace"> {
  /** The files of the content, in order. */
  media: readonly MediaResult[];
  /** Reads the facts of another file. */
  readMedia: MediaReader["read"];
  readText: TextReader;
}

/** Cuts content into parts and checks them against a network's spec and a profile's limits. */
export async function planContent(
  { adapter, limits }: { adapter: NetworkAdapter; limits: ProfileLimits },
  content: TargetContent,
  { media, readMedia, readText, mediaTools, changeWarnings, pullProblem, location, pace }: PlanningTools,
): Promise<SharedPlan> {
  const issues: PlanIssue[] = [];
  const planned: PlannedMedia[] = [];
  const places: number[] = [];
  const unread: PlanIssue[] = [];
  media.forEach((result, index) => {
    if ("error" in result) {
      unread.push(errorIssue(result.error.code, `media[${index}]`, result.error.message));
      return;
    }
    planned.push(result);
    places.push(index);
  });
  const draft = toInput(content, planned);
  const network = content.options === null ? withoutRules(adapter) : adapter;
  const allowed = applyLimits(specFor(network.spec, draft), limits);
  const checked = checkMedia(planned, allowed, mediaTools);
  const covers = await checkCovers(checked.fitted, allowed, { readMedia, pullProblem, location });
  const named = await checkOptionFiles(draft.options, allowed, { readMedia, pullProblem, location });
  const card = await checkLinkPicture(draft.link, allowed, { readMedia, mediaTools, changeWarnings, location });
  const given = { ...draft, media: covers.media, link: card.link };
  const input = allowed.text.max === 0 ? withoutText(given, allowed, issues) : given;
  const spec = withoutTakenText(allowed, input);
  const cut = await cutIntoParts(input, spec, { issues, readText, pace });
  const prepared = network.publish?.prepare?.(input, cut) ?? cut;
  const parts = named.files.length === 0 ? prepared : prepared.map((part) => ({ ...part, option_files: named.files }));
  const lengths: number[] = [];
  for (const part of parts) {
    lengths.push(countText(part.text, textRuleOf(part, spec)));
    await pace();
  }
  const changed = await checkChanged(checked.fitted, allowed, changeWarnings);
  const pulled = await checkPulled(checked.fitted, allowed, pullProblem);
  issues.push(...checkParts({ parts, lengths }, input, spec));
  const located = checkLocations(checked.fitted, allowed, location);
  issues.push(...checked.issues, ...covers.issues, ...named.issues, ...card.issues);
  issues.push(...changed, ...pulled, ...located);
  const found = [...unread, ...issues.map((issue) => ({ ...issue, field: placed(issue.field, places) }))];
  const waitsForMedia =
    covers.waits || named.waits || media.some((result) => "error" in result && result.error.isPassing);
  return {
    input,
    parts,
    lengths,
    issues: [
      ...content.issues,
      ...found.map((issue) => ({ ...issue, field: fieldOf(issue.field, content.replaced, spec) })),
    ],
    files: checked.fitted,
    linkChange: card.change,
    waitsForMedia,
    places,
    spec,
  };
}

/** Adds the issues that the network's rules find on one profile. */
export function planTarget(profile: ProfileRow, plan: SharedPlan, replaced: ReadonlySet<string>): PlannedTarget {
  const { input, parts, places, spec } = plan;
  const facts = factsOf(profile);
  const issues = spec.rules.flatMap((rule): PlanIssue[] => {
    const found = rule.check({ input, parts, spec, profile: facts });
    if (found === null) return [];
    return [errorIssue(rule.code, fieldOf(placed(found.field, places), replaced, spec), found.message)];
  });
  return { ...plan, profile, issues: [...plan.issues, ...issues] };
}

/** The network's spec without rules, for options that are invalid. */
function withoutRules({ spec: { takenFromText: _, ...spec } }: NetworkAdapter): {
  spec: NetworkSpec;
  publish?: undefined;
} {
  return { spec: { ...spec, rules: [] } };
}

/** Leaves out the text, for a network that shows none in a post of this kind. */
function withoutText(input: PlanInput, { name }: NetworkSpec, issues: PlanIssue[]): PlanInput {
  const field = input.thread === null ? "text" : "thread";
  if (input.text !== "" || input.thread !== null)
    issues.push(warning(field, `${name} does not show text in a post of this kind; the text is left out there.`));
  return { ...input, text: "", thread: null };
}

function withoutTakenText(spec: NetworkSpec, { options }: PlanInput): NetworkSpec {
  const taken = spec.takenFromText?.(options, spec.text) ?? 0;
  return taken === 0 ? spec : { ...spec, text: { ...spec.text, max: spec.text.max - taken } };
}

/** Converts an index among the planned files to one in the request. */
function placed(field: string, places: readonly number[]): string {
  return field.replace(/^media\[(\d+)\]/, (_, index) => `media[${places[Number(index)]}]`);
}

/** The request field of a content key on one network. */
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
    options: options ?? {},
  };
}

export function toLink(link: ParsedCreatePost["link"]): PlannedLink | null {
  if (link == null) return null;
  if (typeof link === "string") return { url: link, title: null, description: null, image_url: null };
  const { url, title = null, description = null, image_url = null } = link;
  return { url, title, description, image_url };
}

/** Converts a zod issue. An unknown key is named with its full path. */
function issueOf({ field = "", message }: ErrorDetail, network: string): PlanIssue {
  return errorIssue("invalid_request", `networks.${network}${field === "" ? "" : `.${field}`}`, message);
}

/** A planned target as `posts.validate` returns it. */
export function toPlan(
  { profile, files, parts, lengths, issues, spec }: PlannedTarget,
  quota: PlannedQuota | null,
): TargetPlan {
  return {
    profile_id: profile.id,
    network: spec.network,
    valid: !issues.some(({ severity }) => severity === "error"),
    parts: parts.map((part, index) => ({
      text: part.text,
      length: lengths[index] ?? 0,
      limit: textRuleOf(part, spec).max,
      role: part.role ?? (index === 0 ? "post" : "reply"),
    })),
    media: files.map((file) => toPlannedFile(file, spec)),
    cost_usd: costOf(parts, spec),
    quota,
    issues,
  };
}

function toPlannedFile({ item, fit }: FittedMedia, spec: NetworkSpec): TargetPlan["media"][number] {
  const { url, type } = item;
  const shapes = { before: shapeOf(item), after: fileAfter(item, fit) };
  if (fit.kind === "as_is")
    return { url, type, action: shownAs(item, spec) ?? "as_is", ...shapes, reasons: fit.warnings ?? [] };
  return { url, type, action: fit.kind === "refuse" ? "refuse" : fit.action, ...shapes, reasons: fit.reasons };
}

export function toDetails({ issues, spec }: PlannedTarget): ErrorDetail[] {
  return issues
    .filter(({ severity }) => severity === "error")
    .map(({ message, field, code }) => ({ message, field, network: spec.network, code }));
}
