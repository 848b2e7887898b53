import { ErrorBox } from "../../components/error-box.tsx";

/** Instead of a page that could not be shown. */
export const Failed = ({ error, reset }: { error: unknown; reset: () => void }) => (
  <ErrorBox error={error} onRetry={reset} />
);
