import type { TextRule } from "../networks/contract/limits.ts";
import type { Part, PlanInput } from "../networks/contract/plan.ts";
import type { NetworkSpec } from "../networks/contract/spec.ts";
import { countBytes } from "../text/bytes.ts";
import { errorIssue, tooLong, warning } from "./issue.ts";
import type { PlanIssue } from "./schema.ts";

/** The text limit of a part: comments and posts differ. */
export function textRuleOf({ role }: Part, spec: NetworkSpec): TextRule {
  return role === "comment" ? (spec.comment?.text ?? spec.text) : spec.text;
}

/** Checks a post's parts against its network's limits. */
export function checkParts(
  { parts, lengths }: { parts: readonly Part[]; lengths: readonly number[] },
  input: PlanInput,
  spec: NetworkSpec,
): PlanIssue[] {
  const issues: PlanIssue[] = [];
  parts.forEach((part, index) => {
    const rule = textRuleOf(part, spec);
    const field = fieldOf(part, index, { input, spec });
    const length = lengths[index] ?? 0;
    const bytes = countBytes(part.text);
    if (length > rule.max) {
      const canBeCut = field === "text" && spec.threads;
      const hint = canBeCut ? " Shorten it, or set auto_thread." : " Shorten it.";
      issues.push(tooLong(field, `${length} of at most ${rule.max} ${unitNames[rule.unit]}.${hint}`));
    } else if (rule.max_bytes !== undefined && bytes > rule.max_bytes) {
      issues.push(tooLong(field, `${bytes} of at most ${rule.max_bytes} bytes. Shorten it.`));
    }
  });
  return [...issues, ...checkKind(input, spec)];
}

/** The request field that a part's text comes from. */
function fieldOf({ role }: Part, index: number, { input, spec }: { input: PlanInput; spec: NetworkSpec }): string {
  if (role === "comment") return `networks.${spec.network}.first_comment`;
  return input.thread !== null && spec.threads ? `thread[${index}]` : "text";
}

function checkKind(input: PlanInput, spec: NetworkSpec): PlanIssue[] {
  const issues: PlanIssue[] = [];
  if (!spec.post_types.includes(input.post_type)) {
    const known = spec.post_types.join(", ");
    issues.push(errorIssue("unsupported", "post_type", `${spec.name} has no ${input.post_type}; it has ${known}.`));
  }
  if (input.link !== null && spec.link_card === "none")
    issues.push(
      warning("link", `${spec.name} does not show links in a post of this kind; the link is left out there.`),
    );
  if (spec.title === null) {
    if (input.title !== null) {
      issues.push(warning("title", `${spec.name} has no titles; the title is left out there.`));
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
  emoji_bytes: "characters; an emoji counts its bytes",
};
