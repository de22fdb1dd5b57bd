import { describe, expect, it } from "vitest";
import { z } from "zod";
import { memoryMediaStore } from "../../src/media/memory.ts";
import type { NetworkId } from "../../src/networks/contract/network-id.ts";
import type { CreatePost } from "../../src/posts/schema.ts";
import { groupBoardId } from "../../src/sandbox/pinterest/state.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";
import { manualClock } from "../../src/testing/clock.ts";
import type { JsonObject } from "../../src/wire/json.ts";
import { jpeg, movie } from "../media/samples.ts";
import { scenes } from "../networks/scenes.ts";
import { connectFirst } from "../support/connect.ts";
import { hostedFiles } from "../support/hosted-files.ts";
import { createTestService, testBaseUrl } from "../support/service.ts";

/** What options may point at. */
interface Around {
  sandbox: Sandbox;
  /** Addresses of files. */
  film: string;
  photo: string;
  /** The account's own id. */
  account: string;
  /** A post that the account made before. */
  earlier: { id: string; url: string };
}

type Body = Partial<CreatePost>;

/** A value of an option, the post that it belongs to, and the options that it needs beside it. */
interface Example {
  value?: unknown | ((around: Around) => unknown);
  /** Instead of a value: all options. */
  options?: (around: Around) => Readonly<Record<string, unknown>>;
  post?: (around: Around) => Body;
  besides?: Readonly<Record<string, unknown>>;
  /** What connects an account that may use it. @default the network's first kind */
  on?: (sandbox: Sandbox) => JsonObject;
}

const forum = ({ discord }: Sandbox): JsonObject => botIn(discord, "forum");
const webhook = ({ discord }: Sandbox): JsonObject => ({
  webhook_url: discord.addWebhook({ channel: discord.addChannel() }),
});
const facebookLogin = ({ instagram }: Sandbox): JsonObject => {
  const { access_token } = instagram.addAccount({ username: "alice", login: "facebook" });
  return { access_token, scopes: ["instagram_basic", "instagram_content_publish", "instagram_shopping_tag_products"] };
};
const member = ({ x }: Sandbox): JsonObject => {
  const { external_id: _, ...tokens } = x.addAccount({ username: "alice", communities: [community] });
  return { ...tokens };
};
const community = "1234567890123456789";

function botIn(discord: Sandbox["discord"], type: "announcement" | "forum"): JsonObject {
  return { bot_token: discord.addBot(), channel_id: discord.addChannel({ type }) };
}

const withFilm = ({ film }: Around): Body => ({ media: [{ url: film }] });
const withPhoto = ({ photo }: Around): Body => ({ media: [{ url: photo }] });
const asReel = ({ film }: Around): Body => ({ media: [{ url: film }], post_type: "reel" });

const examples: Partial<Record<NetworkId, Readonly<Record<string, Example>>>> = {
  bluesky: {
    langs: { value: ["en", "de-CH"] },
    labels: { value: ["nudity"], post: withPhoto },
    tags: { value: ["bread"] },
    quote: { value: ({ earlier }: Around) => earlier.url },
    reply_to: { value: ({ earlier }: Around) => earlier.url },
    replies: { value: ["followers"] },
    disable_quotes: { value: true },
    presentation: { value: "gif", post: withFilm },
    captions: { value: ({ sandbox }: Around) => [{ lang: "en", url: captionsOn(sandbox) }], post: withFilm },
  },
  mastodon: {
    visibility: { value: "unlisted" },
    thread_visibility: { value: "private", post: () => ({ thread: ["And more"] }) },
    spoiler_text: { value: "Bread" },
    sensitive: { value: true, post: withPhoto },
    language: { value: "de" },
    quoted_status_id: { value: ({ earlier }: Around) => earlier.id },
    quote_approval_policy: { value: "nobody" },
    poll: { value: { options: ["Rye", "Wheat"], expires_in: 3_600 } },
    focus: { value: [{ x: 0.5, y: -0.5 }], post: withPhoto },
  },
  discord: {
    allowed_mentions: { value: { parse: ["users"] } },
    suppress_embeds: { value: true },
    silent: { value: true },
    embeds: { value: [{ title: "Bread", url: "https://example.com/bread" }] },
    poll: { value: { question: "Which?", answers: ["Rye", "Wheat"] } },
    spoiler: { value: true, post: withPhoto },
    reply_to: { value: ({ earlier }: Around) => earlier.id },
    crosspost: { value: true, on: ({ discord }) => botIn(discord, "announcement") },
    username: { value: "Baker", on: webhook },
    avatar_url: { value: "https://example.com/baker.png", on: webhook },
    thread_name: { value: "Bread", on: forum },
    applied_tags: { value: ["12345678901234567"], on: forum, besides: { thread_name: "Bread" } },
  },
  x: {
    reply_settings: { value: "following" },
    poll: { value: { options: ["Rye", "Wheat"], duration_minutes: 60 } },
    community_id: { value: community, on: member },
    share_with_followers: { value: true, besides: { community_id: community }, on: member },
    subscribers_only: { value: true },
    made_with_ai: { value: true },
    paid_partnership: { value: true },
    place_id: { value: "df51dec6f4ee2b2c" },
    sensitive: { value: ["other"], post: withPhoto },
    tagged_user_ids: { value: ["12"], post: withPhoto },
    subtitles: {
      value: ({ sandbox }: Around) => [{ url: captionsOn(sandbox), language: "en", name: "English" }],
      post: withFilm,
    },
    reply_to: { value: ({ earlier }: Around) => earlier.url },
  },
  youtube: {
    privacy_status: { value: "unlisted" },
    made_for_kids: { value: true },
    tags: { value: ["bread"] },
    category_id: { value: "22" },
    license: { value: "creativeCommon" },
    synthetic_media: { value: true },
    paid_promotion: { value: true },
    language: { value: "en" },
    audio_language: { value: "de" },
    notify_subscribers: { value: false },
    embeddable: { value: false },
    public_stats: { value: false },
    thumbnail: { value: ({ photo }: Around) => photo },
    playlist_id: { value: ({ sandbox, account }: Around) => sandbox.youtube.addPlaylist(account, "Bread") },
    first_comment: { value: "First" },
  },
  instagram: {
    first_comment: { value: "First" },
    comment_enabled: { value: false },
    collaborators: { value: ["baker"] },
    user_tags: { value: [{ username: "baker", x: 0.5, y: 0.5 }] },
    product_tags: { value: [{ product_id: "9007199254741201", x: 0.5, y: 0.5 }], on: facebookLogin },
    location_id: { value: "123456" },
    share_to_feed: { value: false, post: asReel },
    cover_url: { value: ({ photo }: Around) => photo, post: asReel },
    thumb_offset: { value: 1_000, post: asReel },
    audio_name: { value: "Song", post: asReel },
    trial_params: { value: { graduation_strategy: "MANUAL" }, post: asReel },
    audio_configuration: { value: { audio_id: "9007199254740993" }, post: asReel, on: facebookLogin },
    is_ai_generated: { value: true },
    is_paid_partnership: { value: true, on: facebookLogin },
    branded_content_sponsor_ids: { value: ["123"], besides: { is_paid_partnership: true }, on: facebookLogin },
  },
  threads: {
    topic_tag: { value: "bread" },
    reply_control: { value: "accounts_you_follow" },
    enable_reply_approvals: { value: true },
    quote_post_id: { value: ({ earlier }: Around) => earlier.id },
    is_spoiler_media: { value: true, post: withPhoto },
    text_entities: { value: [{ entity_type: "SPOILER", offset: 0, length: 2 }] },
    text_attachment: { value: { plaintext: "Long" } },
    poll_attachment: { value: { option_a: "Rye", option_b: "Wheat" } },
    gif_attachment: { value: { gif_id: "abc", provider: "GIPHY" } },
    is_ghost_post: { value: true },
    location_id: { value: "9007199254741301" },
    allowlisted_country_codes: {
      value: ["DE"],
      on({ threads }) {
        const { access_token } = threads.addAccount({ username: "alice", may_choose_countries: true });
        return { access_token };
      },
    },
    crossreshare_to_ig: { value: true },
    crossreshare_to_ig_dark_mode: { value: true },
  },
  facebook: {
    first_comment: { value: "First" },
    targeting: { value: { geo_locations: { countries: ["DE"] } } },
    feed_targeting: { value: { geo_locations: { countries: ["DE"] } } },
    call_to_action: {
      value: { type: "LEARN_MORE", link: "https://example.com/bread" },
      post: () => ({ link: { url: "https://example.com/bread" } }),
    },
    content_category: { value: "BUSINESS", post: withFilm },
    place: { value: "123456", post: asReel },
    text_format_preset_id: { value: "123456" },
    thumbnail: { value: ({ photo }: Around) => photo, post: withFilm },
  },
  linkedin: {
    visibility: { value: "LOGGED_IN" },
    feed_distribution: { value: "NONE" },
    audience: { value: { industries: ["urn:li:industry:1"] } },
    disable_reshares: { value: true },
    poll: { value: { question: "Which?", options: ["Rye", "Wheat"], duration: "ONE_DAY" } },
    document: { value: ({ sandbox }: Around) => ({ url: documentOn(sandbox), title: "Slides" }) },
    reshare_of: { value: ({ earlier }: Around) => earlier.id },
    captions_url: { value: ({ sandbox }: Around) => captionsOn(sandbox), post: withFilm },
    first_comment: { value: "First" },
  },
  tiktok: {
    privacy_level: { value: "SELF_ONLY" },
    disable_comment: { value: true },
    disable_duet: { value: true },
    disable_stitch: { value: true },
    video_cover_timestamp_ms: { value: 1_000 },
    photo_cover_index: { value: 0, post: withPhoto },
    auto_add_music: { value: true, post: withPhoto },
    brand_content_toggle: { value: true, besides: { privacy_level: "PUBLIC_TO_EVERYONE" } },
    brand_organic_toggle: { value: true },
    is_aigc: { value: true },
    inbox: { options: () => ({ inbox: true }) },
  },
  pinterest: {
    board_id: { value: groupBoardId, post: withPhoto },
    board_section_id: {
      options({ sandbox, account }) {
        const { board_id, section_ids } = sandbox.pinterest.addBoard({
          members: [account],
          name: "Bread",
          sections: ["Rye"],
        });
        return { board_id, board_section_id: section_ids[0] };
      },
      post: withPhoto,
    },
    cover_image_url: { value: ({ photo }: Around) => photo, post: withFilm },
    cover_image_key_frame_time: { value: 1, post: withFilm },
    dominant_color: { value: "#6E7874", post: withPhoto },
    ai_disclosures: { value: ["AI_MODIFIED"], post: withPhoto },
  },
  google_business: {
    topic_type: { value: "STANDARD" },
    event: {
      value: { title: "Sale", starts: "2026-12-01T09:00", ends: "2026-12-02T18:00" },
      besides: { topic_type: "EVENT" },
    },
    offer: {
      value: { coupon_code: "BREAD" },
      besides: { topic_type: "OFFER", event: { title: "Sale", starts: "2026-12-01T09:00", ends: "2026-12-02T18:00" } },
    },
    call_to_action: { value: { action_type: "LEARN_MORE", url: "https://example.com/bread" } },
    language_code: { value: "de" },
  },
};

function captionsOn({ media }: Sandbox): string {
  return media.put("captions.vtt", new TextEncoder().encode("WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n"));
}

function documentOn({ media }: Sandbox): string {
  return media.put("slides.pdf", new TextEncoder().encode("%PDF-1.7\n%%EOF"));
}

/** What every post of a network needs. */
const always: Partial<
  Record<NetworkId, { post?: (around: Around) => Body; options?: Readonly<Record<string, unknown>> }>
> = {
  youtube: { post: (around) => ({ ...withFilm(around), title: "A film" }) },
  instagram: { post: withPhoto },
  tiktok: { post: withFilm, options: { privacy_level: "SELF_ONLY" } },
  pinterest: { post: withPhoto, options: { board_id: groupBoardId } },
};

async function hostOf(network: NetworkId, on: Example["on"]) {
  const scene = scenes.find((each) => each.network === network);
  if (scene === undefined) throw new Error(`no scene of ${network}`);
  const clock = manualClock();
  const mediaStore = memoryMediaStore();
  const sandbox = createSandbox({ clock, hosts: [hostedFiles(mediaStore, testBaseUrl)] });
  const ports = { http: sandbox.http, untrustedHttp: sandbox.untrustedHttp, mediaStore };
  const { social } = createTestService({ clock, ...ports });
  const { id, external_id: account } =
    on === undefined
      ? await connectFirst({ social, sandbox, clock }, scene)
      : await clock.run(() => social.profiles.connect({ network, credentials: on(sandbox) }));
  const files = {
    film: sandbox.media.put("film.mp4", movie("isom", "first", { width: 720, height: 1280, seconds: 10 }, 100_000)),
    photo: sandbox.media.put("photo.jpg", jpeg(1080, 1080)),
  };
  const { post = () => ({}), options = {} } = always[network] ?? {};
  async function publish(around: Around, body: Body, own: Readonly<Record<string, unknown>>) {
    const networks = { [network]: own };
    const given = { profile_ids: [id], text: "Look", ...post(around), ...body, networks } as CreatePost;
    const made = await clock.run(() => social.posts.create(given));
    await clock.advance(6 * 3_600_000);
    await clock.run(() => social.runDue());
    const [target] = (await social.posts.get(made.id)).targets;
    if (target === undefined) throw new Error("no target");
    return target;
  }
  const first = { sandbox, account, ...files, earlier: { id: "", url: "" } };
  const { post_ids, url } = await publish(first, { text: "Earlier" }, options);
  return { around: { ...first, earlier: { id: post_ids[0] ?? "", url: url ?? "" } }, publish };
}

describe.each(scenes)("an option of $network, in a post that goes through a whole service", ({ network, adapter }) => {
  const own = Object.entries(examples[network] ?? {});

  it.each(own)("%s", async (option, { value, options, post, besides = {}, on }) => {
    const { around, publish } = await hostOf(network, on);
    const given = typeof value === "function" ? value(around) : value;
    const target = await publish(
      around,
      post?.(around) ?? {},
      options?.(around) ?? { ...always[network]?.options, ...besides, [option]: given },
    );
    expect([target.status, target.error]).toEqual(["published", null]);
  });

  it("is among these", () => {
    const { properties } = z.toJSONSchema(adapter().options, { io: "input" }) as { properties: JsonObject };
    expect(own.map(([option]) => option)).toEqual(Object.keys(properties));
  });
});
