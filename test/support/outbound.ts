import { BlockList, isIP, Socket } from "node:net";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");
loopback.addSubnet("::ffff:127.0.0.0", 104, "ipv6");

function isLoopback(address: string): boolean {
  return loopback.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

const attempts: string[] = [];
let currentTest = "a hook";

/** Attributes later connections to this test. */
export function blame(title: string): void {
  currentTest = title;
}

/** Tests that connected to another machine since the last call, each with the address. */
export function takeOutboundAttempts(): string[] {
  return attempts.splice(0);
}

function refuse(socket: Socket, address: string): void {
  attempts.push(`"${currentTest}" connected to ${address}`);
  socket.destroy(new Error(`A test connected to ${address}, which is not on this machine`));
}

type Connect = (this: Socket, ...args: unknown[]) => Socket;

/** The host of `connect(options)`, `connect(port, host)` or Node's normalized form. */
function hostOf(args: readonly unknown[]): string | undefined {
  const [first, second] = Array.isArray(args[0]) ? (args[0] as unknown[]) : args;
  if (typeof first === "object" && first !== null && "host" in first) {
    return typeof first.host === "string" ? first.host : undefined;
  }
  return typeof second === "string" ? second : undefined;
}

let isWatching = false;

/**
 * Refuses and records every TCP connection to another machine, so that the test fails even if the
 * tested code ignores the error.
 */
export function watchOutbound(): void {
  if (isWatching) {
    return;
  }
  isWatching = true;
  // All clients use this method: http, fetch, pg and Redis.
  const connect = Socket.prototype.connect as unknown as Connect;
  const watched: Connect = function (...args) {
    const host = hostOf(args)?.replace(/^\[(.*)\]$/u, "$1");
    if (host !== undefined && isIP(host) !== 0 && !isLoopback(host)) {
      queueMicrotask(() => refuse(this, host));
      return this;
    }
    this.once("lookup", (_error: Error | null, address: string) => {
      if (isIP(address) !== 0 && !isLoopback(address)) {
        refuse(this, address);
      }
    });
    return connect.apply(this, args);
  };
  Socket.prototype.connect = watched;
}
