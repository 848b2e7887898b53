/** Creates tickets through the API with a fixed number of clients. */
import http from "node:http";
import { serveCommands } from "../support/commands.ts";
import { nowMs } from "../support/statistics.ts";

const agent = new http.Agent({ keepAlive: true, scheduling: "lifo" });

type Answer = { status: number; text: string };

function post(url: string, headers: Record<string, string>, body: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = Buffer.byteLength(body);
    const options = { method: "POST", agent, headers: { ...headers, "Content-Length": length } };
    const request = http.request(url, options, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (text += chunk));
      response.once("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    request.once("error", reject);
    request.end(body);
  });
}

const json = { "Content-Type": "application/json" };

async function getToken(input: { url: string; login: string; password: string }): Promise<string> {
  const { url, login: username, password } = input;
  const body = JSON.stringify({ grant_type: "password", username, password });
  const { status, text } = await post(`${url}/api/token`, json, body);
  if (status !== 200) {
    throw new Error(`No token: ${status} ${text}`);
  }
  return (JSON.parse(text) as { access_token: string }).access_token;
}

async function createTicket(url: string, token: string, body: string): Promise<void> {
  const headers = { ...json, Authorization: `Bearer ${token}` };
  const { status, text } = await post(`${url}/api/tickets`, headers, body);
  if (status !== 201) {
    throw new Error(`Ticket not created: ${status} ${text}`);
  }
}

export type ApiLoadResult = { perSecond: number; latencyMs: Float64Array; written: number };

async function run(input: {
  url: string;
  token: string;
  login: string;
  clients: number;
  warmUpMs: number;
  measureMs: number;
}): Promise<ApiLoadResult> {
  const { url, token } = input;
  const body = JSON.stringify({
    agent: input.login,
    email: "customer@bench.example",
    reference: "bench",
    firstname: "Ada",
  });
  const startAt = nowMs() + input.warmUpMs;
  const endAt = startAt + input.measureMs;
  const latencies: number[] = [];
  let written = 0;
  const client = async (): Promise<void> => {
    for (let now = nowMs(); now < endAt; now = nowMs()) {
      await createTicket(url, token, body);
      written += 1;
      if (now >= startAt) {
        latencies.push(nowMs() - now);
      }
    }
  };
  await Promise.all(Array.from({ length: input.clients }, client));
  const perSecond = latencies.length / (input.measureMs / 1_000);
  return { perSecond, latencyMs: Float64Array.from(latencies), written };
}

const commands = { getToken, run };

export type ApiLoadCommands = typeof commands;
serveCommands(commands);
