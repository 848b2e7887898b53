import { ActionIcon, Group, Tooltip } from "@mantine/core";
import { useMounted } from "@mantine/hooks";
import { IconArrowsMaximize, IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "../../../base/i18n.ts";
import { DetailPane } from "../../../components/detail-pane.tsx";
import { DeliveryDetail } from "../detail/delivery-detail.tsx";
import type { Row } from "./pages.ts";

type DeliveryPanelProps = Readonly<{
  openId: number | undefined;
  rows: readonly Row[];
  onOpen: (deliveryId: number) => void;
  onClose: () => void;
}>;

/** A delivery in the detail pane, with links to the previous and the next one. */
export function DeliveryPanel({ openId, rows, onOpen, onClose }: DeliveryPanelProps) {
  const { t } = useTranslation("deliveries");
  // Opens after mounting, so that the focus returns to the element that had it before.
  const isThere = useMounted();
  const index = rows.findIndex(({ id }) => id === openId);
  const title = t("detail.title", { id: openId ?? "" });
  return (
    <DetailPane
      isOpen={isThere && openId !== undefined}
      onClose={onClose}
      label={title}
      title={
        <Group gap={4}>
          <strong>{title}</strong>
          <Step
            to={index < 1 ? undefined : rows[index - 1]}
            label={t("detail.previous")}
            icon={IconChevronUp}
            onOpen={onOpen}
          />
          <Step
            to={index < 0 ? undefined : rows[index + 1]}
            label={t("detail.next")}
            icon={IconChevronDown}
            onOpen={onOpen}
          />
          <Tooltip label={t("detail.own_page")}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t("detail.own_page")}
              renderRoot={(props) => (
                <Link
                  {...props}
                  to="/dashboard/deliveries/$deliveryId"
                  params={{ deliveryId: String(openId ?? 0) }}
                />
              )}
            >
              <IconArrowsMaximize size={15} />
            </ActionIcon>
          </Tooltip>
        </Group>
      }
    >
      {openId === undefined ? null : (
        <DeliveryDetail key={openId} deliveryId={openId} onReplayed={onOpen} />
      )}
    </DetailPane>
  );
}

type StepProps = Readonly<{ to: Row | undefined; label: string; icon: typeof IconChevronUp }>;

function Step({
  to,
  label,
  icon: Picture,
  onOpen,
}: StepProps & Pick<DeliveryPanelProps, "onOpen">) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        disabled={to === undefined}
        aria-label={label}
        onClick={() => (to === undefined ? undefined : onOpen(to.id))}
      >
        <Picture size={16} />
      </ActionIcon>
    </Tooltip>
  );
}
