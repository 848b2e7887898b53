import { Button, Select, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslation } from "../../../base/i18n.ts";
import { fromLocal, toLocal } from "../local-time.ts";
import { useWords } from "../labels.ts";
import type { QuestionSearch } from "./explain-search.ts";
import classes from "./explain.module.css";

const kinds = [
  ...(["ticket", "media", "conversation", "smsmessage"] as const),
  ...(["conversationevent", "subscription", "delivery"] as const),
];

/** A form for any other object, such as a file, session or message: id and approximate time. */
export function OtherObject(props: {
  search: QuestionSearch;
  go: (search: QuestionSearch) => void;
}) {
  const { t } = useTranslation("deliveries");
  const { object: wordOf } = useWords();
  const { search, go } = props;
  const needed = (value: string): string | null =>
    value.trim() === "" ? t("base:form.required") : null;
  const form = useForm({
    initialValues: {
      object: search.object ?? "media",
      objectId: search.objectId ?? "",
      time: toLocal(search.time),
    },
    validate: { objectId: needed, time: needed },
  });
  return (
    <form
      className={classes["fields"]}
      onSubmit={form.onSubmit(({ object, objectId, time }) =>
        go({ object, objectId: objectId.trim(), time: fromLocal(time) ?? "" }),
      )}
      noValidate
    >
      <Select
        label={t("filter.kind")}
        data={kinds.map((kind) => ({ value: kind, label: wordOf(kind) }))}
        {...form.getInputProps("object")}
      />
      <TextInput label={t("filter.id")} maxLength={64} {...form.getInputProps("objectId")} />
      <TextInput
        type="datetime-local"
        label={t("explain.about_when")}
        description={t("explain.about_when_note")}
        {...form.getInputProps("time")}
      />
      <Button type="submit" variant="default">
        {t("explain.do")}
      </Button>
    </form>
  );
}
