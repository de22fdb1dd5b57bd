import { z } from "zod";
import type { ErrorTable } from "../contract/errors.ts";
import { rateLimited, refused } from "../shared/error-rows.ts";

const source = "https://toy.example/docs/errors (2026-11)";

export const errors: ErrorTable = {
  body: z
    .object({ code: z.string(), message: z.string() })
    .transform(({ code, message }) => ({ codes: [code], message })),
  rows: [
    refused({ status: 401 }, "reauthentication_required", "Toy no longer accepts the token: reconnect.", source),
    refused({ status: 422, code: "too_long" }, "invalid_request", "Toy accepts no text of this length.", source),
    rateLimited({ status: 429 }, "Toy accepts no more posts for now.", source),
  ].flat(),
  rateLimitEnd({ headers }, now) {
    const seconds = headers.get("retry-after");
    return seconds === null ? null : now + Number(seconds) * 1000;
  },
};
