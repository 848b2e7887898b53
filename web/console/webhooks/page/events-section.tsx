import { Button, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { CopyText } from "../../../components/copy-button.tsx";
import { JsonView } from "../../../components/json-view.tsx";
import { useFilterSummary } from "../filters/filter-summary.ts";
import { Preview } from "../filters/preview.tsx";
import { useTree } from "../filters/use-tree.ts";
import { Section } from "../section.tsx";
import classes from "./page.module.css";
import type { Webhook } from "../types.ts";

/** Selected events: summary, filters and preview. */
export function EventsSection({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation("webhooks");
  const filterSummary = useFilterSummary();
  const { tree } = useTree();
  const { filters, conditions } = webhook;
  const [isShown, setShown] = useState(false);
  return (
    <Section title={t("page.gets")}>
      <div className={classes["filters"]}>
        <div>
          <Stack gap="sm">
            <Text>{tree.length === 0 ? "…" : filterSummary(filters, tree)}</Text>
            {filters.length === 0 ? (
              <Text size="sm" c="dimmed">
                {t("gets.nothing_help")}
              </Text>
            ) : (
              <CopyText value={filters.join(", ")} name={t("page.filters")} />
            )}
            {conditions === null ? null : (
              <div>
                <Text size="xs" c="dimmed" fw={600} mb={4}>
                  {t("page.conditions")}
                </Text>
                <JsonView text={JSON.stringify(conditions)} name={t("page.conditions")} />
              </div>
            )}
          </Stack>
        </div>
        <div>
          <Button
            variant="default"
            size="xs"
            mb="xs"
            aria-expanded={isShown}
            onClick={() => setShown(!isShown)}
          >
            {t(isShown ? "page.preview_hide" : "page.preview_show")}
          </Button>
          {isShown ? <Preview filters={filters} conditions={conditions} /> : null}
        </div>
      </div>
    </Section>
  );
}
