/** Variables that `test/run.ts` passes to the test files. */
export type ServerName = "TEST_DATABASE_URL" | "TEST_TEMPLATE" | "TEST_REDIS_URL";

/**
 * The value of a variable. Throws with instructions if it is not set; a kind of tests has only the
 * servers it needs.
 */
export function fromRunner(name: ServerName): string {
  const value = process.env[name];
  if (value === undefined || value === "") {
    throw new Error(`${name} is not set. Run the file with: npm run test:file -- <file>`);
  }
  return value;
}
