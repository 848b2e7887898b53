/**
 * Rejects a `use…()` outside of a `describe`: its hooks would run once for all files of the run,
 * and the files would share what must be separate.
 */
export function insideDescribe(context: Mocha.Context, name: string): void {
  if (context.test?.parent?.root === true) {
    throw new Error(`Call ${name}() inside a describe`);
  }
}
