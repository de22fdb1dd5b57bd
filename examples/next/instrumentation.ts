/** Next.js calls this when a server starts, before any request. It also calls it during a build, where nothing may start. */
export async function register() {
  // The service needs Node. This keeps its code out of the edge bundle.
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  if (process.env.NEXT_PHASE === "phase-production-build") return;
  const { openOnce } = await import("./lib/social");
  await openOnce();
}
