import { describe, expect, it } from "vitest";
import { getOver, troubles } from "../prove/staying-trouble.ts";

describe("a network that cannot renew a login for ten minutes", () => {
  it.each(Object.entries(troubles))(
    "because it %s, has revoked nothing, is not stormed, and gets the posts afterwards",
    async (_, fault) => {
      expect(await getOver(fault)).toEqual([]);
    },
  );
});
