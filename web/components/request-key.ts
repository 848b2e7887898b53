/** Idempotency keys: a retry of the same request reuses its key, so that it takes effect once. */
import { useRef } from "react";
import { newId } from "../shared/new-id.ts";

/** Returns the idempotency key for a body; a different body gets a new key. */
export function useRequestKey(): (body: unknown) => string {
  const last = useRef({ body: "", key: "" });
  return (body) => {
    const text = JSON.stringify(body);
    if (last.current.body !== text) {
      last.current = { body: text, key: newId() };
    }
    return last.current.key;
  };
}
