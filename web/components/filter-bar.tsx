/** The filters above a list, the same on every page. What is set stands in its pill, and in the address. */
import { Button } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useRef, type ReactNode } from "react";
import { useTranslation } from "../base/i18n.ts";
import classes from "./filter-bar.module.css";
import { useSingleKeys } from "./single-keys.ts";

type FilterBarProps = Readonly<{
  /** What it filters, for screen readers. */
  label: string;
  /** Before everything else: views. */
  start?: ReactNode;
  /** What is looked for by words; on a phone above the pills. */
  search?: ReactNode;
  isFiltered: boolean;
  onClear: () => void;
  /** At the end of the line: the order of the list. */
  end?: ReactNode;
  /** The pills. */
  children: ReactNode;
}>;

/** F goes to the first filter. */
export function FilterBar(props: FilterBarProps) {
  const { label, start, search, isFiltered, onClear, end, children } = props;
  const { t } = useTranslation();
  const bar = useRef<HTMLDivElement>(null);
  useSingleKeys([["f", () => bar.current?.querySelector<HTMLElement>("input, button")?.focus()]]);
  return (
    <div ref={bar} className={classes["bar"]} role="group" aria-label={label}>
      {search === undefined ? null : <div className={classes["search"]}>{search}</div>}
      {start}
      {children}
      {isFiltered ? (
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          leftSection={<IconX size={12} aria-hidden />}
          onClick={() => {
            // This button is gone in a moment: the focus stays with the filters.
            bar.current?.querySelector<HTMLElement>("input, button")?.focus();
            onClear();
          }}
        >
          {t("filter.clear_all")}
        </Button>
      ) : null}
      {end === undefined ? null : <div className={classes["end"]}>{end}</div>}
    </div>
  );
}
