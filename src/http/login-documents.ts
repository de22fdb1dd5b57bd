import type { ReadDocument } from "../connections/documents.ts";
import type { JsonObject } from "../wire/json.ts";
import { wrongMethod } from "./match.ts";

const documentPath = /^\/connect\/([^/]+)\/([a-z0-9-]+\.json)$/;

/** The document about the host's app that a network may fetch at the path; null: none. */
export async function loginDocumentAt(
  path: string,
  { readDocument }: { readDocument: ReadDocument },
): Promise<JsonObject | null> {
  const [, network, name] = documentPath.exec(path) ?? [];
  return network === undefined || name === undefined ? null : readDocument(network, name);
}

/** A new key is known everywhere after this time, seconds. */
const maxAgeSeconds = 600;

/** Serves it to networks without a key. Caches may store it, because many servers may request it. */
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
