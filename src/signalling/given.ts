/** What a client wrote → what a handler takes, or the problem that names the field. Pure. */
import { invalidParameter, missingParameter } from "../contracts/problems.ts";
import {
  boxKinds,
  presenceStates,
  type BoxRef,
  type PresenceState,
  type WindowAsk,
} from "../contracts/signalling.ts";

export type Given = Readonly<Record<string, unknown>>;

export const toGiven = (sent: unknown): Given =>
  typeof sent === "object" && sent !== null ? (sent as Given) : {};

const oneOf = <Word extends string>(given: Given, field: string, words: readonly Word[]): Word => {
  const { [field]: value } = given;
  if (value === undefined) {
    throw missingParameter(field);
  }
  const word = words.find((known) => known === value);
  if (word === undefined) {
    throw invalidParameter(field, "unknown", `The ${field} must be one of ${words.join(", ")}.`);
  }
  return word;
};

export const readId = (given: Given, field: string): number => {
  const { [field]: value } = given;
  if (value === undefined) {
    throw missingParameter(field);
  }
  if (!Number.isSafeInteger(value) || Number(value) < 1) {
    throw invalidParameter(
      field,
      "format",
      `The ${field} must be an id: a whole number from 1 on.`,
    );
  }
  return Number(value);
};

export const readState = (given: Given): PresenceState => oneOf(given, "state", presenceStates);

/** Absent where none was given. */
export const readStateOrNull = (given: Given): PresenceState | null =>
  given["state"] === undefined ? null : readState(given);

export const readBox = (given: Given): BoxRef => ({
  kind: oneOf(given, "kind", boxKinds),
  destId: readId(given, "destId"),
});

const pageOfMessages = 50;

export const readWindow = (given: Given): WindowAsk & { limit: number } => ({
  ...(given["before"] === undefined ? {} : { before: readId(given, "before") }),
  ...(given["after"] === undefined ? {} : { after: readId(given, "after") }),
  limit: pageOfMessages,
});

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;

export const readUuid = (given: Given, field: string): string => {
  const { [field]: value } = given;
  if (value === undefined) {
    throw missingParameter(field);
  }
  if (typeof value !== "string" || !uuid.test(value)) {
    throw invalidParameter(field, "format", `The ${field} must be a UUID.`);
  }
  return value.toLowerCase();
};

const maxCharacters = 4_000;

/** All that no keyboard writes. */
const controls = /(?![\t\n\r])\p{Cc}/u;

/** Something that can be seen, on one line or several. */
export const readText = (given: Given): string => {
  const { text } = given;
  if (text === undefined) {
    throw missingParameter("text");
  }
  if (typeof text !== "string" || !/\S/u.test(text) || controls.test(text)) {
    throw invalidParameter(
      "text",
      "format",
      "The text must show something, without control characters.",
    );
  }
  if ([...text].length > maxCharacters) {
    throw invalidParameter("text", "length", `The text has more than ${maxCharacters} characters.`);
  }
  return text;
};

/** Text of one line where it was given; empty is none. */
export const readWord = (given: Given, field: string, maxLength: number): string | undefined => {
  const { [field]: value } = given;
  if (value === undefined || value === null || value === "") {
    return undefined;
  }
  if (typeof value !== "string" || value.length > maxLength || /\p{Cc}/u.test(value)) {
    throw invalidParameter(
      field,
      "format",
      `The ${field} must be one line of at most ${maxLength} characters.`,
    );
  }
  return value;
};
