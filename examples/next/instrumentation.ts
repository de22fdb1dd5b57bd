/** Next.js calls this when a server starts, before any request; and while it builds, when nothing is to start. */
export async function register() {
  // The edge runtime has no part in publishing, and is given none of its code.
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  if (process.env.NEXT_PHASE === "phase-production-build") return;
  const { openOnce } = await import("./lib/social");
  await openOnce();
}
