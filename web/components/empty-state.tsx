import { Stack, Text, ThemeIcon, Title } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";

type EmptyStateProps = Readonly<{
  icon: Icon;
  title: string;
  /** Tells the user how to fill the list. */
  text: ReactNode;
  action?: ReactNode;
  /** The only content of the page, so its title is the page's heading. */
  isPage?: boolean;
}>;

/** The empty state of a list or a page: the reason and the next step. */
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
