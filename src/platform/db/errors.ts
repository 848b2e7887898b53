/** Classifies database errors by their SQLSTATE. */

/**
 * The values of a row: 22 data, 23 constraints, 54 program limits, such as a value too long for its
 * index. A retry cannot help, but other rows may be fine.
 */
export function isDataFault(error: Error): boolean {
  return hasState(error, /^(?:22|23|54)...$/u);
}

/** A bug in this program or its schema: fails for every row until one of them is fixed. */
export function isProgramFault(error: Error): boolean {
  return (
    error instanceof TypeError ||
    error instanceof RangeError ||
    hasState(error, /^(?:0A|42|XX)...$/u)
  );
}

/**
 * Transient: 08 connection, 53 resources, 57P0x shutdown and start-up, 57014 statement timeout,
 * 55P03 lock timeout, 25P03 idle in transaction, 40 serialisation and deadlock.
 */
export function isTransientFault(error: Error): boolean {
  return hasState(error, /^(?:08...|53...|57P0.|57014|55P03|25P03|40001|40P01)$/u);
}

/** 57014: the statement took too long, or was cancelled. */
export function isStatementTimeout(error: Error): boolean {
  return hasState(error, /^57014$/u);
}

/** Out of resources, or a read-only server: 53 resources, 25006 read-only transaction. */
export function isWriteRefusal(error: Error): boolean {
  return hasState(error, /^(?:53...|25006)$/u);
}

export const readOnlyReason = "it is read-only";

/** Why the server refuses writes, for operators. `error` is a write refusal. */
export function writeRefusalReason(error: Error): string {
  if (hasState(error, /^25006$/u)) {
    return readOnlyReason;
  }
  if (hasState(error, /^53100$/u)) {
    return "its disk is full";
  }
  return hasState(error, /^53300$/u) ? "it has no free connection" : "it is out of resources";
}

/** A conflict with another transaction: 55P03 lock timeout, 40P01 deadlock. */
export function isLockConflict(error: Error): boolean {
  return hasState(error, /^(?:55P03|40P01)$/u);
}

/** 28: wrong login or password. A retry cannot help. */
export function isLoginRefusal(error: Error): boolean {
  return hasState(error, /^28...$/u);
}

/** 57P03: the server is starting, recovering or shutting down. */
export function isStarting(error: Error): boolean {
  return hasState(error, /^57P03$/u);
}

const abortedState = "25P02";

/** 25P02: an earlier statement of the transaction failed; this error is only its consequence. */
export function isAbortedTransaction(error: Error): boolean {
  return (error as SqlFault).code === abortedState;
}

/** For a COMMIT that Postgres answered with a rollback, which is no error for the driver. */
export function abortedTransaction(message: string): Error {
  return Object.assign(new Error(message), { code: abortedState });
}

/** 22012: raised on purpose by statements that must find a row. */
export function isDivisionByZero(error: Error): boolean {
  return hasState(error, /^22012$/u);
}

/** The violated unique index or constraint; undefined for any other error. */
export function violatedUniqueIndex(error: SqlFault): string | undefined {
  return hasState(error, /^23505$/u) ? error.constraint : undefined;
}

type SqlFault = Error & { code?: unknown; constraint?: string };

function hasState({ code }: SqlFault, states: RegExp): boolean {
  return typeof code === "string" && states.test(code);
}
