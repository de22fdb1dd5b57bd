import * as z from "zod";
import { jsonBody, ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPorts, SandboxPost } from "../network.ts";
import { fetchedFile } from "../parts/fetched-file.ts";
import { readAs } from "../parts/fields.ts";
import { takeOut, withId } from "../parts/known.ts";
import { formatOf } from "../parts/uploads.ts";
import type { Logins } from "./logins.ts";
import type { Media } from "./media.ts";
import { refusal } from "./refusal.ts";
import { type Board, boardOf, call, type PinterestAccount, pageOfItems, type State } from "./state.ts";

/** A Pin with all its fields. */
export interface Pin extends SandboxPost {
  /** The id of its board. */
  board: string;
  /** The id of its section; null: none. */
  section: string | null;
  /** Its title; empty: none. */
  title: string;
  /** Its description. */
  description: string;
  /** The URL that it leads to. */
  link: string | null;
  /** The kind of its files. */
  kind: "image" | "video" | "multiple_images";
  /** Its dominant colour, as sent; null: none. */
  color: string | null;
  /** Its AI labels. */
  labels: readonly string[];
}

/** How lists may differ from what was sent. */
export interface ListWays {
  /** The order of the lists. @default "newest first" */
  order: "newest first" | "oldest first";
  /** True: a board's list shows the Pins of its sections, and the sections' lists show theirs. @default true */
  showsSections: boolean;
  /** True: the lists of secret boards show Pins. @default true */
  showsSecrets: boolean;
}

/** A Pin that the owner creates without the library. */
export interface PinByHand {
  /** The id of its board. */
  board: string;
  /** Its description. */
  description: string;
  /** Its title. */
  title?: string;
}

const id = z.string().regex(/^\d+$/, "does not match '^\\d+$'");
const url = z.url({ protocol: /^https?$/ });

/** https://github.com/pinterest/api-description, `PinMediaSource` (2025-12) */
const sourceSchema = z.discriminatedUnion("source_type", [
  z.strictObject({ source_type: z.literal("image_url"), url }),
  z.strictObject({
    source_type: z.literal("multiple_image_urls"),
    items: z.array(z.strictObject({ url })).min(2).max(5, "constraint: maxItems=5"),
  }),
  z
    .strictObject({
      source_type: z.literal("video_id"),
      media_id: id,
      cover_image_url: url.optional(),
      cover_image_key_frame_time: z.int().min(0).optional(),
    })
    .refine(
      ({ cover_image_url, cover_image_key_frame_time }) =>
        (cover_image_url === undefined) !== (cover_image_key_frame_time === undefined),
      "cover_image_url or cover_image_content_type or cover_image_key_frame_time is needed",
    ),
]);

/** Stricter than the real one, which ignores unknown fields. Same source, `PinCreate`. */
const bodySchema = z.strictObject({
  board_id: id,
  board_section_id: id.optional(),
  title: z.string().max(100).optional(),
  description: z.string().max(800).optional(),
  link: url.max(2_048, "you entered an invalid URL").optional(),
  alt_text: z.string().max(500).optional(),
  dominant_color: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/)
    .optional(),
  ai_disclosures: z.strictObject({ values: z.array(z.enum(["AI_MODIFIED", "SYNTHETIC_PERFORMER"])).min(1) }).optional(),
  media_source: sourceSchema,
});

type Source = z.infer<typeof sourceSchema>;

export function createPins(
  state: State,
  { logins, media, ports }: { logins: Logins; media: Media; ports: SandboxPorts },
) {
  const pins: Pin[] = [];
  const ways: ListWays = { order: "newest first", showsSections: true, showsSecrets: true };

  /** Fetched during the request, without authentication. */
  async function assertFetched(addresses: readonly string[]): Promise<void> {
    for (const address of addresses) {
      const file = await fetchedFile(ports.fetch, address);
      if (file === null) throw refusal(400, 1, "Unable to reach the URL. Please check the URL is correct.");
      const format = formatOf(file.bytes);
      if (format !== "jpeg" && format !== "png") throw refusal(400, 1, "The image is of a wrong type.");
    }
  }

  async function take(account: PinterestAccount, source: Source): Promise<Pick<Pin, "kind" | "media">> {
    if (source.source_type === "video_id") {
      media.assertReady(account, source.media_id);
      if (source.cover_image_url !== undefined) await assertFetched([source.cover_image_url]);
      return { kind: "video", media: 1 };
    }
    const urls = source.source_type === "image_url" ? [source.url] : source.items.map((item) => item.url);
    await assertFetched(urls);
    return { kind: urls.length > 1 ? "multiple_images" : "image", media: urls.length };
  }

  function keep(account: string, given: Omit<Pin, "id" | "account" | "text" | "reply_to" | "url" | "created_at">): Pin {
    const own = state.newId();
    const pin: Pin = {
      ...given,
      id: own,
      account,
      text: given.description,
      reply_to: null,
      url: `https://www.pinterest.com/pin/${own}/`,
      created_at: new Date(state.now()).toISOString(),
    };
    pins.push(pin);
    return pin;
  }

  async function create(request: SandboxRequest): Promise<SandboxAnswer> {
    const account = logins.accountFor(request, "boards:read", "boards:write", "pins:read", "pins:write");
    const given = readAs(bodySchema, jsonBody(request), ([{ path, message }]) =>
      refusal(400, 1, `Invalid parameters: ${path.join(".")} ${message}`),
    );
    if (!account.mayPin)
      throw refusal(403, 29, "Apps with Trial access may not create Pins in production, please use API Sandbox.");
    const board = boardOf(state, account, given.board_id);
    const section = given.board_section_id ?? null;
    if (section !== null && !hasSection(board, section))
      throw refusal(404, 2031, "Sorry, we couldn't find this board section.");
    const taken = await take(account, given.media_source);
    const { title = "", description = "", link = null, alt_text, dominant_color: color = null } = given;
    const alt = alt_text === undefined ? [] : [alt_text];
    const labels = given.ai_disclosures?.values ?? [];
    const shown = { title, description, link, alt, color, labels };
    const pin = keep(account.id, { ...taken, ...shown, board: board.id, section });
    return { status: 201, json: entity(pin, account) };
  }

  function list(request: SandboxRequest, id: string, section: string | null): SandboxAnswer {
    const account = logins.accountFor(request, "boards:read", "pins:read");
    const board = boardOf(state, account, id);
    if (section !== null && !hasSection(board, section)) throw refusal(404, 404, "Board or section not found.");
    const isShown = board.privacy === "PUBLIC" || ways.showsSecrets;
    const shown = pins.filter((pin) => {
      if (pin.board !== board.id || !state.lag.shows(Date.parse(pin.created_at)) || !isShown) return false;
      if (section !== null) return ways.showsSections && pin.section === section;
      return ways.showsSections || pin.section === null;
    });
    const ordered = ways.order === "newest first" ? shown.reverse() : shown;
    const page = pageOfItems(ordered, request.url);
    return ok({ ...page, items: page.items.map((pin) => entity(pin, account)) });
  }

  return {
    routes: [
      call("POST /pins", create),
      call("GET /boards/:id/pins", (request, board) => list(request, board, null)),
      call("GET /boards/:id/sections/:id/pins", list),
    ],
    posts: () => [...pins],
    switches: {
      postAs: (externalId: string, { board, description, title = "" }: PinByHand) =>
        keep(withId(state.accounts, externalId, "account").id, {
          kind: "image",
          media: 1,
          board,
          section: null,
          title,
          description,
          link: null,
          alt: [],
          color: null,
          labels: [],
        }).id,
      removePost: (own: string) => void takeOut(pins, own, "Pin"),
      changeLists: (given: Partial<ListWays>) => void Object.assign(ways, given),
    },
  };
}

function hasSection({ sections }: Board, id: string): boolean {
  return sections.some((each) => each.id === id);
}

/** Same source, `Pin`. */
function entity(pin: Pin, viewer: PinterestAccount): object {
  const { id: own, title, description, link, board, section, kind, created_at, labels } = pin;
  return {
    id: own,
    created_at: created_at.replace(/\.\d{3}Z$/, ""),
    title,
    description,
    link,
    board_id: board,
    board_section_id: section,
    creative_type: { image: "REGULAR", video: "VIDEO", multiple_images: "CAROUSEL" }[kind],
    is_owner: pin.account === viewer.id,
    media: { media_type: kind },
    alt_text: pin.alt[0] ?? null,
    dominant_color: pin.color,
    ai_disclosures: labels.length === 0 ? undefined : { values: labels },
  };
}
