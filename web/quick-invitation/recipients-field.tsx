import { Button, Input } from "@mantine/core";
import { IconAlertTriangle, IconMail, IconPhone, IconX } from "@tabler/icons-react";
import { useId, useRef, type ClipboardEvent, type KeyboardEvent } from "react";
import { useTranslation } from "../base/i18n.ts";
import classes from "./quick-invitation.module.css";
import type { Recipient } from "./recipients.ts";

type FieldProps = Readonly<{
  recipients: readonly Recipient[];
  typed: string;
  setTyped: (typed: string) => void;
  /** Adds the typed text, or this one. */
  commit: (text?: string) => unknown;
  replace: (kept: readonly Recipient[]) => void;
  isFixed: boolean;
  fault: string | undefined;
}>;

/** Recipients as editable chips, with a field for the next one. */
export function RecipientsField(props: FieldProps) {
  const { recipients, replace, isFixed, fault } = props;
  const { t } = useTranslation("quick-invitation");
  const id = useId();
  const right = recipients.filter((one) => one.fault === undefined);
  const wrong = recipients.length - right.length;
  return (
    <Input.Wrapper
      id={id}
      label={t("recipients")}
      description={isFixed ? t("recipients_fixed") : t("recipients_hint")}
      error={fault}
      labelElement={isFixed ? "div" : "label"}
    >
      <Inside {...props} id={id} isWrong={wrong > 0} />
      <Faults recipients={recipients} id={id} />
      {wrong < 2 || isFixed ? null : (
        <Button variant="subtle" size="compact-xs" mt={4} onClick={() => replace(right)}>
          {t("remove_wrong")}
        </Button>
      )}
    </Input.Wrapper>
  );
}

type InnerProps = FieldProps & Readonly<{ id: string; isWrong: boolean }>;

function Inside(props: InnerProps) {
  const { id, recipients, typed, setTyped, isFixed, fault, isWrong } = props;
  const { t } = useTranslation("quick-invitation");
  const { input, remove, edit, onKeyDown, onPaste } = useEditing(props);
  return (
    <div
      className={classes["box"]}
      data-fixed={isFixed || undefined}
      data-wrong={isWrong || undefined}
    >
      {recipients.length === 0 ? null : (
        <ul className={classes["chips"]} aria-label={t("list")}>
          {recipients.map((recipient, at) => (
            <Chip
              key={`${recipient.kind} ${recipient.value}`}
              {...{ recipient, isFixed }}
              faultId={`${id}-fault-${at}`}
              onEdit={() => edit(recipient)}
              onRemove={() => remove(recipient)}
            />
          ))}
        </ul>
      )}
      {isFixed ? null : (
        <input
          ref={input}
          id={id}
          className={classes["input"]}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          {...{ onKeyDown, onPaste }}
          placeholder={recipients.length === 0 ? t("example") : ""}
          inputMode="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          maxLength={4_000}
          aria-invalid={isWrong || fault !== undefined ? true : undefined}
        />
      )}
    </div>
  );
}

function useEditing({ recipients, typed, setTyped, commit, replace }: FieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const remove = (left: Recipient): void => {
    replace(recipients.filter((one) => one !== left));
    input.current?.focus();
  };
  const edit = (recipient: Recipient): void => {
    remove(recipient);
    setTyped(recipient.text);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const last = recipients.at(-1);
    const isEnd = event.key === "Enter" ? typed.trim() !== "" : [",", ";"].includes(event.key);
    if (isEnd) {
      event.preventDefault();
      commit();
    } else if (event.key === "Backspace" && typed === "" && last !== undefined) {
      event.preventDefault();
      edit(last);
    }
  };
  const onPaste = (event: ClipboardEvent): void => {
    const text = event.clipboardData.getData("text");
    if (/[,;\n]/u.test(text)) {
      event.preventDefault();
      commit(`${typed}${text}`);
    }
  };
  return { input, remove, edit, onKeyDown, onPaste };
}

type ChipProps = Readonly<{
  recipient: Recipient;
  faultId: string;
  isFixed: boolean;
  onEdit: () => void;
  onRemove: () => void;
}>;

const pictures = { phone: IconPhone, email: IconMail };

function Chip({ recipient, faultId, isFixed, onEdit, onRemove }: ChipProps) {
  const { t } = useTranslation("quick-invitation");
  const { text, kind, fault } = recipient;
  const isWrong = fault !== undefined;
  const Picture = isWrong ? IconAlertTriangle : pictures[kind];
  const ariaError = isWrong ? { "aria-invalid": true, "aria-describedby": faultId } : {};
  const inside = (
    <>
      <Picture size={14} aria-hidden className={classes["picture"]} />
      <span className={classes["value"]}>{text}</span>
    </>
  );
  return (
    <li className={classes["chip"]} data-wrong={isWrong || undefined}>
      {isFixed ? (
        <span
          className={classes["edit"]}
          role="textbox"
          aria-readonly
          aria-label={text}
          {...ariaError}
        >
          {inside}
        </span>
      ) : (
        <>
          <button
            type="button"
            className={classes["edit"]}
            onClick={onEdit}
            title={t("change", { text })}
            {...ariaError}
          >
            {inside}
          </button>
          <button
            type="button"
            className={classes["remove"]}
            onClick={onRemove}
            aria-label={t("remove", { text })}
          >
            <IconX size={14} aria-hidden />
          </button>
        </>
      )}
    </li>
  );
}

function Faults({ recipients, id }: Pick<FieldProps, "recipients"> & { id: string }) {
  const { t } = useTranslation("quick-invitation");
  const isWrong = recipients.some(({ fault }) => fault !== undefined);
  return isWrong ? (
    <div role="alert">
      <ul className={classes["faults"]}>
        {recipients.map(({ text, kind, value, fault }, at) =>
          fault === undefined ? null : (
            <li key={`${kind} ${value}`} id={`${id}-fault-${at}`}>
              {t(`fault.${fault}`, { text })}
            </li>
          ),
        )}
      </ul>
    </div>
  ) : null;
}
