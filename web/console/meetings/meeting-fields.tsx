import {
  Button,
  Collapse,
  Fieldset,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Textarea,
  TextInput,
} from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../base/i18n.ts";
import { useMay, useSession } from "../session.ts";
import { GuestList } from "./guest-list.tsx";
import type { MeetingValues } from "./meeting-values.ts";
import { servicesQuery } from "./queries.ts";
import { TimeFields } from "./time-fields.tsx";
import { languages } from "../../../src/contracts/languages.ts";
import { UserBox } from "./user-box.tsx";

type FormProps = Readonly<{ form: UseFormReturnType<MeetingValues> }>;

type MeetingFieldsProps = FormProps &
  Readonly<{
    /** Shows the advanced fields. */
    isWide: boolean;
    onWide: (isWide: boolean) => void;
  }>;

/** Fields of a new meeting, the common ones first. */
export function MeetingFields({ form, isWide, onWide }: MeetingFieldsProps) {
  const { t } = useTranslation("meetings");
  const Picture = isWide ? IconChevronUp : IconChevronDown;
  return (
    <>
      <Fieldset legend={t("create.who")}>
        <Who form={form} />
      </Fieldset>
      <Fieldset legend={t("create.what")}>
        <Stack gap="sm">
          <TextInput
            label={t("field.name")}
            placeholder={t("field.name_usual")}
            maxLength={255}
            {...form.getInputProps("name")}
          />
          <When form={form} />
          <Words form={form} />
        </Stack>
      </Fieldset>
      <Fieldset legend={t("create.rights")}>
        <Rights form={form} />
      </Fieldset>
      <div>
        <Button
          variant="subtle"
          size="xs"
          aria-expanded={isWide}
          rightSection={<Picture size={14} aria-hidden />}
          onClick={() => onWide(!isWide)}
        >
          {t("create.more")}
        </Button>
        <Collapse expanded={isWide}>
          <Fieldset legend={t("create.more")} mt="xs">
            <More form={form} />
          </Fieldset>
        </Collapse>
      </div>
    </>
  );
}

function Who({ form }: FormProps) {
  const { t } = useTranslation("meetings");
  const { error, value, onChange } = form.getInputProps("guests") as {
    error?: string;
    value: string[];
    onChange: (value: string[]) => void;
  };
  return (
    <Stack gap="sm">
      <GuestList value={value} onChange={onChange} error={error} />
      <Switch
        label={t("field.invite")}
        description={t("field.invite_note")}
        {...form.getInputProps("isInvited", { type: "checkbox" })}
      />
    </Stack>
  );
}

function When({ form }: FormProps) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <TimeFields start={form.getInputProps("start")} minutes={form.getInputProps("minutes")} />
    </SimpleGrid>
  );
}

function Words({ form }: FormProps) {
  const { t } = useTranslation("meetings");
  return (
    <>
      <Textarea
        label={t("field.message")}
        description={t("field.message_note", { count: 300 - form.values.message.length })}
        maxLength={300}
        autosize
        minRows={2}
        {...form.getInputProps("message")}
      />
      <Select
        label={t("field.language")}
        placeholder={t("field.language_usual")}
        clearable
        data={languages.map((value) => ({ value, label: t(`language.${value}`) }))}
        {...form.getInputProps("language")}
        value={form.values.language === "" ? null : form.values.language}
        onChange={(language) =>
          form.setFieldValue("language", (language ?? "") as MeetingValues["language"])
        }
      />
    </>
  );
}

function Rights({ form }: FormProps) {
  const { t } = useTranslation("meetings");
  const { user } = useSession();
  return (
    <Stack gap="sm">
      <Switch
        label={t("field.moderation")}
        description={t("field.moderation_note")}
        {...form.getInputProps("isModerated", { type: "checkbox" })}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <UserBox
          label={t("field.organizer")}
          placeholder={user.login}
          {...form.getInputProps("organizer")}
        />
        <UserBox
          label={t("field.moderator")}
          placeholder={t("field.moderator_usual")}
          {...form.getInputProps("moderator")}
        />
      </SimpleGrid>
    </Stack>
  );
}

function More({ form }: FormProps) {
  const { t } = useTranslation("meetings");
  const maySeeServices = useMay("services.read");
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput
          label={t("field.password")}
          description={t("field.password_note")}
          inputMode="tel"
          autoComplete="off"
          maxLength={16}
          {...form.getInputProps("password")}
        />
        <NumberInput
          label={t("field.reminder")}
          description={t("field.reminder_note")}
          placeholder={t("field.reminder_usual")}
          min={0}
          max={10_080}
          allowDecimal={false}
          clampBehavior="none"
          {...form.getInputProps("reminder")}
        />
        {maySeeServices ? <ServiceBox form={form} /> : null}
      </SimpleGrid>
      <Switch
        label={t("field.open")}
        description={t("field.open_note")}
        {...form.getInputProps("isOpen", { type: "checkbox" })}
      />
    </Stack>
  );
}

function ServiceBox({ form }: FormProps) {
  const { t } = useTranslation("meetings");
  const { data } = useQuery(servicesQuery);
  return (
    <Select
      label={t("field.service")}
      placeholder={t("field.service_usual")}
      clearable
      searchable
      data={(data ?? []).map(({ service_key: value, name: label }) => ({ value, label }))}
      {...form.getInputProps("service")}
      value={form.values.service === "" ? null : form.values.service}
      onChange={(key) => form.setFieldValue("service", key ?? "")}
    />
  );
}
