import type { JsonObject } from "../../json.ts";
import { formBody, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import type { SandboxAccount } from "./accounts.ts";
import { descriptionLimit, imageSizeLimit, videoSizeLimit } from "./instances.ts";
import { invalid, notFound, Refusal } from "./refusal.ts";

export interface StoredMedia {
  id: string;
  account: SandboxAccount;
  kind: "image" | "gifv" | "video";
  description: string | null;
  focus: { x: number; y: number } | null;
  ready_at: number;
  /** Converted without success. */
  failed: boolean;
  attached: boolean;
}

export interface MediaStore {
  upload(account: SandboxAccount, request: SandboxRequest, version: "v1" | "v2"): Promise<SandboxAnswer>;
  show(account: SandboxAccount, id: string): SandboxAnswer;
  /** The account's files that are in no post yet, in the order asked for. @throws Refusal */
  forPost(account: SandboxAccount, ids: readonly string[]): StoredMedia[];
  entity(media: StoredMedia): JsonObject;
  processFor(seconds: number): void;
  failNext(): void;
}

export function createMediaStore(ports: SandboxPorts, nextId: () => string): MediaStore {
  const stored = new Map<string, StoredMedia>();
  let seconds = 0;
  let nextFails = false;

  function isReady({ ready_at }: StoredMedia): boolean {
    return ports.clock.now() >= ready_at;
  }

  function entity(media: StoredMedia): JsonObject {
    const address = `https://${media.account.instance.host}/media/${media.id}`;
    return {
      id: media.id,
      type: media.kind,
      url: isReady(media) ? `${address}/original` : null,
      preview_url: `${address}/small`,
      remote_url: null,
      description: media.description,
      blurhash: null,
      meta: media.focus === null ? {} : { focus: { ...media.focus } },
    };
  }

  async function upload(
    account: SandboxAccount,
    request: SandboxRequest,
    version: "v1" | "v2",
  ): Promise<SandboxAnswer> {
    // Some front ends refuse a chunked upload.
    if (Number(request.headers.get("content-length")) !== request.bytes.length)
      throw new Refusal(411, "Length Required");
    const form = await formBody(request);
    const file = form?.get("file");
    if (!(file instanceof File)) throw invalid("File can't be blank");
    const kind = kindOf(new Uint8Array(await file.arrayBuffer()));
    if (kind === null) throw invalid("File content type is invalid, File is invalid");
    if (file.size > (kind === "video" ? videoSizeLimit : imageSizeLimit)) throw invalid("File is too big");
    const description = form?.get("description") ?? null;
    if (typeof description === "string" && [...description].length > descriptionLimit)
      throw invalid(`Description is too long (maximum is ${descriptionLimit} characters)`);
    const isSlow = kind !== "image" && version === "v2";
    const media: StoredMedia = {
      id: nextId(),
      account,
      kind,
      description: typeof description === "string" ? description : null,
      focus: readFocus(form?.get("focus")),
      ready_at: ports.clock.now() + (isSlow ? seconds * 1000 : 0),
      failed: nextFails,
      attached: false,
    };
    nextFails = false;
    stored.set(media.id, media);
    return isSlow ? { status: 202, json: { ...entity(media), url: null } } : { status: 200, json: entity(media) };
  }

  return {
    upload,
    show(account, id) {
      const media = stored.get(id);
      // What a post has already is no longer shown here.
      if (media === undefined || media.account !== account || media.attached) throw notFound();
      if (!isReady(media)) return { status: 206, json: entity(media) };
      if (media.failed) throw new Refusal(422, "Error processing thumbnail for uploaded media");
      return { status: 200, json: entity(media) };
    },
    forPost(account, ids) {
      const found = ids.map((id) => stored.get(id));
      const missing = ids.filter((_, index) => found[index]?.account !== account || found[index]?.attached !== false);
      if (missing.length > 0)
        throw new Refusal(422, `Media ${missing.join(", ")} not found or already attached to another post`);
      const media = found.filter((each) => each !== undefined);
      if (media.length > 1 && media.some(({ kind }) => kind === "video"))
        throw new Refusal(422, "Cannot attach a video to a post that already contains images");
      if (media.some((each) => !isReady(each) || each.failed))
        throw new Refusal(422, "Cannot attach files that have not finished processing. Try again in a moment!");
      return media;
    },
    entity,
    processFor(duration) {
      seconds = duration;
    },
    failNext() {
      nextFails = true;
    },
  };
}

/** The server goes by the bytes, not by what the upload says. */
function kindOf(bytes: Uint8Array): StoredMedia["kind"] | null {
  const text = String.fromCharCode(...bytes.subarray(0, 12));
  if (text.startsWith("\x89PNG") || text.startsWith("\xff\xd8\xff") || text.startsWith("RIFF")) return "image";
  if (text.startsWith("GIF8")) return "gifv";
  if (text.startsWith("\x1a\x45\xdf\xa3")) return "video";
  if (text.slice(4, 8) !== "ftyp") return null;
  return ["heic", "heix", "mif1", "avif"].includes(text.slice(8, 12)) ? "image" : "video";
}

function readFocus(value: unknown): StoredMedia["focus"] {
  if (typeof value !== "string") return null;
  const [x = Number.NaN, y = Number.NaN] = value.split(",").map(Number);
  if (!(Math.abs(x) <= 1 && Math.abs(y) <= 1)) throw invalid("Focus is invalid");
  return { x, y };
}
