import type { FitSpec } from "../../../src/media/fit/fit.ts";
import { limits as bluesky } from "../../../src/networks/bluesky/limits.ts";
import type { NetworkSpec, Variant } from "../../../src/networks/contract/spec.ts";
import { limits as discord } from "../../../src/networks/discord/limits.ts";
import { limits as facebook } from "../../../src/networks/facebook/limits.ts";
import { limits as googleBusiness } from "../../../src/networks/google_business/limits.ts";
import { limits as instagram } from "../../../src/networks/instagram/limits.ts";
import { limits as linkedin } from "../../../src/networks/linkedin/limits.ts";
import { limits as mastodon } from "../../../src/networks/mastodon/limits.ts";
import { limits as pinterest } from "../../../src/networks/pinterest/limits.ts";
import { limits as threads } from "../../../src/networks/threads/limits.ts";
import { limits as tiktok } from "../../../src/networks/tiktok/limits.ts";
import { limits as twitch } from "../../../src/networks/twitch/limits.ts";
import { limits as x } from "../../../src/networks/x/limits.ts";
import { limits as youtube } from "../../../src/networks/youtube/limits.ts";

/** Each network's known limits, with or without an adapter. */
export const allLimits = [
  facebook,
  instagram,
  x,
  linkedin,
  pinterest,
  bluesky,
  threads,
  tiktok,
  youtube,
  googleBusiness,
  mastodon,
  discord,
  twitch,
] as readonly NetworkSpec[];

/** Each network's media spec, plain and with each of its variants. */
export const fitSpecs: readonly { title: string; spec: FitSpec }[] = allLimits
  .filter(({ media }) => media.max_items > 0)
  .flatMap(({ network, name, media, variants = [] }) => [
    { title: network, spec: { name, media } },
    ...variants.map((variant) => ({
      title: `${network} ${whenOf(variant)}`,
      spec: { name, media: { ...media, ...variant.media } },
    })),
  ]);

function whenOf({ when: { post_type, media, min_items } }: Variant): string {
  return [post_type, media, min_items].filter((each) => each !== undefined).join(" ");
}
