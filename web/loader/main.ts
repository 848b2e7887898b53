/** `loadAgent`, the script's only global. */
import { checkArguments } from "./arguments.ts";
import { isInFrame } from "./frame.ts";
import { start, type Running } from "./start.ts";

let running: Running | undefined;

/**
 * Parameters: `serverDomainRoot, apiCCkey, userInfos, agentAppCallback, useFrame, agentParams`.
 * Throws a TypeError if one of the first three is missing or invalid.
 */
function loadAgent(...input: readonly unknown[]): void {
  if (isInFrame()) {
    return; // the top window already shows the boxes
  }
  if (running !== undefined && !running.isReplaceable()) {
    window.console.warn("loadAgent: the module is already loaded. Call agent.destroy() first.");
    return;
  }
  const [serverDomainRoot, apiCCkey, userInfos, agentAppCallback, useFrame, agentParams] = input;
  const named = { serverDomainRoot, apiCCkey, userInfos, agentAppCallback, useFrame, agentParams };
  const { protocol } = location;
  try {
    const settings = checkArguments(named, { protocol, languages: navigator.languages });
    settings.warnings.forEach((text) => window.console.warn(`loadAgent: ${text}`));
    running?.destroy();
    running = start(settings);
  } catch (thrown) {
    window.console.error(String(thrown));
    throw thrown;
  }
}

(window as unknown as { loadAgent: typeof loadAgent }).loadAgent = loadAgent;
