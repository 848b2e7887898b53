import { SegmentedControl, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { CopyValueButton } from "../../../components/copy-button.tsx";
import go from "../samples/go.txt?raw";
import node from "../samples/node.txt?raw";
import php from "../samples/php.txt?raw";
import publicKey from "../samples/public-key.txt?raw";
import python from "../samples/python.txt?raw";
import classes from "./page.module.css";
import type { Webhook } from "../types.ts";

const byLanguage = { node, python, php, go } as const;
type Language = keyof typeof byLanguage | "key";

const names: Readonly<Record<Exclude<Language, "key">, string>> = {
  node: "Node",
  python: "Python",
  php: "PHP",
  go: "Go",
};

/** Code samples by language. */
export function SampleCode({ signatures }: Pick<Webhook, "signatures">) {
  const { t } = useTranslation("webhooks");
  const [language, setLanguage] = useState<Language>("node");
  const text = language === "key" ? publicKey : byLanguage[language];
  const choices = [
    ...Object.entries(names).map(([value, label]) => ({ value, label })),
    ...(signatures.includes("v1a") ? [{ value: "key", label: t("samples.key") }] : []),
  ];
  return (
    <Stack gap="xs" align="flex-start">
      <div className={classes["choices"]}>
        <SegmentedControl
          size="xs"
          aria-label={t("samples.language")}
          value={language}
          onChange={(next) => setLanguage(next as Language)}
          data={choices}
        />
      </div>
      <div className={classes["sample"]} style={{ width: "100%" }}>
        <div className={classes["copy"]}>
          <CopyValueButton value={text} name={t("samples.title")} />
        </div>
        <pre className={`mono ${classes["code"]}`} tabIndex={0} aria-label={t("samples.title")}>
          {text}
        </pre>
      </div>
      <Text size="xs" c="dimmed">
        {t("samples.help")}
      </Text>
    </Stack>
  );
}
