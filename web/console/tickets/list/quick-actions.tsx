import { ActionIcon, Menu } from "@mantine/core";
import { IconDots, IconLink } from "@tabler/icons-react";
import { useTranslation } from "../../../base/i18n.ts";
import { CopyValueButton } from "../../../components/copy-button.tsx";
import { showDone } from "../../../components/show-fault.tsx";
import { useSession } from "../../session.ts";
import { WaitingCallLink } from "../call-link.tsx";
import { actionIcons } from "../detail/action-icons.ts";
import { ActionDialog, prepareActionDialog, useActionDialog } from "../detail/use-action-dialog.ts";
import { allowedActions, canCall } from "../allowed-actions.ts";
import type { ListedTicket } from "../types.ts";
import classes from "./list.module.css";

/** Row actions: the customer's link, and ticket actions. */
export function QuickActions({ ticket }: { ticket: ListedTicket }) {
  const { t } = useTranslation("tickets");
  const dialog = useActionDialog();
  const session = useSession();
  const actions = allowedActions(ticket, session).filter((action) => action !== "edit");
  return (
    // A click on an action must not open the row.
    <div
      className={classes["quick"]}
      role="presentation"
      onClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        // Tab must reach the focus trap of an open dialog.
        if (event.key !== "Tab") {
          event.stopPropagation();
        }
      }}
    >
      {canCall(ticket, session) ? <WaitingCallLink ticketId={ticket.id} /> : null}
      <CopyValueButton value={ticket.requestor_url} name={t("links.customer")} />
      {actions.length === 0 ? null : (
        <Menu position="bottom-end" shadow="md" onOpen={prepareActionDialog}>
          <Menu.Target>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-label={t("list.actions_of", { id: ticket.id })}
            >
              <IconDots size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item
              leftSection={<IconLink size={15} aria-hidden />}
              component="a"
              href={ticket.information_page_url}
              target="_blank"
              rel="noreferrer"
            >
              {t("links.information")}
            </Menu.Item>
            <Menu.Divider />
            {actions.map((action) => {
              const Picture = actionIcons[action];
              return (
                <Menu.Item
                  key={action}
                  leftSection={<Picture size={15} aria-hidden />}
                  onClick={() => dialog.open(action)}
                >
                  {t(`action.${action}.name`)}
                </Menu.Item>
              );
            })}
          </Menu.Dropdown>
        </Menu>
      )}
      {dialog.action === undefined ? null : (
        <ActionDialog
          ticket={ticket}
          action={dialog.action}
          onClose={dialog.close}
          onDone={(action) => showDone(t(`action.${action}.done`, { id: ticket.id }))}
        />
      )}
    </div>
  );
}
