import { Button, type ButtonProps } from "@mantine/core";
import { IconPhoneCall, IconVideo } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../base/i18n.ts";
import { ticketQuery } from "./queries.ts";
import type { Ticket } from "./types.ts";
import { useIsWaiting } from "./use-waiting.ts";

type CallLinkProps = Pick<ButtonProps, "size"> & Readonly<{ ticket: Ticket }>;

/** Green while the customer waits. A plain link: the agents' page is another document. */
export function CallLink({ ticket, size = "sm" }: CallLinkProps) {
  const { t } = useTranslation("tickets");
  const isWaiting = useIsWaiting(ticket.id);
  const Picture = isWaiting ? IconPhoneCall : IconVideo;
  return (
    <Button
      component="a"
      href={`/agent/entrypoint/${ticket.button_id}/tickets/${ticket.id}`}
      color={isWaiting ? "green" : "accent"}
      size={size}
      leftSection={<Picture size={16} aria-hidden />}
    >
      {t("detail.open_call")}
    </Button>
  );
}

/** In a list, whose rows lack the button of the link: only while the customer waits. */
export function WaitingCallLink({ ticketId }: { ticketId: number }) {
  const enabled = useIsWaiting(ticketId);
  const { data } = useQuery({ ...ticketQuery(ticketId), enabled, refetchInterval: false });
  return enabled && data !== undefined ? <CallLink ticket={data} size="compact-xs" /> : null;
}
