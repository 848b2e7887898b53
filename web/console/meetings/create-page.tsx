import { Button, Group, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { useTranslation } from "../../base/i18n.ts";
import { api, call } from "../../base/api.ts";
import { asProblem } from "../../base/problem.ts";
import { ErrorBox } from "../../components/error-box.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { useRequestKey } from "../../components/request-key.ts";
import { showDone } from "../../components/show-fault.tsx";
import { countFaults } from "./contacts.ts";
import { MeetingFields } from "./meeting-fields.tsx";
import {
  createBody,
  emptyMeeting,
  fieldOf,
  meetingFaults,
  nextStart,
  type MeetingValues,
} from "./meeting-values.ts";
import { usePhones } from "./phones.ts";
import { useRefresh } from "./queries.ts";

export function NewMeetingPage() {
  const { t } = useTranslation("meetings");
  const { t: tBase } = useTranslation();
  const form = useMeetingForm();
  const creating = useCreate(form);
  const [isWide, setWide] = useState(false);
  const box = useRef<HTMLFormElement>(null);
  const { guests, isInvited } = form.values;
  const { readPhone } = usePhones();
  const count = guests.length - countFaults(guests, readPhone);
  const submit = form.onSubmit(
    (values) => creating.mutate(values),
    (errors) => {
      // Expands the section if it has errors.
      setWide(isWide || "reminder" in errors || "password" in errors);
      requestAnimationFrame(() =>
        box.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus(),
      );
    },
  );
  return (
    <>
      <PageHeader title={t("create.title")} note={t("create.note")} />
      <form ref={box} onSubmit={submit} noValidate aria-label={t("create.title")}>
        <Stack gap="md" maw={760}>
          <MeetingFields form={form} isWide={isWide} onWide={setWide} />
          {creating.error === null ? null : <ErrorBox error={creating.error} />}
          <Group gap="xs">
            <Button type="submit" loading={creating.isPending}>
              {isInvited && count > 0 ? t("create.action_invite", { count }) : t("create.action")}
            </Button>
            <Button variant="default" renderRoot={(props) => <Link to="/meetings" {...props} />}>
              {tBase("action.cancel")}
            </Button>
          </Group>
        </Stack>
      </form>
    </>
  );
}

function useCreate(form: ReturnType<typeof useMeetingForm>) {
  const { t, find } = useTranslation("meetings");
  const navigate = useNavigate();
  const refresh = useRefresh();
  const keyOf = useRequestKey();
  return useMutation({
    mutationFn: (values: MeetingValues) => {
      const body = createBody(values);
      const params = { header: { "Idempotency-Key": keyOf(body) } };
      return call(api.POST("/api/conferences", { params, body }));
    },
    onSuccess: async (meeting, { isInvited, guests }) => {
      showDone(isInvited ? t("create.done_invited", { count: guests.length }) : t("create.done"));
      await refresh();
      await navigate({
        to: "/meetings/$conferenceId",
        params: { conferenceId: String(meeting.id) },
      });
    },
    onError: (thrown) => {
      const faults = asProblem(thrown).errors.map(({ field, reason, detail }) => [
        fieldOf[field] ?? field,
        find(`refused.${reason}`) ?? detail ?? t("refused.other"),
      ]);
      form.setErrors(Object.fromEntries(faults));
    },
  });
}

function useMeetingForm() {
  const { t } = useTranslation("meetings");
  const { readPhone } = usePhones();
  const [initialValues] = useState(() => emptyMeeting(nextStart(new Date())));
  return useForm<MeetingValues>({
    initialValues,
    validate: (values) => {
      const faults = Object.entries(meetingFaults(values)).map(
        ([field, fault]) => [field, t(`fault.${fault}`)] as const,
      );
      const wrong = countFaults(values.guests, readPhone);
      return Object.fromEntries([
        ...faults,
        ...(wrong > 0 ? [["guests", t("guests.faults", { count: wrong })] as const] : []),
      ]);
    },
    validateInputOnBlur: true,
  });
}
