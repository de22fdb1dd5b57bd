import { z } from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { OptionChoice, OptionChoices } from "../contract/choices.ts";
import type { NetworkContext } from "../contract/request.ts";
import { graphId } from "../shared/meta/graph-id.ts";
import { type Api, readAnswer } from "./api.ts";
import { readKnown } from "./known.ts";

/** https://developers.facebook.com/docs/instagram-platform/content-publishing/audio-api (2026-06) */
const listSchema = z.object({
  audio: z
    .array(
      z.object({
        audio_id: graphId,
        title: z.string().nullish(),
        display_artist: z.string().nullish(),
        ig_username: z.string().nullish(),
      }),
    )
    .nullish(),
});

/** @param api the Graph API in the version that the host has chosen */
export function createChoices(api: Api): OptionChoices {
  return { "audio_configuration.audio_id": { search: (context, words) => findMusic(context, api, words) } };
}

/** Without words, Instagram shows what is popular. Same source. */
async function findMusic(context: NetworkContext, api: Api, words: string | null): Promise<OptionChoice[]> {
  const { profile } = context;
  const { flavour } = readKnown(profile);
  if (flavour === "instagram") {
    const message = "It shows no music to its own login: connect the account with Facebook's login.";
    throw new PublishingError("unsupported", message);
  }
  const search: Record<string, string> = words === null ? {} : { search_query: words };
  const url = api.endpoint(flavour, ["ig_audio"], { audio_type: "music", user_id: profile.external_id, ...search });
  const { audio } = readAnswer(listSchema, await context.request({ method: "GET", url }));
  return (audio ?? []).map(({ audio_id, title, display_artist, ig_username }) => ({
    value: audio_id,
    name: [title, display_artist ?? ig_username].filter(Boolean).join(" – "),
  }));
}
