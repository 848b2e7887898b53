/** A database without rows, whose text searches wait until they are released. */
export function aHeldDb() {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const searches: string[] = [];
  const raw = async (sql: string): Promise<{ rows: [] }> => {
    if (sql.includes("ILIKE")) {
      searches.push(sql);
      await held;
    }
    return { rows: [] };
  };
  return { db: { raw }, searches, release };
}
