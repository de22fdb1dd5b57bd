import type { ServicePorts } from "../service-ports.ts";
import { HttpFailure } from "./answer.ts";
import { type HookPlace, inTime, placeIn, toSent } from "./hooks.ts";
import { onlyMethods } from "./match.ts";

const requestPath = /^\/hooks\/([^/]+)\/([^/]+)\/deletion$/;
const statusPath = /^\/hooks\/deletions\/([0-9a-f]{32})$/;

/** Maximum size of a body, bytes. It holds a name, a signature and an id. */
const maxBytes = 16_384;

/** The network and app of a path for data deletion requests; null: it is another path. */
export function deletionPlaceOf(path: string): HookPlace | null {
  return placeIn(requestPath, path);
}

/** The confirmation code in a status path; null: it is another path. */
export function deletionCodeOf(path: string): string | null {
  return statusPath.exec(path)?.[1] ?? null;
}

type DeletionPorts = Pick<ServicePorts, "deletions" | "clock" | "logger" | "track" | "baseUrl">;

const codes: Readonly<Record<number, "not_found" | "rate_limited">> = { 404: "not_found", 429: "rate_limited" };

/**
 * Handles a data deletion request. It needs no key, since the network signs it. The request is stored before the
 * response and processed afterwards.
 * https://developers.facebook.com/docs/development/create-an-app/app-dashboard/data-deletion-callback (2026-09)
 */
export async function answerDeletion(
  ports: DeletionPorts,
  request: Request,
  {
    place,
    basePath,
    waitUntil,
  }: { place: HookPlace; basePath: string; waitUntil?: ((work: Promise<unknown>) => void) | undefined },
): Promise<Response> {
  const { deletions, clock, logger, baseUrl } = ports;
  if (request.method !== "POST") throw onlyMethods(["POST"]);
  const { status, code, reason } = await inTime(clock, (signal) => {
    return deletions.receive({ ...place, request: toSent(request, { method: "POST", maxBytes, signal }) });
  });
  if (code === null) {
    logger.info("a data deletion request was rejected", { ...place, reason });
    throw new HttpFailure({ code: codes[status] ?? "invalid_request", status, message: reason });
  }
  const work = deletions.work().catch((error: unknown) =>
    logger.error("a data deletion request could not be processed immediately; it is retried", {
      error: String(error),
    }),
  );
  ports.track(work);
  waitUntil?.(work);
  const base = (baseUrl ?? new URL(basePath, request.url).href).replace(/\/+$/, "");
  const url = `${base}/hooks/deletions/${code}`;
  return Response.json({ url, confirmation_code: code });
}

/** Shows a person the status of their deletion request. */
export async function answerDeletionStatus(
  { deletions }: Pick<ServicePorts, "deletions">,
  { method, code }: { method: string; code: string },
): Promise<Response> {
  if (method !== "GET") throw onlyMethods(["GET"]);
  const status = await deletions.statusOf(code);
  if (status === null) throw new HttpFailure({ code: "not_found", status: 404, message: "There is no such request." });
  const text = status === "done" ? "Your data have been deleted." : "Your data are being deleted.";
  return new Response(text, { headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" } });
}
