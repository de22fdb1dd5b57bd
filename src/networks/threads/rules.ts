import { findLinks } from "../../text/links.ts";
import type { Part } from "../contract/plan.ts";
import type { ProfileFacts } from "../contract/profile.ts";
import type { RuleInput, SpecRule } from "../contract/spec.ts";
import { firstGiven, rulesOf } from "../shared/rules.ts";
import { readKnown } from "./known.ts";
import { scopesOfOptions } from "./oauth.ts";
import type { ThreadsOptions } from "./options.ts";

/** https://developers.facebook.com/documentation/threads/create-posts/text-attachments (2026-07) */
const maxLinks = 5;

type Plan = RuleInput<ThreadsOptions>;
const { rule: ruleAs, problemAt } = rulesOf<ThreadsOptions>("threads");

function rule(check: SpecRule<ThreadsOptions>["check"]): SpecRule<ThreadsOptions> {
  return ruleAs("invalid_request", check);
}

function fieldOf({ input }: Plan, index: number): string {
  return input.thread === null ? "text" : `thread[${index}]`;
}

/** https://developers.facebook.com/documentation/threads/posts (2026-04) */
const emptyPost = rule((plan) => {
  const index = plan.parts.findIndex(
    ({ text, media, link }) => text.trim() === "" && media.length === 0 && link === null,
  );
  if (index === -1) return null;
  return { field: fieldOf(plan, index), message: "A post on Threads needs a text, a file or a link." };
});

/** The same address counts once. */
const links = rule((plan) => {
  const counts = plan.parts.map((part, index) => linksOf(part, index).size);
  const index = counts.findIndex((count) => count > maxLinks);
  if (index === -1) return null;
  const message = `${counts[index]} different links, the link card's included; Threads accepts at most ${maxLinks} in a post.`;
  return { field: fieldOf(plan, index), message };
});

function linksOf({ text, link, options }: Part<ThreadsOptions>, index: number): Set<string> {
  const named = findLinks(text).flatMap(({ kind, value }) =>
    kind === "url" ? [value] : kind === "domain" ? [`https://${value}`] : [],
  );
  const attached = index === 0 ? options.text_attachment?.link_attachment_url : undefined;
  return new Set([...named, ...(link === null ? [] : [link.url]), ...(attached === undefined ? [] : [attached])]);
}

/** https://github.com/fbsamples/threads_api (2025-12) */
const onlyWithoutFiles = ["poll_attachment", "text_attachment", "gif_attachment"] as const;

const textPosts = rule(({ input: { media, options } }) => {
  const wrong = media.length === 0 ? undefined : firstGiven(options, onlyWithoutFiles);
  if (wrong === undefined) return null;
  return problemAt(wrong, `On Threads a post with files has no ${wrong}: leave out one of them.`);
});

const besidePoll = rule(({ input: { link, options } }) => {
  if (options.poll_attachment === undefined) return null;
  const beside = options.text_attachment !== undefined ? "a text_attachment" : link === null ? null : "a link card";
  if (beside === null) return null;
  return problemAt("poll_attachment", `A poll on Threads cannot be combined with ${beside}.`);
});

/** https://developers.facebook.com/documentation/threads/create-posts/ghost-posts (2026-07) */
const ghosts = rule(({ input: { media, options }, parts }) => {
  if (options.is_ghost_post !== true) return null;
  const because =
    media.length > 0
      ? "has no files"
      : parts.length > 1
        ? "cannot be replied to, so it cannot start a thread"
        : options.enable_reply_approvals === true
          ? "cannot be replied to: leave out enable_reply_approvals"
          : null;
  return because === null ? null : problemAt("is_ghost_post", `A ghost post on Threads ${because}.`);
});

const spoilers = rule(({ input: { media, options }, parts: [first] }) => {
  if (options.is_spoiler_media !== undefined && media.length === 0)
    return problemAt("is_spoiler_media", "This hides files, but the post has none.");
  const length = first?.text.length ?? 0;
  const index = (options.text_entities ?? []).findIndex((entity) => entity.offset + entity.length > length);
  if (index === -1) return null;
  const message = `It ends after the text, which has ${length} UTF-16 units.`;
  return problemAt(`text_entities[${index}].length`, message);
});

const styles = rule(({ input: { options } }) => {
  const { plaintext = "", text_with_styling_info: styled = [] } = options.text_attachment ?? {};
  const index = styled.findIndex(({ offset, length }) => offset + length > plaintext.length);
  if (index === -1) return null;
  const message = `It ends after plaintext, which has ${plaintext.length} UTF-16 units.`;
  return problemAt(`text_attachment.text_with_styling_info[${index}].length`, message);
});

const oneStory = rule(({ input: { options } }) => {
  if (options.crossreshare_to_ig !== true || options.crossreshare_to_ig_dark_mode !== true) return null;
  const message = "Set crossreshare_to_ig or crossreshare_to_ig_dark_mode, not both.";
  return problemAt("crossreshare_to_ig_dark_mode", message);
});

const countries = ruleAs("unsupported", ({ input: { options }, profile }) => {
  if (options.allowlisted_country_codes === undefined || readKnown(profile).may_choose_countries !== false) return null;
  const message = "Threads does not allow this account to choose countries: leave it out.";
  return problemAt("allowlisted_country_codes", message);
});

const permissions = ruleAs("unsupported", ({ input: { options }, profile }) => {
  const names = Object.keys(scopesOfOptions) as (keyof typeof scopesOfOptions)[];
  for (const name of names) {
    const isAsked = options[name] !== undefined && options[name] !== false;
    const message = isAsked ? lackOf(profile, name) : null;
    if (message !== null) return problemAt(name, message);
  }
  return null;
});

/** What the login lacks for this option, in words; null: nothing, as far as is known. */
export function lackOf(
  profile: Pick<ProfileFacts, "account_facts">,
  name: keyof typeof scopesOfOptions,
): string | null {
  const granted = readKnown(profile).scopes;
  const wanted = scopesOfOptions[name];
  if (granted.length === 0 || granted.includes(wanted)) return null;
  return `The access token lacks ${wanted}: add it to furtherScopes, and reconnect the profile.`;
}

/** Checks that a table cannot say, in order. */
export const rules: readonly SpecRule<ThreadsOptions>[] = [
  emptyPost,
  links,
  textPosts,
  besidePoll,
  ghosts,
  spoilers,
  styles,
  oneStory,
  countries,
  permissions,
];
