import { LoadFault } from "../../components/load-fault.tsx";

/** Instead of a page that could not be shown. */
export function Failed({ error, reset }: { error: unknown; reset: () => void }) {
  return <LoadFault error={error} onRetry={reset} />;
}
