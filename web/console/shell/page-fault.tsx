import { asProblem } from "../../base/problem.ts";
import { ErrorBox } from "../../components/error-box.tsx";
import { NotFound } from "./not-found.tsx";

/** Instead of a page about one thing: it does not exist, or cannot be had just now. */
export function PageFault({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return isNothing(error) ? <NotFound /> : <ErrorBox error={error} onRetry={onRetry} />;
}

/** Of a request for one thing by the id in the address: there is none, or it is no id (400). */
function isNothing(error: unknown): boolean {
  return [400, 404].includes(asProblem(error).status);
}
