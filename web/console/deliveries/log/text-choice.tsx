import { Button, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";

type TextChoiceProps = Readonly<{
  label: string;
  note?: string;
  value: string | undefined;
  /** Resolves with an error message to keep the dropdown open. */
  onApply: (text: string) => Promise<string | undefined>;
}>;

/** A text filter, applied by Enter. */
export function TextChoice({ label, note, value, onApply }: TextChoiceProps) {
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
}
