import type { Mailbox } from "../prove/inbox-people.ts";

/** Something that a person does on a network. */
export interface Deed {
  /** `read`: the version that leaves has it in its inbox · `waiting`: its networks have it, or have sent it and it waits · `later`: it comes when a later version goes on. */
  when: "read" | "waiting" | "later";
  /** What stands in the inbox from then on, and what no longer does; null: nothing. */
  says: string | null;
  unsays: string | null;
  do(): void;
}

/** What people do at one mailbox, in order: they write in every way, somebody new comes, and one thing is taken back. */
export function deedsOf({ network, ways, arrive, edit, remove }: Mailbox): Deed[] {
  const ids: string[] = [];
  const saying = (when: Deed["when"], says: string, write: (text: string) => void): Deed => {
    return { when, says, unsays: null, do: () => write(says) };
  };
  const inEachWay = (when: Deed["when"]): Deed[] =>
    ways.map((way, number) => saying(when, `${network} ${when} ${number}`, (text) => void ids.push(way(text))));
  const arriving =
    arrive === undefined ? [] : [saying("waiting", `${network} arriving`, (text) => void arrive("leaflet", text))];
  const takenBack: Deed =
    edit === null
      ? { when: "waiting", says: null, unsays: `${network} read 1`, do: () => remove(ids[1] ?? "") }
      : {
          ...saying("waiting", `${network} better`, (text) => void edit(ids[2] ?? "", text)),
          unsays: `${network} read 2`,
        };
  return [...inEachWay("read"), ...inEachWay("waiting"), ...arriving, takenBack, ...inEachWay("later")];
}

/** What the account answers. */
export function replyOf(network: Mailbox["network"]): string {
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
