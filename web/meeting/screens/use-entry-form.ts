import { useState } from "react";
import type { EntryFault } from "../entry/enter.ts";
import type { Meeting, MeetingState } from "../meeting.ts";
import { t, type TextKey } from "../texts.ts";

export type EntryForm = Readonly<{
  /** Enters a name. */
  isGuest: boolean;
  hasPassword: boolean;
  name: string;
  password: string;
  setName: (name: string) => void;
  setPassword: (password: string) => void;
  nameFault: string | undefined;
  passwordFault: string | undefined;
  /** Of neither field. */
  fault: string | undefined;
  submit: () => void;
}>;

type Missing = "name" | "password" | undefined;

const passwordFaults: Readonly<Partial<Record<EntryFault, TextKey>>> = {
  password: "password_missing",
  "wrong-password": "wrong_password",
  "too-many-passwords": "too_many_passwords",
  "password-lost": "password_lost",
};

const otherFaults: Readonly<Partial<Record<EntryFault, TextKey>>> = {
  locked: "entry_locked",
  failed: "entry_failed",
  idle: "entry_idle",
  unknown: "entry_failed",
};

export function useEntryForm(meeting: Meeting, state: MeetingState): EntryForm {
  const [name, setName] = useState(state.name);
  const [password, setPassword] = useState("");
  const [missing, setMissing] = useState<Missing>();
  const isGuest = !meeting.isKnown();
  const hasPassword = isGuest && (meeting.facts.is_password_required || state.fault === "password");
  const submit = (): void => {
    const values = { name: isGuest ? name.trim() : "-", password: hasPassword ? password : "-" };
    const lacking = missingOf(values);
    setMissing(lacking);
    if (lacking === undefined) {
      void meeting.enter({ name: isGuest ? name.trim() : "", password });
    }
  };
  // A missing field replaces the earlier refusal of the server.
  const fault = missing === undefined ? state.fault : undefined;
  return {
    ...{ isGuest, hasPassword, name, password, setName, setPassword, submit },
    nameFault: missing === "name" ? t("name_missing") : undefined,
    passwordFault: missing === "password" ? t("password_missing") : textOf(passwordFaults, fault),
    fault: textOf(otherFaults, fault),
  };
}

function missingOf({ name, password }: Readonly<{ name: string; password: string }>): Missing {
  if (name === "") {
    return "name";
  }
  return password === "" ? "password" : undefined;
}

function textOf(
  texts: Readonly<Partial<Record<EntryFault, TextKey>>>,
  fault: EntryFault | undefined,
): string | undefined {
  const key = fault === undefined ? undefined : texts[fault];
  return key === undefined ? undefined : t(key);
}
