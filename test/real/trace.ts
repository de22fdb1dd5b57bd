import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const tracer = "strace";

/** One system call on an open file or socket, as strace saw it. */
export interface SystemCall {
  name: string;
  /** The file's path, or `TCP:[from->to]`. */
  file: string;
  /** Its arguments as strace prints them: ASCII is unchanged. */
  text: string;
  /** Positions in the trace: when it began, and when it returned; Infinity: it never did. */
  began: number;
  returned: number;
  failed: boolean;
}

/** Why no process can be traced here; null when one can. */
export function whyNoTrace(): string | null {
  const { error, status, stderr } = spawnSync(tracer, ["-f", "-e", "trace=none", "true"], { encoding: "utf8" });
  if (error !== undefined) return "strace is not installed";
  return status === 0 ? null : `strace may not trace: ${stderr.split("\n")[0]}`;
}

/** Runs a Node program under strace; returns its calls that write, send or sync, in the order in which they began. */
export async function traceProgram(program: string[], options: { cwd: string; file: string }): Promise<SystemCall[]> {
  const calls = "trace=fsync,fdatasync,pwrite64,write,writev,sendto,sendmsg";
  const watched = ["-f", "-yy", "-s", "100000", "-e", calls, "-o", options.file];
  const child = spawn(tracer, [...watched, process.execPath, ...program], {
    cwd: options.cwd,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let complaints = "";
  child.stderr.on("data", (words) => (complaints += words));
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  if (code !== 0) throw new Error(`The program ended with ${code}: ${complaints}`);
  return readTrace(readFileSync(options.file, "latin1"));
}

/** A call interrupted by another thread's takes two lines: `… <unfinished ...>`, `<... fsync resumed>…`. */
function readTrace(trace: string): SystemCall[] {
  const calls: SystemCall[] = [];
  const unfinished = new Map<string, SystemCall>();
  trace.split("\n").forEach((line, position) => {
    const [, thread = "", words = ""] = /^(\d+) +(.*)$/.exec(line) ?? [];
    let call = unfinished.get(thread);
    if (words.startsWith("<... ")) unfinished.delete(thread);
    else {
      call = beginning(words, position);
      if (call !== undefined) calls.push(call);
    }
    if (call === undefined) return;
    if (words.endsWith("<unfinished ...>")) unfinished.set(thread, call);
    else Object.assign(call, { returned: position, failed: / = (?:-1 E[A-Z]+ \(.*\)|\?.*)$/.test(words) });
  });
  return calls;
}

function beginning(words: string, position: number): SystemCall | undefined {
  const [, name, file, text] = /^(\w+)\(\d+<(\w+:\[[^\]]*\]|[^>]*)>(.*)$/.exec(words) ?? [];
  if (name === undefined || file === undefined || text === undefined) return undefined;
  return { name, file, text, began: position, returned: Number.POSITIVE_INFINITY, failed: false };
}
