/** A key of its own for each request, the same for the same one sent again: it is done only once. */
import { useRef } from "react";

/** The key of this body: a new one where the body is another than the time before. */
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

/** Random, also where the page came over plain HTTP and `randomUUID` is missing. */
export function newRequestKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}
