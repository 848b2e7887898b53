import { createSecretBox } from "../../src/platform/secret-box.ts";

/** The platform's key in all tests, so that child processes can open what a test has sealed. */
export const testKey = Buffer.alloc(32, 7);
export const testBox = createSecretBox(testKey);

/** A value that `testBox` does not open, as after a restore with another key. */
export const undecryptable = createSecretBox(Buffer.alloc(32, 9)).seal("[]", "elsewhere");
