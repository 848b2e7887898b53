import { toError } from "./errors.ts";

/** A failed connection to a name with several addresses has its reasons inside and no message. */
const messageOf = (error: Error): string => {
  const inner: unknown[] = error instanceof AggregateError ? error.errors : [];
  return [error.message, ...inner.map((each) => toError(each).message)]
    .filter((text) => text !== "")
    .join("; ");
};

/** What a person needs of an error and its causes, in one line. */
export const describeError = (thrown: unknown): string => {
  const parts: string[] = [];
  let error: Error | undefined = toError(thrown);
  while (error !== undefined && parts.length < 5) {
    const text = messageOf(error) || error.name;
    if (!parts.some((part) => part.includes(text))) {
      parts.push(text);
    }
    error = error.cause === undefined ? undefined : toError(error.cause);
  }
  return parts.join(": ").replaceAll(/\s*\n\s*/gu, " ");
};
