/** `npx tsx examples/inbox/page.ts`: messages as HTML. Texts and names are stored as users wrote them, so escape them. */
import type { InboxMessage } from "postrider";

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (found) => entities[found] ?? "");

function messageHtml({ author, text }: Pick<InboxMessage, "author" | "text">): string {
  const name = escapeHtml(author.name ?? "");
  return `<p><b title="${name}">${name}</b> ${escapeHtml(text ?? "")}</p>`;
}

const author = { id: "7", name: 'Ann" onmouseover="steal()' };
console.log(messageHtml({ author, text: "<img src=x onerror=steal()> Do you ship to Norway?" }));
