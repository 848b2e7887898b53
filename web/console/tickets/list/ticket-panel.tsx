import { useMounted } from "@mantine/hooks";
import { useTranslation } from "../../../base/i18n.ts";
import { SidePanel } from "../../../components/side-panel.tsx";
import { TicketDetail } from "../detail/ticket-detail.tsx";

type TicketPanelProps = Readonly<{
  /** Id of the ticket in the detail pane. */
  id: string | undefined;
  onClose: () => void;
}>;

export function TicketPanel({ id, onClose }: TicketPanelProps) {
  const { t } = useTranslation("tickets");
  // Opens after mounting, so that the focus returns to the element that had it before.
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
