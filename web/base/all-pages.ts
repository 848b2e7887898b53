type Page<T> = Readonly<{ total: number; data: readonly T[] }>;

/** The largest page of most lists of the API. */
const pageLength = 100;

/**
 * A complete list, read page by page: without a limit, the API returns only the first items.
 * `isEnough`: stops early.
 */
export async function allPages<T>(
  ask: (page: { limit: number; offset: number }) => Promise<Page<T>>,
  {
    limit = pageLength,
    isEnough,
  }: Readonly<{ limit?: number; isEnough?: (found: readonly T[]) => boolean }> = {},
): Promise<T[]> {
  const found: T[] = [];
  for (;;) {
    const { data, total } = await ask({ limit, offset: found.length });
    found.push(...data);
    if (data.length === 0 || found.length >= total || isEnough?.(found) === true) {
      return found;
    }
  }
}
