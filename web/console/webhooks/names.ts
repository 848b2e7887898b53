import { useTranslation } from "../../base/i18n.ts";
import type { Webhook } from "./types.ts";

/** A webhook's name, or its number where nobody gave it one. */
export const useNameOf = (): ((webhook: Pick<Webhook, "id" | "name">) => string) => {
  const { t } = useTranslation("webhooks");
  return ({ id, name }) => (name === "" ? t("unnamed", { id }) : name);
};
