/** What a unique index refused, as the client is told. */
import { problem } from "../contracts/problems.ts";

/** Unique indexes and the field whose value there can only be once. */
const fieldOfIndex: Readonly<Record<string, string>> = {
  users_login: "login",
  users_external_id: "external_id",
  groups_enterprise_id_name_key: "name",
  enterprise_domains_enterprise_id_domain_key: "domain",
};

/** Runs a use case. A value that another object has already becomes a conflict that names it. */
export async function refuseDuplicates<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const { code, constraint = "" } = thrown as { code?: unknown; constraint?: string };
    const field = code === "23505" ? fieldOfIndex[constraint] : undefined;
    if (field === undefined) {
      throw thrown;
    }
    throw problem("conflict", `The ${field} is taken.`, {
      details: `Parameter ${field}`,
      errors: [{ field, reason: "duplicate" }],
    });
  }
}
