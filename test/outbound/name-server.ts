import { createSocket } from "node:dgram";
import { isIP } from "node:net";

/** The server's response for a name: addresses, an alias before them, an error code, or no response. */
export type NameAnswer = { addresses: readonly string[]; alias?: string } | { code: number } | "silence";

export interface NameServer {
  /** `127.0.0.1:port`. */
  address: string;
  /** `A name` and `AAAA name`, in order of arrival. */
  asked: string[];
  close(): Promise<void>;
}

/** https://www.rfc-editor.org/rfc/rfc1035, section 3.2.2, and RFC 3596 */
const types = { A: 1, CNAME: 5, AAAA: 28 };

/** A DNS server on loopback. */
export async function startNameServer(
  answerTo: (name: string, type: "A" | "AAAA") => NameAnswer | Promise<NameAnswer>,
): Promise<NameServer> {
  const socket = createSocket("udp4");
  const asked: string[] = [];
  let isClosed = false;
  socket.on("message", async (query, from) => {
    const { name, type, end } = readQuestion(query);
    const kind = type === types.AAAA ? "AAAA" : "A";
    asked.push(`${kind} ${name}`);
    const answer = await answerTo(name, kind);
    if (answer === "silence" || isClosed) return;
    socket.send(writeAnswer(query.subarray(0, end), kind, answer), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    close() {
      isClosed = true;
      return new Promise((resolve) => socket.close(resolve));
    },
  };
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function writeAnswer(question: Buffer, kind: "A" | "AAAA", answer: Exclude<NameAnswer, "silence">): Buffer {
  const owner = "alias" in answer && answer.alias !== undefined ? nameBytes(answer.alias) : Buffer.from([0xc0, 12]);
  const records: Buffer[] = [];
  if ("alias" in answer && answer.alias !== undefined) {
    records.push(record(Buffer.from([0xc0, 12]), types.CNAME, nameBytes(answer.alias)));
  }
  const addresses = "addresses" in answer ? answer.addresses : [];
  for (const address of addresses.filter((each) => isIP(each) === (kind === "A" ? 4 : 6))) {
    records.push(record(owner, types[kind], addressBytes(address)));
  }
  const head = Buffer.from(question);
  head.writeUInt16BE(0x8180 | ("code" in answer ? answer.code : 0), 2);
  head.writeUInt16BE(records.length, 6);
  // No authority records, and no additional ones, which the question may have.
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, ...records]);
}

function record(owner: Buffer, type: number, data: Buffer): Buffer {
  const fields = Buffer.alloc(10);
  fields.writeUInt16BE(type, 0);
  fields.writeUInt16BE(1, 2);
  fields.writeUInt16BE(data.length, 8);
  return Buffer.concat([owner, fields, data]);
}

function nameBytes(name: string): Buffer {
  const labels = name.split(".").map((label) => Buffer.from([label.length, ...Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}

/** Reads IPv6 only as `a:b::c` with one gap. */
function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split(".").map(Number));
  const [start = [], end = []] = address.split("::").map((half) => half.split(":").filter((group) => group !== ""));
  const groups = [...start, ...Array(8 - start.length - end.length).fill("0"), ...end];
  return Buffer.from(groups.map((group) => String(group).padStart(4, "0")).join(""), "hex");
}
