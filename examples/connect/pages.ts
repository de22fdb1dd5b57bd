import type { Connection, NetworkDescription, Profile } from "postrider";

/** The accounts that are connected, and a form for each network. */
export function startPage(profiles: readonly Profile[], networks: readonly NetworkDescription[]): string {
  const accounts = profiles.map(
    ({ name, network, status }) => `<li>${escaped(`${name} on ${network}: ${status}`)}</li>`,
  );
  return page("Your accounts", `<ul>${accounts.join("")}</ul>${networks.map(connectForm).join("")}`);
}

/** What a network must know before its login page is one field each. */
function connectForm({ network, name, login }: NetworkDescription): string {
  const fields = Object.entries(login?.properties ?? {}).map(([field, schema]) => {
    const { description = field } = schema as { description?: string };
    return `<label>${escaped(description)}<br><input name="${escaped(field)}"></label> `;
  });
  return `<form method="post" action="/connect/${network}">${fields.join("")}<button>Connect ${escaped(name)}</button></form>`;
}

/** One login may reach several accounts. */
export function choicePage({ id, options }: Connection, code: string): string {
  const choices = (options ?? []).map(
    (option) =>
      `<p><label><input type="checkbox" name="option_ids" value="${escaped(option.id)}" checked> ${escaped(option.name)}</label></p>`,
  );
  const hidden = Object.entries({ connection_id: id, code }).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escaped(value)}">`,
  );
  const form = `<form method="post" action="/connected">${hidden.join("")}${choices.join("")}<button>Connect</button></form>`;
  return page("Which accounts?", form);
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
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem; }
form { border-top: 1px solid #ccc; padding: 1rem 0; }
input:not([type="checkbox"]) { width: 20rem; padding: 0.3rem; }
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
