import { Button, Group, Modal, NumberInput, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "../../base/i18n.ts";
import { api, call } from "../../base/api.ts";
import { asProblem } from "../../base/problem.ts";
import { ErrorBox } from "../../components/error-box.tsx";
import { useRequestKey } from "../../components/request-key.ts";
import { showDone } from "../../components/show-fault.tsx";
import { useRestoreFocus } from "../../components/use-restore-focus.ts";
import { countSegments } from "./segments.ts";
import type { Message } from "./types.ts";
import type { Channel } from "../../../src/contracts/invitations.ts";

type Values = { to: string; subject: string; text: string; ticketId: number | string };

type SendMessageProps = Readonly<{ channel: Channel; onClose: () => void }>;

/** Sends an SMS or a mail to one person. */
export function SendMessage({ channel, onClose }: SendMessageProps) {
  useRestoreFocus();
  const { t } = useTranslation("messages");
  const { t: tBase } = useTranslation();
  const queries = useQueryClient();
  const navigate = useNavigate({ from: "/messages" });
  const needed = (value: string): string | null =>
    value.trim() === "" ? tBase("form.required") : null;
  const form = useForm<Values>({
    initialValues: { to: "", subject: "", text: "", ticketId: "" },
    validate: {
      to: needed,
      text: needed,
      subject: (value) => (channel === "email" ? needed(value) : null),
    },
  });
  const send = useSend(channel);
  const sending = useMutation({
    mutationFn: send,
    onSuccess: async ({ id }) => {
      showDone(t("send.done"));
      await queries.invalidateQueries({ queryKey: ["messages"] });
      onClose();
      await navigate({ search: (was) => ({ ...was, message: String(id) }) });
    },
    onError: (thrown) => {
      const fieldErrors = asProblem(thrown).errors.map(({ field }) => [
        field,
        field === "to" ? t(`send.bad.${channel}`) : t("send.refused"),
      ]);
      form.setErrors(Object.fromEntries(fieldErrors));
    },
  });
  return (
    <Modal opened onClose={onClose} title={t(`send.open.${channel}`)} size="lg">
      <form onSubmit={form.onSubmit((values) => sending.mutate(values))} noValidate>
        <Stack gap="sm">
          <Fields form={form} channel={channel} />
          {sending.error === null ? null : <ErrorBox error={sending.error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {tBase("action.cancel")}
            </Button>
            <Button type="submit" loading={sending.isPending}>
              {t("send.action")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function useSend(channel: Channel) {
  const keyOf = useRequestKey();
  return ({ to, subject, text, ticketId }: Values): Promise<Message> => {
    const common = {
      to: to.trim(),
      text,
      ...(ticketId === "" ? {} : { ticketId: Number(ticketId) }),
    };
    const params = { header: { "Idempotency-Key": keyOf([channel, common, subject]) } };
    return channel === "sms"
      ? call(api.POST("/api/sms", { params, body: common }))
      : call(api.POST("/api/emails", { params, body: { ...common, subject: subject.trim() } }));
  };
}

const longest = { sms: 1_530, email: 20_000 };

type FieldsProps = Readonly<{ form: UseFormReturnType<Values>; channel: Channel }>;

function Fields({ form, channel }: FieldsProps) {
  const { t } = useTranslation("messages");
  return (
    <>
      <TextInput
        label={t("list.to")}
        placeholder={t(`filter.to_${channel}`)}
        inputMode={channel === "sms" ? "tel" : "email"}
        maxLength={320}
        data-autofocus
        {...form.getInputProps("to")}
      />
      {channel === "email" ? (
        <TextInput label={t("list.subject")} maxLength={255} {...form.getInputProps("subject")} />
      ) : null}
      <div>
        <Textarea
          label={t("list.text")}
          autosize
          minRows={channel === "sms" ? 3 : 8}
          maxRows={16}
          maxLength={longest[channel]}
          {...form.getInputProps("text")}
        />
        {channel === "sms" ? <SmsCount text={form.values.text} /> : null}
      </div>
      <NumberInput
        label={t("send.ticket")}
        description={t("send.ticket_note")}
        min={1}
        allowDecimal={false}
        hideControls
        {...form.getInputProps("ticketId")}
      />
    </>
  );
}

function SmsCount({ text }: { text: string }) {
  const { t } = useTranslation("messages");
  const { segments, used, places, encoding } = countSegments(text);
  return (
    <Text size="xs" c="dimmed" aria-live="polite">
      {t("send.count", { count: segments, used, places })}
      {encoding === "UCS-2" ? ` ${t("send.wide")}` : ""}
    </Text>
  );
}
