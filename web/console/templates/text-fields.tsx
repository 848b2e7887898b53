import { Button, Checkbox, Input, Textarea, TextInput, Tooltip } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { IconCheck, IconPlus } from "@tabler/icons-react";
import { useRef, type SyntheticEvent } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "../../base/i18n.ts";
import type { TemplateValues } from "./faults.ts";
import type { TemplateRef } from "./queries.ts";
import { needsLink, unknownIn, variablesIn } from "./variables.ts";
import { variablesOfKind, type VariableName } from "../../../src/contracts/message-templates.ts";
import classes from "./templates.module.css";

type Field = "subject" | "text" | "html";

type FieldsProps = Readonly<{
  form: UseFormReturnType<TemplateValues>;
  place: TemplateRef;
  /** The generated HTML, as a start for custom HTML. */
  usualHtml: string | null;
}>;

/** Subject, text and HTML, with buttons that insert variables. */
export function TextFields({ form, place, usualHtml }: FieldsProps) {
  const { t } = useTranslation("templates");
  const { watch, insert } = useInsertion(form);
  const liveFault = useLiveFault({ form, place });
  const inputs = (field: Field) => ({
    ...form.getInputProps(field),
    error: form.errors[field] ?? liveFault(field),
    ...watch(field),
  });
  const isMail = place.channel === "email";
  const { subject, text, html, hasHtml } = form.values;
  const all = [text, ...(isMail ? [subject] : []), ...(isMail && hasHtml ? [html] : [])].join("\n");
  return (
    <>
      {isMail ? (
        <TextInput
          label={t("editor.subject")}
          maxLength={255}
          lang={place.language}
          {...inputs("subject")}
        />
      ) : null}
      <Textarea
        label={t(isMail ? "editor.text" : "editor.sms")}
        description={isMail ? t("editor.text_note") : undefined}
        autosize
        minRows={isMail ? 8 : 4}
        maxRows={20}
        maxLength={20_000}
        lang={place.language}
        {...inputs("text")}
      />
      <Variables place={place} used={variablesIn(all)} onInsert={insert} />
      {isMail ? <HtmlField form={form} usualHtml={usualHtml} inputs={inputs("html")} /> : null}
    </>
  );
}

type Box = HTMLInputElement | HTMLTextAreaElement;

/** Tracks the last caret position, where a click inserts a variable. */
function useInsertion(form: UseFormReturnType<TemplateValues>) {
  const last = useRef<{ field: Field; box: Box | undefined }>({ field: "text", box: undefined });
  const watch = (field: Field) => ({
    onFocus: (event: SyntheticEvent<Box>) => {
      last.current = { field, box: event.currentTarget };
    },
  });
  const insert = (name: string): void => {
    const { field, box } = last.current;
    const value = form.values[field];
    const [start, end] = [box?.selectionStart ?? value.length, box?.selectionEnd ?? value.length];
    const put = `{{${name}}}`;
    // Synchronous, so that the caret can be restored in the field before the next key press.
    flushSync(() => form.setFieldValue(field, `${value.slice(0, start)}${put}${value.slice(end)}`));
    box?.focus();
    box?.setSelectionRange(start + put.length, start + put.length);
  };
  return { watch, insert };
}

function useLiveFault({ form, place }: Pick<FieldsProps, "form" | "place">) {
  const { t } = useTranslation("templates");
  return (field: Field): string | undefined => {
    const value = form.values[field];
    const unknown = unknownIn(value, place.kind);
    if (unknown.length > 0) {
      return t("fault.unknown", { names: unknown.map((name) => `{{${name}}}`).join(", ") });
    }
    const lacksLink = field === "text" && !variablesIn(value).includes("link");
    return lacksLink && needsLink(place.kind) ? t("fault.link_missing") : undefined;
  };
}

type VariablesProps = Readonly<{
  place: TemplateRef;
  used: readonly string[];
  onInsert: (name: VariableName) => void;
}>;

function Variables({ place, used, onInsert }: VariablesProps) {
  const { t } = useTranslation("templates");
  const names: readonly VariableName[] = variablesOfKind[place.kind];
  return (
    <Input.Wrapper label={t("variable.title")} description={t("variable.note")} labelElement="div">
      <div className={classes["variables"]} role="group" aria-label={t("variable.title")}>
        {names.map((name) => {
          const isUsed = used.includes(name);
          return (
            <Tooltip key={name} label={t(`variables.${name}`)}>
              <Button
                size="compact-xs"
                variant={isUsed ? "light" : "default"}
                className="mono"
                leftSection={
                  isUsed ? <IconCheck size={12} aria-hidden /> : <IconPlus size={12} aria-hidden />
                }
                onClick={() => onInsert(name)}
                aria-label={t(isUsed ? "variable.insert_again" : "variable.insert", {
                  name,
                  what: t(`variables.${name}`),
                })}
              >
                {name}
              </Button>
            </Tooltip>
          );
        })}
      </div>
    </Input.Wrapper>
  );
}

function HtmlField({
  form,
  usualHtml,
  inputs,
}: Pick<FieldsProps, "form" | "usualHtml"> & {
  inputs: object;
}) {
  const { t } = useTranslation("templates");
  const isShown = form.values.hasHtml;
  return (
    <>
      <Checkbox
        label={t("editor.own_html")}
        description={t("editor.own_html_note")}
        checked={isShown}
        onChange={(event) => {
          const hasHtml = event.currentTarget.checked;
          const isEmpty = form.values.html === "";
          form.setValues({ hasHtml, ...(hasHtml && isEmpty ? { html: usualHtml ?? "" } : {}) });
        }}
      />
      {isShown ? (
        <Textarea
          label={t("editor.html")}
          autosize
          minRows={8}
          maxRows={20}
          maxLength={100_000}
          spellCheck={false}
          classNames={{ input: "mono" }}
          {...inputs}
        />
      ) : null}
    </>
  );
}
