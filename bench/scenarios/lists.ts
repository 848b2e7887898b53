/** Lists, searches and daily statistics over HTTP, in an enterprise with many tickets. */
import { rowsOf } from "../../src/platform/db/pool.ts";
import { manyTickets, type ManyTickets } from "../support/many-tickets.ts";
import { percentilesOf, type Percentiles } from "../support/statistics.ts";
import { agent, calmDown, startRole, type Stack } from "../support/stack.ts";

export type ListsResult = { tickets: number; answersMs: Record<string, Percentiles> };

export type ListsOptions = { tickets: number; days: number; rounds: number };

function callsOf({ enterpriseId, agentLogin, serviceKey, day }: ManyTickets) {
  return {
    list: "/tickets",
    "list by modified": "/tickets?orderby=modified",
    "list by start_time": "/tickets?orderby=start_time&order=asc",
    "list by id": "/tickets?orderby=id",
    "page 100": "/tickets?limit=100&offset=9900",
    "search: reference": "/tickets?reference=R-4711",
    "search: state of most": "/tickets?state=closed",
    "search: rare states": "/tickets?state=new,open",
    "search: agent": `/tickets?agent=${encodeURIComponent(agentLogin)}`,
    "search: service": `/tickets?service_key=${serviceKey}`,
    "search: a day": `/tickets?since=${day}`,
    "statistics of a day": `/enterprises/${enterpriseId}/tickets-stats?since=${day}&until=${day}`,
    "statistics of a day, CSV": `/enterprises/${enterpriseId}/tickets-stats?since=${day}&until=${day}&format=CSV`,
  };
}

/** Makes the bench's user an administrator. Returns the id of the user's enterprise. */
async function useEnterprise({ db }: Stack): Promise<number> {
  const [user] = await rowsOf<{ enterprise_id: number }>(
    db,
    "UPDATE users SET role = 'admin' WHERE login = ? RETURNING enterprise_id",
    [agent.login],
  );
  const enterpriseId = user?.enterprise_id ?? 0;
  await db.raw("UPDATE enterprises SET time_zone = 'UTC' WHERE id = ?", [enterpriseId]);
  return enterpriseId;
}

async function signIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "password",
      username: agent.login,
      password: agent.password,
    }),
  });
  const { access_token } = (await answer.json()) as { access_token: string };
  return access_token;
}

async function timeOf(url: string, token: string): Promise<number> {
  const startedAt = performance.now();
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const text = await answer.text();
  const ms = performance.now() - startedAt;
  if (answer.status !== 200 || text.length < 100) {
    throw new Error(`${url}: ${answer.status} ${text.slice(0, 500)}`);
  }
  return ms;
}

export async function lists(
  stack: Stack,
  { tickets, days, rounds }: ListsOptions,
): Promise<ListsResult> {
  const enterpriseId = await useEnterprise(stack);
  const many = await manyTickets(stack.db, { count: tickets, days, enterpriseId });
  const { child: web, url } = await startRole(stack, "web", {
    file: "src/server.ts",
    queue: "redis",
  });
  const token = await signIn(url);
  await calmDown(stack);
  const answersMs: ListsResult["answersMs"] = {};
  for (const [name, path] of Object.entries(callsOf(many))) {
    const times = new Float64Array(rounds);
    await timeOf(`${url}/api${path}`, token);
    for (let round = 0; round < rounds; round += 1) {
      times[round] = await timeOf(`${url}/api${path}`, token);
    }
    answersMs[name] = percentilesOf(times);
  }
  await web.stop();
  return { tickets, answersMs };
}
