/** The lines to type that an example shows. */
export function linesOf(output: string): string[] {
  return output.match(/curl .*?(?=$|<)/gm) ?? [];
}

/** Sends what curl would. */
export function fetchFromCurl(line: string): Promise<Response> {
  return fetch(requestFromCurl(line));
}

/** What curl would send: understands an address, `-i`, `-H`, `-X` and `-d`, with quotes around what has blanks. */
export function requestFromCurl(line: string): Request {
  const words = [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
  const headers = new Headers();
  let [url, method, body] = ["", "", undefined as string | undefined];
  for (let place = 1; place < words.length; place++) {
    const word = words[place] ?? "";
    if (word === "-i") continue;
    if (word.startsWith("http")) url = word;
    else {
      place += 1;
      const value = words[place] ?? "";
      if (word === "-H") headers.append(value.slice(0, value.indexOf(":")), value.slice(value.indexOf(":") + 1));
      else if (word === "-X") method = value;
      else if (word === "-d") body = value;
      else throw new Error(`curl ${word} is not understood here.`);
    }
  }
  return new Request(url, { method: method || (body === undefined ? "GET" : "POST"), headers, ...(body && { body }) });
}
