import { describe, expect, it } from "vitest";
import { randomIds } from "../../src/ports/ids.ts";
import { createVault } from "../../src/ports/vault.ts";
import type { EndpointRow } from "../../src/webhooks/rows.ts";
import { createSecret, sealSecret, trySecrets } from "../../src/webhooks/secret.ts";

const vaultOf = (fill: number) => createVault([Buffer.alloc(32, fill).toString("base64")], randomIds);
const vault = vaultOf(1);
const owner = { account_id: "acct_1", id: "wh_1" };
/** The place under which every release has sealed it: under another, stored secrets could not be opened. */
const place = { account: "acct_1", collection: "endpoints", id: "wh_1", field: "secret" };

/** An endpoint with these secrets sealed. */
function endpointWith(secret: string, previous: EndpointRow["private"]["previous"] = null): EndpointRow {
  return {
    ...owner,
    url: "https://receiver.sandbox.example/a",
    events: [],
    status: "active",
    secret_last_four: "t_1",
    consecutive_failures: 0,
    description: null,
    disabled_reason: null,
    revision: 1,
    due_at: null,
    last_succeeded_at: null,
    last_failed_at: null,
    created_at: "",
    updated_at: "",
    lease_until: 0,
    epoch: 0,
    private: { secret, previous },
  };
}

describe("an endpoint's secret", () => {
  it("has 32 random bytes", () => {
    expect(createSecret(randomIds)).toMatch(/^whsec_[\w-]{43}$/);
    expect(createSecret(randomIds)).not.toBe(createSecret(randomIds));
  });

  it("opens at the place under which it has always been sealed", () => {
    expect(vault.open(sealSecret(vault, owner, "whsec_1"), place)).toEqual({ secret: "whsec_1" });
    expect(trySecrets(vault, endpointWith(vault.seal({ secret: "whsec_1" }, place)), 0)).toEqual(["whsec_1"]);
  });

  it("counts beside the previous one until that one's time is over", () => {
    const previous = { secret: sealSecret(vault, owner, "whsec_1"), until: 1_000 };
    const endpoint = endpointWith(sealSecret(vault, owner, "whsec_2"), previous);
    expect(trySecrets(vault, endpoint, 999)).toEqual(["whsec_2", "whsec_1"]);
    expect(trySecrets(vault, endpoint, 1_000)).toEqual(["whsec_2"]);
  });

  it("gives an error message when no key opens it", () => {
    expect(trySecrets(vaultOf(2), endpointWith(sealSecret(vault, owner, "whsec_1")), 0)).toEqual({
      error: expect.stringMatching(/^Not sent, because it cannot be signed\. Stored credentials were encrypted with/),
    });
  });

  it("does not hide an error that has nothing to do with keys", () => {
    const fault = new RangeError("out of range");
    const broken = {
      ...vault,
      open() {
        throw fault;
      },
    };
    expect(() => trySecrets(broken, endpointWith("v1.x"), 0)).toThrow(fault);
  });
});
