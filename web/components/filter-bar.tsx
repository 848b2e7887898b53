/** The filters above a list. Each pill shows its value, and the URL stores it. */
import { Button } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useRef, type ReactNode } from "react";
import { useTranslation } from "../base/i18n.ts";
import classes from "./filter-bar.module.css";
import { useSingleKeys } from "./single-keys.ts";

type FilterBarProps = Readonly<{
  /** Label of the filter group, for screen readers. */
  label: string;
  /** Shown first, for saved views. */
  start?: ReactNode;
  /** Full-text search; on a phone it is above the pills. */
  search?: ReactNode;
  isFiltered: boolean;
  onClear: () => void;
  /** Shown at the end of the line, for the sort order. */
  end?: ReactNode;
  /** The pills. */
  children: ReactNode;
}>;

/** The F key focuses the first filter. */
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
            // This button is about to unmount, so move the focus to the first filter.
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
