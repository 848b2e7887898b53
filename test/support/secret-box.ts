import { createSecretBox } from "../../src/platform/secret-box.ts";

/** The platform's key of every test: what is sealed with it opens in spawned processes too. */
export const testKey = Buffer.alloc(32, 7);
export const testBox = createSecretBox(testKey);
