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

/** Which bucket, and with what it is signed for. */
export interface S3StoreOptions extends S3Credentials {
  /** Where the service is, without a bucket: `https://s3.eu-central-1.amazonaws.com`. */
  endpoint: string;
  /** Must be there. Its objects need not be public. */
  bucket: string;
  /** As the service names it: `eu-central-1`, `auto`. */
  region: string;
  /** May get, put and delete objects, and abort multipart uploads. */
  accessKeyId: string;
  /** Signs; is in no message and no address. */
  secretAccessKey: string;
  /** Of temporary credentials. */
  sessionToken?: string | undefined;
  /** True: `https://endpoint/bucket/key`; false: `https://bucket.endpoint/key`. @default false */
  forcePathStyle?: boolean | undefined;
  /** Stands before every key, with a slash between: `app/media`. @default nothing */
  prefix?: string | undefined;
  /**
   * True for services that answer 501 to `If-None-Match` on a PUT, as Swift
   * does: whoever has a signed upload's address can then write over the file
   * until the address ends.
   *
   * @default false
   */
  overwritesUploads?: boolean | undefined;
  /** Requests are signed by it. @default the machine's clock */
  clock?: Clock | undefined;
  /** What sends the requests. @default the global fetch */
  fetch?: typeof globalThis.fetch | undefined;
}

const text = option("a text that is not empty", (value) => typeof value === "string" && value !== "");

const secret = z.custom((value) => typeof value === "string" && value !== "", {
  error: ({ input }) => `Give a text that is not empty, not ${describeKind(input)}.`,
});

const optionsSchema = z.strictObject({
  endpoint: option("an address without a path, such as https://s3.eu-central-1.amazonaws.com", isEndpoint),
  bucket: option("a bucket's name", (value) => typeof value === "string" && /^[A-Za-z0-9][\w.-]{1,62}$/.test(value)),
  region: text,
  accessKeyId: secret,
  secretAccessKey: secret,
  sessionToken: secret.optional(),
  forcePathStyle: trueOrFalse.optional(),
  prefix: option("steps of letters, digits, _, . and -, divided by single slashes", isPrefix).optional(),
  overwritesUploads: trueOrFalse.optional(),
  clock: clockOption.optional(),
  fetch: aFunction("a fetch").optional(),
} satisfies OptionSchemas<S3StoreOptions>);

/** @throws SocialError `invalid_options` naming the option that is wrong; never a secret */
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
