import { request, type IncomingMessage, type RequestOptions } from "node:http";

/**
 * For requests that `fetch` cannot send: a path in absolute form, a body that never arrives.
 * Resolves with the head of the response. A request with a method stays open for its body.
 */
export function sendRaw(url: string, options: RequestOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const sent = request({ hostname, port, ...options }, resolve);
    sent.on("error", reject);
    sent.flushHeaders();
    if (options.method === undefined) {
      sent.end();
    }
  });
}
