import type { ReadDocument } from "../connections/documents.ts";
import type { JsonObject } from "../wire/json.ts";
import { wrongMethod } from "./match.ts";

const documentPath = /^\/connect\/([^/]+)\/([a-z0-9-]+\.json)$/;

/** What a network may read at the path about the host's app; null: nothing is there. */
export async function loginDocumentAt(
  path: string,
  { readDocument }: { readDocument: ReadDocument },
): Promise<JsonObject | null> {
  const [, network, name] = documentPath.exec(path) ?? [];
  return network === undefined || name === undefined ? null : readDocument(network, name);
}

/** A key that is added is known everywhere after this time, seconds. */
const maxAgeSeconds = 600;

/** For networks' servers, which have no key; many may ask, so that it can be kept on the way. */
export function answerLoginDocument(document: JsonObject, method: string): Response {
  if (method !== "GET") throw wrongMethod(["GET"]);
  return new Response(JSON.stringify(document), {
    headers: {
      "content-type": "application/json; charset=utf-8",
      "cache-control": `public, max-age=${maxAgeSeconds}`,
      "x-content-type-options": "nosniff",
    },
  });
}
