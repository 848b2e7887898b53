/** The form. It is built again with the values so far when the language changes. */
import { element } from "../shared/dom.ts";
import { fieldNames, type FieldName, type FieldValues, type InvalidField } from "./entry-point.ts";
import type { Texts } from "./texts.ts";

export type RequestForm = Readonly<{
  root: HTMLFormElement;
  values(): FieldValues;
  setSending(isSending: boolean): void;
  /** Marks these fields, and focuses the first. Out: false if the form has none of them. */
  showErrors(errors: readonly InvalidField[]): boolean;
  /** Says above the button why nothing was sent. */
  showNotice(title: string, text: string): void;
  clearErrors(): void;
}>;

type FieldRule = Readonly<{
  type: "text" | "email" | "tel";
  autocomplete: "given-name" | "family-name" | "email" | "tel" | "off";
  /** As the API. */
  maxLength: number;
}>;

const rules: Readonly<Record<FieldName, FieldRule>> = {
  firstname: { type: "text", autocomplete: "given-name", maxLength: 128 },
  lastname: { type: "text", autocomplete: "family-name", maxLength: 128 },
  email: { type: "email", autocomplete: "email", maxLength: 254 },
  phone: { type: "tel", autocomplete: "tel", maxLength: 64 },
  subject: { type: "text", autocomplete: "off", maxLength: 255 },
};

type Field = Readonly<{ root: HTMLElement; input: HTMLInputElement; error: HTMLElement }>;

export function createForm(
  texts: Texts,
  { values, onSubmit }: Readonly<{ values: Readonly<FieldValues>; onSubmit: () => void }>,
): RequestForm {
  const fields = createFields(texts, values);
  const notice = element("div", "notice");
  notice.setAttribute("role", "alert");
  const submit = element("button", "action action-main", texts.submit);
  const root = element(
    "form",
    "form",
    element("div", "names", fields.firstname.root, fields.lastname.root),
    element("p", "hint", texts.contact_hint),
    ...[fields.email.root, fields.phone.root, fields.subject.root, notice],
    element("div", "actions", submit),
  );
  root.noValidate = true; // the browser would object in its own language
  root.addEventListener("submit", (event) => {
    event.preventDefault();
    onSubmit();
  });
  return {
    root,
    values: () => valuesOf(fields),
    setSending: (isSending) => {
      submit.textContent = isSending ? texts.sending : texts.submit;
      // Not `disabled`, which would drop the focus.
      submit.setAttribute("aria-disabled", String(isSending));
    },
    showErrors: (errors) => showErrors(fields, errors, texts),
    showNotice: (title, text) => notice.append(element("strong", "", title), text),
    clearErrors: () => {
      notice.textContent = "";
      fieldNames.forEach((name) => setError(fields[name], ""));
    },
  };
}

function createFields(
  texts: Texts,
  values: Readonly<FieldValues>,
): Readonly<Record<FieldName, Field>> {
  const make = (name: FieldName, help = ""): Field => {
    const field = createField(name, texts[name], help);
    field.input.value = values[name];
    return field;
  };
  return {
    firstname: make("firstname"),
    lastname: make("lastname"),
    email: make("email"),
    phone: make("phone", texts.phone_hint),
    subject: make("subject"),
  };
}

function createField(name: FieldName, label: string, helpText: string): Field {
  const { type, autocomplete, maxLength } = rules[name];
  const input = element("input", "input");
  Object.assign(input, { id: name, name, type, autocomplete, maxLength });
  const labelled = element("label", "", label);
  labelled.htmlFor = name;
  const help = element("p", "hint", helpText);
  help.id = `${name}-hint`;
  const error = element("p", "error");
  error.id = `${name}-error`;
  input.setAttribute("aria-describedby", helpText === "" ? error.id : `${help.id} ${error.id}`);
  const helps = helpText === "" ? [] : [help];
  return { input, error, root: element("div", "field", labelled, input, ...helps, error) };
}

function valuesOf(fields: Readonly<Record<FieldName, Field>>): FieldValues {
  const { firstname, lastname, email, phone, subject } = fields;
  return {
    firstname: firstname.input.value,
    lastname: lastname.input.value,
    email: email.input.value,
    phone: phone.input.value,
    subject: subject.input.value,
  };
}

function showErrors(
  fields: Readonly<Record<FieldName, Field>>,
  errors: readonly InvalidField[],
  texts: Texts,
): boolean {
  const isContactMissing = errors.some(({ reason }) => reason === "required");
  const named = fieldNames.filter((name) => errors.some(({ field }) => field === name));
  // One contact is enough: the first field says so for both.
  const marked = isContactMissing ? (["email"] as const) : named;
  for (const name of marked) {
    setError(fields[name], isContactMissing ? texts.contact_required : errorTextOf(name, texts));
  }
  const [first] = marked;
  if (first !== undefined) {
    fields[first].input.focus();
  }
  return first !== undefined;
}

function errorTextOf(name: FieldName, texts: Texts): string {
  switch (name) {
    case "email":
      return texts.email_invalid;
    case "phone":
      return texts.phone_invalid;
    default:
      return texts.text_invalid;
  }
}

function setError({ input, error }: Field, text: string): void {
  error.textContent = text;
  input.setAttribute("aria-invalid", String(text !== ""));
}
