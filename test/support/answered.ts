import type { NetworkResponse } from "../../src/networks/contract/request.ts";

/** A network's success with this body. */
export function answered(body: unknown): NetworkResponse {
  return { status: 200, headers: new Headers(), body };
}
