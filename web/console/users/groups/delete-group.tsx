import { Button } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, call } from "../../../base/api.ts";
import { Confirm } from "../../../components/confirm.tsx";
import { showDone } from "../../../components/show-fault.tsx";
import { useSession } from "../../session.ts";
import { usersKey, type UserGroup } from "../queries.ts";
import classes from "../users.module.css";

export const DeleteGroup = ({ group, onDone }: { group: UserGroup; onDone: () => void }) => {
  const { t } = useTranslation("users");
  const { enterprise } = useSession();
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
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
      <Button
        variant="outline"
        color="red"
        size="xs"
        leftSection={<IconTrash size={15} aria-hidden />}
        onClick={() => setAsking(true)}
      >
        {t("groups.delete")}
      </Button>
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={t("groups.delete_title", { name: group.name })}
        action={t("groups.delete")}
        isDangerous
        onConfirm={remove}
      >
        {t("groups.delete_note", { count: group.members.length })}
      </Confirm>
    </div>
  );
};
