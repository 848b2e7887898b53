import { asProblem } from "../../base/problem.ts";
import { ErrorBox } from "../../components/error-box.tsx";
import { NotFound } from "./not-found.tsx";

/** Error page for a single item: not found, or a temporary error. */
export function PageFault({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return isNothing(error) ? <NotFound /> : <ErrorBox error={error} onRetry={onRetry} />;
}

/** Not found, or an invalid id in the URL (400). */
function isNothing(error: unknown): boolean {
  return [400, 404].includes(asProblem(error).status);
}
