/** Guards against cyclic `cause` chains. */
const maxCauses = 5;

/** The message of an error and its causes, in one line. */
export function describeError(thrown: unknown): string {
  const parts: string[] = [];
  for (const error of withCauses(thrown)) {
    const text = messageOf(error) || error.name;
    if (!parts.some((part) => part.includes(text))) {
      parts.push(text);
    }
  }
  return parts
    .join(": ")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");
}

/** The code of an error, or else of its nearest cause: a SQLSTATE, or a name such as ECONNREFUSED. */
export function errorCodeOf(thrown: unknown): string | undefined {
  return withCauses(thrown)
    .map((error) => (error as NodeJS.ErrnoException).code)
    .find((code) => typeof code === "string");
}

function withCauses(thrown: unknown): Error[] {
  const errors: Error[] = [];
  let current = thrown;
  for (let depth = 0; depth <= maxCauses && current !== undefined; depth += 1) {
    const error = toError(current);
    errors.push(error);
    current = error.cause;
  }
  return errors;
}

/**
 * A connection error for a name with several addresses has no message; its inner errors have the
 * reasons.
 */
function messageOf(error: Error): string {
  const inner: unknown[] = error instanceof AggregateError ? error.errors : [];
  return [error.message, ...inner.map((each) => toError(each).message)]
    .filter((text) => text !== "")
    .join("; ");
}

/** Converts any thrown value to an Error. The original value becomes its cause. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown });
}
