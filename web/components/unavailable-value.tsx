import { Text } from "@mantine/core";
import { useProblemText } from "./problem-text.ts";

/**
 * Replaces a value that failed to load: a dash, with the reason in a tooltip. For queries that
 * poll; others use `ErrorBox` with its retry button.
 */
export function UnavailableValue({ error }: { error: unknown }) {
  const { title } = useProblemText()(error);
  return (
    <Text component="span" inherit c="dimmed" title={title}>
      –<span className="only-heard"> {title}</span>
    </Text>
  );
}
