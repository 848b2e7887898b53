import { Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./section.module.css";

type SectionProps = Readonly<{
  title: string;
  note?: ReactNode;
  /** On the right of the title. */
  actions?: ReactNode;
  children?: ReactNode;
}>;

/** A titled section of a page, on its own surface. */
export function Section({ title, note, actions, children }: SectionProps) {
  return (
    <section className={classes["section"]} aria-label={title}>
      <div className={classes["head"]}>
        <div>
          <Title order={2}>{title}</Title>
          {note === undefined ? null : (
            <Text size="sm" c="dimmed" mt={2}>
              {note}
            </Text>
          )}
        </div>
        {actions}
      </div>
      {children}
    </section>
  );
}
