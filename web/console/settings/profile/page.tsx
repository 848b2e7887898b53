import { PageHeader } from "../../../components/page-header.tsx";
import { useTranslation } from "../../../base/i18n.ts";
import { Devices } from "./devices.tsx";
import { Names } from "./names.tsx";
import { Password } from "./password.tsx";

/** The user's own settings. */
export function ProfilePage() {
  const { t } = useTranslation("settings");
  return (
    <>
      <PageHeader title={t("profile.title")} note={t("profile.note")} />
      <Names />
      <Password />
      <Devices />
    </>
  );
}
