import type { PlantedBug } from "./bugs.ts";

const credentials = "src/profiles/credentials.ts";
const hunter = "staying-hunt.ts";

/** Mistakes that would make people connect their accounts again and again. */
export const stayingBugs: readonly PlantedBug[] = [
  {
    name: "a renewed login is used, and the old one stored over it",
    hunter,
    changes: [
      {
        file: credentials,
        from: "      const sealed = vault.seal(renewed, placeOfSecret(profile));\n",
        to: "      const sealed = vault.seal({ ...renewed, refresh: secret().refresh ?? null }, placeOfSecret(profile));\n",
      },
    ],
  },
  {
    name: "trouble while a login is renewed taken for its end",
    hunter,
    changes: [
      {
        file: credentials,
        from: "      throw dead ? deadCredentials(adapter, error) : error;\n",
        to: "      throw dead || !(error instanceof LeaseLost) ? deadCredentials(adapter, error) : error;\n",
      },
    ],
  },
  {
    name: "each post of a backlog asks for a renewal",
    hunter,
    changes: [
      {
        file: "src/profiles/refresh-pause.ts",
        from: "  if (pause === null || now < pause.since || now >= pause.until) return;\n",
        to: "  if (pause === null || now >= pause.since) return;\n",
      },
    ],
  },
  {
    name: "a profile that another process holds is claimed all the same",
    hunter,
    changes: [
      {
        file: "src/work/lease.ts",
        from: "where: { epoch, lease_until: { lte: now } }",
        to: "where: { epoch }",
      },
    ],
  },
];
