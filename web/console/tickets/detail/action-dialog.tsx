/** The confirmation of a ticket action, with its options. */
import { Checkbox, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { Confirm } from "../../../components/confirm.tsx";
import { useRestoreFocus } from "../../../components/use-restore-focus.ts";
import { useMay } from "../../session.ts";
import { AgentSelect } from "../agent-select.tsx";
import { ColleagueSelect } from "../colleague-select.tsx";
import { formatPhone, nameOf } from "../person.ts";
import { useTicketActions, type ActionInput } from "../ticket-actions.ts";
import type { StaffAction } from "../allowed-actions.ts";
import type { SomeTicket } from "../types.ts";
import { dangerous } from "./action-icons.ts";
import { EditDialog } from "./edit-dialog.tsx";

type FieldProps = Readonly<{
  ticket: SomeTicket;
  input: ActionInput;
  onChange: (input: ActionInput) => void;
}>;

type DialogProps = Readonly<{
  ticket: SomeTicket;
  action: StaffAction;
  onClose: () => void;
  onDone: (action: StaffAction) => void;
}>;

/** The dialog of an action. */
export function ActionDialog({ ticket, action, onClose, onDone }: DialogProps) {
  useRestoreFocus();
  return action === "edit" ? (
    <EditDialog ticketId={ticket.id} onClose={onClose} onDone={() => onDone(action)} />
  ) : (
    <Question ticket={ticket} action={action} onClose={onClose} onDone={onDone} />
  );
}

type QuestionProps = DialogProps & { action: Exclude<StaffAction, "edit"> };

function Question({ ticket, action, onClose, onDone }: QuestionProps) {
  const { t } = useTranslation("tickets");
  const perform = useTicketActions();
  const [input, setInput] = useState<ActionInput>({});
  const values = { id: ticket.id, customer: nameOf(ticket.requestor), agent: ticket.agent };
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={t(`action.${action}.title`, values)}
      action={t(`action.${action}.verb`)}
      isDangerous={dangerous.has(action)}
      onConfirm={async () => {
        await perform(action, ticket.id, input);
        onDone(action);
      }}
    >
      <Stack gap="sm">
        <Text size="sm">{t(`action.${action}.text`, values)}</Text>
        {action === "invite" ? (
          <ChannelFields ticket={ticket} input={input} onChange={setInput} />
        ) : null}
        {action === "assign" ? (
          <AgentField ticket={ticket} input={input} onChange={setInput} />
        ) : null}
      </Stack>
    </Confirm>
  );
}

function ChannelFields({ ticket, input, onChange }: FieldProps) {
  const { t } = useTranslation("tickets");
  const { phone, email } = ticket.requestor;
  const contacts = [
    ...(email === undefined ? [] : [{ channel: "email", contact: email }]),
    ...(phone === undefined ? [] : [{ channel: "sms", contact: formatPhone(phone) }]),
  ] as const;
  const chosen = input.channels?.split(",") ?? contacts.map(({ channel }) => channel);
  if (contacts.length < 2) {
    return (
      <Text size="sm" fw={600}>
        {contacts.map(({ contact }) => contact).join("")}
      </Text>
    );
  }
  return (
    <Checkbox.Group
      label={t("action.invite.channels")}
      value={[...chosen]}
      // At least one channel must remain.
      onChange={(channels) =>
        onChange(channels.length === 0 ? input : { channels: channels.join(",") })
      }
    >
      <Group mt={4}>
        {contacts.map(({ channel, contact }) => (
          <Checkbox key={channel} value={channel} label={contact} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}

function AgentField({ ticket, input, onChange }: FieldProps) {
  const { t } = useTranslation("tickets");
  const label = t("action.assign.agent");
  const value = input.agent ?? "";
  const set = (agent: string): void => onChange({ agent });
  return useMay("users.read") ? (
    <AgentSelect label={label} value={value} onChange={set} />
  ) : (
    <ColleagueSelect who="agents" ticketId={ticket.id} {...{ label, value, onChange: set }} />
  );
}
