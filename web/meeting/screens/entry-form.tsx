import { useId, type ReactNode } from "react";
import type { Meeting, MeetingState } from "../meeting.ts";
import { Button } from "../parts/button.tsx";
import { findText, t } from "../texts.ts";
import styles from "./entry-form.module.css";
import { useEntryForm } from "./use-entry-form.ts";

export type EntryFormProps = Readonly<{ meeting: Meeting; state: MeetingState }>;

/** A name, and the password if the meeting has one. Who is signed in needs neither. */
export function EntryForm({ meeting, state }: EntryFormProps): ReactNode {
  const form = useEntryForm(meeting, state);
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        form.submit();
      }}
    >
      {form.fault === undefined ? null : (
        <p className={styles.fault} role="alert">
          {form.fault}
        </p>
      )}
      {form.isGuest ? (
        <Field
          label={t("name")}
          note={t("name_note")}
          fault={form.nameFault}
          input={{ autoComplete: "name", maxLength: 64, value: form.name }}
          onChange={form.setName}
        />
      ) : (
        <p>{knownAs(meeting)}</p>
      )}
      {form.hasPassword ? (
        <Field
          label={t("password")}
          fault={form.passwordFault}
          input={{ type: "password", autoComplete: "off", maxLength: 64, value: form.password }}
          onChange={form.setPassword}
        />
      ) : null}
      <Button type="submit" tone="main">
        {t("join")}
      </Button>
    </form>
  );
}

/** As whom the person joins. */
function knownAs({ facts: { account, expert } }: Meeting): string {
  return typeof expert?.name === "string"
    ? t("join_as_expert", { name: expert.name })
    : t("join_as", { role: findText(`role_${account?.role ?? ""}`) ?? "" });
}

type FieldProps = Readonly<{
  label: string;
  note?: string;
  fault: string | undefined;
  input: Readonly<{ type?: string; autoComplete: string; maxLength: number; value: string }>;
  onChange: (value: string) => void;
}>;

function Field({ label, note, fault, input, onChange }: FieldProps): ReactNode {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        aria-invalid={fault !== undefined}
        aria-describedby={`${id}-note`}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <span
        id={`${id}-note`}
        role={fault === undefined ? undefined : "alert"}
        data-fault={fault === undefined ? undefined : ""}
      >
        {fault ?? note}
      </span>
    </div>
  );
}
