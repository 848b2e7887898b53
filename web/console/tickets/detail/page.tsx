import { Anchor } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { IconArrowLeft, IconTicketOff } from "@tabler/icons-react";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useTranslation } from "../../../base/i18n.ts";
import { EmptyState } from "../../../components/empty-state.tsx";
import { useWaitingWatch } from "../use-waiting.ts";
import { TicketDetail } from "./ticket-detail.tsx";
import classes from "./detail.module.css";

/** A ticket as a page of its own, also the target of agent links. */
export function TicketPage() {
  const { t } = useTranslation("tickets");
  useWaitingWatch();
  const { ticketId: input = "" } = useParams({ strict: false });
  const navigate = useNavigate();
  const ticketId = /^[1-9]\d{0,14}$/u.test(input) ? Number(input) : undefined;
  useDocumentTitle(`${t("detail.title", { id: input })} · Sightline`);
  if (ticketId === undefined) {
    return (
      <EmptyState
        icon={IconTicketOff}
        title={t("detail.no_such")}
        text={t("detail.no_such_text")}
      />
    );
  }
  return (
    <>
      <Anchor component={Link} to="/tickets" size="sm" className={classes["back"] ?? ""}>
        <IconArrowLeft size={15} aria-hidden /> {t("list.title")}
      </Anchor>
      <TicketDetail
        key={ticketId}
        ticketId={ticketId}
        onGone={() => void navigate({ to: "/tickets" })}
      />
    </>
  );
}
