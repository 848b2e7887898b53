import { IconTrash } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "../../../base/i18n.ts";
import { api, call } from "../../../base/api.ts";
import { ConfirmButton } from "../../../components/confirm-button.tsx";
import { showDone } from "../../../components/show-fault.tsx";
import { useSession } from "../../session.ts";
import { usersKey, type UserGroup } from "../queries.ts";
import classes from "../users.module.css";

export function DeleteGroup({ group, onDone }: { group: UserGroup; onDone: () => void }) {
  const { t } = useTranslation("users");
  const { enterprise } = useSession();
  const queries = useQueryClient();
  const remove = async (): Promise<void> => {
    await call(
      api.DELETE("/api/enterprises/{enterpriseId}/user-groups/{groupId}", {
        params: { path: { enterpriseId: enterprise.id, groupId: group.id } },
      }),
    );
    showDone(t("groups.deleted", { name: group.name }));
    onDone();
    await queries.invalidateQueries({ queryKey: usersKey });
  };
  return (
    <div className={classes["part"]}>
      <ConfirmButton
        variant="outline"
        color="red"
        leftSection={<IconTrash size={15} aria-hidden />}
        label={t("groups.delete")}
        title={t("groups.delete_title", { name: group.name })}
        isDangerous
        onConfirm={remove}
      >
        {t("groups.delete_note", { count: group.members.length })}
      </ConfirmButton>
    </div>
  );
}
