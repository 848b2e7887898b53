import { useTranslation } from "../../base/i18n.ts";
import { asProblem } from "../../base/problem.ts";
import { unknownIn } from "./variables.ts";
import type { TemplateKind } from "../../../src/contracts/message-templates.ts";

export type TemplateValues = { subject: string; text: string; html: string; hasHtml: boolean };

type Field = "subject" | "text" | "html";

/** Validation errors of a template by field, translated. */
export function useWordingFaults(kind: TemplateKind) {
  const { t } = useTranslation("templates");
  const sayOne = (field: Field, reason: string, value: string): string => {
    switch (reason) {
      case "unknown_variable":
        return t("fault.unknown", {
          names: unknownIn(value, kind)
            .map((name) => `{{${name}}}`)
            .join(", "),
        });
      case "link_missing":
        return t("fault.link_missing");
      case "after_link":
        return t("fault.after_link");
      case "length":
        return t("fault.length");
      case "format":
        return t("fault.format");
      default:
        return value.trim() === "" && field !== "html" ? t("base:form.required") : t("fault.value");
    }
  };
  return (
    thrown: unknown,
    values: Readonly<Record<Field, string | null>>,
  ): Partial<Record<Field, string>> => {
    const texts: Partial<Record<Field, string>> = {};
    for (const { field, reason } of asProblem(thrown).errors) {
      if (isField(field)) {
        texts[field] = sayOne(field, reason, values[field] ?? "");
      }
    }
    return texts;
  };
}

function isField(name: string): name is Field {
  return ["subject", "text", "html"].includes(name);
}
