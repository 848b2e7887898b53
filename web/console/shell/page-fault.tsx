import { asProblem } from "../../base/problem.ts";
import { ErrorBox } from "../../components/error-box.tsx";
import { NotFound } from "./not-found.tsx";

/** Instead of a page about one thing: it does not exist, or cannot be had just now. */
export function PageFault({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return asProblem(error).status === 404 ? (
    <NotFound />
  ) : (
    <ErrorBox error={error} onRetry={onRetry} />
  );
}
