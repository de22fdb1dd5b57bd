import { type Clock, isoTime } from "../../ports/clock.ts";

export interface S3Credentials {
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string | undefined;
}

export interface SignedRequest {
  url: string;
  headers: Headers;
}

export interface Signing {
  method: string;
  url: string;
  headers?: Record<string, string>;
  /** True: signs the URL with all of these headers, for another client. @default false: adds headers with the signature */
  inAddress?: boolean;
}

export type Sign = (signing: Signing) => Promise<SignedRequest>;

/**
 * Signs requests, dated by the clock.
 *
 * @param load how aws4fetch is loaded; replaced in tests only
 * @throws Error with the install command if it cannot be loaded
 */
export function createSign(credentials: S3Credentials, clock: Clock, load = () => import("aws4fetch")): Sign {
  /** The day's signing keys, which the signer caches. */
  const cache = new Map<string, ArrayBuffer>();
  return async ({ method, url, headers = {}, inAddress = false }) => {
    const { AwsV4Signer } = await load().catch(nameWhatToInstall);
    const { region, accessKeyId, secretAccessKey, sessionToken } = credentials;
    const signer = new AwsV4Signer({
      method,
      url,
      headers,
      region,
      accessKeyId,
      secretAccessKey,
      ...(sessionToken === undefined ? {} : { sessionToken }),
      service: "s3",
      datetime: isoTime(clock.now()).replace(/[:-]|\.\d{3}/g, ""),
      cache,
      signQuery: inAddress,
      allHeaders: inAddress,
    });
    const signed = await signer.sign();
    // Not every service decodes "+" as a space.
    return { url: signed.url.href.replaceAll("+", "%20"), headers: signed.headers };
  };
}

function nameWhatToInstall(cause: unknown): never {
  throw new Error("s3Store needs aws4fetch: npm install aws4fetch", { cause });
}
