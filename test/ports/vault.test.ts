import { createCipheriv } from "node:crypto";
import { describe, expect, it } from "vitest";
import { randomIds } from "../../src/ports/ids.ts";
import { createVault, missingKey, type SealedPlace, throwAwayKey } from "../../src/ports/vault.ts";

const place: SealedPlace = { account: "acct_1", collection: "profiles", id: "prof_1", field: "secret" };
const secret = { access: "canary-access-token", refresh: "ünïcödé", nested: { list: [1, null, "x"] } };
const firstKey = key(1);
const secondKey = key(2);

function key(fill: number): string {
  return Buffer.alloc(32, fill).toString("base64");
}

function vaultOf(...keys: string[]) {
  return createVault(keys, randomIds);
}

describe("sealed credentials", () => {
  it("open to the sealed value", () => {
    const vault = vaultOf(firstKey);
    expect(vault.open(vault.seal(secret, place), place)).toEqual(secret);
  });

  it("reveal nothing of it, and never look the same twice", () => {
    const vault = vaultOf(firstKey);
    const sealed = vault.seal(secret, place);
    const [, , , content = ""] = sealed.split(".");
    expect(Buffer.from(content, "base64url").toString("latin1")).not.toContain("canary");
    expect(sealed).not.toContain("canary");
    expect(vault.seal(secret, place)).not.toBe(sealed);
  });

  it.each([
    { account: "acct_2" },
    { collection: "connections" },
    { id: "prof_2" },
    { field: "other" },
    // The same characters, cut elsewhere.
    { account: "acct_", collection: "1profiles" },
  ])("do not open in another place: %o", (moved) => {
    const vault = vaultOf(firstKey);
    const sealed = vault.seal(secret, place);
    expect(() => vault.open(sealed, { ...place, ...moved })).toThrow("moved from another row");
  });

  it("do not open when any single byte of nonce, content or tag was changed", () => {
    const vault = vaultOf(firstKey);
    const [version, id, nonce = "", content = ""] = vault.seal({ a: 1 }, place).split(".");
    for (const [index, text] of [nonce, content].entries()) {
      const bytes = Buffer.from(text, "base64url");
      for (let at = 0; at < bytes.length; at++) {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ 1;
        const forged = index === 0 ? [changed.toString("base64url"), content] : [nonce, changed.toString("base64url")];
        expect(() => vault.open([version, id, ...forged].join("."), place)).toThrow("do not open");
      }
    }
  });

  it.each([4, 8, 12, 15])("do not open with a tag cut to %i bytes", (tagBytes) => {
    const vault = vaultOf(firstKey);
    const [version, id, nonce = ""] = vault.seal({}, place).split(".");
    // No content, so that the start of the tag is everything: valid to code that accepts any length.
    const cipher = createCipheriv("aes-256-gcm", Buffer.from(firstKey, "base64"), Buffer.from(nonce, "base64url"));
    cipher.setAAD(Buffer.from(JSON.stringify(Object.values(place))));
    cipher.final();
    const cut = cipher.getAuthTag().subarray(0, tagBytes).toString("base64url");
    const opening = (): unknown => vault.open([version, id, nonce, cut].join("."), place);
    expect(opening).toThrow(
      expect.objectContaining({ cause: expect.objectContaining({ code: "ERR_CRYPTO_INVALID_AUTH_TAG" }) }),
    );
  });

  it.each(["", "nonsense", "v2.00000000.AAAA.AAAA", "v1..."])(
    "do not open when another program made them: %j",
    (sealed) => {
      expect(() => vaultOf(firstKey).open(sealed, place)).toThrow("is not in encryptionKey");
    },
  );

  it("do not open when they claim another version", () => {
    const vault = vaultOf(firstKey);
    const sealed = vault.seal(secret, place);
    expect(() => vault.open(sealed.replace("v1.", "v2."), place)).toThrow("is not in encryptionKey");
  });

  it("do not open when they were cut, at whatever length", () => {
    const vault = vaultOf(firstKey);
    const sealed = vault.seal({ a: 1 }, place);
    const shortest = sealed.split(".").slice(0, 2).join(".").length;
    for (let length = shortest; length < sealed.length; length++) {
      expect(() => vault.open(sealed.slice(0, length), place)).toThrow("do not open");
    }
  });

  it("fail with internal_error and without the secret", () => {
    const vault = vaultOf(firstKey);
    const sealed = vault.seal(secret, place);
    try {
      vault.open(sealed, { ...place, id: "prof_2" });
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ code: "internal_error" });
      expect(`${error} ${JSON.stringify(error)}`).not.toContain("canary");
    }
  });
});

describe("a keyring", () => {
  it("opens values that the old key sealed", () => {
    const sealed = vaultOf(firstKey).seal(secret, place);
    expect(vaultOf(secondKey, firstKey).open(sealed, place)).toEqual(secret);
  });

  it("seals with its first key", () => {
    const sealed = vaultOf(secondKey, firstKey).seal(secret, place);
    expect(vaultOf(secondKey).open(sealed, place)).toEqual(secret);
    expect(() => vaultOf(firstKey).open(sealed, place)).toThrow("Append the old key after the new one");
  });

  it("names a missing key by an id that reveals nothing of it", () => {
    const sealed = vaultOf(firstKey).seal(secret, place);
    const [, id = ""] = sealed.split(".");
    expect(() => vaultOf(secondKey).open(sealed, place)).toThrow(`The key ${id}`);
    expect(Buffer.from(firstKey, "base64").toString("hex")).not.toContain(id);
  });
});

describe("a key", () => {
  it.each([
    { bytes: 16, given: Buffer.alloc(16).toString("base64") },
    { bytes: 33, given: Buffer.alloc(33).toString("base64") },
    { bytes: 48, given: Buffer.alloc(32, 7).toString("hex") },
    { bytes: 0, given: "%%%" },
  ])("of $bytes bytes is rejected with the required length", ({ given, bytes }) => {
    expect(() => vaultOf(given)).toThrow(`must be 32 bytes in base64 (44 characters); this one has ${bytes} bytes`);
  });

  it.each([[""], [" \n"], [firstKey, ""]])("that is empty names the environment variable: %j", (...given) => {
    expect(() => vaultOf(...given)).toThrow("encryptionKey is empty: the environment variable that holds it seems");
  });

  it("that is rejected is not repeated in the error", () => {
    try {
      vaultOf("canary-that-is-no-key");
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ code: "invalid_options" });
      expect(String(error)).not.toContain("canary");
    }
  });

  it("that is missing causes an error with the command that makes one", () => {
    expect(() => vaultOf()).toThrow("randomBytes(32).toString('base64')");
    expect(missingKey()).toMatchObject({ code: "invalid_options" });
  });

  it("for this process only works like any other", () => {
    const vault = vaultOf(throwAwayKey(randomIds));
    expect(vault.open(vault.seal(secret, place), place)).toEqual(secret);
    expect(throwAwayKey(randomIds)).not.toBe(throwAwayKey(randomIds));
  });
});
