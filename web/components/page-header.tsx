import { Group, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import type { ReactNode } from "react";

type PageHeaderProps = Readonly<{
  title: string;
  /** One line: what is seen here. */
  note?: ReactNode;
  /** Beside the title: a state. */
  badge?: ReactNode;
  /** What can be done here, the most usual last. */
  actions?: ReactNode;
}>;

/** The head of every page of the console; names the browser's tab as well. */
export function PageHeader({ title, note, badge, actions }: PageHeaderProps) {
  useDocumentTitle(`${title} · Sightline`);
  return (
    <Group justify="space-between" align="flex-start" mb="md" gap="sm">
      <div>
        <Group gap="xs">
          <Title order={1}>{title}</Title>
          {badge}
        </Group>
        {note === undefined ? null : (
          <Text c="dimmed" size="sm" mt={2}>
            {note}
          </Text>
        )}
      </div>
      {actions === undefined ? null : <Group gap="xs">{actions}</Group>}
    </Group>
  );
}
