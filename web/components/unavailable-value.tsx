import { Text } from "@mantine/core";
import { useProblemText } from "./problem-text.ts";

/**
 * In the place of a value that cannot be had: a dash, with the reason behind it. For what is asked
 * for again by itself; else an `ErrorBox` has the button for it.
 */
export function UnavailableValue({ error }: { error: unknown }) {
  const { title } = useProblemText()(error);
  return (
    <Text component="span" inherit c="dimmed" title={title}>
      –<span className="only-heard"> {title}</span>
    </Text>
  );
}
