/** Table cells of this page; on a phone each row is a card. */
import { Table, Text } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "../platform.module.css";

export function Frame({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes["frame"]} role="region" aria-label={label} tabIndex={0}>
      <Table verticalSpacing={6} aria-label={label} className={classes["table"] ?? ""}>
        {children}
      </Table>
    </div>
  );
}

type CellProps = Readonly<{
  /** Column header; on a phone it is shown in the cell. */
  label: string;
  isBad?: boolean;
  children: ReactNode;
}>;

export function Figure({ label, isBad = false, children }: CellProps) {
  return (
    <Table.Td className={classes["number"] ?? ""} data-label={label} data-bad={isBad || undefined}>
      {children}
    </Table.Td>
  );
}

export function Heads({ names }: { names: readonly string[] }) {
  return names.map((name) => (
    <Table.Th key={name} className={classes["number"] ?? ""}>
      {name}
    </Table.Th>
  ));
}

export function Name({ name, queue }: { name: string; queue: string }) {
  return (
    <Table.Th scope="row">
      {name}
      <Text size="xs" c="dimmed" className="mono" fw={400}>
        {queue}
      </Text>
    </Table.Th>
  );
}
