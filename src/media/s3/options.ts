import * as z from "zod";
import type { Clock } from "../../ports/clock.ts";
import {
  aFunction,
  checkOptions,
  clockOption,
  type OptionSchemas,
  option,
  trueOrFalse,
} from "../../ports/parse-options.ts";
import { describeKind } from "../../wire/describe-value.ts";
import type { S3Credentials } from "./signer.ts";

/** The bucket and its credentials. */
export interface S3StoreOptions extends S3Credentials {
  /** URL of the service, without a bucket: `https://s3.eu-central-1.amazonaws.com`. */
  endpoint: string;
  /** The bucket; it must exist. Its objects need not be public. */
  bucket: string;
  /** The service's name of the region: `eu-central-1`, `auto`. */
  region: string;
  /** The access key. It needs permission to get, put and delete objects, and to abort multipart uploads. */
  accessKeyId: string;
  /** Signs requests. It appears in no message and no URL. */
  secretAccessKey: string;
  /** Session token of temporary credentials. */
  sessionToken?: string | undefined;
  /** True: `https://endpoint/bucket/key`; false: `https://bucket.endpoint/key`. @default false */
  forcePathStyle?: boolean | undefined;
  /** Prefix of every key, followed by a slash: `app/media`. @default nothing */
  prefix?: string | undefined;
  /**
   * True for services that answer 501 to `If-None-Match` on a PUT, as Swift does: everyone with a signed upload's address can then write over the file
   * until the address ends.
   *
   * @default false
   */
  overwritesUploads?: boolean | undefined;
  /** The clock for signatures. @default the machine's clock */
  clock?: Clock | undefined;
  /** Sends the requests. @default the global fetch */
  fetch?: typeof globalThis.fetch | undefined;
}

const text = option("a non-empty string", (value) => typeof value === "string" && value !== "");

const secret = z.custom((value) => typeof value === "string" && value !== "", {
  error: ({ input }) => `Must be a non-empty string, not ${describeKind(input)}.`,
});

const optionsSchema = z.strictObject({
  endpoint: option("a URL without a path, such as https://s3.eu-central-1.amazonaws.com", isEndpoint),
  bucket: option("a bucket's name", (value) => typeof value === "string" && /^[A-Za-z0-9][\w.-]{1,62}$/.test(value)),
  region: text,
  accessKeyId: secret,
  secretAccessKey: secret,
  sessionToken: secret.optional(),
  forcePathStyle: trueOrFalse.optional(),
  prefix: option("segments of letters, digits, _, . and -, separated by single slashes", isPrefix).optional(),
  overwritesUploads: trueOrFalse.optional(),
  clock: clockOption.optional(),
  fetch: aFunction("a fetch").optional(),
} satisfies OptionSchemas<S3StoreOptions>);

/** @throws SocialError `invalid_options` naming the invalid option; never a secret */
export function checkS3Options(options: S3StoreOptions): void {
  checkOptions("s3Store", optionsSchema, options);
}

function isEndpoint(value: unknown): boolean {
  if (typeof value !== "string" || !URL.canParse(value)) return false;
  const { protocol, pathname, search, hash, username, password } = new URL(value);
  return /^https?:$/.test(protocol) && pathname === "/" && search + hash + username + password === "";
}

function isPrefix(value: unknown): boolean {
  return (
    typeof value === "string" &&
    value.length <= 500 &&
    value.split("/").every((step) => /^[\w.-]+$/.test(step) && !/^\.{1,2}$/.test(step))
  );
}
