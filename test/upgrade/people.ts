import type { InboxScene } from "../../src/sandbox/inbox-scene.ts";
import { type Written, waysToWrite } from "../prove/inbox-people.ts";

/** Something that a person does on a network. */
export interface Deed {
  /** `read`: the version that leaves has it in its inbox · `waiting`: its networks have it, or have sent it and it waits · `later`: it comes when a later version goes on. */
  when: "read" | "waiting" | "later";
  /** What stands in the inbox from then on, and what no longer does; null: nothing. */
  says: string | null;
  unsays: string | null;
  do(): void;
}

/** What people do around one account, in order: they write in every way, a new person comes, and one message is changed or deleted. */
export function deedsOf(scene: InboxScene): Deed[] {
  const { network } = scene;
  const written: Written[] = [];
  const saying = (when: Deed["when"], says: string, write: (text: string) => void): Deed => {
    return { when, says, unsays: null, do: () => write(says) };
  };
  const inEachWay = (when: Deed["when"]): Deed[] =>
    waysToWrite(scene).map((write, number) =>
      saying(when, `${network} ${when} ${number}`, (text) => void written.push(write(text))),
    );
  const stranger = scene.person("Cy");
  const arriving = saying("waiting", `${network} arriving`, (text) => {
    stranger.follow?.("leaflet");
    stranger.dm?.(text);
  });
  // Ann's comment; without comments, her mention of the account.
  const changed = scene.post === undefined ? 0 : 1;
  const unsays = `${network} read ${changed}`;
  const edit = (text: string): void => void written[changed]?.by?.edit?.(written[changed].id, text);
  const unsend = (): void => void written[changed]?.by?.unsend?.(written[changed].id);
  const change: Deed =
    scene.person("Ann").edit === undefined
      ? { when: "waiting", says: null, unsays, do: unsend }
      : { ...saying("waiting", `${network} better`, edit), unsays };
  return [
    ...inEachWay("read"),
    ...inEachWay("waiting"),
    ...(stranger.follow === undefined ? [] : [arriving]),
    change,
    ...inEachWay("later"),
  ];
}

/** What the account answers. */
export function replyOf(network: InboxScene["network"]): string {
  return `${network} answers`;
}

/** How often the inbox shows each of the texts in the end. */
export function shownAfter(deeds: readonly Deed[]): Record<string, number> {
  const shown: Record<string, number> = {};
  for (const { says, unsays } of deeds) {
    if (says !== null) shown[says] = 1;
    if (unsays !== null) shown[unsays] = 0;
  }
  return shown;
}
