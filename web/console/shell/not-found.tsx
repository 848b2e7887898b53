import { IconMapSearch } from "@tabler/icons-react";
import { useTranslation } from "../../base/i18n.ts";
import { EmptyState } from "../../components/empty-state.tsx";

export const NotFound = () => {
  const { t } = useTranslation();
  return (
    <EmptyState icon={IconMapSearch} title={t("not_found.title")} text={t("not_found.text")} />
  );
};
