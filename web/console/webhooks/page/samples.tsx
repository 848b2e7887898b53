import { Button, Collapse, Skeleton } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { lazyPart } from "../../../components/lazy-part.tsx";
import { PartBoundary } from "../../../components/error-boundary.tsx";
import { Section } from "../section.tsx";
import type { Webhook } from "../types.ts";

const SampleCode = lazyPart(async () => (await load()).SampleCode);

/** Code samples that verify a signature. */
export function Samples({ signatures }: Pick<Webhook, "signatures">) {
  const { t } = useTranslation("webhooks");
  const [isOpen, setOpen] = useState(false);
  const [wasOpen, setWasOpen] = useState(false);
  const toggle = (): void => {
    setOpen(!isOpen);
    setWasOpen(true);
  };
  return (
    <Section
      title={t("samples.title")}
      note={t("samples.note")}
      actions={
        <Button
          variant="default"
          size="xs"
          aria-expanded={isOpen}
          onPointerEnter={prepare}
          onFocus={prepare}
          onClick={toggle}
        >
          {t(isOpen ? "samples.hide" : "samples.show")}
        </Button>
      }
    >
      <Collapse expanded={isOpen}>
        {wasOpen ? (
          <PartBoundary placeholder={<Skeleton height={360} />}>
            <SampleCode signatures={signatures} />
          </PartBoundary>
        ) : null}
      </Collapse>
    </Section>
  );
}

function prepare(): void {
  void load().catch(() => undefined);
}

function load() {
  return import("./sample-code.tsx");
}
