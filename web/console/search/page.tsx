import { useSearch } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { PageHeader } from "../../components/page-header.tsx";

export const SearchPage = () => {
  const { t } = useTranslation();
  const { q } = useSearch({ from: "/signed-in/search" });
  return <PageHeader title={t("search.title", { q })} />;
};
