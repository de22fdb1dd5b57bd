import * as z from "zod";
import { documentedAnswer, documentedObject } from "../wire/documented-object.ts";
import { type PageQuery, pageSchema } from "../wire/pagination.ts";
import { storableText, webAddress } from "../wire/parse.ts";

// What comes in

/** However it is escaped, it fits into a query. */
const hostedUrl = storableText.max(1_024).describe("The file's `url`.");

export const uploadByUrlSchema = documentedObject({
  /** Where the file is now: a public address. */
  url: webAddress.max(8_192).describe("Where the file is now: a public address."),
}).meta({ id: "UploadMedia" });

export const createUploadSchema = documentedObject({
  /** For you; what the file is comes from its bytes. */
  filename: storableText.max(255).nullish().describe("For you; what the file is comes from its bytes."),
  /** What the upload must say that it is: `video/mp4`. */
  content_type: z
    .string()
    .max(127)
    .regex(/^(?:image|video)\/[\w.+-]+$/, "Give the type of a picture or video, such as video/mp4.")
    .describe("What the upload must say that it is: `video/mp4`."),
  /** How long the file is, exactly. */
  size_bytes: z.int().min(1).describe("How long the file is, exactly."),
}).meta({ id: "CreateMediaUpload" });

/** What `media.createUpload` takes. */
export type CreateUpload = z.input<typeof createUploadSchema>;

export const listMediaSchema = pageSchema;

/** What `media.list` takes. */
export type ListMedia = PageQuery;

export const deleteMediaSchema = documentedObject({ url: hostedUrl });

// What goes out

export const hostedMediaSchema = documentedAnswer({
  /** What a post names. It stays the same. */
  url: z.string().describe("What a post names. It stays the same."),
  /** From the file, not from its name. */
  type: z.enum(["image", "video", "gif"]).describe("From the file, not from its name."),
  /** What the bytes are: `image/jpeg`. */
  content_type: z.string().describe("What the bytes are: `image/jpeg`."),
  /** How long the file is. */
  size_bytes: z.int().describe("How long the file is."),
  /** `permanent` once a post that uses it is out. */
  status: z.enum(["temporary", "permanent"]).describe("`permanent` once a post that uses it is out."),
  /** When it goes, unless a post uses it that is not out yet; null once permanent. */
  expires_at: z
    .string()
    .nullable()
    .describe("When it goes, unless a post uses it that is not out yet; null once permanent."),
  /** When it was uploaded. */
  created_at: z.string().describe("When it was uploaded."),
}).meta({ id: "HostedMedia" });

/** A file that the service keeps for its account. */
export type HostedMedia = z.infer<typeof hostedMediaSchema>;

export const mediaUploadSchema = documentedAnswer({
  /** Takes one PUT with exactly these headers and so many bytes. */
  upload_url: z.string().describe("Takes one PUT with exactly these headers and so many bytes."),
  /** What the PUT must carry. */
  headers: z.record(z.string(), z.string()).describe("What the PUT must carry."),
  /** What a post names once the file is there. */
  url: z.string().describe("What a post names once the file is there."),
  /** Until when the upload may begin. */
  expires_at: z.string().describe("Until when the upload may begin."),
}).meta({ id: "MediaUpload" });

/** How a caller writes a file into the store itself. */
export type MediaUpload = z.infer<typeof mediaUploadSchema>;
