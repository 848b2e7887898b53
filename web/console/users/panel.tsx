import { Skeleton, Stack } from "@mantine/core";
import { useMounted } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../base/i18n.ts";
import { ErrorBox } from "../../components/error-box.tsx";
import { SidePanel } from "../../components/side-panel.tsx";
import { useMay } from "../session.ts";
import { Access } from "./access.tsx";
import { UserForm } from "./form.tsx";
import { userQuery } from "./queries.ts";

type UserPanelProps = Readonly<{
  /** An id or `new`; undefined if closed. */
  open: string | undefined;
  onClose: () => void;
  onOpen: (userId: number) => void;
}>;

/** A user in the detail pane. */
export function UserPanel({ open, onClose, onOpen }: UserPanelProps) {
  const { t } = useTranslation("users");
  // Opens after mounting, so that the focus returns to the element that had it before.
  const isThere = useMounted();
  const isNew = open === "new";
  const userId = Number(open);
  const { data } = useQuery({ ...userQuery(userId), enabled: userId > 0 });
  const name = data === undefined || data.nickname === "" ? data?.login : data.nickname;
  return (
    <SidePanel
      isOpen={isThere && open !== undefined}
      onClose={onClose}
      title={isNew ? t("form.new") : (name ?? t("form.change"))}
    >
      {isNew ? (
        <UserForm user={undefined} onSaved={({ id }) => onOpen(id)} onCancel={onClose} />
      ) : null}
      {userId > 0 ? <OneUser userId={userId} onClose={onClose} /> : null}
    </SidePanel>
  );
}

function OneUser({ userId, onClose }: { userId: number; onClose: () => void }) {
  const { data, error, refetch } = useQuery(userQuery(userId));
  const mayChange = useMay("users.write");
  if (error !== null && data === undefined) {
    return <ErrorBox error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined) {
    return (
      <Stack gap="md">
        <Skeleton height={70} />
        <Skeleton height={140} />
        <Skeleton height={90} />
        <Skeleton height={220} />
      </Stack>
    );
  }
  return (
    <>
      <UserForm key={data.id} user={data} onSaved={onClose} onCancel={onClose} />
      {mayChange ? <Access user={data} onDeleted={onClose} /> : null}
    </>
  );
}
