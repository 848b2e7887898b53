import { expect } from "chai";

/** The code of the error with which a promise rejects, or its message without one. */
export async function refusal(work: Promise<unknown>): Promise<string> {
  const thrown: unknown = await work.then(() => undefined).catch((error: unknown) => error);
  expect(thrown).to.be.an.instanceOf(Error);
  const { code, message } = thrown as Error & { code?: string };
  return code ?? message;
}
