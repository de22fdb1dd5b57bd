import * as z from "zod";
import { documentedAnswer, documentedObject } from "../wire/documented-object.ts";
import { type PageQuery, pageSchema } from "../wire/pagination.ts";
import { storableText, webAddress } from "../wire/parse.ts";

// What comes in

/** However it is escaped, it fits into a query. */
const hostedUrl = storableText.max(1_024).describe("The file's `url`.");

export const uploadByUrlSchema = documentedObject({
  /** Public URL to fetch the file from. */
  url: webAddress.max(8_192).describe("Public URL to fetch the file from."),
}).meta({ id: "UploadMedia" });

export const createUploadSchema = documentedObject({
  /** A label for you; the type is detected from the file's bytes. */
  filename: storableText.max(255).nullish().describe("A label for you; the type is detected from the file's bytes."),
  /** The Content-Type that the upload must send: `video/mp4`. */
  content_type: z
    .string()
    .max(127)
    .regex(/^(?:image|video)\/[\w.+-]+$/, "Must be the MIME type of an image or video, such as video/mp4.")
    .describe("The Content-Type that the upload must send: `video/mp4`."),
  /** The file's exact size in bytes. */
  size_bytes: z.int().min(1).describe("The file's exact size in bytes."),
}).meta({ id: "CreateMediaUpload" });

/** What `media.createUpload` takes. */
export type CreateUpload = z.input<typeof createUploadSchema>;

export const listMediaSchema = pageSchema;

/** What `media.list` takes. */
export type ListMedia = PageQuery;

export const deleteMediaSchema = documentedObject({ url: hostedUrl });

// What goes out

export const hostedMediaSchema = documentedAnswer({
  /** The file's permanent URL, to use in posts. */
  url: z.string().describe("The file's permanent URL, to use in posts."),
  /** Detected from the file's bytes, not its name. */
  type: z.enum(["image", "video", "gif"]).describe("Detected from the file's bytes, not its name."),
  /** MIME type, detected from the bytes: `image/jpeg`. */
  content_type: z.string().describe("MIME type, detected from the bytes: `image/jpeg`."),
  /** The file's size in bytes. */
  size_bytes: z.int().describe("The file's size in bytes."),
  /** `permanent` once a post that uses it is published. */
  status: z.enum(["temporary", "permanent"]).describe("`permanent` once a post that uses it is published."),
  /** When it is deleted, unless an unpublished post uses it; null once permanent. */
  expires_at: z
    .string()
    .nullable()
    .describe("When it is deleted, unless an unpublished post uses it; null once permanent."),
  /** When it was uploaded. */
  created_at: z.string().describe("When it was uploaded."),
}).meta({ id: "HostedMedia" });

/** A file that the service keeps for its account. */
export type HostedMedia = z.infer<typeof hostedMediaSchema>;

export const mediaUploadSchema = documentedAnswer({
  /** URL for one PUT with exactly these headers and the announced size. */
  upload_url: z.string().describe("URL for one PUT with exactly these headers and the announced size."),
  /** Headers that the PUT must send. */
  headers: z.record(z.string(), z.string()).describe("Headers that the PUT must send."),
  /** The file's URL, to use in posts after the upload. */
  url: z.string().describe("The file's URL, to use in posts after the upload."),
  /** The upload must begin by this time. */
  expires_at: z.string().describe("The upload must begin by this time."),
}).meta({ id: "MediaUpload" });

/** How a caller writes a file into the store itself. */
export type MediaUpload = z.infer<typeof mediaUploadSchema>;
