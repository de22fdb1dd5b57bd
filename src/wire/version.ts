/** As package.json says; a test compares them. */
export const version = "0.1.0";

/** Where receivers and networks find out who is calling. */
export const homepage = "https://www.npmjs.com/package/postrider";

/** Names this package in requests. */
export const userAgent = `postrider/${version} (+${homepage})`;
