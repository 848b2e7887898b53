import { IconRefresh } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "../../../base/i18n.ts";
import { api, call } from "../../../base/api.ts";
import { ConfirmButton } from "../../../components/confirm-button.tsx";
import { CopyText } from "../../../components/copy-button.tsx";
import { Section } from "../../../components/section.tsx";
import { showDone } from "../../../components/show-fault.tsx";
import { useMay } from "../../session.ts";
import { refreshServices, type Service } from "../queries.ts";
import classes from "../services.module.css";

/** The service's key for API clients and links, with a button to rotate it. */
export function ServiceKey({ service }: { service: Service }) {
  const { t } = useTranslation("services");
  const queries = useQueryClient();
  const mayChange = useMay("services.write");
  const rotate = async (): Promise<void> => {
    const params = { path: { serviceId: service.id } };
    await call(api.POST("/api/services/{serviceId}/rotate-key", { params }));
    await refreshServices(queries);
    showDone(t("key.done"));
  };
  return (
    <Section
      title={t("key.title")}
      note={t("key.note")}
      actions={
        mayChange ? (
          <ConfirmButton
            variant="default"
            leftSection={<IconRefresh size={15} aria-hidden />}
            label={t("key.rotate")}
            title={t("key.rotate_title", { name: service.name })}
            isDangerous
            onConfirm={rotate}
          >
            {t("key.rotate_note")}
          </ConfirmButton>
        ) : undefined
      }
    >
      <span className={classes["address"]}>
        <CopyText value={service.service_key} name={t("key.title")} />
      </span>
    </Section>
  );
}
