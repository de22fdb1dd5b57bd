import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { MediaRule, ProfileLimits } from "../contract/limits.ts";
import type { LoginContext, NetworkResponse } from "../contract/request.ts";
import { mediaRules, stockImage, stockVideo } from "./limits.ts";

const count = z.number().int().positive().nullish().catch(null);

/** What version 1 and 2 of the document have in common. https://docs.joinmastodon.org/entities/Instance/ (2026-07) */
const instanceSchema = z.object({
  /** Version 2. */
  domain: z.string().nullish(),
  version: z.string(),
  source_url: z.string().nullish().catch(null),
  api_versions: z.object({ mastodon: count }).nullish().catch(null),
  configuration: z
    .object({
      statuses: z
        .object({ max_characters: count, max_media_attachments: count, characters_reserved_per_url: count })
        .nullish(),
      media_attachments: z
        .object({
          supported_mime_types: z.array(z.string()).nullish(),
          description_limit: count,
          image_size_limit: count,
          image_matrix_limit: count,
          video_size_limit: count,
          video_matrix_limit: count,
        })
        .nullish(),
    })
    .nullish(),
});

type InstanceDocument = z.infer<typeof instanceSchema>;

export interface Instance {
  /** What handles end in, as the server says; may differ from the host. */
  domain: string;
  /** `api_versions.mastodon`; null on servers before 4.3 and on look-alikes. */
  api_version: number | null;
  /** As the server calls it. */
  version: string;
  /** It runs Mastodon's own code, or a fork that shares these parts. */
  is_mastodon: boolean;
  limits: ProfileLimits;
}

/**
 * The instance's host out of what a user writes: `social.example`,
 * `@me@social.example` or an address on it.
 *
 * @throws PublishingError `invalid_request`
 */
export function instanceHost(written: string): string {
  const plain = written.trim();
  const afterScheme = plain.replace(/^https:\/\//i, "");
  const authority = afterScheme.split(/[/?#]/, 1)[0] ?? "";
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  const address = `https://${host}`;
  // One word is somebody's name; with a port it is a server on the host's own machine or network.
  const isServer = host.includes(".") || /^localhost$|:\d+$/i.test(host);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(afterScheme) || !isServer || !URL.canParse(address))
    throw new PublishingError(
      "invalid_request",
      "instance: must be the server's name, such as mastodon.social, or the handle with it: @me@mastodon.social.",
    );
  return new URL(address).host;
}

/** Reads the instance's document, version 2 or else 1. */
export async function readInstance(context: Pick<LoginContext, "request">, host: string): Promise<Instance> {
  const document =
    (await readDocument(context, `https://${host}/api/v2/instance`)) ??
    (await readDocument(context, `https://${host}/api/v1/instance`));
  if (document === null)
    throw new PublishingError(
      "invalid_request",
      `instance: ${host} does not support Mastodon's API. Use the server's own name as the browser shows it.`,
    );
  return {
    domain: document.domain || host,
    api_version: document.api_versions?.mastodon ?? null,
    version: document.version.slice(0, maxVersionCharacters),
    is_mastodon: mastodonSources.test(document.source_url ?? ""),
    limits: instanceLimits(document),
  };
}

/** Look-alikes claim a version of Mastodon's, but name their own source. https://docs.joinmastodon.org/entities/Instance/#source_url (2026-07) */
const mastodonSources =
  /^https:\/\/github\.com\/(?:mastodon\/mastodon|glitch-soc\/mastodon|hometown-fork\/hometown)\/?$/i;
const maxVersionCharacters = 100;

/** A server that has no such document answers with a page, a redirect or a refusal. */
const otherAnswers = [301, 302, 303, 307, 308, 400, 401, 403, 404, 405, 406, 410];

async function readDocument(context: Pick<LoginContext, "request">, url: string): Promise<InstanceDocument | null> {
  const response: NetworkResponse = await context.request({ method: "GET", url, accept: otherAnswers });
  const parsed = instanceSchema.safeParse(response.body);
  return response.status === 200 && parsed.success ? parsed.data : null;
}

function instanceLimits({ configuration }: InstanceDocument): ProfileLimits {
  const { max_characters, characters_reserved_per_url, max_media_attachments } = configuration?.statuses ?? {};
  const { description_limit } = configuration?.media_attachments ?? {};
  return {
    text: {
      ...(max_characters == null ? {} : { max: max_characters }),
      ...(characters_reserved_per_url == null ? {} : { url_length: characters_reserved_per_url }),
    },
    media: {
      ...(max_media_attachments == null ? {} : { max_items: max_media_attachments }),
      ...(description_limit == null ? {} : { max_alt: description_limit }),
      types: instanceTypes(configuration?.media_attachments ?? {}),
    },
  };
}

type MediaConfiguration = NonNullable<NonNullable<InstanceDocument["configuration"]>["media_attachments"]>;

function instanceTypes(media: MediaConfiguration): MediaRule[] {
  const image = {
    bytes: media.image_size_limit ?? stockImage.bytes,
    pixels: media.image_matrix_limit ?? stockImage.pixels,
  };
  const video = {
    bytes: media.video_size_limit ?? stockVideo.bytes,
    pixels: media.video_matrix_limit ?? stockVideo.pixels,
  };
  const rules = mediaRules(image, video);
  const supported = media.supported_mime_types ?? [];
  return supported.length === 0 ? rules : rules.filter(({ mime }) => supported.includes(mime));
}
