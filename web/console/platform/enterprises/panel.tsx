import { Skeleton, Stack, Title } from "@mantine/core";
import { useMounted } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../../base/i18n.ts";
import { ErrorBox } from "../../../components/error-box.tsx";
import { SidePanel } from "../../../components/side-panel.tsx";
import { QuotaUsage } from "../../../components/quota-usage.tsx";
import { EnterpriseForm } from "./form.tsx";
import { enterprisesKey, enterpriseQuery } from "./queries.ts";

type EnterprisePanelProps = Readonly<{
  /** An id or `new`; undefined if closed. */
  open: string | undefined;
  onClose: () => void;
  onOpen: (enterpriseId: number) => void;
}>;

/** An enterprise in the detail pane. */
export function EnterprisePanel({ open, onClose, onOpen }: EnterprisePanelProps) {
  const { t } = useTranslation("platform");
  // Opens after mounting, so that the focus returns to the element that had it before.
  const isThere = useMounted();
  const enterpriseId = Number(open);
  const { data } = useQuery({ ...enterpriseQuery(enterpriseId), enabled: enterpriseId > 0 });
  return (
    <SidePanel
      isOpen={isThere && open !== undefined}
      onClose={onClose}
      title={open === "new" ? t("form.new") : (data?.name ?? t("form.change"))}
    >
      {open === "new" ? (
        <EnterpriseForm
          enterprise={undefined}
          onSaved={({ id }) => onOpen(id)}
          onCancel={onClose}
        />
      ) : null}
      {enterpriseId > 0 ? <One enterpriseId={enterpriseId} onClose={onClose} /> : null}
    </SidePanel>
  );
}

function One({ enterpriseId, onClose }: { enterpriseId: number; onClose: () => void }) {
  const { t } = useTranslation("platform");
  const { data, error, refetch } = useQuery(enterpriseQuery(enterpriseId));
  if (error !== null && data === undefined) {
    return <ErrorBox error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined) {
    return (
      <Stack>
        <Skeleton height={110} />
        <Skeleton height={260} />
      </Stack>
    );
  }
  return (
    <Stack gap="lg">
      <div>
        <Title order={3} mb="xs">
          {t("quota.title")}
        </Title>
        <QuotaUsage enterpriseId={data.id} queryKey={[...enterprisesKey, "quota", data.id]} />
      </div>
      <EnterpriseForm key={data.id} enterprise={data} onSaved={onClose} onCancel={onClose} />
    </Stack>
  );
}
