import { useState } from "react";

type QueryState = Readonly<{ data: unknown; error: unknown }>;

/**
 * The error to show instead of data, or null. It stays during a refetch; otherwise a polling query
 * would alternate between error and skeleton.
 */
export function useFault({ data, error }: QueryState): unknown {
  const [last, setLast] = useState<unknown>(null);
  const now = data === undefined ? (error ?? last) : null;
  if (now !== last) {
    setLast(now);
  }
  return now;
}
