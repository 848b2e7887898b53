import { useMounted } from "@mantine/hooks";
import { useTranslation } from "../../../base/i18n.ts";
import { SidePanel } from "../../../components/side-panel.tsx";
import { TicketDetail } from "../detail/ticket-detail.tsx";

type TicketPanelProps = Readonly<{
  /** Of the ticket that is open beside the list. */
  id: string | undefined;
  onClose: () => void;
}>;

export function TicketPanel({ id, onClose }: TicketPanelProps) {
  const { t } = useTranslation("tickets");
  // It opens once it is there: the focus returns to what had it when it opened.
  const isThere = useMounted();
  return (
    <SidePanel
      isOpen={isThere && id !== undefined}
      title={t("detail.title", { id: id ?? "" })}
      onClose={onClose}
    >
      {id === undefined ? null : (
        <TicketDetail key={id} ticketId={Number(id)} isPanel onGone={onClose} />
      )}
    </SidePanel>
  );
}
