import { Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import type { ReactNode } from "react";
import { Mark } from "../shell/mark.tsx";
import classes from "./card.module.css";

/** The card of the pages before sign-in. */
export function Card({
  title,
  note,
  children,
}: {
  title: string;
  note?: string;
  children: ReactNode;
}) {
  useDocumentTitle(`${title} · Sightline`);
  return (
    <main className={classes["page"]}>
      <Paper withBorder radius="md" p="lg" className={classes["card"] ?? ""}>
        <Stack gap="md">
          <div>
            <Group gap={8} mb={4}>
              <Mark />
              <Text fw={650} c="dimmed" size="sm">
                Sightline
              </Text>
            </Group>
            <Title order={1}>{title}</Title>
            {note === undefined ? null : (
              <Text size="sm" c="dimmed" mt={4}>
                {note}
              </Text>
            )}
          </div>
          {children}
        </Stack>
      </Paper>
    </main>
  );
}
