/** What `test/run.ts` hands to the test files. */
export type ServerName = "TEST_DATABASE_URL" | "TEST_TEMPLATE" | "TEST_REDIS_URL";

/** The value, or an error that says how to run the file; a phase has only what it says it needs. */
export function fromRunner(name: ServerName): string {
  const value = process.env[name];
  if (value === undefined || value === "") {
    throw new Error(`${name} is not set. Run the file with: npm run test:file -- <file>`);
  }
  return value;
}
