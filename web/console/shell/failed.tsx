import { LoadFault } from "../../components/load-fault.tsx";

/** Instead of a page that could not be shown. */
export const Failed = ({ error, reset }: { error: unknown; reset: () => void }) => (
  <LoadFault error={error} onRetry={reset} />
);
