/** The results of a run: written to `bench/results` and drawn by the report. */
import type { Part } from "./plan.ts";
import type { Chart } from "./report/chart.ts";
import type { Table } from "./report/table.ts";
import type { ApiWritesResult } from "./scenarios/api-writes.ts";
import type { BareChainResult } from "./scenarios/bare-chain.ts";
import type { Yardstick } from "./scenarios/bare-loop.ts";
import type { CallsResult } from "./scenarios/calls.ts";
import type { ClaimResult } from "./scenarios/claim.ts";
import type { DeliveryLogResult } from "./scenarios/delivery-log.ts";
import type { DrainResult } from "./scenarios/drain.ts";
import type { HistorySizeResult } from "./scenarios/history-size.ts";
import type { IsolationResult } from "./scenarios/isolation.ts";
import type { ListsResult } from "./scenarios/lists.ts";
import type { LiveResult } from "./scenarios/live.ts";
import type { LoadResult } from "./scenarios/load.ts";
import type { OutageResult } from "./scenarios/outage.ts";
import type { RoomSignallingResult } from "./scenarios/room-signalling.ts";
import type { SoakResult } from "./scenarios/soak.ts";
import type { StatementCost } from "./scenarios/statements.ts";
import type { ThroughputResult } from "./scenarios/throughput.ts";
import type { Machine } from "./support/machine.ts";

/** The results of the parts, as their scenarios return them. */
export type Measurements = {
  throughput?: ThroughputResult;
  latency?: LoadResult;
  bareChain?: BareChainResult;
  postgres?: LoadResult & { drain: DrainResult };
  api?: ApiWritesResult[];
  lists?: ListsResult;
  claim?: ClaimResult[];
  statements?: Record<string, StatementCost[]>;
  deliveryLog?: DeliveryLogResult;
  live?: LiveResult;
  isolation?: IsolationResult;
  outage?: OutageResult;
  rooms?: RoomSignallingResult;
  calls?: CallsResult;
  historySize?: HistorySizeResult;
  soak?: SoakResult;
};

/** A part of a run. */
export type PartRun = {
  part: Part;
  /** The description of the load (see `loadOf`). */
  load: string;
  seconds: number;
  bareLoop: Yardstick;
  tables: Table[];
  charts: Chart[];
};

export type Results = {
  startedAt: string;
  command: string;
  commit: string;
  machine: Machine;
  parts: PartRun[];
  measured: Measurements;
};
