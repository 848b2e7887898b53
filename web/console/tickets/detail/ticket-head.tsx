import { Button, Group, Menu, Text, Title } from "@mantine/core";
import { IconChevronDown, IconExternalLink } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "../../../base/i18n.ts";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { showDone } from "../../../components/show-fault.tsx";
import { useSession } from "../../session.ts";
import { CallLink } from "../call-link.tsx";
import { NextStep } from "../list/columns.tsx";
import { nameOf } from "../person.ts";
import { allowedActions, canCall, type StaffAction } from "../allowed-actions.ts";
import { TicketStateBadge } from "../states.tsx";
import type { Ticket } from "../types.ts";
import { actionIcons, dangerous } from "./action-icons.ts";
import classes from "./detail.module.css";
import { ActionDialog, prepareActionDialog, useActionDialog } from "./use-action-dialog.ts";

type HeadProps = Readonly<{ ticket: Ticket; isPanel: boolean; onGone: () => void }>;

/** Customer, state and actions. */
export function TicketHead({ ticket, isPanel, onGone }: HeadProps) {
  const { t } = useTranslation("tickets");
  const session = useSession();
  const dialog = useActionDialog();
  const mayCall = canCall(ticket, session);
  const done = (action: StaffAction): void => {
    showDone(t(`action.${action}.done`, { id: ticket.id }));
    if (action === "remove") {
      onGone();
    }
  };
  return (
    <header className={classes["head"]}>
      <Names ticket={ticket} isPanel={isPanel} />
      {mayCall ? <CallLink ticket={ticket} /> : null}
      <Actions
        actions={allowedActions(ticket, session)}
        isAgain={ticket.state === "invited"}
        isSecondary={mayCall}
        onChoose={dialog.open}
      />
      {dialog.action === undefined ? null : (
        <ActionDialog ticket={ticket} action={dialog.action} onClose={dialog.close} onDone={done} />
      )}
    </header>
  );
}

function Names({ ticket, isPanel }: { ticket: Ticket; isPanel: boolean }) {
  const { t } = useTranslation("tickets");
  const who = ticket.name ?? nameOf(ticket.requestor);
  return (
    <div className={classes["names"]}>
      <Group gap="xs">
        <Title order={1} className={classes["who"] ?? ""}>
          {who}
        </Title>
        <TicketStateBadge state={ticket.state} />
      </Group>
      <Text size="sm" c="dimmed">
        {isPanel ? (
          <Link
            to="/tickets/$ticketId"
            params={{ ticketId: String(ticket.id) }}
            className={classes["own_page"] ?? ""}
          >
            {t("detail.own_page")} <IconExternalLink size={13} aria-hidden />
          </Link>
        ) : (
          t("detail.title", { id: ticket.id })
        )}
        {" · "}
        {t("detail.created")} <RelativeTime at={ticket.created} />
      </Text>
      <NextStep ticket={ticket} />
      {ticket.subject === null ? null : <Text mt={4}>{ticket.subject}</Text>}
    </div>
  );
}

type ActionsProps = Readonly<{
  actions: readonly StaffAction[];
  isAgain: boolean;
  /** Not the primary action. */
  isSecondary: boolean;
  onChoose: (action: StaffAction) => void;
}>;

const shownFirst = 2;

/** The two main actions as buttons, the others in a menu. */
function Actions({ actions, isAgain, isSecondary, onChoose }: ActionsProps) {
  const { t } = useTranslation("tickets");
  const nameOfAction = (action: StaffAction): string =>
    t(action === "invite" && isAgain ? "action.invite.again" : `action.${action}.name`);
  const others = actions.slice(shownFirst);
  return (
    <Group
      gap="xs"
      role="group"
      aria-label={t("detail.actions")}
      onPointerEnter={prepareActionDialog}
      onFocus={prepareActionDialog}
    >
      {actions.slice(0, shownFirst).map((action, index) => {
        const Picture = actionIcons[action];
        return (
          <Button
            key={action}
            variant={index === 0 && !isSecondary ? "filled" : "default"}
            data-action={action}
            leftSection={<Picture size={16} aria-hidden />}
            onClick={() => onChoose(action)}
          >
            {nameOfAction(action)}
          </Button>
        );
      })}
      {others.length === 0 ? null : (
        <Menu position="bottom-end" shadow="md">
          <Menu.Target>
            <Button variant="default" rightSection={<IconChevronDown size={15} aria-hidden />}>
              {t("detail.more")}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {others.map((action) => {
              const Picture = actionIcons[action];
              return (
                <Menu.Item
                  key={action}
                  data-action={action}
                  leftSection={<Picture size={16} aria-hidden />}
                  {...(dangerous.has(action) ? { color: "var(--bad)" } : {})}
                  onClick={() => onChoose(action)}
                >
                  {nameOfAction(action)}
                </Menu.Item>
              );
            })}
          </Menu.Dropdown>
        </Menu>
      )}
    </Group>
  );
}
