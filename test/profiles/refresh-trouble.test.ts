import { describe, expect, it } from "vitest";
import { getOver, troubles } from "../prove/staying-trouble.ts";

describe("a network that cannot renew a connection for ten minutes", () => {
  it.each(Object.entries(troubles))(
    "because it %s, does not end the connection, gets few requests, and gets the posts afterwards",
    async (_, fault) => {
      expect(await getOver(fault)).toEqual([]);
    },
  );
});
