import {
  Anchor,
  Checkbox,
  MultiSelect,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../../base/i18n.ts";
import { roles } from "../../../src/contracts/permissions.ts";
import { PasswordField } from "../../components/password-field.tsx";
import { useSession } from "../session.ts";
import { languageChoices } from "../settings/languages.ts";
import { groupsQuery } from "./queries.ts";
import type { UserValues } from "./values.ts";

type FieldsProps = Readonly<{ form: UseFormReturnType<UserValues>; isNew: boolean }>;

export function PersonFields({ form, isNew }: FieldsProps) {
  const { t } = useTranslation("users");
  const optional = ` (${t("base:form.optional")})`;
  const own = { autoComplete: "off" } as const;
  return (
    <>
      <TextInput
        label={t("field.login")}
        description={t("field.login_note")}
        placeholder="a.martin@example.com"
        maxLength={255}
        required
        {...own}
        {...form.getInputProps("login")}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label={t("field.firstname")}
          maxLength={128}
          {...own}
          {...form.getInputProps("firstname")}
        />
        <TextInput
          label={t("field.lastname")}
          maxLength={128}
          {...own}
          {...form.getInputProps("lastname")}
        />
        <TextInput
          label={`${t("field.email")}${isNew ? optional : ""}`}
          type="email"
          maxLength={320}
          description={isNew ? t("field.email_note") : undefined}
          {...own}
          {...form.getInputProps("email")}
        />
        <TextInput
          label={`${t("field.phone")}${optional}`}
          type="tel"
          maxLength={64}
          description={isNew ? t("field.phone_note") : undefined}
          {...own}
          {...form.getInputProps("phone")}
        />
      </SimpleGrid>
    </>
  );
}

/** Puts descriptions below the inputs, so that the inputs stay aligned. */
const noteBelow: ("label" | "input" | "description" | "error")[] = [
  ...(["label", "input", "description", "error"] as const),
];

export function WorkFields({ form }: Pick<FieldsProps, "form">) {
  const { t } = useTranslation("users");
  const { enterprise, user } = useSession();
  const { data: groups } = useQuery(groupsQuery(enterprise.id));
  const mayMakeSuperadmins = user.role === "superadmin";
  const choices = roles.filter(
    (role) => mayMakeSuperadmins || role !== "superadmin" || form.values.role === role,
  );
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <Select
        label={t("field.role")}
        description={t(`role_note.${form.values.role}`)}
        inputWrapperOrder={noteBelow}
        data={choices.map((value) => ({ value, label: t(`role.${value}`) }))}
        {...form.getInputProps("role")}
        onChange={(value) => {
          const role = roles.find((known) => known === value) ?? "agent";
          form.setFieldValue("role", role);
          form.setFieldValue("isAgent", role === "agent");
        }}
      />
      <MultiSelect
        label={t("field.groups")}
        description={t("field.groups_note")}
        inputWrapperOrder={noteBelow}
        data={(groups ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
        searchable
        clearable
        nothingFoundMessage={t("groups.no_such")}
        {...form.getInputProps("groups")}
      />
    </SimpleGrid>
  );
}

/** How a new user gets access. */
export function EntryFields({ form }: Pick<FieldsProps, "form">) {
  const { t } = useTranslation("users");
  return (
    <Stack gap="xs">
      <SegmentedControl
        aria-label={t("entry.name")}
        data={[
          { value: "link", label: t("entry.link") },
          { value: "password", label: t("entry.password") },
        ]}
        {...form.getInputProps("entry")}
      />
      {form.values.entry === "link" ? (
        <Text size="xs" c="dimmed">
          {t("entry.link_note")}
        </Text>
      ) : (
        <PasswordField
          label={t("base:sign_in.password")}
          description={t("base:password.rule")}
          autoComplete="new-password"
          {...form.getInputProps("password")}
        />
      )}
    </Stack>
  );
}

/** Rarely used fields, collapsed for a new user. */
export function RestFields({ form, isNew }: FieldsProps) {
  const { t } = useTranslation("users");
  const [isOpen, setOpen] = useState(!isNew);
  return isOpen ? (
    <Rest form={form} isNew={isNew} />
  ) : (
    <div>
      <Anchor component="button" type="button" size="sm" onClick={() => setOpen(true)}>
        {t("form.more")}
      </Anchor>
    </div>
  );
}

const languages = languageChoices();

function Rest({ form, isNew }: FieldsProps) {
  const { t } = useTranslation("users");
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label={t("field.nickname")}
          description={t("field.nickname_note")}
          maxLength={255}
          autoComplete="off"
          {...form.getInputProps("nickname")}
        />
        <Select
          label={t("field.language")}
          description={t("field.language_note")}
          data={[{ value: "", label: t("field.language_company") }, ...languages]}
          {...form.getInputProps("language")}
        />
        <TextInput
          label={t("field.external_id")}
          description={t("field.external_id_note")}
          maxLength={255}
          autoComplete="off"
          {...form.getInputProps("external_id")}
        />
        <Select
          label={t("field.account")}
          description={t("field.account_note")}
          data={[
            { value: "solution", label: t("account.solution") },
            { value: "platform", label: t("account.platform") },
          ]}
          {...form.getInputProps("accountType")}
        />
      </SimpleGrid>
      <Checkbox
        label={t("field.is_agent")}
        description={t("field.is_agent_note")}
        {...form.getInputProps("isAgent", { type: "checkbox" })}
      />
      {isNew ? null : (
        <Checkbox
          label={t("field.is_active")}
          description={t("field.is_active_note")}
          {...form.getInputProps("isActive", { type: "checkbox" })}
        />
      )}
    </>
  );
}
