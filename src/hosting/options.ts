import * as z from "zod";
import type { MediaStore } from "../media/store/store.ts";
import type { MediaTransformer } from "../media/transform/transformer.ts";
import { type OptionSchemas, port, trueOrFalse, wholeNumber } from "../ports/parse-options.ts";
import { describeKind, describeValue } from "../wire/describe-value.ts";
import { createAddresses } from "./address.ts";
import { createUploadSlots, defaultBounds } from "./bounds.ts";
import type { HostingPorts } from "./ports.ts";
import { createAddressSigner } from "./signer.ts";

/** Limits of each account's uploaded files, and access to them. */
export interface MediaOptions {
  /** Maximum bytes of an account's files and unfinished uploads together. Beyond: 413. @default 10_000_000_000 */
  maxAccountBytes?: number | undefined;
  /** Maximum bytes of one file. Beyond: 413. @default 2_000_000_000 */
  maxFileBytes?: number | undefined;
  /** Concurrent uploads of an account in each process. Beyond: 429. @default 4 */
  maxUploads?: number | undefined;
  /** Maximum pause of an upload without new bytes, milliseconds. Then: 408. @default 30_000 */
  idleMs?: number | undefined;
  /** True: files are served at URLs that `media.signedUrl` has signed, and all other URLs get 403. @default false: anyone with a file's `url` can read it */
  private?: boolean | undefined;
  /** Secret for signing those URLs: 32 characters or more, the same in every process. @default made from `encryptionKey` */
  signingKey?: string | undefined;
  /** True: files are sent to networks with their locations, such as the GPS position of a photo. @default false: locations are removed before sending */
  keepLocation?: boolean | undefined;
}

const dayMs = 24 * 3_600_000;

/** Ten petabytes. */
const mostBytes = 10 ** 16;

export const mediaSchema = z.strictObject({
  maxAccountBytes: wholeNumber("bytes", { from: 1, to: mostBytes }).optional(),
  maxFileBytes: wholeNumber("bytes", { from: 1, to: mostBytes }).optional(),
  maxUploads: wholeNumber("uploads", { from: 1, to: 10_000 }).optional(),
  idleMs: wholeNumber("milliseconds", { from: 1, to: dayMs }).optional(),
  private: trueOrFalse.optional(),
  signingKey: z
    .custom((value) => typeof value === "string" && value.length >= 32, {
      // What came is not repeated.
      error: ({ input }) => `Must be a string of at least 32 characters, not ${describeKind(input)}.`,
    })
    .optional(),
  keepLocation: trueOrFalse.optional(),
} satisfies OptionSchemas<MediaOptions>);

export const mediaStoreOption = port<MediaStore>('a media store: filesStore("media") or s3Store({ … })', [
  "put",
  "head",
  "read",
  "delete",
]);

export const transformersOption = z.array(
  port<MediaTransformer>("a transformer, such as sharpTransformer()", ["version", "transform"]),
  {
    error: ({ input }) => `Must be a list of transformers, such as [sharpTransformer()], not ${describeValue(input)}.`,
  },
);

/** What of a service's options hosting goes by. */
export interface HostingOptions {
  mediaStore?: MediaStore | undefined;
  baseUrl?: string | undefined;
  media?: MediaOptions | undefined;
  mediaTransformers?: readonly MediaTransformer[] | undefined;
}

/** Null: the service keeps no files. */
export function hostingPorts(
  {
    mediaStore,
    baseUrl,
    media: { private: isPrivate = false, signingKey, keepLocation = false, ...bounds } = {},
    mediaTransformers = [],
  }: HostingOptions,
  {
    encryptionKeys,
    ...ports
  }: Pick<HostingPorts, "storage" | "clock" | "ids" | "logger" | "untrustedHttp"> & {
    encryptionKeys: readonly string[];
  },
): HostingPorts | null {
  if (mediaStore === undefined || baseUrl === undefined) return null;
  const given = Object.fromEntries(Object.entries(bounds).filter(([, value]) => value !== undefined));
  const allBounds = { ...defaultBounds, ...given };
  return {
    ...ports,
    store: mediaStore,
    addresses: createAddresses(baseUrl),
    signer: createAddressSigner(signingKey === undefined ? encryptionKeys : [signingKey]),
    bounds: allBounds,
    slots: createUploadSlots(allBounds),
    transformers: mediaTransformers,
    isPrivate,
    keepsLocation: keepLocation,
  };
}
