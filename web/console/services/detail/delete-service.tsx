import { Button } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, call } from "../../../base/api.ts";
import { Confirm } from "../../../components/confirm.tsx";
import { Section } from "../../../components/section.tsx";
import { showDone } from "../../../components/show-fault.tsx";
import { refreshServices, type Service } from "../queries.ts";

export const DeleteService = ({ service }: { service: Service }) => {
  const { t } = useTranslation("services");
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const remove = async (): Promise<void> => {
    const params = { path: { serviceId: service.id } };
    await call(api.DELETE("/api/services/{serviceId}", { params }));
    showDone(t("delete.done", { name: service.name }));
    await navigate({ to: "/settings/services" });
    queries.removeQueries({ queryKey: ["services", "one", service.id] });
    await refreshServices(queries);
  };
  return (
    <Section
      title={t("delete.title")}
      note={t(`delete.note_${service.kind}`)}
      actions={
        <Button
          variant="outline"
          color="red"
          size="xs"
          leftSection={<IconTrash size={15} aria-hidden />}
          onClick={() => setAsking(true)}
        >
          {t("delete.title")}
        </Button>
      }
    >
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={t("delete.ask", { name: service.name })}
        action={t("delete.title")}
        isDangerous
        onConfirm={remove}
      >
        {t(`delete.note_${service.kind}`)}
      </Confirm>
    </Section>
  );
};
