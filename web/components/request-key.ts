/** Idempotency keys: a retry of the same request reuses its key, so that it takes effect once. */
import { useRef } from "react";

/** Returns the idempotency key for a body; a different body gets a new key. */
export function useRequestKey(): (body: unknown) => string {
  const last = useRef({ body: "", key: "" });
  return (body) => {
    const text = JSON.stringify(body);
    if (last.current.body !== text) {
      last.current = { body: text, key: newRequestKey() };
    }
    return last.current.key;
  };
}

/** Random, even on plain HTTP, where `randomUUID` is missing. */
function newRequestKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}
