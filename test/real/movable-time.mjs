import { ServerResponse } from "node:http";

// Time in this process, its timers included, can be moved ahead: import before any module that reads it.
const machineDate = Date;
const machineSetTimeout = setTimeout;
const machineClearTimeout = clearTimeout;
/** Shorter timers follow the machine's time: they belong to work, not to waiting. */
const shortestMovedMs = 60_000;
const waiting = new Map();
let aheadMs = 0;

const now = () => machineDate.now() + aheadMs;

globalThis.Date = new Proxy(machineDate, {
  construct: (target, given, asked) => Reflect.construct(target, given.length === 0 ? [now()] : given, asked),
  get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
});

globalThis.setTimeout = Object.assign((work, ms, ...given) => {
  if (!(ms >= shortestMovedMs)) return machineSetTimeout(work, ms, ...given);
  const ring = () => {
    waiting.delete(timer);
    work(...given);
  };
  const timer = machineSetTimeout(ring, ms);
  waiting.set(timer, { ring, at: now() + ms });
  return timer;
}, machineSetTimeout);

globalThis.clearTimeout = (timer) => {
  waiting.delete(timer);
  machineClearTimeout(timer);
};

// Node itself would write the machine's time.
const writeHead = ServerResponse.prototype.writeHead;
ServerResponse.prototype.writeHead = function (...given) {
  this.setHeader("date", new machineDate(now()).toUTCString());
  return writeHead.apply(this, given);
};

/** Moves ahead by `ms`: due timers fire, and the rest of any other wait remains. */
export function advance(ms) {
  aheadMs += ms;
  for (const timer of waiting.keys()) machineSetTimeout(ringOnce, waiting.get(timer).at - now(), timer).unref();
}

function ringOnce(timer) {
  const waiter = waiting.get(timer);
  if (waiter === undefined || waiter.at > now()) return;
  clearTimeout(timer);
  waiter.ring();
}
