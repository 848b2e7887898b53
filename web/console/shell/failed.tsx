import { ErrorBox } from "../../components/error-box.tsx";

/** Instead of a page that could not be shown. Its script, once failed, is had by loading anew. */
export const Failed = ({ error }: { error: unknown }) => (
  <ErrorBox error={error} onRetry={() => window.location.reload()} />
);
