import { Button } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, call } from "../../../base/api.ts";
import { Confirm } from "../../../components/confirm.tsx";
import { CopyText } from "../../../components/copy.tsx";
import { Section } from "../../../components/section.tsx";
import { showDone } from "../../../components/show-fault.tsx";
import { useMay } from "../../session.ts";
import { refreshServices, type Service } from "../queries.ts";
import classes from "../services.module.css";

/** What programs and links name the service by, and how to end it. */
export const ServiceKey = ({ service }: { service: Service }) => {
  const { t } = useTranslation("services");
  const queries = useQueryClient();
  const mayChange = useMay("services.write");
  const [isAsking, setAsking] = useState(false);
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
          <Button
            variant="default"
            size="xs"
            leftSection={<IconRefresh size={15} aria-hidden />}
            onClick={() => setAsking(true)}
          >
            {t("key.rotate")}
          </Button>
        ) : undefined
      }
    >
      <span className={classes["address"]}>
        <CopyText value={service.service_key} name={t("key.title")} />
      </span>
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={t("key.rotate_title", { name: service.name })}
        action={t("key.rotate")}
        isDangerous
        onConfirm={rotate}
      >
        {t("key.rotate_note")}
      </Confirm>
    </Section>
  );
};
