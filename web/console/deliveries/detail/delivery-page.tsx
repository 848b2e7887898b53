import { Anchor, Paper } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useTranslation } from "../../../base/i18n.ts";
import { PageHeader } from "../../../components/page-header.tsx";
import { NotFound } from "../../shell/not-found.tsx";
import { DeliveryDetail } from "./delivery-detail.tsx";
import classes from "./detail.module.css";

/** A delivery as a page of its own, for links. */
export function DeliveryPage() {
  const { t } = useTranslation("deliveries");
  const { deliveryId } = useParams({ from: "/signed-in/dashboard/deliveries/$deliveryId" });
  const navigate = useNavigate();
  const id = /^\d{1,15}$/u.test(deliveryId) ? Number(deliveryId) : undefined;
  if (id === undefined) {
    return <NotFound />;
  }
  const open = (next: number): void =>
    void navigate({
      to: "/dashboard/deliveries/$deliveryId",
      params: { deliveryId: String(next) },
    });
  return (
    <div className={classes["page"]}>
      <Anchor
        size="sm"
        className={classes["back"] ?? ""}
        renderRoot={(props) => <Link {...props} to="/dashboard/deliveries/log" search={{}} />}
      >
        <IconArrowLeft size={14} aria-hidden /> {t("part.log")}
      </Anchor>
      <PageHeader title={t("detail.title", { id })} />
      <Paper withBorder p="md">
        <DeliveryDetail key={id} deliveryId={id} onReplayed={open} />
      </Paper>
    </div>
  );
}
