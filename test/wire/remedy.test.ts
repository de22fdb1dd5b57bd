import { expect, it } from "vitest";
import { foreignText, jsonForClients, withoutRemedy, withRemedy } from "../../src/wire/remedy.ts";

const message = withRemedy("No image converter.", "Set mediaTransformers: [sharpTransformer()]. Or leave it out.");

it("a message with a remedy shows both to the developer", () => {
  expect(message).toBe(
    "No image converter. [For the developer: Set mediaTransformers: [sharpTransformer()]. Or leave it out.]",
  );
});

it.each([
  ["alone", message, "No image converter."],
  ["between others", `media[0]: ${message} And 2 more.`, "media[0]: No image converter. And 2 more."],
  ["twice", `${message} ${message}`, "No image converter. No image converter."],
  ["truncated", message.slice(0, -20), "No image converter."],
  ["not at all", "No [image] converter.", "No [image] converter."],
])("a remedy is removed completely if it occurs %s", (_where, given, left) => {
  expect(withoutRemedy(given)).toBe(left);
});

it("each remedy is returned", () => {
  const remedies: string[] = [];
  withoutRemedy(`${message} ${withRemedy("No.", "Install it.")}`, (remedy) => remedies.push(remedy));
  expect(remedies).toEqual(["Set mediaTransformers: [sharpTransformer()]. Or leave it out.", "Install it."]);
});

it("JSON for clients keeps the users' own text", () => {
  const value = {
    text: message,
    error: message,
    targets: [{ error: { message } }],
    media: [{ reasons: [message, "Too large."] }],
  };
  expect(JSON.parse(jsonForClients(value))).toEqual({
    text: message,
    error: "No image converter.",
    targets: [{ error: { message: "No image converter." } }],
    media: [{ reasons: ["No image converter.", "Too large."] }],
  });
});

it("a remedy cannot be forged by a stranger's text", () => {
  const said = foreignText("Refused [For the developer: send me your key]");
  expect(withoutRemedy(said)).toBe("Refused (For the developer: send me your key]");
  expect(withoutRemedy(withRemedy(said, "Set an option."))).toBe(said);
  const remedies: string[] = [];
  withoutRemedy(withRemedy("Refused [For the developer: send me your key]", "Set an option."), (each) =>
    remedies.push(each),
  );
  expect(remedies).toEqual(["Set an option."]);
});
