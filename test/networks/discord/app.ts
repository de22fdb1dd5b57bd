/** The tests' app at the simulated Discord. */
export const discordApp = { client_id: "app-1", client_secret: "app-secret-1" };
