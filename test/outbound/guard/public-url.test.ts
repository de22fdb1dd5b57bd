import { describe, expect, it } from "vitest";
import { whyNotPublic } from "../../../src/outbound/guard/public-url.ts";

describe("a URL on the internet", () => {
  it.each([
    "https://app.example.com/media/a",
    "https://93.184.216.34/",
    "https://[2606:4700::1111]:8443/a",
    "https://xn--bcher-kva.example./",
  ])("may be public: %s", (url) => expect(whyNotPublic(url)).toBeNull());

  it.each([
    ["http://app.example.com/a", "is not https"],
    ["ftp://app.example.com/a", "is not https"],
    ["https://localhost:3000/a", "own network"],
    ["https://api.localhost/", "own network"],
    ["https://media/a", "own network"],
    ["https://nas.local/a", "own network"],
    ["https://minio.default.svc.internal./a", "own network"],
    ["https://127.0.0.1/a", "not a public address"],
    ["https://10.1.2.3/a", "not a public address"],
    ["https://2130706433/a", "not a public address"],
    ["https://[::1]/a", "not a public address"],
    ["https://[fd00::1]/a", "not a public address"],
  ])("is not public: %s", (url, why) => expect(whyNotPublic(url)).toContain(why));
});
