/** Root hooks of every mocha run. */
export const mochaHooks = {};
