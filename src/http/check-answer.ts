import type { ProblemBody } from "./problem-body.ts";
import type { Answer, AnyRoute } from "./route.ts";

/** What an operation is about to answer. A problem of no route: nothing is at the path. */
export type Told =
  | Readonly<{ route: AnyRoute; answer: Answer }>
  | Readonly<{ route: AnyRoute | undefined; problem: ProblemBody }>;

export type CheckAnswer = (told: Told) => void;
