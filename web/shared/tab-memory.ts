export type TabMemory<Value> = Readonly<{
  read(): Value | undefined;
  keep(value: Value): void;
  forget(): void;
}>;

/**
 * A value that this tab keeps over a reload. Some browsers refuse storage, for instance in frames:
 * then nothing is kept.
 */
export function createTabMemory<Value>(key: string): TabMemory<Value> {
  return {
    read: () =>
      attempt(
        () => (JSON.parse(sessionStorage.getItem(key) ?? "null") as Value | null) ?? undefined,
      ),
    keep: (value) => attempt(() => sessionStorage.setItem(key, JSON.stringify(value))),
    forget: () => attempt(() => sessionStorage.removeItem(key)),
  };
}

function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
