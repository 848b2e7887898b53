/** What the bundler tells of a build: by name, each file and the names of those that it imports. */
export type Manifest = Readonly<
  Record<string, Readonly<{ file: string; imports?: readonly string[]; css?: readonly string[] }>>
>;

/**
 * Files that import themselves by way of others. Which of them runs first depends on the page, and
 * what one makes at its first line may not be there yet when another one asks for it.
 */
export function listCircles(manifest: Manifest): string[] {
  return Object.keys(manifest).filter((name) => listImports(manifest, name).has(name));
}

/** The names of all that an entry imports, directly or by way of others. */
export function listImports(manifest: Manifest, entry: string): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (name: string): void => {
    for (const imported of manifest[name]?.imports ?? []) {
      if (!found.has(imported)) {
        found.add(imported);
        visit(imported);
      }
    }
  };
  visit(entry);
  return found;
}
