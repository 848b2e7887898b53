import {
  Checkbox,
  MultiSelect,
  Select,
  SimpleGrid,
  Stack,
  TagsInput,
  Textarea,
  TextInput,
} from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../base/i18n.ts";
import { CountField } from "../../components/count-field.tsx";
import { useMay, useSession } from "../session.ts";
import { languageChoices } from "../settings/languages.ts";
import { groupsQuery } from "../users/queries.ts";
import { roomBackends } from "../../../src/contracts/rooms.ts";
import type { ServiceValues } from "./values.ts";

type FieldsProps = Readonly<{ form: UseFormReturnType<ServiceValues> }>;

/** All settings of a service except its kind. */
export function ServiceFields({ form }: FieldsProps) {
  const { t } = useTranslation("services");
  return (
    <Stack gap="md">
      <NameFields form={form} />
      <AgentFields form={form} />
      <TimeFields form={form} />
      <BackendField form={form} />
      <Checkbox
        label={t("field.position")}
        description={t("field.position_note")}
        {...form.getInputProps("asks_position", { type: "checkbox" })}
      />
      <Checkbox
        label={t("field.active")}
        description={t("field.active_note")}
        {...form.getInputProps("is_active", { type: "checkbox" })}
      />
    </Stack>
  );
}

function NameFields({ form }: FieldsProps) {
  const { t } = useTranslation("services");
  return (
    <>
      <TextInput
        label={t("field.name")}
        description={t("field.name_note")}
        maxLength={255}
        required
        autoComplete="off"
        {...form.getInputProps("name")}
      />
      <Textarea
        label={t("field.description")}
        description={t("field.description_note")}
        maxLength={2_000}
        autosize
        minRows={2}
        maxRows={6}
        {...form.getInputProps("description")}
      />
    </>
  );
}

function AgentFields({ form }: FieldsProps) {
  const { t } = useTranslation("services");
  const { enterprise } = useSession();
  const maySeeGroups = useMay("users.read");
  const groups = useQuery({ ...groupsQuery(enterprise.id), enabled: maySeeGroups });
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <MultiSelect
        label={t("field.groups")}
        description={t("field.groups_note")}
        placeholder={form.values.groups.length === 0 ? t("list.all_agents") : ""}
        data={(groups.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
        searchable
        clearable
        {...form.getInputProps("groups")}
      />
      {form.values.kind === "ticket" ? (
        <TagsInput
          label={t("field.types")}
          description={t("field.types_note")}
          placeholder={form.values.ticket_types.length === 0 ? t("field.types_hint") : ""}
          maxTags={100}
          {...form.getInputProps("ticket_types")}
        />
      ) : null}
    </SimpleGrid>
  );
}

/** The media backend: for platform operators, so it comes last. */
function BackendField({ form }: FieldsProps) {
  const { t } = useTranslation("services");
  return (
    <Select
      label={t("field.backend")}
      description={t("field.backend_note")}
      data={roomBackends.map((value) => ({ value, label: t(`backend.${value}`) }))}
      allowDeselect={false}
      {...form.getInputProps("room_backend")}
    />
  );
}

const languages = languageChoices();

function TimeFields({ form }: FieldsProps) {
  const { t } = useTranslation("services");
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }}>
      <Select
        label={t("field.language")}
        description={t("field.language_note")}
        data={[{ value: "", label: t("field.language_company") }, ...languages]}
        {...form.getInputProps("language")}
      />
      <CountField
        label={t("field.not_clicked")}
        description={t("field.not_clicked_note")}
        unit={t("field.minutes")}
        {...form.getInputProps("not_clicked_minutes")}
      />
      <CountField
        label={t("field.reminder")}
        description={t("field.reminder_note")}
        placeholder={t("field.reminder_none")}
        unit={t("field.minutes")}
        {...form.getInputProps("reminder_minutes")}
      />
      <CountField
        label={t("field.media")}
        description={t("field.media_note")}
        unit={t("field.days")}
        {...form.getInputProps("media_retention_days")}
      />
    </SimpleGrid>
  );
}
