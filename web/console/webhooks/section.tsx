import { Paper, Stack, Text, Title } from "@mantine/core";
import { useId, type ReactNode } from "react";

type SectionProps = Readonly<{
  title: string;
  note?: ReactNode;
  /** Shown beside the title. */
  actions?: ReactNode;
  children?: ReactNode;
}>;

/** A titled section of a webhook page. */
export function Section({ title, note, actions, children }: SectionProps) {
  const id = useId();
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={id}>
      <Stack gap="sm">
        <div style={{ display: "flex", flexWrap: "wrap", gap: 8, alignItems: "flex-start" }}>
          <div style={{ flex: "1 1 220px", minWidth: 0 }}>
            <Title order={2} id={id}>
              {title}
            </Title>
            {note === undefined ? null : (
              <Text size="sm" c="dimmed" component="div">
                {note}
              </Text>
            )}
          </div>
          {actions}
        </div>
        {children}
      </Stack>
    </Paper>
  );
}
