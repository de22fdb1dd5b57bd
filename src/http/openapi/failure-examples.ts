function refusal(field: string, message: string): { error: object } {
  const code = "invalid_request";
  return { error: { code, message, details: [{ field, code, message }] } };
}

/** One failure of each status. */
export const failureExamples: Readonly<Record<number, { error: object }>> = {
  "400": {
    error: {
      code: "invalid_request",
      message:
        "The post is not valid for bluesky; nothing was sent. text: Too long: 350 of at most 300 characters. Shorten it, or set auto_thread.",
      details: [
        {
          field: "text",
          network: "bluesky",
          code: "invalid_request",
          message: "Too long: 350 of at most 300 characters. Shorten it, or set auto_thread.",
        },
      ],
    },
  },
  "401": { error: { code: "unauthorized", message: "Give a valid API key: Authorization: Bearer service_live_…" } },
  "402": {
    error: {
      code: "payment_required",
      message:
        "The plan does not cover every profile of this post. profile_ids: The plan does not cover publishing on alice.sandbox.example.",
      details: [
        {
          field: "profile_ids",
          network: "bluesky",
          code: "payment_required",
          message: "The plan does not cover publishing on alice.sandbox.example.",
        },
      ],
    },
  },
  "403": { error: { code: "forbidden", message: 'This key lacks the scope "publish".' } },
  "404": { error: { code: "not_found", message: "There is no such post on this account." } },
  "408": refusal("body", "The body did not come to its end: 20 bytes in 30 s."),
  "409": { error: { code: "conflict", message: "No target of this post has failed; there is nothing to retry." } },
  "413": refusal("body", "The body is larger than 1048576 bytes."),
  "415": refusal("Content-Type", "Send JSON, with the header Content-Type: application/json."),
  "422": {
    error: {
      code: "publish_failed",
      message: "The profile could not be checked. pds.sandbox.example could not be reached.",
    },
  },
  "429": { error: { code: "rate_limited", message: "More than 120 requests a minute; wait 55 s." } },
  "500": {
    error: {
      code: "internal_error",
      message: "Something went wrong here; the log says what. Try again, with the same Idempotency-Key.",
    },
  },
};
