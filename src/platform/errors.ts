/** Whatever was thrown, as an Error; what was not one is kept as its cause. */
export const toError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown });
