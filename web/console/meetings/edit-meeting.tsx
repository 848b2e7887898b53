import {
  Button,
  Checkbox,
  Group,
  Modal,
  Select,
  SimpleGrid,
  Stack,
  TextInput,
} from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../../base/i18n.ts";
import { api, call } from "../../base/api.ts";
import { asProblem } from "../../base/problem.ts";
import { ErrorBox } from "../../components/error-box.tsx";
import { showDone } from "../../components/show-fault.tsx";
import { changeBody, valuesOf, type ChangeValues } from "./change-body.ts";
import type { MeetingDialogProps } from "./meeting-confirms.tsx";
import { isPasswordOrEmpty } from "./meeting-values.ts";
import { accessQuery, useRefresh } from "./queries.ts";
import { TimeFields } from "./time-fields.tsx";
import { UserBox } from "./user-box.tsx";

const fields: Readonly<Record<string, string>> = { startTime: "start", duration: "minutes" };

/** Sends only the fields that differ from the meeting with which the dialog was opened. */
export function EditMeeting({ meeting, onClose }: MeetingDialogProps) {
  const { t } = useTranslation("meetings");
  const { t: tBase } = useTranslation();
  const refresh = useRefresh();
  const [before] = useState(meeting);
  const form = useForm<ChangeValues>({
    initialValues: valuesOf(before),
    validate: {
      name: (name) => (name.trim().length < 2 ? t("fault.short") : null),
      start: (start) => (Number.isNaN(Date.parse(start)) ? t("fault.start") : null),
      minutes: (minutes) =>
        Number(minutes) >= 1 && Number(minutes) <= 1_440 ? null : t("fault.minutes"),
      password: (password, { isPasswordRemoved }) =>
        isPasswordRemoved || isPasswordOrEmpty(password) ? null : t("fault.password"),
    },
  });
  const changing = useMutation({
    mutationFn: (values: ChangeValues) =>
      call(
        api.PATCH("/api/conferences/{conferenceId}", {
          params: { path: { conferenceId: meeting.id } },
          body: changeBody(values, before),
        }),
      ),
    onSuccess: async () => {
      showDone(tBase("action.saved"));
      await refresh();
      onClose();
    },
    onError: (thrown) => {
      const fieldErrors = asProblem(thrown).errors.map(({ field, detail }) => [
        fields[field] ?? field,
        detail ?? t("refused.other"),
      ]);
      form.setErrors(Object.fromEntries(fieldErrors));
    },
  });
  const isSame = Object.keys(changeBody(form.values, before)).length === 0;
  return (
    <Modal opened onClose={onClose} title={t("action.edit")} size="lg">
      <form onSubmit={form.onSubmit((values) => changing.mutate(values))} noValidate>
        <Stack gap="sm">
          <Fields form={form} meeting={meeting} />
          {changing.error === null ? null : <ErrorBox error={changing.error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {tBase("action.cancel")}
            </Button>
            <Button type="submit" disabled={isSame} loading={changing.isPending}>
              {tBase("action.save")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

type Form = UseFormReturnType<ChangeValues>;

function Fields({ form, meeting }: { form: Form } & Pick<MeetingDialogProps, "meeting">) {
  const { t } = useTranslation("meetings");
  const choices = [
    { value: "", label: t("edit.stays") },
    { value: "yes", label: t("edit.yes") },
    { value: "no", label: t("edit.no") },
  ];
  return (
    <>
      <TextInput label={t("field.name")} maxLength={255} {...form.getInputProps("name")} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TimeFields start={form.getInputProps("start")} minutes={form.getInputProps("minutes")} />
        <UserBox
          label={t("field.organizer")}
          placeholder={meeting.organizer.name}
          {...form.getInputProps("organizer")}
        />
        <UserBox
          label={t("field.moderator")}
          placeholder={meeting.moderator.name}
          {...form.getInputProps("moderator")}
        />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
        <Select label={t("edit.moderation")} data={choices} {...form.getInputProps("moderation")} />
        <Select label={t("edit.locked")} data={choices} {...form.getInputProps("locked")} />
        <Select label={t("edit.open")} data={choices} {...form.getInputProps("open")} />
      </SimpleGrid>
      <PasswordFields form={form} meeting={meeting} />
      <Checkbox
        label={t("edit.notify")}
        description={t("edit.notify_note")}
        {...form.getInputProps("isNotified", { type: "checkbox" })}
      />
    </>
  );
}

function PasswordFields({ form, meeting }: { form: Form } & Pick<MeetingDialogProps, "meeting">) {
  const { t } = useTranslation("meetings");
  const { data: access } = useQuery(accessQuery(meeting));
  const hasPassword = access?.password_required === true;
  return (
    <>
      <TextInput
        label={t(hasPassword ? "edit.password" : "field.password")}
        description={t("field.password_note")}
        inputMode="tel"
        autoComplete="off"
        maxLength={16}
        disabled={form.values.isPasswordRemoved}
        {...form.getInputProps("password")}
      />
      {hasPassword ? (
        <Checkbox
          label={t("edit.remove_password")}
          description={t("edit.remove_password_note")}
          {...form.getInputProps("isPasswordRemoved", { type: "checkbox" })}
        />
      ) : null}
    </>
  );
}
