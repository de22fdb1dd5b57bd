/** The pages of your app on which customers connect profiles. Put them behind your app's own sign-in. */
import express, { type ErrorRequestHandler, type Express } from "express";
import { SocialError, type SocialService } from "postrider";
import { createHandler } from "postrider/http";
import { toNodeHandler } from "postrider/http/node";
import { choicePage, failedPage, failurePage, startPage } from "./pages.ts";

export interface AppOptions {
  social: SocialService;
  /** The app's origin: `http://localhost:3000`. */
  origin: string;
  /** The address that shows a network's sign-in page. With real networks, return `url` unchanged. */
  loginPage: (url: string) => string;
}

export function createApp({ social, origin, loginPage }: AppOptions): Express {
  const app = express();
  // The networks' callback addresses are below this path.
  app.use("/social", toNodeHandler(createHandler(social, { basePath: "/social" })));
  app.use(express.urlencoded({ extended: false }));

  app.get("/", async (_request, response) => {
    const profiles = await social.profiles.list();
    const networks = social.networks.list().filter(({ login }) => login !== null);
    response.send(startPage(profiles.data, networks));
  });

  app.post("/connect/:network", async (request, response) => {
    const redirect_url = `${origin}/connected`;
    const { network } = request.params;
    // The form sends fields that were left empty as empty strings.
    const fields: Record<string, string> = request.body ?? {};
    const login = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));
    const started = await social.connections.start({ network, redirect_url, login });
    response.redirect(303, loginPage(started.authorization_url));
  });

  app.get("/connected", async (request, response) => {
    const { connection_id = "", code, error } = request.query as Record<string, string | undefined>;
    const connection = await social.connections.get(connection_id, error === undefined ? { code } : {});
    // The user reloaded the page of a finished connection.
    if (connection.status === "finished") return void response.redirect(303, "/");
    const isOpen = connection.options !== null && code !== undefined;
    response
      .set("cache-control", "no-store")
      .send(isOpen ? choicePage(connection, code) : failedPage(connection, error));
  });

  app.post("/connected", async (request, response) => {
    const { connection_id, code, option_ids } = request.body;
    await social.connections.finish(connection_id, { code, option_ids: [option_ids ?? []].flat() });
    response.redirect(303, "/");
  });

  app.use(((error, _request, response, next) => {
    if (!SocialError.is(error)) return next(error);
    const reasons = error.details.map(({ message }) => message).filter((reason) => !error.message.includes(reason));
    response.status(error.status).send(failurePage([error.message, ...reasons].join(" ")));
  }) satisfies ErrorRequestHandler);
  return app;
}
