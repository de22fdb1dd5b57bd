/** The version in package.json; a test compares them. */
export const version = "0.1.0";

/** Tells receivers and networks who sends the request. */
export const homepage = "https://www.npmjs.com/package/postrider";

/** The User-Agent of requests. */
export const userAgent = `postrider/${version} (+${homepage})`;
