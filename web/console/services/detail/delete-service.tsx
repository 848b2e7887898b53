import { IconTrash } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "../../../base/i18n.ts";
import { api, call } from "../../../base/api.ts";
import { ConfirmButton } from "../../../components/confirm-button.tsx";
import { Section } from "../../../components/section.tsx";
import { showDone } from "../../../components/show-fault.tsx";
import { refreshServices, type Service } from "../queries.ts";

export function DeleteService({ service }: { service: Service }) {
  const { t } = useTranslation("services");
  const queries = useQueryClient();
  const navigate = useNavigate();
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
        <ConfirmButton
          variant="outline"
          color="red"
          leftSection={<IconTrash size={15} aria-hidden />}
          label={t("delete.title")}
          title={t("delete.ask", { name: service.name })}
          isDangerous
          onConfirm={remove}
        >
          {t(`delete.note_${service.kind}`)}
        </ConfirmButton>
      }
    />
  );
}
