/** Option lists for filter dropdowns: multiple or single selection. */
import {
  Checkbox,
  createScopedKeydownHandler,
  Stack,
  Text,
  TextInput,
  UnstyledButton,
} from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "../base/i18n.ts";
import classes from "./choices.module.css";
import { matchingChoices, type Choice } from "./choice.ts";
import { FilterPill } from "./filter-pill.tsx";

type ChoicesProps = Readonly<{
  name: string;
  choices: readonly Choice[];
  /** Shown if no option matches. */
  nothing?: string;
  /** Called with the search text, for options that are loaded from the server. */
  onType?: (text: string) => void;
}>;

type ManyProps = ChoicesProps &
  Readonly<{ chosen: readonly string[]; onChange: (chosen: string[]) => void }>;

type OneProps = ChoicesProps &
  Readonly<{ chosen: string | undefined; onChoose: (value: string) => void }>;

/** A filter with multiple selection. */
export function ManyFilter(props: ManyProps) {
  const { name, choices, chosen, onChange } = props;
  const labels = chosen.map(
    (value) => choices.find((choice) => choice.value === value)?.label ?? value,
  );
  return (
    <FilterPill
      name={name}
      value={chosen.length === 0 ? undefined : labels.join(", ")}
      onClear={() => onChange([])}
    >
      {() => <Many {...props} />}
    </FilterPill>
  );
}

/** A list with multiple selection. */
function Many(props: ManyProps) {
  const { name, chosen, onChange } = props;
  const { box, found, note } = useFound(props);
  return (
    <Stack gap="xs">
      {box}
      <Checkbox.Group value={[...chosen]} onChange={onChange} aria-label={name}>
        <Stack gap={8} p={4} className={classes["list"] ?? ""}>
          {found.map(({ value, label }) => (
            <Checkbox key={value} size="xs" value={value} label={label} />
          ))}
        </Stack>
      </Checkbox.Group>
      {note}
    </Stack>
  );
}

type OneFilterProps = Omit<OneProps, "onChoose"> &
  Readonly<{
    /** undefined clears the filter. */
    onChange: (value: string | undefined) => void;
  }>;

/** A filter with single selection. */
export function OneFilter({ onChange, ...props }: OneFilterProps) {
  const { name, choices, chosen } = props;
  return (
    <FilterPill
      name={name}
      value={choices.find(({ value }) => value === chosen)?.label ?? chosen}
      onClear={() => onChange(undefined)}
    >
      {(close) => (
        <One
          {...props}
          onChoose={(value) => {
            onChange(value);
            close();
          }}
        />
      )}
    </FilterPill>
  );
}

const byArrows = createScopedKeydownHandler({
  parentSelector: '[role="listbox"]',
  siblingSelector: '[role="option"]',
  orientation: "vertical",
});

/** A list with single selection; one click selects. */
export function One(props: OneProps) {
  const { name, chosen, onChoose } = props;
  const { box, found, note } = useFound(props);
  return (
    <Stack gap="xs">
      {box}
      <div role="listbox" aria-label={name} className={classes["list"]}>
        {found.map(({ value, label }) => (
          <UnstyledButton
            key={value}
            role="option"
            aria-selected={value === chosen}
            className={classes["option"] ?? ""}
            onKeyDown={byArrows}
            onClick={() => onChoose(value)}
          >
            <span>{label}</span>
            {value === chosen ? <IconCheck size={14} aria-hidden /> : null}
          </UnstyledButton>
        ))}
      </div>
      {note}
    </Stack>
  );
}

const searchFrom = 12;

/** Options that match the search text; the search box appears only for long lists. */
function useFound({ choices, nothing, onType }: ChoicesProps) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const box =
    choices.length < searchFrom && onType === undefined ? null : (
      <TextInput
        size="xs"
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          onType?.(event.currentTarget.value.trim());
        }}
        aria-label={t("filter.find")}
        placeholder={t("filter.find")}
        data-autofocus
      />
    );
  const found = matchingChoices(choices, text);
  const note =
    found.length > 0 ? null : (
      <Text size="xs" c="dimmed" px={8} role="status">
        {nothing ?? t("filter.nothing")}
      </Text>
    );
  return { box, found, note };
}
