import { Checkbox, NumberInput, Select, SimpleGrid, Stack, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { attemptResults, replayStatuses } from "../../../../src/contracts/deliveries.ts";
import { useTranslation } from "../../../base/i18n.ts";
import { eventTypesQuery, webhooksQuery } from "../queries.ts";
import { fromLocal, toLocal } from "../local-time.ts";
import { useWebhookLabel } from "../use-labels.ts";
import { useWords } from "../labels.ts";
import type { ReplayFields } from "./criteria.ts";

type Form = UseFormReturnType<ReplayFields>;

/** Fields for the criteria and the rate. */
export function ReplayForm({ form }: { form: Form }) {
  const { t } = useTranslation("deliveries");
  const label = useWebhookLabel();
  const words = useWords();
  const webhooks = useQuery(webhooksQuery);
  const types = useQuery(eventTypesQuery);
  return (
    <Stack gap="sm">
      <Select
        label={t("replay.to")}
        placeholder={t("replay.choose_webhook")}
        data={(webhooks.data?.data ?? [])
          .filter(({ mode }) => mode === "push")
          .map((webhook) => ({ value: String(webhook.id), label: label(webhook) }))}
        value={form.values.webhook === "" ? null : form.values.webhook}
        onChange={(value) => form.setFieldValue("webhook", value ?? "")}
        allowDeselect={false}
        withAsterisk
        data-autofocus
      />
      <Statuses form={form} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <Bounds form={form} />
        <Choice
          form={form}
          field="object"
          data={(types.data?.objects ?? []).map(({ object }) => ({
            value: object,
            label: words.object(object),
          }))}
        />
        <Choice
          form={form}
          field="eventType"
          data={(types.data?.eventTypes ?? []).map(({ eventType }) => ({
            value: eventType,
            label: words.eventType(eventType),
          }))}
        />
        <Choice
          form={form}
          field="result"
          disabled={form.values.status.includes("never_attempted")}
          data={attemptResults
            .filter((one) => one !== "1xx")
            .map((one) => ({ value: one, label: words.resultClass(one) }))}
        />
        <NumberInput
          label={t("replay.rate")}
          min={1}
          max={1_000}
          clampBehavior="strict"
          allowDecimal={false}
          value={form.values.rate}
          onChange={(value) => form.setFieldValue("rate", Number(value) || 1)}
        />
      </SimpleGrid>
    </Stack>
  );
}

function Statuses({ form }: { form: Form }) {
  const { t } = useTranslation("deliveries");
  return (
    <Checkbox.Group
      label={t("replay.status")}
      value={[...form.values.status]}
      onChange={(chosen) => {
        form.setFieldValue("status", chosen);
        if (chosen.includes("never_attempted")) {
          form.setFieldValue("result", "");
        }
      }}
      error={form.values.status.length === 0 ? t("base:form.required") : undefined}
    >
      <Stack gap={6} mt={6}>
        {replayStatuses.map((one) => (
          <Checkbox
            key={one}
            size="xs"
            value={one}
            label={t(`replay_status.${one}`)}
            description={t(`replay_status_note.${one}`)}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

function Bounds({ form }: { form: Form }) {
  const { t } = useTranslation("deliveries");
  return (["since", "until"] as const).map((by) => (
    <TextInput
      key={by}
      type="datetime-local"
      label={t(`period.${by}`)}
      value={toLocal(form.values[by])}
      onChange={(event) => form.setFieldValue(by, fromLocal(event.currentTarget.value) ?? "")}
    />
  ));
}

/** A select whose first option is "any". */
function Choice(props: {
  form: Form;
  field: "object" | "eventType" | "result";
  data: { value: string; label: string }[];
  disabled?: boolean;
}) {
  const { t } = useTranslation("deliveries");
  const { form, field, data, disabled = false } = props;
  return (
    <Select
      label={t(`replay.${field}`)}
      placeholder={t("replay.any")}
      data={data}
      value={form.values[field] === "" ? null : form.values[field]}
      onChange={(value) => form.setFieldValue(field, value ?? "")}
      clearable
      searchable
      disabled={disabled}
      clearButtonProps={{ "aria-label": t("base:filter.remove", { name: t(`replay.${field}`) }) }}
    />
  );
}
