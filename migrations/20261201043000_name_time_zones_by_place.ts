import type { Knex } from "knex";

/**
 * Postgres reads these names as abbreviations with a fixed offset, or not at all, unlike `Intl`. Their
 * places are those of `Intl`.
 */
const places = {
  ...{ ACT: "Australia/Darwin", AET: "Australia/Sydney", AGT: "America/Argentina/Buenos_Aires" },
  ...{ ART: "Africa/Cairo", AST: "America/Anchorage", BET: "America/Sao_Paulo", BST: "Asia/Dhaka" },
  ...{
    CAT: "Africa/Maputo",
    CET: "Europe/Brussels",
    CNT: "America/St_Johns",
    CST: "America/Chicago",
  },
  ...{ CTT: "Asia/Shanghai", EAT: "Africa/Nairobi", ECT: "Europe/Paris", EET: "Europe/Athens" },
  ...{ EST: "America/Panama", HST: "Pacific/Honolulu", IET: "America/Indiana/Indianapolis" },
  ...{ IST: "Asia/Kolkata", JST: "Asia/Tokyo", MET: "Europe/Brussels", MIT: "Pacific/Apia" },
  ...{ MST: "America/Phoenix", NET: "Asia/Yerevan", NST: "Pacific/Auckland", PLT: "Asia/Karachi" },
  ...{ PNT: "America/Phoenix", PRT: "America/Puerto_Rico", PST: "America/Los_Angeles" },
  ...{ SST: "Pacific/Guadalcanal", VST: "Asia/Ho_Chi_Minh", WET: "Europe/Lisbon" },
} as const;

export const up = async (knex: Knex): Promise<void> => {
  const rows = Object.entries(places).map(([name, place]) => ({ name, place }));
  await knex.raw(
    `UPDATE enterprises e SET time_zone = input.place
     FROM json_to_recordset(?::json) AS input (name text, place text)
     WHERE upper(e.time_zone) = input.name`,
    [JSON.stringify(rows)],
  );
};

/** The former names stay valid for nobody who needs them. */
export const down = async (): Promise<void> => undefined;
