import { Stack, Text, ThemeIcon, Title } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";

type EmptyStateProps = Readonly<{
  icon: Icon;
  title: string;
  /** What to do so that something is here. */
  text: ReactNode;
  action?: ReactNode;
  /** Whether it is all there is on the page, so that its title is the page's heading. */
  isPage?: boolean;
}>;

/** Where a list or a page has nothing to show: why, and what to do. */
export function EmptyState({
  icon: Picture,
  title,
  text,
  action,
  isPage = false,
}: EmptyStateProps) {
  return (
    <Stack align="center" gap="xs" py={48} px="md" ta="center">
      <ThemeIcon variant="light" size={44} radius="xl" aria-hidden>
        <Picture size={22} stroke={1.6} />
      </ThemeIcon>
      {isPage ? (
        <Title order={1} size="md">
          {title}
        </Title>
      ) : (
        <Text fw={600}>{title}</Text>
      )}
      <Text c="dimmed" size="sm" maw={460}>
        {text}
      </Text>
      {action}
    </Stack>
  );
}
