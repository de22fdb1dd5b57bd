import { expect, it } from "vitest";
import { createSentHere } from "../../src/sending/sent-here.ts";

function started() {
  let passedMs = 0;
  const sentHere = createSentHere({ monotonic: () => passedMs });
  return { sentHere, pass: (ms: number) => (passedMs += ms) };
}

it("the record of sent requests tells how long ago this process sent one, and knows only its own", () => {
  const { sentHere, pass } = started();
  sentHere.note("int_1");
  pass(1_500);
  sentHere.note("int_2");
  expect(["int_1", "int_2", "int_3"].map(sentHere.agoMs)).toEqual([1_500, 0, null]);
});

it("the record of sent requests keeps the last ten minutes, however many they are", () => {
  const { sentHere, pass } = started();
  sentHere.note("int_1");
  pass(1);
  sentHere.note("int_2");
  pass(599_999);
  sentHere.note("int_3");
  expect(["int_1", "int_2", "int_3"].map(sentHere.agoMs)).toEqual([null, 599_999, 0]);
});
