/** The bundler's manifest: files and their imports, by name. */
export type Manifest = Readonly<
  Record<string, Readonly<{ file: string; imports?: readonly string[]; css?: readonly string[] }>>
>;

/**
 * Import cycles between files. Their evaluation order depends on the page, so that a binding may be
 * used before its initialization.
 */
export function listCircles(manifest: Manifest): string[] {
  return Object.keys(manifest).filter((name) => listImports(manifest, name).has(name));
}

/** All direct and transitive imports of an entry. */
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
