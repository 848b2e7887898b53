import { Anchor } from "@mantine/core";
import { IconPhoneOff } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "../../../base/i18n.ts";
import { EmptyState } from "../../../components/empty-state.tsx";

/** The call has ended, or this user may not watch it any more. */
export function CallOver() {
  const { t } = useTranslation("rooms");
  return (
    <EmptyState
      icon={IconPhoneOff}
      title={t("watch.over")}
      text={t("watch.over_text")}
      action={
        <Anchor renderRoot={(props) => <Link to="/rooms" {...props} />}>{t("watch.back")}</Anchor>
      }
    />
  );
}
