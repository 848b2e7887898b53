import { TextInput } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { useTranslation } from "../../base/i18n.ts";
import { useSingleKeys } from "../../components/single-keys.ts";
import classes from "./search-box.module.css";

/** Searches ids, references, phone numbers and event ids; `/` focuses it. */
export function SearchBox() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const box = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const isNarrow = useMediaQuery("(max-width: 48em)") ?? false;
  useSingleKeys([["/", () => box.current?.focus()]]);
  return (
    <form
      role="search"
      className={classes["search"]}
      onSubmit={(event) => {
        event.preventDefault();
        const q = text.trim();
        if (q !== "") {
          void navigate({ to: "/search", search: { q } });
        }
      }}
    >
      <TextInput
        ref={box}
        type="search"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        placeholder={t(isNarrow ? "search.short" : "search.hint")}
        aria-label={t("search.name")}
        leftSection={<IconSearch size={16} aria-hidden />}
        maxLength={255}
      />
    </form>
  );
}
