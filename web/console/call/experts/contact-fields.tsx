import { TextInput } from "@mantine/core";
import type { ChangeEvent } from "react";
import { useTranslation } from "../../../base/i18n.ts";

export type Contact = Readonly<{ email: string; phone: string; name: string }>;

export const emptyContact: Contact = { email: "", phone: "", name: "" };

export function isReachable({ email, phone }: Contact): boolean {
  return email.trim() !== "" || phone.trim() !== "";
}

type FieldsProps = Readonly<{ contact: Contact; onChange: (contact: Contact) => void }>;

/** An email address, a phone number, or both. Without a name the expert enters one. */
export function ContactFields({ contact, onChange }: FieldsProps) {
  const { t } = useTranslation("call");
  const field = (name: keyof Contact) => ({
    label: t(`expert.${name}`),
    value: contact[name],
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) =>
      onChange({ ...contact, [name]: currentTarget.value }),
  });
  return (
    <>
      <TextInput {...field("email")} type="email" autoComplete="off" maxLength={320} />
      <TextInput
        {...field("phone")}
        type="tel"
        autoComplete="off"
        maxLength={64}
        placeholder="+33 6 12 34 56 78"
      />
      <TextInput {...field("name")} description={t("expert.name_note")} maxLength={64} />
    </>
  );
}
