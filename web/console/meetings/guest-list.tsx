import { Pill, PillsInput, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useState, type ClipboardEvent, type KeyboardEvent } from "react";
import { useTranslation } from "../../base/i18n.ts";
import { addContacts, countFaults, mostGuests, readContact, splitContacts } from "./contacts.ts";
import type { ReadPhone } from "../../shared/phone.ts";
import { usePhones } from "./phones.ts";
import classes from "./meetings.module.css";

type GuestListProps = Readonly<{
  value: readonly string[];
  onChange: (value: string[]) => void;
  /** Error from the API. */
  error?: string | undefined;
  /** Number of existing guests, which count towards the limit. */
  others?: number;
}>;

/** A chip input for addresses and numbers; pasted lists are split. */
export function GuestList(props: GuestListProps) {
  const { value, onChange, error, others = 0 } = props;
  const { t } = useTranslation("meetings");
  const { readPhone, prepare } = usePhones();
  const field = useGuestField(props, readPhone);
  const faults = countFaults(value, readPhone);
  const tooMany = value.length + others > mostGuests;
  const problem =
    error ??
    (tooMany ? t("guests.limit", { count: mostGuests }) : undefined) ??
    (faults > 0 ? t("guests.faults", { count: faults }) : undefined);
  return (
    <div>
      <PillsInput label={t("guests.label")} description={t("guests.hint")} error={problem} required>
        <Pill.Group>
          {value.map((guest) => (
            <Guest
              key={guest}
              text={guest}
              onRemove={() => onChange(value.filter((one) => one !== guest))}
            />
          ))}
          <PillsInput.Field
            value={field.text}
            placeholder={value.length === 0 ? t("guests.placeholder") : ""}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => field.write(event.currentTarget.value)}
            onPaste={field.paste}
            onKeyDown={field.press}
            onFocus={prepare}
            onBlur={field.take}
          />
        </Pill.Group>
      </PillsInput>
      {value.length > 4 ? (
        <Text size="xs" c="dimmed" mt={2}>
          {t("guests.count", { count: value.length })}
        </Text>
      ) : null}
    </div>
  );
}

function useGuestField({ value, onChange }: GuestListProps, readPhone: ReadPhone) {
  const [text, setText] = useState("");
  const add = (typed: string): void => {
    if (splitContacts(typed).length > 0) {
      onChange(addContacts(value, typed, readPhone));
    }
    setText("");
  };
  return {
    text,
    take: () => add(text),
    write: (typed: string): void => (/[,;\n]/u.test(typed) ? add(typed) : setText(typed)),
    paste: (event: ClipboardEvent): void => {
      const pasted = event.clipboardData.getData("text");
      if (text === "" && splitContacts(pasted).length > 1) {
        event.preventDefault();
        add(pasted);
      }
    },
    press: (event: KeyboardEvent): void => {
      if (event.key === "Enter" && text.trim() !== "") {
        event.preventDefault();
        add(text);
      } else if (event.key === "Backspace" && text === "" && value.length > 0) {
        onChange(value.slice(0, -1));
      }
    },
  };
}

function Guest({ text, onRemove }: { text: string; onRemove: () => void }) {
  const { t } = useTranslation("meetings");
  const { readPhone } = usePhones();
  const contact = readContact(text, readPhone);
  const fault = contact.kind === "fault" ? t(`guests.fault.${contact.reason}`) : undefined;
  return (
    <Pill
      withRemoveButton
      onRemove={onRemove}
      removeButtonProps={{
        "aria-label": t("guests.remove", { name: text }),
        tabIndex: 0,
        "aria-hidden": false,
      }}
      data-fault={fault === undefined ? undefined : true}
      title={fault}
      className={classes["guest"] ?? ""}
    >
      {fault === undefined ? null : <IconAlertTriangle size={13} aria-hidden />}
      {text}
      {fault === undefined ? null : <span className="only-heard">, {fault}</span>}
    </Pill>
  );
}
