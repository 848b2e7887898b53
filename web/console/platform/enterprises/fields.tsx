import { NumberInput, Select, SimpleGrid, Switch, Text, TextInput, Title } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useTranslation } from "../../../base/i18n.ts";
import { PasswordField } from "../../../components/password-field.tsx";
import { languageChoices } from "../../settings/languages.ts";
import { ManagerSelect } from "./manager-select.tsx";
import type { EnterpriseValues } from "./values.ts";

type FieldsProps = Readonly<{ form: UseFormReturnType<EnterpriseValues> }>;

const zones = Intl.supportedValuesOf("timeZone");

export function WhoFields({ form, id }: FieldsProps & { id: number | undefined }) {
  const { t } = useTranslation("platform");
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <TextInput
        label={t("field.name")}
        maxLength={128}
        required
        data-autofocus
        {...form.getInputProps("name")}
      />
      <ManagerSelect
        value={form.values.managed_by}
        onChange={(value) => form.setFieldValue("managed_by", value)}
        error={form.errors["managed_by"]}
        except={id}
      />
      <Select
        label={t("field.time_zone")}
        data={zones}
        searchable
        limit={50}
        {...form.getInputProps("time_zone")}
      />
      <Select
        label={t("field.language")}
        data={languageChoices()}
        {...form.getInputProps("language")}
      />
      <Switch
        label={t("field.solution")}
        description={t("field.solution_note")}
        {...form.getInputProps("solution_enabled", { type: "checkbox" })}
      />
    </SimpleGrid>
  );
}

export function QuotaFields({ form }: FieldsProps) {
  const { t } = useTranslation("platform");
  const shared = { min: 0, clampBehavior: "none", thousandSeparator: " " } as const;
  return (
    <div>
      <Title order={3} mb="xs">
        {t("form.quotas")}
      </Title>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <NumberInput
          label={t("field.max_users")}
          placeholder={t("field.no_bound")}
          allowDecimal={false}
          {...shared}
          {...form.getInputProps("max_users")}
        />
        <NumberInput
          label={t("field.max_media")}
          placeholder={t("field.no_bound")}
          decimalScale={3}
          suffix={t("field.gigabytes")}
          {...shared}
          {...form.getInputProps("max_media_gigabytes")}
        />
        <NumberInput
          label={t("field.max_sms")}
          allowDecimal={false}
          required
          {...shared}
          {...form.getInputProps("max_sms_per_day")}
        />
      </SimpleGrid>
    </div>
  );
}

export function AdminFields({ form }: FieldsProps) {
  const { t } = useTranslation("platform");
  return (
    <div>
      <Title order={3}>{t("form.admin")}</Title>
      <Text size="sm" c="dimmed" mb="xs">
        {t("form.admin_note")}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label={t("field.login")}
          required
          autoComplete="off"
          {...form.getInputProps("admin_login")}
        />
        <TextInput
          label={t("field.email")}
          type="email"
          autoComplete="off"
          {...form.getInputProps("admin_email")}
        />
        <TextInput
          label={t("field.firstname")}
          autoComplete="off"
          {...form.getInputProps("admin_firstname")}
        />
        <TextInput
          label={t("field.lastname")}
          autoComplete="off"
          {...form.getInputProps("admin_lastname")}
        />
        <PasswordField
          label={t("field.password")}
          description={t("field.password_note")}
          autoComplete="new-password"
          {...form.getInputProps("admin_password")}
        />
      </SimpleGrid>
    </div>
  );
}
