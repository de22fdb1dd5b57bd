import { z } from "zod";
import type { ErrorTable } from "../contract/errors.ts";

const source = "https://toy.example/docs/errors (2026-11)";

export const errors: ErrorTable = {
  body: z
    .object({ code: z.string(), message: z.string() })
    .transform(({ code, message }) => ({ codes: [code], message })),
  rows: [
    {
      status: 401,
      as: "reauthentication_required",
      effect: "none",
      message: "Toy does not take the token any more: connect again.",
      source,
    },
    {
      status: 422,
      code: "too_long",
      as: "invalid_request",
      effect: "none",
      message: "Toy takes no text of this length.",
      source,
    },
    {
      status: 429,
      as: "network_error",
      effect: "later",
      remedy: "rate_limit",
      message: "Toy takes no more posts for now.",
      source,
    },
  ],
  rateLimitEnd({ headers }, now) {
    const seconds = headers.get("retry-after");
    return seconds === null ? null : now + Number(seconds) * 1000;
  },
};
