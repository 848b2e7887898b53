import { CloseButton, Popover, UnstyledButton } from "@mantine/core";
import { IconCheck, IconPlus } from "@tabler/icons-react";
import { useRef, useState, type ReactNode } from "react";
import { useTranslation } from "../base/i18n.ts";
import classes from "./filter-pill.module.css";

type FilterPillProps = Readonly<{
  /** Name of the filter. */
  name: string;
  /** The current value, in words; undefined if the filter is not set. */
  value: string | undefined;
  onClear: () => void;
  /** The dropdown; call `close` after a single selection. */
  children: (close: () => void) => ReactNode;
}>;

/** A filter pill: shows the value, opens a dropdown, and has a clear button. */
export function FilterPill({ name, value, onClear, children }: FilterPillProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
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
            ref={opener}
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
          aria-label={t("filter.remove", { name })}
          onClick={() => {
            // This button is about to unmount, so move the focus to the pill.
            opener.current?.focus();
            onClear();
          }}
        />
      )}
    </span>
  );
}

type TogglePillProps = Readonly<{ name: string; isOn: boolean; onToggle: () => void }>;

/** A filter that is on or off. */
export function TogglePill({ name, isOn, onToggle }: TogglePillProps) {
  return (
    <span className={classes["pill"]} data-on={isOn || undefined}>
      <UnstyledButton className={classes["name"] ?? ""} aria-pressed={isOn} onClick={onToggle}>
        {isOn ? <IconCheck size={12} aria-hidden /> : <IconPlus size={12} aria-hidden />}
        {name}
      </UnstyledButton>
    </span>
  );
}
