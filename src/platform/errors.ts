/** Whatever was thrown, as an Error; what was not one is kept as its cause. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown });
}
