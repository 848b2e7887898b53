import { Alert, Button, Group, Stack } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { useDebouncedValue } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "../../base/i18n.ts";
import { asProblem } from "../../base/problem.ts";
import { ErrorBox } from "../../components/error-box.tsx";
import { Section } from "../../components/section.tsx";
import { showDone } from "../../components/show-fault.tsx";
import { StateBadge } from "../../components/state-badge.tsx";
import { useMay } from "../session.ts";
import { useLeaveGuard } from "../../components/use-leave-guard.tsx";
import { DefaultText } from "./default-text.tsx";
import { useWordingFaults, type TemplateValues } from "./faults.ts";
import { TextFields } from "./text-fields.tsx";
import { PreviewSection } from "./preview.tsx";
import {
  putTemplate,
  templatesKey,
  type TemplateContents,
  type TemplateOwner,
  type TemplateRef,
  type Template,
} from "./queries.ts";
import classes from "./templates.module.css";

type EditorProps = Readonly<{
  owner: TemplateOwner;
  place: TemplateRef;
  own: Template | undefined;
  /** The default text. */
  usual: TemplateContents;
}>;

/** The editor of a message, with preview. */
export function Editor({ owner, place, own, usual }: EditorProps) {
  const { t } = useTranslation("templates");
  const mayChange = useMay(owner.serviceId === undefined ? "enterprises.write" : "services.write");
  const form = useForm<TemplateValues>({ initialValues: start(own, usual) });
  const saving = useSave(owner, place, form);
  const guard = useLeaveGuard(form.isDirty());
  const [shown] = useDebouncedValue(form.values, 350);
  const beginAnew = (): void => {
    const values = start(undefined, usual);
    form.setInitialValues(values);
    form.setValues(values);
    form.resetDirty(values);
  };
  const fault = saving.isError ? asProblem(saving.error) : undefined;
  return (
    <>
      {guard.dialog}
      <Section
        title={`${t(`kind.${place.kind}`)} · ${t(`channel.${place.channel}`)}`}
        note={t(`kind_note.${place.kind}`)}
        actions={<State own={own} owner={owner} />}
      >
        <form
          onSubmit={form.onSubmit((values) => saving.mutate(values))}
          noValidate
          aria-label={t("editor.name")}
        >
          <fieldset disabled={!mayChange} className={classes["plain"]}>
            <Stack gap="md">
              <TextFields form={form} place={place} usualHtml={usual.html} />
              {fault !== undefined && fault.errors.length === 0 ? <ErrorBox error={fault} /> : null}
              <Buttons form={form} isSaving={saving.isPending} mayChange={mayChange} />
            </Stack>
          </fieldset>
        </form>
      </Section>
      <PreviewSection owner={owner} place={place} contents={contentsOf(shown, place)} />
      {own === undefined ? null : (
        <DefaultText {...{ owner, own, usual, mayChange }} onDefault={beginAnew} />
      )}
    </>
  );
}

function start(own: Template | undefined, usual: TemplateContents): TemplateValues {
  return valuesOf(own ?? usual, own !== undefined);
}

function valuesOf(contents: TemplateContents, isOwn: boolean): TemplateValues {
  return {
    subject: contents.subject ?? "",
    text: contents.text,
    // Generated HTML is not put into the editor.
    html: isOwn ? (contents.html ?? "") : "",
    hasHtml: isOwn && contents.html !== null,
  };
}

function useSave(
  owner: TemplateOwner,
  place: TemplateRef,
  form: UseFormReturnType<TemplateValues>,
) {
  const { t } = useTranslation("templates");
  const queries = useQueryClient();
  const say = useWordingFaults(place.kind);
  return useMutation({
    mutationFn: (values: TemplateValues) => putTemplate(owner, place, contentsOf(values, place)),
    onSuccess: async (_saved, values) => {
      form.resetDirty(values);
      await queries.invalidateQueries({ queryKey: templatesKey });
      showDone(t("editor.saved"));
    },
    onError: (thrown, values) => form.setErrors(say(thrown, values)),
  });
}

function contentsOf(values: TemplateValues, place: TemplateRef): TemplateContents {
  const isMail = place.channel === "email";
  return {
    subject: isMail ? values.subject.trim() : null,
    text: values.text.trim(),
    html: isMail && values.hasHtml && values.html.trim() !== "" ? values.html : null,
  };
}

function State({ own, owner }: Pick<EditorProps, "own" | "owner">) {
  const { t } = useTranslation("templates");
  if (own !== undefined) {
    return <StateBadge meaning="good">{t("editor.own")}</StateBadge>;
  }
  return (
    <StateBadge meaning="neutral">
      {t(owner.serviceId === undefined ? "editor.built_in" : "editor.wider")}
    </StateBadge>
  );
}

type ButtonsProps = Readonly<{
  form: UseFormReturnType<TemplateValues>;
  isSaving: boolean;
  mayChange: boolean;
}>;

function Buttons({ form, isSaving, mayChange }: ButtonsProps) {
  const { t } = useTranslation("templates");
  if (!mayChange) {
    return <Alert color="gray">{t("editor.reading")}</Alert>;
  }
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="default" disabled={!form.isDirty()} onClick={() => form.reset()}>
        {t("editor.undo")}
      </Button>
      <Button type="submit" loading={isSaving} disabled={!form.isDirty()}>
        {t("base:action.save")}
      </Button>
    </Group>
  );
}
