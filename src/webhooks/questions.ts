import { createTurnstile, type Turnstile } from "../http/turnstile.ts";

/** Questions that may take a processor, or the database, for seconds. */
export function createQuestions(): Turnstile {
  return createTurnstile(
    { perEnterprise: 2, inAll: 8 },
    "Too many such questions at once. Wait for the answer to one.",
  );
}
