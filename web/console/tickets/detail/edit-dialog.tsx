import {
  Button,
  Divider,
  Group,
  Modal,
  SimpleGrid,
  Skeleton,
  Stack,
  TextInput,
} from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { api, call } from "../../../base/api.ts";
import { ErrorBox } from "../../../components/error-box.tsx";
import { useFieldFaults } from "../form-faults.ts";
import { useRefresh } from "../ticket-actions.ts";
import { ticketQuery } from "../queries.ts";
import { fieldRows, fieldValuesOf, sentValue, type CommonValues } from "../ticket-fields.ts";
import { PartFields, TimeFields, toLocalInput } from "../ticket-inputs.tsx";
import type { Ticket } from "../types.ts";

type EditProps = Readonly<{ ticketId: number; onClose: () => void; onDone: () => void }>;

type Values = CommonValues & { phone: string; email: string };

/** Edits the customer and the subject. */
export function EditDialog(props: EditProps) {
  const { t } = useTranslation("tickets");
  const { data, error } = useQuery(ticketQuery(props.ticketId));
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={t("action.edit.title", { id: props.ticketId })}
      size="lg"
      closeButtonProps={{ "aria-label": t("form.close") }}
    >
      {error !== null && data === undefined ? <ErrorBox error={error} /> : null}
      {data === undefined ? <Skeleton height={420} /> : <EditForm {...props} ticket={data} />}
    </Modal>
  );
}

function EditForm({ ticket, onClose, onDone }: EditProps & { ticket: Ticket }) {
  const { t } = useTranslation("tickets");
  const [before] = useState(() => valuesOf(ticket));
  const [fault, setFault] = useState<unknown>();
  const form = useForm<Values>({ initialValues: before });
  const faultsOf = useFieldFaults();
  const refresh = useRefresh();
  const save = async (values: Values): Promise<void> => {
    setFault(undefined);
    try {
      const params = { path: { ticketId: ticket.id } };
      const body = changesOf(before, values);
      await refresh(ticket.id, await call(api.PATCH("/api/tickets/{ticketId}", { params, body })));
      onDone();
      onClose();
    } catch (thrown) {
      form.setErrors(faultsOf(thrown));
      setFault(thrown);
    }
  };
  return (
    <form onSubmit={form.onSubmit(save)}>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <TextInput label={t("field.phone")} type="tel" {...form.getInputProps("phone")} />
          <TextInput label={t("field.email")} type="email" {...form.getInputProps("email")} />
        </SimpleGrid>
        <PartFields form={form} part="person" />
        <Divider />
        <PartFields form={form} part="subject" />
        <Divider />
        <TimeFields form={form} />
        {fault === undefined ? null : <ErrorBox error={fault} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t("form.cancel")}
          </Button>
          <Button type="submit" loading={form.submitting} disabled={!form.isDirty()}>
            {t("action.edit.verb")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function valuesOf(ticket: Ticket): Values {
  const { phone = "", email = "" } = ticket.requestor;
  return {
    ...{ phone, email },
    ...fieldValuesOf(ticket),
    startTime: toLocalInput(ticket.start_time),
    duration: minutesOf(ticket),
  };
}

function minutesOf({ start_time: start, end_time: end }: Ticket): number {
  return Math.round((Date.parse(end) - Date.parse(start)) / 60_000);
}

/** Changed fields only, so that concurrent changes of others are kept. */
function changesOf(before: Values, after: Values): Record<string, unknown> {
  const sent: Record<keyof Values, unknown> = {
    ...after,
    ...Object.fromEntries(fieldRows.map(([name, row]) => [name, sentValue(row, after[name])])),
    startTime: new Date(after.startTime).toISOString(),
    duration: Number(after.duration),
  };
  return Object.fromEntries(
    (Object.keys(after) as (keyof Values)[])
      .filter((name) => after[name] !== before[name])
      .map((name) => [name, sent[name]]),
  );
}
