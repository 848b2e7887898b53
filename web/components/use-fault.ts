import { useState } from "react";

type QueryState = Readonly<{ data: unknown; error: unknown }>;

/**
 * Why there is nothing to show, or null. While it is asked for again the reason stays: what asks by
 * itself would else change between the reason and a skeleton for ever.
 */
export function useFault({ data, error }: QueryState): unknown {
  const [last, setLast] = useState<unknown>(null);
  const now = data === undefined ? (error ?? last) : null;
  if (now !== last) {
    setLast(now);
  }
  return now;
}
