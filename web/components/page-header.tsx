import { Group, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import type { ReactNode } from "react";

type PageHeaderProps = Readonly<{
  title: string;
  /** One-line description of the page. */
  note?: ReactNode;
  /** A state, shown beside the title. */
  badge?: ReactNode;
  /** Page actions, the primary one last. */
  actions?: ReactNode;
}>;

/** The header of every console page; also sets the document title. */
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
