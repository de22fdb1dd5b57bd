import type { Connection, NetworkDescription, Profile } from "postrider";

/** The accounts that are connected, and a form for each network. */
export function startPage(profiles: readonly Profile[], networks: readonly NetworkDescription[]): string {
  const accounts = profiles.map(
    ({ name, network, status }) => `<li>${escaped(`${name} on ${network}: ${status}`)}</li>`,
  );
  const list = accounts.length === 0 ? "<p>None yet.</p>" : `<ul>${accounts.join("")}</ul>`;
  return page("Your accounts", `${list}${networks.map(connectForm).join("")}`);
}

/** Each field that a network needs before it shows its sign-in page. */
function connectForm({ network, name, login }: NetworkDescription): string {
  const fields = Object.entries(login?.properties ?? {}).map(([field, schema]) => {
    const { description = field, enum: values } = schema as { description?: string; enum?: string[] };
    const label = escaped(description).replace(/`([^`]+)`/g, "<code>$1</code>");
    const isNeeded = Array.isArray(login?.required) && login.required.includes(field);
    return `<p><label>${label}<br>${values === undefined ? textField(field, isNeeded) : selection(field, values)}</label></p>`;
  });
  return `<form method="post" action="/connect/${network}">${fields.join("")}<button>Connect ${escaped(name)}</button></form>`;
}

function textField(name: string, isNeeded: boolean): string {
  return `<input name="${escaped(name)}" autocapitalize="none" spellcheck="false"${isNeeded ? " required" : ""}>`;
}

function selection(name: string, values: readonly string[]): string {
  return `<select name="${escaped(name)}">${values.map((value) => `<option>${escaped(value)}</option>`).join("")}</select>`;
}

/** A sign-in may give access to several accounts. */
export function choicePage({ id, options }: Connection, code: string): string {
  const choices = (options ?? []).map(({ id: option_id, name, handle }) => {
    const label = handle === null ? name : `${name} (${handle})`;
    return `<p><label><input type="checkbox" name="option_ids" value="${escaped(option_id)}" checked> ${escaped(label)}</label></p>`;
  });
  const hidden = Object.entries({ connection_id: id, code }).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escaped(value)}">`,
  );
  const form = `<form method="post" action="/connected">${hidden.join("")}${choices.join("")}<button>Connect</button></form>`;
  return page("Which accounts?", form);
}

/** The messages for sign-ins that keep no error: a finished one, and one that has expired. */
const reasons: Readonly<Record<string, string>> = {
  already_used: "This sign-in was already used, for example by a reload. If an account is missing, start a new one.",
  expired: "The sign-in took longer than ten minutes. Start a new one.",
};

/** A sign-in without accounts to choose from. */
export function failedPage({ error, status }: Connection, returned = ""): string {
  const reason = error?.message ?? reasons[returned] ?? reasons[status];
  return failurePage(reason ?? "The sign-in failed. Start a new one.");
}

export function failurePage(message: string): string {
  return page("Not connected", `<p>${escaped(message)}</p><p><a href="/">Back to your accounts</a></p>`);
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem; }
form { border-top: 1px solid #8886; padding: 1rem 0; }
input:not([type="checkbox"]) { box-sizing: border-box; width: 20rem; max-width: 100%; }
input:not([type="checkbox"]), select, button { font: inherit; padding: 0.3rem 0.5rem; }
</style>
<h1>${title}</h1>
${body}
</html>
`;
}

function escaped(text: string): string {
  const names: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replace(/[&<>"]/g, (character) => names[character] ?? character);
}
