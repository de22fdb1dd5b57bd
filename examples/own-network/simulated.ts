import { createFaults, type SandboxAnswer, type SandboxHost, type SandboxRequest } from "postrider/sandbox";

/** What stands on the simulated board. */
export interface Note {
  id: string;
  url: string;
  text: string;
}

export interface SimulatedNotes extends SandboxHost {
  notes(): Note[];
}

/** The notice board in memory, for tests. `Bearer a-good-token` is the only token. */
export function simulatedNotes(): SimulatedNotes {
  const byKey = new Map<string, Note>();

  function answer({ method, url, headers, bytes }: SandboxRequest): SandboxAnswer {
    if (headers.get("authorization") !== "Bearer a-good-token") return refusal(401, "no_token");
    if (url.pathname === "/me") return { status: 200, json: { id: "board-1", name: "The board" } };
    const key = url.pathname.replace("/notes/", "");
    const known = byKey.get(key);
    if (method === "GET") return known === undefined ? refusal(404, "no_note") : { status: 200, json: known };
    // A note that is put again is the same note.
    if (known !== undefined) return { status: 200, json: known };
    const { text } = JSON.parse(new TextDecoder().decode(bytes));
    if (text.length > 500) return refusal(422, "too_long");
    const id = `note-${byKey.size + 1}`;
    const note = { id, url: `https://notes.example.com/#${id}`, text };
    byKey.set(key, note);
    return { status: 201, json: note };
  }

  return {
    serves: (host) => host === "notes.example.com",
    operation: ({ method, url }) => `${method} ${url.pathname.replace(/^\/notes\/.*/, "/notes/:key")}`,
    commits: ["PUT /notes/:key"],
    faults: createFaults(),
    answer,
    notes: () => [...byKey.values()],
  };
}

function refusal(status: number, code: string): SandboxAnswer {
  return { status, json: { code, message: "Refused." } };
}
