import { ActionIcon, Select, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { usersQuery } from "../queries.ts";
import classes from "../users.module.css";

export type Member = Readonly<{ id: number; login: string }>;

type MembersFieldProps = Readonly<{
  members: readonly Member[];
  onChange: (members: Member[]) => void;
  isFixed: boolean;
}>;

/** Members of a group, with search by name. */
export function MembersField({ members, onChange, isFixed }: MembersFieldProps) {
  const { t } = useTranslation("users");
  return (
    <div>
      {isFixed ? null : <AddMember members={members} onChange={onChange} />}
      <Text size="sm" fw={600} mt="md">
        {t("groups.count", { count: members.length })}
      </Text>
      <ul className={classes["members"]} aria-label={t("groups.members")}>
        {members.map((member) => (
          <li key={member.id}>
            <Text size="sm" style={{ overflowWrap: "anywhere" }}>
              {member.login}
            </Text>
            {isFixed ? null : (
              <ActionIcon
                variant="subtle"
                color="gray"
                onClick={() => onChange(members.filter(({ id }) => id !== member.id))}
                aria-label={t("groups.take_out", { login: member.login })}
              >
                <IconX size={15} />
              </ActionIcon>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function AddMember({ members, onChange }: Omit<MembersFieldProps, "isFixed">) {
  const { t } = useTranslation("users");
  const [typed, setTyped] = useState("");
  const [q] = useDebouncedValue(typed.trim(), 250);
  const { data, isFetching } = useQuery(usersQuery(q === "" ? {} : { q }));
  // Filters the results of the previous search until the API has answered.
  const matches = (texts: readonly string[]): boolean =>
    texts.join(" ").toLowerCase().includes(typed.trim().toLowerCase());
  const others = (data?.data ?? []).filter(
    ({ id, login, email, nickname, firstname, lastname }) =>
      !members.some((member) => member.id === id) &&
      matches([login, email, nickname, firstname, lastname]),
  );
  return (
    <Select
      label={t("groups.add")}
      placeholder={t("groups.add_hint")}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      // Unfiltered, because the API has already searched, addresses included.
      filter={({ options }) => options}
      data={others.map(({ id, login, nickname }) => ({
        value: String(id),
        label: nickname === "" || nickname === login ? login : `${nickname} · ${login}`,
      }))}
      nothingFoundMessage={t(isFetching ? "groups.looking" : "groups.nobody")}
      value={null}
      onChange={(value) => {
        const chosen = others.find(({ id }) => String(id) === value);
        if (chosen !== undefined) {
          onChange([...members, { id: chosen.id, login: chosen.login }]);
        }
        setTyped("");
      }}
    />
  );
}
