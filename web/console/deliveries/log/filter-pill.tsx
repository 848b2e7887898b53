import { CloseButton, Popover, UnstyledButton } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import classes from "./filter-bar.module.css";

type FilterPillProps = Readonly<{
  /** What is filtered by. */
  name: string;
  /** By which value, in words; undefined where it is not filtered by this. */
  value: string | undefined;
  onClear: () => void;
  /** Where the value is chosen; `close` for what is chosen with one click. */
  children: (close: () => void) => ReactNode;
}>;

/** One filter: says what it lets through, opens where that is chosen, goes away with one click. */
export const FilterPill = ({ name, value, onClear, children }: FilterPillProps) => {
  const { t } = useTranslation("deliveries");
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <span className={classes["pill"]} data-on={value !== undefined || undefined}>
      <Popover
        opened={isOpen}
        onChange={setOpen}
        position="bottom-start"
        shadow="md"
        trapFocus
        returnFocus
        width={280}
      >
        <Popover.Target>
          <UnstyledButton
            className={classes["name"] ?? ""}
            onClick={() => setOpen(!isOpen)}
            aria-haspopup="dialog"
          >
            {value === undefined ? <IconPlus size={12} aria-hidden /> : null}
            {name}
            {value === undefined ? null : <strong className={classes["value"]}>{value}</strong>}
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown aria-label={name}>{children(close)}</Popover.Dropdown>
      </Popover>
      {value === undefined ? null : (
        <CloseButton
          size={20}
          iconSize={13}
          aria-label={t("filter.clear_one", { name })}
          onClick={onClear}
        />
      )}
    </span>
  );
};
