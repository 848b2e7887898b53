/** Creates tickets through the API of a real `web` process, with the pipeline running. */
import type { ApiLoadCommands } from "../processes/api-load.ts";
import { remoteOf } from "../support/commands.ts";
import { countCpu, perDelivery, processesOf, type ByProcess } from "../support/costs.ts";
import { assertSettled, type Rig } from "../support/rig.ts";
import { agent, calmDown, startRole, type RoleOptions } from "../support/stack.ts";
import { percentilesOf, type Percentiles } from "../support/statistics.ts";

export type ApiWritesResult = {
  clients: number;
  perSecond: number;
  written: number;
  latencyMs: Percentiles;
  cpuUsPerTicket: ByProcess;
  otherCores: number;
};

export type ApiWritesOptions = {
  roles: RoleOptions;
  clients: number;
  seconds: number;
  /** Node flags of the web process. */
  webFlags?: readonly string[];
  /** Called after the warm-up, before the measurement. */
  onWarm?: () => Promise<void>;
};

export async function apiWrites(rig: Rig, options: ApiWritesOptions): Promise<ApiWritesResult> {
  const { stack } = rig;
  const roles = await rig.useRoles(options.roles);
  const { queue } = options.roles;
  const { child: web, url } = await startRole(stack, "web", {
    file: "src/server.ts",
    queue,
    flags: options.webFlags ?? [],
  });
  const file = "bench/processes/api-load.ts";
  const child = stack.children.startNode({ name: "api-load", file, hasChannel: true });
  const load = remoteOf<ApiLoadCommands>(child);
  const token = await load("getToken", { url, ...agent });
  const base = { url, token, login: agent.login, clients: options.clients };
  await load("run", { ...base, warmUpMs: 0, measureMs: 1_500 });
  await calmDown(stack);
  await options.onWarm?.();
  const processes = {
    web: { pid: web.pid },
    client: { pid: child.pid },
    ...processesOf(rig, roles),
  };
  const stopCounting = countCpu(processes);
  const result = await load("run", { ...base, warmUpMs: 500, measureMs: options.seconds * 1_000 });
  const cpu = stopCounting();
  await assertSettled(rig);
  await child.stop();
  await web.stop();
  return {
    clients: options.clients,
    perSecond: result.perSecond,
    written: result.written,
    latencyMs: percentilesOf(result.latencyMs),
    cpuUsPerTicket: perDelivery(cpu.ms, result.written),
    otherCores: cpu.otherCores,
  };
}
