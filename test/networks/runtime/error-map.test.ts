import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { ErrorTable } from "../../../src/networks/contract/errors.ts";
import { isSuccess, readRefusal } from "../../../src/networks/runtime/error-map.ts";
import { errorRow, errorTable } from "../fake-network.ts";

const now = Date.parse("2026-11-21T12:00:00.000Z");

function read(status: number, body: unknown, table: ErrorTable, headers: Record<string, string> = {}) {
  return readRefusal({ status, body, headers: new Headers(headers) }, table, { now });
}

function said(message: string, code?: string) {
  return { error: { code, message } };
}

describe("a refusal that a row lists", () => {
  it("is read by the first row that fits", () => {
    const table = errorTable(
      errorRow({ status: 422, code: "dup", effect: "duplicate", message: "Already there." }),
      errorRow({ status: 422, as: "media_error", message: "Bad file." }),
      errorRow({ message: "Anything." }),
    );
    expect(read(422, said("no", "dup"), table)).toMatchObject({ effect: "duplicate", message: "Already there. (no)" });
    expect(read(422, said("no", "other"), table)).toMatchObject({ effect: "none", code: "media_error" });
    expect(read(400, said("no", "dup"), table)).toMatchObject({ message: "Anything. (no)" });
  });

  it.each([
    { name: "status", row: { status: 400 }, other: [401, said("a b", "x")] },
    { name: "code", row: { code: "x" }, other: [400, said("a b", "y")] },
    { name: "start", row: { startsWith: "a" }, other: [400, said("b a", "x")] },
  ] as const)("fits by its $name", ({ row, other: [status, body] }) => {
    const table = errorTable(errorRow({ ...row, as: "media_error" }));
    expect(read(400, said("a b", "x"), table).code).toBe("media_error");
    expect(read(status, body, table).code).not.toBe("media_error");
  });

  it("fits by a text within the message, and by the request's operation", () => {
    const table = errorTable(
      errorRow({ operation: "upload", contains: "too long", as: "media_error" }),
      errorRow({ operation: "publish", as: "invalid_request" }),
    );
    const codeFor = (operation: string, message: string) =>
      readRefusal({ status: 400, body: said(message), headers: new Headers() }, table, { now, operation }).code;
    expect(codeFor("upload", "The video is too long.")).toBe("media_error");
    expect(codeFor("upload", "The video is too dark.")).toBe("rejected_by_network");
    expect(codeFor("publish", "The video is too long.")).toBe("invalid_request");
  });

  it("fits by any of the response's codes, and the first row decides", () => {
    const rows = [
      errorRow({ code: "190/463", as: "reauthentication_required" }),
      errorRow({ code: "190", as: "profile_unavailable" }),
    ];
    const body = z.object({ codes: z.array(z.string()), message: z.string() });
    const table = { ...errorTable(...rows), body };
    expect(read(400, { codes: ["190/463", "190"], message: "" }, table).code).toBe("reauthentication_required");
    expect(read(400, { codes: ["190/460", "190"], message: "" }, table).code).toBe("profile_unavailable");
  });

  it("fits only if everything in the row does", () => {
    const table = errorTable(errorRow({ status: 400, code: "x", startsWith: "a", as: "media_error" }));
    expect(read(400, said("a", "x"), table).code).toBe("media_error");
    expect(read(400, said("b", "x"), table).code).not.toBe("media_error");
    expect(read(400, said("a", "y"), table).code).not.toBe("media_error");
    expect(read(404, said("a", "x"), table).code).not.toBe("media_error");
  });

  it.each(["code", "startsWith", "contains"] as const)("by its %s does not fit an unreadable body", (column) => {
    const table = errorTable(errorRow({ [column]: "x" }));
    expect(read(400, null, table).effect).toBe("unknown");
  });

  it("needs no body if the row names only the status", () => {
    const table = errorTable(errorRow({ status: 413, as: "media_error", message: "Too large." }));
    expect(read(413, null, table)).toEqual({
      effect: "none",
      code: "media_error",
      message: "Too large.",
      networkMessage: "",
      status: 413,
    });
  });

  it("may be listed although its status alone decides nothing", () => {
    const table = errorTable(errorRow({ status: 503, effect: "none", message: "Closed." }));
    expect(read(503, null, table).effect).toBe("none");
  });

  it.each([302, 408, 409, 423, 425, 499, 500, 502, 503])(
    "does not fit status %i unless the row names it: the request may have been carried out",
    (status) => {
      const refusals = [
        { effect: "none" },
        { effect: "duplicate" },
        { effect: "later", remedy: "refresh" },
        { effect: "later", remedy: "rate_limit" },
      ] as const;
      for (const refusal of refusals) {
        const row = errorRow({ code: "x", as: "reauthentication_required", ...refusal });
        const read400 = read(400, said("no", "x"), errorTable(row));
        expect(read400).toMatchObject({ effect: refusal.effect, code: "reauthentication_required" });
        expect(read(status, said("no", "x"), errorTable(row))).toMatchObject({
          effect: "unknown",
          code: "network_error",
          message: expect.stringContaining("(no)"),
        });
        expect(read(status, said("no", "x"), errorTable({ ...row, status }))).toMatchObject({ effect: refusal.effect });
      }
    },
  );

  it("fits any status if the row only reads it as unknown", () => {
    const table = errorTable(errorRow({ code: "1", effect: "unknown", as: "network_error", message: "In trouble." }));
    for (const status of [400, 409, 500]) expect(read(status, said("", "1"), table).message).toBe("In trouble.");
  });

  it("is unknown if the row says so", () => {
    const table = errorTable(errorRow({ status: 400, effect: "unknown", as: "network_error" }));
    expect(read(400, said("hm"), table)).toMatchObject({ effect: "unknown", code: "network_error" });
  });

  it("keeps the network's own words beside ours", () => {
    const refusal = read(400, said("text too long"), errorTable(errorRow({ message: "Shorten it." })));
    expect(refusal).toMatchObject({ message: "Shorten it. (text too long)", networkMessage: "text too long" });
  });
});

describe("a network's own words", () => {
  it.each([["a row", 400, errorTable(errorRow({ message: "No." }))] as const, ["no row", 418, errorTable()] as const])(
    "are shortened and cleaned: %s",
    (_, status, table) => {
      const { networkMessage, message } = read(status, said(`a\0\u202e\nb${"c".repeat(1_000_000)}`), table);
      expect(networkMessage).toMatch(/^a bc+…$/);
      expect(networkMessage).toHaveLength(500);
      expect(message.length).toBeLessThan(600);
    },
  );
});

it("a success status is no success if the body is a refusal", () => {
  const table = {
    ...errorTable(),
    refusesWithSuccess: (body: unknown) => z.object({ error: z.object({}) }).safeParse(body).success,
  };
  const answer = (status: number, body: unknown) => isSuccess({ status, body, headers: new Headers() }, table);
  expect([answer(200, { ok: true }), answer(200, said("no")), answer(404, { ok: true })]).toEqual([true, false, false]);
});

describe("a temporary refusal", () => {
  it("uses Retry-After if the adapter finds no time", () => {
    const limit = { status: 429, effect: "later", remedy: "rate_limit" } as const;
    const table = { ...errorTable(errorRow(limit)), rateLimitEnd: () => Number.NaN };
    expect(read(429, said("slow"), table, { "retry-after": "60" })).toMatchObject({ retryAt: now + 60_000 });
    expect(read(429, said("slow"), table)).toMatchObject({ retryAt: null });
  });

  it("names the owner of the limit", () => {
    const limit = { status: 429, effect: "later", remedy: "rate_limit" } as const;
    expect(read(429, said("slow"), errorTable(errorRow(limit)))).toMatchObject({ scope: "profile" });
    expect(read(429, said("slow"), errorTable(errorRow({ ...limit, scope: "app" })))).toMatchObject({ scope: "app" });
  });

  it("reports the end of the rate limit, if the response has one", () => {
    const table = errorTable(errorRow({ status: 429, effect: "later", remedy: "rate_limit" }));
    expect(read(429, null, table, { "retry-after": "60" })).toMatchObject({
      effect: "later",
      remedy: "rate_limit",
      retryAt: now + 60_000,
    });
    expect(read(429, null, table)).toMatchObject({ effect: "later", retryAt: null });
  });

  describe("with a rate limit", () => {
    const row = errorRow({ status: 429, effect: "later", remedy: "rate_limit" });

    it.each([
      ["60", now + 60_000],
      ["0", now],
      ["Sat, 21 Nov 2026 12:01:00 GMT", now + 60_000],
      ["soon", null],
      ["-5 minutes", null],
      ["", null],
    ])("takes its end from Retry-After %j if the network's own words have none", (value, retryAt) => {
      const table = { ...errorTable(row), rateLimitEnd: () => null };
      expect(read(429, null, table, { "retry-after": value })).toMatchObject({ retryAt });
    });

    it("prefers the network's own words", () => {
      const table = { ...errorTable(row), rateLimitEnd: () => now + 5_000 };
      expect(read(429, null, table, { "retry-after": "60" })).toMatchObject({ retryAt: now + 5_000 });
    });

    it.each([1e300, Number.POSITIVE_INFINITY, now + 86_400_001])("rejects a limit of more than a day: %d", (end) => {
      const table = { ...errorTable(row), rateLimitEnd: () => end };
      expect(read(429, null, table)).toMatchObject({ retryAt: now + 86_400_000 });
    });

    it("is computed in whole milliseconds, as rows store them", () => {
      const table = { ...errorTable(row), rateLimitEnd: () => now + 0.25 };
      expect(read(429, null, table)).toMatchObject({ retryAt: now + 1 });
    });
  });

  it.each(["refresh", "not_ready", "stage_again", "sign_again"] as const)(
    "with the remedy %s waits for no rate limit",
    (remedy) => {
      const table = errorTable(errorRow({ status: 400, effect: "later", remedy }));
      expect(read(400, null, table, { "retry-after": "60" })).toMatchObject({ remedy, retryAt: null });
    },
  );
});

describe("a refusal that no row lists", () => {
  const table = errorTable();

  it.each([400, 401, 403, 404, 405, 410, 413, 418, 422, 451])(
    "is final at %i if its body is the network's",
    (status) => {
      expect(read(status, said("no"), table)).toEqual({
        effect: "none",
        code: "rejected_by_network",
        message: `The network rejected it with status ${status}: no`,
        networkMessage: "no",
        status,
      });
    },
  );

  it.each([408, 409, 423, 425, 429, 499, 500, 501, 502, 503, 504, 520, 599])(
    "is unknown at %i, whatever the body",
    (status) => {
      for (const body of [said("no"), null]) {
        expect(read(status, body, table)).toMatchObject({ effect: "unknown", code: "network_error" });
      }
    },
  );

  it.each([301, 302, 303, 307, 308, 304, 101])("is unknown at %i: redirects are not followed", (status) => {
    expect(read(status, said("over there"), table).effect).toBe("unknown");
  });

  it.each([
    ["a page", null],
    ["a string", "no"],
    ["a list", []],
    ["another JSON", { detail: "no" }],
    ["a message that is not a string", { error: { message: 5 } }],
  ])("is unknown at 4xx if its body is %s: it may come from a proxy", (_, body) => {
    expect(read(400, body, table).effect).toBe("unknown");
  });
});
