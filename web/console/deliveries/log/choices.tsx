import { Button, Checkbox, ScrollArea, Stack, TextInput, UnstyledButton } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "./filter-bar.module.css";

export type Choice = Readonly<{ value: string; label: string; searched: string }>;

type ChoicesProps = Readonly<{ name: string; choices: readonly Choice[] }>;

const searchFrom = 9;

/** The choices that hold what was typed; the box to type in only where there are many. */
const useFound = (choices: readonly Choice[]) => {
  const { t } = useTranslation("deliveries");
  const [text, setText] = useState("");
  const word = text.trim().toLowerCase();
  const box =
    choices.length < searchFrom ? null : (
      <TextInput
        size="xs"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        aria-label={t("filter.find")}
        placeholder={t("filter.find")}
        data-autofocus
      />
    );
  return { box, found: choices.filter(({ searched }) => searched.toLowerCase().includes(word)) };
};

/** Several of them. */
export const Many = (
  props: ChoicesProps & { chosen: readonly string[]; onChange: (chosen: string[]) => void },
) => {
  const { name, choices, chosen, onChange } = props;
  const { box, found } = useFound(choices);
  return (
    <Stack gap="xs">
      {box}
      <Checkbox.Group value={[...chosen]} onChange={onChange} aria-label={name}>
        <ScrollArea.Autosize mah={300}>
          <Stack gap={8} p={4}>
            {found.map(({ value, label }) => (
              <Checkbox key={value} size="xs" value={value} label={label} />
            ))}
          </Stack>
        </ScrollArea.Autosize>
      </Checkbox.Group>
    </Stack>
  );
};

/** One of them, with one click. */
export const One = (
  props: ChoicesProps & { chosen: string | undefined; onChoose: (value: string) => void },
) => {
  const { name, choices, chosen, onChoose } = props;
  const { box, found } = useFound(choices);
  return (
    <Stack gap="xs">
      {box}
      <ScrollArea.Autosize mah={300}>
        <div role="listbox" aria-label={name}>
          {found.map(({ value, label }) => (
            <UnstyledButton
              key={value}
              role="option"
              aria-selected={value === chosen}
              className={classes["option"] ?? ""}
              onClick={() => onChoose(value)}
            >
              <span>{label}</span>
              {value === chosen ? <IconCheck size={14} aria-hidden /> : null}
            </UnstyledButton>
          ))}
        </div>
      </ScrollArea.Autosize>
    </Stack>
  );
};

type TextChoiceProps = Readonly<{
  label: string;
  note?: string;
  value: string | undefined;
  /** A text that says what is wrong keeps the box open. */
  onApply: (text: string) => Promise<string | undefined>;
}>;

/** A text that is typed, applied by Enter. */
export const TextChoice = ({ label, note, value, onApply }: TextChoiceProps) => {
  const { t } = useTranslation("deliveries");
  const [text, setText] = useState(value ?? "");
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const apply = async (): Promise<void> => {
    setBusy(true);
    setFault(await onApply(text.trim()));
    setBusy(false);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void apply();
      }}
    >
      <Stack gap="xs">
        <TextInput
          size="xs"
          label={label}
          description={note}
          value={text}
          error={fault}
          maxLength={100}
          data-autofocus
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button size="xs" type="submit" loading={isBusy} disabled={text.trim() === ""}>
          {t("filter.apply")}
        </Button>
      </Stack>
    </form>
  );
};
