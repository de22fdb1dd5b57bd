import type { LookInput, LookResult } from "../contract/look.ts";
import type { NetworkContext } from "../contract/request.ts";
import type { Api } from "./api.ts";
import { findComment } from "./comments.ts";
import { findPost } from "./feed.ts";
import { locateFilm } from "./film.ts";
import { isFilm, kindOf } from "./kind.ts";
import type { FacebookOptions } from "./options.ts";
import { findStory } from "./stories.ts";

/** Did a part whose answer was lost go out? A video knows; the rest is looked for in the Page's lists. */
export async function lookFor(
  context: NetworkContext,
  input: LookInput<FacebookOptions>,
  api: Api,
): Promise<LookResult> {
  const kind = kindOf(input.part);
  if (kind === "comment") return findComment(context, input, api);
  const film = isFilm(kind) ? await locateFilm(context, input, api) : null;
  if (film !== null) return film;
  return input.part.post_type === "story" ? findStory(context, input, api) : findPost(context, input, api);
}
