/** As package.json says; a test compares them. */
export const version = "0.1.0";

/** What receivers and networks find when they look for who is calling. */
export const homepage = "https://www.npmjs.com/package/postrider";

/** Who is calling. */
export const userAgent = `postrider/${version} (+${homepage})`;
