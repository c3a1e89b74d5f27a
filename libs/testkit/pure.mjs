// In the engine's own tests the wall clock and unseeded randomness are traps: code that asks for them fails its test.
import { expect } from '@jest/globals';

if (expect.getState().testPath?.includes('/libs/engine/')) {
  const trap = (what) => () => {
    throw new Error(`the engine asked for ${what}`);
  };
  Math.random = trap('Math.random');
  const RealDate = Date;
  globalThis.Date = class extends RealDate {
    constructor(...args) {
      if (args.length === 0) trap('the wall clock (new Date())')();
      super(...args);
    }
  };
  globalThis.Date.now = trap('the wall clock (Date.now)');
}
