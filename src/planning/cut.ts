import type { Pace } from "../async/pace.ts";
import type { Part, PlanInput } from "../networks/contract/plan.ts";
import type { NetworkSpec } from "../networks/contract/spec.ts";
import type { TextReader } from "../text/reading.ts";
import { PublishingError } from "../wire/errors.ts";
import { errorIssue, tooLong, warning } from "./issue.ts";
import type { PlanIssue } from "./schema.ts";
import { cutThread } from "./thread.ts";

/** Where problems go, who reads texts, and what is called between two pieces of long work. */
interface Planning {
  issues: PlanIssue[];
  readText: TextReader;
  pace: Pace;
}

/** What a post becomes on a network: itself, or the parts of a thread. */
export async function cutIntoParts(input: PlanInput, spec: NetworkSpec, planning: Planning): Promise<Part[]> {
  const { media, title, post_type, options } = input;
  const texts = await textsOf(input, spec, planning);
  return texts.map((text, index) => ({
    text,
    media: index === 0 ? [...media] : [],
    link: index === 0 && spec.link_card === "field" ? input.link : null,
    title: index === 0 ? title : null,
    post_type,
    options,
  }));
}

async function textsOf(input: PlanInput, spec: NetworkSpec, { issues, readText, pace }: Planning): Promise<string[]> {
  const { thread, link } = input;
  if (thread !== null && spec.threads) {
    if (link !== null && spec.link_card === "from_text" && !thread.some((text) => text.includes(link.url))) {
      const message = `${spec.name} shows a link only if the text contains its URL; put it into a thread part.`;
      issues.push(warning("link", message));
    }
    return [...thread];
  }
  if (thread !== null && input.text === "" && input.media.length === 0) {
    issues.push(errorIssue("unsupported", "thread", `${spec.name} has no threads; add a separate text for it.`));
    return [];
  }
  const text = withLink(input, spec);
  if (!input.auto_thread || !spec.threads) return [text];
  try {
    const texts: string[] = [];
    let count = 0;
    for (const part of cutThread(text, spec.text, readText)) {
      count += 1;
      if (count <= maxThreadParts) texts.push(part);
      await pace();
    }
    if (count > maxThreadParts) {
      issues.push(tooLong("text", `it has ${count} parts; a thread has at most ${maxThreadParts}.`));
    }
    return texts;
  } catch (error) {
    if (!PublishingError.is(error)) throw error;
    issues.push(errorIssue(error.code, "text", error.message));
    return [];
  }
}

/** Where the network makes its card from the text, the address is put there. */
function withLink({ text, link }: PlanInput, spec: NetworkSpec): string {
  if (link === null || spec.link_card !== "from_text" || text.includes(link.url)) return text;
  return text === "" ? link.url : `${text}\n\n${link.url}`;
}

const maxThreadParts = 50;
