import { Button, Checkbox, Group, SegmentedControl, Stack, Text, TextInput } from "@mantine/core";
import { useRef, useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { ErrorBox } from "../../../components/error-box.tsx";
import { FilterField } from "../filters/filter-field.tsx";
import { Preview } from "../filters/preview.tsx";
import { Section } from "../section.tsx";
import { ConditionsField } from "./conditions-field.tsx";
import { useFieldFaults } from "./faults.ts";
import { HeadersField } from "./headers-field.tsx";
import { MoreFields } from "./more-fields.tsx";
import { useWebhookForm, type WebhookForm as Form } from "./use-webhook-form.ts";
import { useLeaveGuard } from "../../../components/use-leave-guard.tsx";
import { parseConditions, partOf, type FormValues, type MorePart } from "./values.ts";
import classes from "./form.module.css";

type WebhookFormProps = Readonly<{
  initialValues: FormValues;
  isNew: boolean;
  /** Whether it was saved and the page can be left. Throws if rejected. */
  onSubmit: (values: FormValues) => Promise<boolean>;
  onCancel: () => void;
  /** A notice above the fields, for a concurrent change. */
  renderNotice?: (form: Form) => React.ReactNode;
}>;

export function WebhookForm(props: WebhookFormProps) {
  const { initialValues, isNew, onSubmit, onCancel, renderNotice } = props;
  const { t } = useTranslation("webhooks");
  const form = useWebhookForm(initialValues);
  const [fault, setFault] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const faultsOf = useFieldFaults();
  const { open, setOpen, find, show } = useFaultFinder(form);
  const guard = useLeaveGuard(form.isDirty());
  const submit = async (values: FormValues): Promise<void> => {
    setBusy(true);
    setFault(undefined);
    guard.allow(true);
    try {
      guard.allow(await onSubmit(values));
    } catch (thrown) {
      guard.allow(false);
      const faults = faultsOf(thrown, values);
      form.setErrors(faults);
      find(faults);
      setFault(Object.keys(faults).length === 0 ? thrown : undefined);
    } finally {
      setBusy(false);
    }
  };
  const isPush = form.values.mode === "push";
  return (
    <form onSubmit={form.onSubmit((values) => void submit(values), find)} noValidate>
      <Stack gap="md" maw={1100}>
        {renderNotice?.(form)}
        <Basics form={form} isNew={isNew} />
        <EventsFields form={form} />
        {isPush ? (
          <Section title={t("headers.title")} note={t("headers.note")}>
            <HeadersField form={form} />
          </Section>
        ) : null}
        <Section title={t("more.title")} note={t("more.note")}>
          <MoreFields form={form} open={open} onOpen={setOpen} onThere={show} />
        </Section>
        {fault === undefined ? null : <ErrorBox error={fault} />}
        <Foot form={form} isNew={isNew} isBusy={isBusy} onCancel={onCancel} />
      </Stack>
      {guard.dialog}
    </form>
  );
}

/** Opens the section of the first error and scrolls to its field. */
function useFaultFinder(form: Form) {
  const [open, setOpen] = useState<readonly MorePart[]>([]);
  const wantedField = useRef<string>(undefined);
  const show = (): void => {
    const node = wantedField.current === undefined ? null : form.getInputNode(wantedField.current);
    if (node !== null) {
      wantedField.current = undefined;
      node.focus();
    }
  };
  const find = (faults: Record<string, unknown>): void => {
    const fields = Object.keys(faults);
    const parts = fields.map(partOf).filter((part) => part !== undefined);
    setOpen((before) => [...new Set([...before, ...parts])]);
    [wantedField.current] = fields;
    setTimeout(show, 0);
  };
  return { open, setOpen, find, show };
}

function Basics({ form, isNew }: { form: Form; isNew: boolean }) {
  const { t } = useTranslation("webhooks");
  return (
    <Section title={t("form.basics")}>
      <TextInput
        label={t("form.name")}
        description={t("form.name_help")}
        maxLength={128}
        withAsterisk
        autoFocus={isNew}
        {...form.getInputProps("name")}
      />
      {isNew ? (
        <div>
          <SegmentedControl
            aria-label={t("form.mode")}
            data={[
              { value: "push", label: t("form.push") },
              { value: "pull", label: t("form.pull") },
            ]}
            {...form.getInputProps("mode")}
          />
          <Text size="xs" c="dimmed" mt={4}>
            {t(form.values.mode === "push" ? "form.push_help" : "form.pull_help")}
          </Text>
        </div>
      ) : null}
      {form.values.mode === "push" ? (
        <TextInput
          label={t("form.url")}
          description={t("form.url_help")}
          placeholder="https://crm.example.com/webhooks"
          type="url"
          withAsterisk={form.values.active}
          maxLength={2048}
          classNames={{ input: "mono" }}
          {...form.getInputProps("url")}
        />
      ) : null}
    </Section>
  );
}

function EventsFields({ form }: { form: Form }) {
  const { t } = useTranslation("webhooks");
  const conditions = parseConditions(form.values.conditions);
  return (
    <Section title={t("form.gets")} note={t("form.gets_help")}>
      <div className={classes["events"]}>
        <FilterField
          value={form.values.filters}
          onChange={(filters) => form.setFieldValue("filters", filters)}
          fault={form.errors["filters"]}
        />
        <Stack gap="sm">
          <ConditionsField form={form} />
          <Preview
            filters={form.values.filters}
            conditions={conditions ?? null}
            isBroken={conditions === undefined}
          />
        </Stack>
      </div>
    </Section>
  );
}

type FootProps = Readonly<{ form: Form; isNew: boolean; isBusy: boolean; onCancel: () => void }>;

function Foot({ form, isNew, isBusy, onCancel }: FootProps) {
  const { t } = useTranslation("webhooks");
  const { t: common } = useTranslation();
  return (
    <div className={classes["foot"]}>
      <Checkbox
        label={t("form.activate")}
        {...form.getInputProps("active", { type: "checkbox" })}
      />
      <Group gap="xs">
        {!isNew && form.isDirty() ? (
          <Text size="sm" c="dimmed">
            {t("form.unsaved")}
          </Text>
        ) : null}
        <Button variant="default" onClick={onCancel}>
          {common("action.cancel")}
        </Button>
        <Button type="submit" loading={isBusy} disabled={!isNew && !form.isDirty()}>
          {isNew ? t("form.create") : common("action.save")}
        </Button>
      </Group>
    </div>
  );
}
