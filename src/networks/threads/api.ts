import { endpointsBelow } from "../shared/address.ts";
import { answersOf } from "../shared/answer.ts";

/** The same as graph.threads.com. https://developers.facebook.com/docs/threads/changelog (2025-06) */
export const host = "graph.threads.net";
/** Threads' own version, independent of the Graph API's. */
export const apiVersion = "v1.0";

/** The URL of a route. */
export const endpoint = endpointsBelow(`https://${host}/${apiVersion}`);

export const { getAnswer } = answersOf("Threads");
