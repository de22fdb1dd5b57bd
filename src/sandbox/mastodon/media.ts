import { createHash } from "node:crypto";
import type { JsonObject } from "../../wire/json.ts";
import { formBody, ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { createJobs } from "../parts/jobs.ts";
import { type FileFormat, formatOf, tellsLength } from "../parts/uploads.ts";
import type { SandboxAccount } from "./accounts.ts";
import { descriptionLimit, imageSizeLimit, videoSizeLimit } from "./instances.ts";
import { broken, invalid, notFound, Refusal } from "./refusal.ts";

export interface StoredMedia {
  /** Unique, unless ids are derived from names. */
  id: string;
  account: SandboxAccount;
  kind: "image" | "gifv" | "video";
  description: string | null;
  focus: { x: number; y: number } | null;
  /** The SHA-256 of its bytes, hex; null: the file is on another host. */
  sha256: string | null;
  /** The SHA-256 of its own cover, hex; null: it has none. */
  coverSha256: string | null;
  /** Its URL, if it is on another host. */
  address: string | null;
  ready_at: number;
  /** True: the conversion failed. */
  failed: boolean;
  attached: boolean;
}

export interface MediaStore {
  upload(account: SandboxAccount, request: SandboxRequest, version: "v1" | "v2"): Promise<SandboxAnswer>;
  show(account: SandboxAccount, id: string): SandboxAnswer;
  /** The account's files that are in no post yet, in the order of the ids. @throws Refusal */
  forPost(account: SandboxAccount, ids: readonly string[]): StoredMedia[];
  /** Adds a file that the account's owner attaches without the library. */
  add(account: SandboxAccount, file: NewFile): StoredMedia;
  /** Adds an image on another host. */
  addRemote(account: SandboxAccount, address: string): StoredMedia;
  /** The file that has this file's id now. */
  current(media: StoredMedia): StoredMedia;
  entity(media: StoredMedia): JsonObject;
  processFor(seconds: number): void;
  failNext(): void;
}

/** A file of a post that is written by hand. */
export interface NewFile {
  /** Its name. */
  name: string;
  /** Its content. */
  bytes: Uint8Array;
  /** Its alt text. @default none */
  alt?: string;
}

export function createMediaStore(ports: SandboxPorts, nextId: () => string): MediaStore {
  const stored = new Map<string, StoredMedia>();
  const jobs = createJobs<true>(ports.clock);

  function entity(media: StoredMedia): JsonObject {
    const own = `https://${media.account.instance.host}/media/${media.id}`;
    const url = media.address ?? (jobs.isDone(media) ? `${own}/original` : null);
    return {
      id: media.id,
      type: media.kind,
      url,
      preview_url: media.address ?? `${own}/small`,
      remote_url: media.address,
      description: media.description,
      blurhash: null,
      meta: media.focus === null ? {} : { focus: { ...media.focus } },
    };
  }

  function keep(account: SandboxAccount, given: Pick<StoredMedia, "kind"> & Partial<StoredMedia>): StoredMedia {
    const media: StoredMedia = {
      id: nextId(),
      account,
      description: null,
      focus: null,
      sha256: null,
      coverSha256: null,
      address: null,
      ready_at: ports.clock.now(),
      failed: false,
      attached: false,
      ...given,
    };
    stored.set(media.id, media);
    return media;
  }

  async function upload(
    account: SandboxAccount,
    request: SandboxRequest,
    version: "v1" | "v2",
  ): Promise<SandboxAnswer> {
    // Some reverse proxies reject a chunked upload.
    if (!tellsLength(request)) throw new Refusal(411, "Length Required");
    const form = await formBody(request);
    const file = form?.get("file");
    if (!(file instanceof File)) throw invalid("File can't be blank");
    const bytes = new Uint8Array(await file.arrayBuffer());
    const kind = intactKind(account, bytes);
    if (file.size > (kind === "video" ? videoSizeLimit : imageSizeLimit)) throw invalid("File is too big");
    const description = form?.get("description") ?? null;
    if (typeof description === "string" && [...description].length > descriptionLimit)
      throw invalid(`Description is too long (maximum is ${descriptionLimit} characters)`);
    const isSlow = kind !== "image" && version === "v2";
    const { failure, ready_at } = jobs.start();
    const media = keep(account, {
      id: idFor(account, file.name),
      kind,
      description: typeof description === "string" ? description : null,
      focus: readFocus(form?.get("focus")),
      sha256: hash(bytes),
      coverSha256: account.instance.ways.ignoresCovers ? null : await coverIn(form),
      ready_at: isSlow ? ready_at : ports.clock.now(),
      failed: failure !== null,
    });
    return isSlow ? { status: 202, json: { ...entity(media), url: null } } : ok(entity(media));
  }

  /** Ids that are derived from names end in the same way as the names. */
  function idFor(account: SandboxAccount, name: string): string {
    if (!account.instance.ways.mediaIdFromName) return nextId();
    return `${hash(new TextEncoder().encode(`${account.id}/${name}`)).slice(0, 32)}${/\.\w+$/.exec(name)?.[0] ?? ""}`;
  }

  return {
    upload,
    show(account, id) {
      const media = stored.get(id);
      // A file that is in a post is no longer available here.
      if (media === undefined || media.account !== account || media.attached) throw notFound();
      if (!jobs.isDone(media)) return { status: 206, json: entity(media) };
      if (media.failed) throw new Refusal(422, "Error processing thumbnail for uploaded media");
      return ok(entity(media));
    },
    forPost(account, ids) {
      const found = ids.map((id) => stored.get(id));
      const missing = ids.filter((_, index) => found[index]?.account !== account || found[index]?.attached !== false);
      if (missing.length > 0)
        throw new Refusal(422, `Media ${missing.join(", ")} not found or already attached to another post`);
      const media = found.filter((each) => each !== undefined);
      if (media.length > 1 && media.some(({ kind }) => kind === "video"))
        throw new Refusal(422, "Cannot attach a video to a post that already contains images");
      if (media.some((each) => !jobs.isDone(each) || each.failed))
        throw new Refusal(422, "Cannot attach files that have not finished processing. Try again in a moment!");
      return media;
    },
    add(account, { name, bytes, alt }) {
      const kind = kindOf(bytes) ?? "image";
      return keep(account, { id: idFor(account, name), kind, description: alt ?? null, sha256: hash(bytes) });
    },
    addRemote: (account, address) => keep(account, { kind: "image", address }),
    current: (media) => stored.get(media.id) ?? media,
    entity,
    processFor: jobs.take,
    failNext: () => jobs.failNext(true),
  };
}

/** @throws Refusal */
function intactKind({ instance }: SandboxAccount, bytes: Uint8Array): StoredMedia["kind"] {
  const kind = kindOf(bytes);
  if (kind !== null && !isCutShort(bytes)) return kind;
  if (instance.ways.failsOnBrokenFiles) throw broken();
  if (kind === null) throw invalid("File content type is invalid, File is invalid");
  throw new Refusal(500, "Error processing thumbnail for uploaded media");
}

/** True: a PNG that begins, but does not end, as one. */
function isCutShort(bytes: Uint8Array): boolean {
  const text = (part: Uint8Array): string => String.fromCharCode(...part);
  return text(bytes.subarray(12, 16)) === "IHDR" && text(bytes.subarray(-8, -4)) !== "IEND";
}

/** @throws Refusal */
async function coverIn(form: FormData | undefined): Promise<string | null> {
  const file = form?.get("thumbnail");
  if (!(file instanceof File)) return null;
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (kindOf(bytes) === "video" || kindOf(bytes) === null) throw invalid("Thumbnail content type is invalid");
  if (bytes.length >= imageSizeLimit) throw invalid("Thumbnail file size must be less than 16 MB");
  return hash(bytes);
}

function hash(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

const kinds: Readonly<Record<FileFormat, StoredMedia["kind"]>> = {
  png: "image",
  jpeg: "image",
  webp: "image",
  avif: "image",
  heic: "image",
  gif: "gifv",
  webm: "video",
  mp4: "video",
  mov: "video",
};

function kindOf(bytes: Uint8Array): StoredMedia["kind"] | null {
  const format = formatOf(bytes);
  return format === null ? null : kinds[format];
}

function readFocus(value: unknown): StoredMedia["focus"] {
  if (typeof value !== "string") return null;
  const [x = Number.NaN, y = Number.NaN] = value.split(",").map(Number);
  if (!(Math.abs(x) <= 1 && Math.abs(y) <= 1)) throw invalid("Focus is invalid");
  return { x, y };
}
