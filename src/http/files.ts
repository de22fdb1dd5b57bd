import type { Hosting } from "../hosting/hosting.ts";
import type { ServedFile } from "../hosting/serve.ts";
import { HttpFailure } from "./answer.ts";
import { wrongMethod } from "./match.ts";
import { askedOf, isKnown } from "./range.ts";

/** Below it lie the hosted files. */
export const filesPath = "/media/";

/** Whatever is in a file, a browser runs nothing of it. */
const guards = { "x-content-type-options": "nosniff", "content-security-policy": "sandbox" };

/** What browsers show; all else they are to save. */
const shownTypes = /^(?:image|video)\/(?!svg)/;

/**
 * A hosted file, or a part of it, for whoever has its address: no key is needed.
 *
 * @throws HttpFailure 403 where only signed addresses are answered, 404, 405
 */
export async function answerFile(
  hosting: Pick<Hosting, "serve">,
  { method, headers }: Request,
  { path, search }: { path: string; search: URLSearchParams },
): Promise<Response> {
  if (method !== "GET" && method !== "HEAD") throw wrongMethod(["GET"]);
  const file = await hosting.serve(path.slice(filesPath.length), search);
  if (file === "forbidden") throw unsigned();
  if (file === null) throw notThere();
  const known = knownHeaders(file);
  if (isKnown(headers, file.tag)) return new Response(null, { status: 304, headers: known });
  const asked = method === "HEAD" ? "all" : askedOf(headers, file);
  if (asked === "none") {
    const range = `bytes */${file.sizeBytes}`;
    return new Response(null, {
      status: 416,
      headers: { ...guards, "content-range": range, "cache-control": "no-store" },
    });
  }
  const { from, to } = asked === "all" ? { from: 0, to: file.sizeBytes } : asked;
  const body = method === "HEAD" ? null : await file.read(asked === "all" ? undefined : asked);
  if (method === "GET" && body === null) throw notThere();
  return new Response(body, {
    status: asked === "all" ? 200 : 206,
    headers: {
      ...known,
      ...guards,
      "accept-ranges": "bytes",
      "content-type": file.contentType,
      "content-length": String(to - from),
      "content-disposition": shownTypes.test(file.contentType) ? "inline" : "attachment",
      ...(asked === "all" ? {} : { "content-range": `bytes ${from}-${to - 1}/${file.sizeBytes}` }),
    },
  });
}

function knownHeaders({ tag, freshSeconds, isPrivate }: ServedFile): Record<string, string> {
  return { etag: tag, "cache-control": `${isPrivate ? "private" : "public"}, max-age=${freshSeconds}` };
}

function unsigned(): HttpFailure {
  const message = "This URL is not signed, or its signature has expired; request a new one.";
  return new HttpFailure({ code: "forbidden", status: 403, message });
}

function notThere(): HttpFailure {
  return new HttpFailure({ code: "not_found", status: 404, message: "There is no such file." });
}
