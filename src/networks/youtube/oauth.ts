import { googleOAuth } from "../shared/google/login.ts";

export const oauth = googleOAuth("YouTube");
